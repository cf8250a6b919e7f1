/* Small memory, vectors and the pool of host buffers. ctest: sanitize */
#include "sta_test.h"

#include "mem.h"
#include "pages.h"

#include <string.h>

static bool all_zero(const char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i])
            return false;
    return true;
}

static void test_allocate(void)
{
    for (size_t bytes = 0; bytes < 70000; bytes = 3 * bytes + 1) {
        char *memory = sta__allocate(bytes);

        CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
        CU_ASSERT_EQUAL((uintptr_t)memory % 64, 0);
        CU_ASSERT(all_zero(memory, bytes));
        memset(memory, 1, bytes);
        sta__release(memory);
    }
    CU_ASSERT_PTR_NULL(sta__allocate(SIZE_MAX));
    CU_ASSERT_PTR_NULL(sta__allocate((size_t)1 << 45));
    sta__release(NULL);
}

static void test_countdown(void)
{
    void *memory[4];

    sta__fail_allocation(3);
    for (int k = 0; k < 4; k++)
        memory[k] = k % 2 ? sta__pool_take(100) : sta__allocate(100);
    CU_ASSERT_EQUAL(sta__fail_allocation(0), 4);
    for (int k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(memory[k] == NULL, k == 2);
        if (k % 2)
            sta__pool_give(memory[k], 100);
        else
            sta__release(memory[k]);
    }
}

static void test_vector(void)
{
    struct sta__vector v = STA__VECTOR(int64_t);

    for (int64_t k = 0; k < 1000; k++) {
        int64_t *item = sta__vector_add(&v);

        CU_ASSERT_PTR_NOT_NULL_FATAL(item);
        CU_ASSERT_EQUAL(*item, 0);
        *item = k;
    }
    for (int64_t k = 0; k < 1000; k++)
        CU_ASSERT_EQUAL(((int64_t *)v.data)[k], k);
    v.count = 10;
    CU_ASSERT_EQUAL(*(int64_t *)sta__vector_add(&v), 0);
    sta__vector_clear(&v);
    CU_ASSERT_EQUAL(v.count, 0);

    sta__fail_allocation(1);
    CU_ASSERT_PTR_NULL(sta__vector_add(&v));
    sta__fail_allocation(0);
    CU_ASSERT_PTR_NOT_NULL(sta__vector_add(&v));
    sta__vector_clear(&v);
}

static void test_pool_reuse(void)
{
    size_t sizes[] = {0, 1, 4096, 4097, 5000, 1 << 20, (2 << 20) - 1, 2 << 20, 3000000, (10 << 20) + 1};

    sta__pool_limit((size_t)64 << 20);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char *first = sta__pool_take(sizes[k]), *second;

        CU_ASSERT_PTR_NOT_NULL_FATAL(first);
        CU_ASSERT_EQUAL((uintptr_t)first % (sizes[k] >= 2 << 20 ? 2 << 20 : 64), 0);
        memset(first, 1, sizes[k]);
        sta__pool_give(first, sizes[k]);
        second = sta__pool_take(sizes[k]);
        CU_ASSERT_PTR_EQUAL(first, second); /* recycled */
        sta__pool_give(second, sizes[k]);
    }
    {
        char *first = sta__pool_take(4 << 20), *second;

        sta__pool_give(first, 4 << 20);
        second = sta__pool_take((4 << 20) - 999); /* shapes that vary a little */
        CU_ASSERT_PTR_EQUAL(first, second);
        sta__pool_give(second, (4 << 20) - 999);
    }
    sta__pool_limit(0);
}

/* The oldest leaves first, so that sizes nobody asks for do not stay for ever. */
static void test_pool_bound(void)
{
    char *old, *young[8];

    sta__pool_limit(8 << 20);
    old = sta__pool_take(1 << 20);
    for (int k = 0; k < 8; k++)
        young[k] = sta__pool_take(1 << 20);
    sta__pool_give(old, 1 << 20);
    for (int k = 0; k < 8; k++)
        sta__pool_give(young[k], 1 << 20);
    for (int k = 7; k >= 0; k--)
        CU_ASSERT_PTR_EQUAL(sta__pool_take(1 << 20), young[k]);
    for (int k = 0; k < 8; k++)
        sta__pool_give(young[k], 1 << 20);
    sta__pool_give(sta__pool_take(100 << 20), 100 << 20); /* above the limit: not kept, nothing else thrown out */
    for (int k = 7; k >= 0; k--)
        CU_ASSERT_PTR_EQUAL(sta__pool_take(1 << 20), young[k]);
    for (int k = 0; k < 8; k++)
        sta__pool_give(young[k], 1 << 20);
    sta__pool_limit(0);
}

static void test_pool_huge(void)
{
    int64_t available = sta__memory_available();

    CU_ASSERT(available > 0 && available <= sta__memory_total());
    CU_ASSERT_PTR_NULL(sta__pool_take((size_t)available + ((size_t)64 << 20)));
    CU_ASSERT_PTR_NULL(sta__pool_take((size_t)800 << 30));
    CU_ASSERT_PTR_NULL(sta__pool_take(SIZE_MAX));
    CU_ASSERT_PTR_NULL(sta__pool_take(SIZE_MAX / 2));
}

static const char *use_pool(int seed)
{
    char *held[8] = {NULL};
    size_t bytes[8] = {0};

    for (size_t k = 0; k < 4000; k++) {
        size_t slot = (k * 7 + (size_t)seed) % 8;

        if (held[slot] && held[slot][bytes[slot] - 1] != (char)bytes[slot])
            return "overwritten";
        sta__pool_give(held[slot], bytes[slot]);
        bytes[slot] = 1 + k * 7919 % 300000;
        held[slot] = sta__pool_take(bytes[slot]);
        if (!held[slot])
            return "no memory";
        held[slot][bytes[slot] - 1] = (char)bytes[slot];
    }
    for (int slot = 0; slot < 8; slot++)
        sta__pool_give(held[slot], bytes[slot]);
    return NULL;
}

static void test_pool_threads(void)
{
    sta__pool_limit(1 << 20);
    sta_test_threads(4, use_pool);
    sta__pool_limit(0);
}

/* Whatever lay in a buffer before, and whether it was kept or comes from the system. */
static void test_pool_zeros(void)
{
    size_t sizes[] = {0, 1, 4096, 100000, 1 << 20, (2 << 20) - 1, 2 << 20, 3000000, (4 << 20) - 999, (10 << 20) + 1};

    sta__pool_limit((size_t)64 << 20);
    for (size_t k = 0; k < 4 * (sizeof sizes / sizeof *sizes); k++) {
        size_t bytes = sizes[k % (sizeof sizes / sizeof *sizes)];
        char *memory = sta__pool_take_zeros(bytes);

        CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
        CU_ASSERT(all_zero(memory, bytes));
        memset(memory, 1, k % 3 ? bytes : bytes / 2);
        sta__pool_give(memory, bytes);
        if (k % 2 == 0)
            continue;
        memory = sta__pool_take(bytes);
        memset(memory, 2, bytes);
        sta__pool_give(memory, bytes);
    }
    sta__fail_allocation(1);
    CU_ASSERT_PTR_NULL(sta__pool_take_zeros(100));
    sta__fail_allocation(0);
    sta__pool_limit(0);
    CU_ASSERT_EQUAL(sta__pages_promised(), 0);
}

/* What was promised and not given yet is not free, though the system calls it so. */
static void test_pool_promises(void)
{
    const size_t bytes = (size_t)256 << 20, most = (size_t)sta__memory_total() / bytes + 1;
    char **memory = sta__allocate(sizeof *memory * most);
    size_t count = 0;

    sta__pool_limit(0);
    while (count < most && (memory[count] = sta__pool_take_zeros(bytes)))
        count++;
    CU_ASSERT(count > 0 && count < most);
    CU_ASSERT_EQUAL(sta__pages_promised(), count * bytes);
    memset(memory[0], 1, bytes / 2);
    CU_ASSERT_EQUAL(sta__pages_promised(), count * bytes - bytes / 2);
    for (size_t k = 0; k < count; k++)
        sta__pool_give(memory[(k + count / 2) % count], bytes);
    CU_ASSERT_EQUAL(sta__pages_promised(), 0);
    sta__release(memory);
}

static const char *use_zeros(int seed)
{
    for (size_t k = 0; k < 60; k++) {
        size_t bytes = (k * 7 + (size_t)seed) % 4 * 1500000 + 100;
        char *zeros = sta__pool_take_zeros(bytes), *other = sta__pool_take(bytes);

        if (!zeros || !other)
            return "no memory";
        memset(other, 1, bytes);
        if (!all_zero(zeros, bytes))
            return "not zero";
        memset(zeros, 1, bytes);
        sta__pool_give(k % 2 ? zeros : other, bytes);
        sta__pool_give(k % 2 ? other : zeros, bytes);
    }
    return NULL;
}

static void test_zeros_threads(void)
{
    sta__pool_limit(16 << 20);
    sta_test_threads(4, use_zeros);
    sta__pool_limit(0);
    CU_ASSERT_EQUAL(sta__pages_promised(), 0);
}

STA_PURE_TESTS("memory", STA_CASE(test_allocate), STA_CASE(test_countdown), STA_CASE(test_vector),
               STA_CASE(test_pool_reuse), STA_CASE(test_pool_bound), STA_CASE(test_pool_huge),
               STA_CASE(test_pool_threads), STA_CASE(test_pool_zeros), STA_CASE(test_pool_promises),
               STA_CASE(test_zeros_threads))
