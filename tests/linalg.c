/* Products: shapes, dtypes, transposed operands, stacks and errors. ctest: tiny omp gpu sanitize */
#include "cases.h"

#include <starray/linalg.h>

#include <math.h>
#include <stdlib.h>

static struct sta_tolerance tolerance(const struct sta_record *c)
{
    if (c->dtype == STA_float16)
        return STA_NEAR(2e-3, 1e-3);
    if (c->dtype == STA_float32 || c->dtype == STA_complex64)
        return STA_NEAR(1e-6, 1e-4);
    return c->dtype == STA_float64 || c->dtype == STA_complex128 ? STA_NEAR(1e-14, 1e-12) : STA_EXACT;
}

static void as_numpy(void)
{
    const struct sta_oracle *oracle =
        sta_test_oracle("eval", "import linalg_cases; globals().update(linalg_cases.make(rng))");
    for (size_t k = 0; oracle && k + 3 < sta_oracle_count(oracle); k += 4) {
        const struct sta_record *c = sta_oracle_at(oracle, k + 3);
        const int64_t *transposed = sta_oracle_at(oracle, k + 2)->data;
        sta_scope scope = sta_open();
        sta_array a = sta_test_record_array(sta_oracle_at(oracle, k));
        sta_array b = sta_test_record_array(sta_oracle_at(oracle, k + 1));
        if (*transposed & 1)
            a = sta_transpose(a, STA_ALL);
        if (*transposed & 2)
            b = sta_transpose(b, STA_ALL);
        STA_ASSERT_RECORD(sta_matmul(a, b), c, tolerance(c));
        sta_close(scope);
    }
}

static void views(void)
{
    sta_array m = sta_slice(sta_test_array(STA_int32, STA_DIMS(2, 3), ((int32_t[]){0, 1, 2, 3, 4, 5})), "::-1, ::-1");
    sta_array v = sta_test_array(STA_int32, STA_DIMS(3, 1), ((int32_t[]){1, 10, 100}));
    STA_ASSERT_EQUAL(sta_matmul(m, v), STA_int32, STA_DIMS(2, 1), ((int32_t[]){345, 12}));
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 2), ((double[]){1, 2, 3, 4}));
    STA_ASSERT_EQUAL(sta_matmul(sta_transpose(x, STA_ALL), x), STA_float64, STA_DIMS(2, 2),
                     ((double[]){10, 14, 14, 20}));
    STA_ASSERT_EQUAL(sta_matmul(sta_slice(x, "0"), sta_slice(x, ":, 1")), STA_float64, STA_SCALAR, ((double[]){10}));
}

/* Large enough for several blocks of each kind at the default tile size: c[i][j] = sum of l is known. */
static void large(int64_t m, int64_t k, int64_t n)
{
    float *a = malloc((size_t)(m * k) * sizeof *a), *b = malloc((size_t)(k * n) * sizeof *b);
    float *c = malloc((size_t)(m * n) * sizeof *c);
    CU_ASSERT_FATAL(a && b && c);
    for (int64_t i = 0; i < m * k; i++)
        a[i] = (float)(i / k % 5); /* the row */
    for (int64_t i = 0; i < k * n; i++)
        b[i] = (float)(i / n % 2 + i % n % 3); /* l % 2 + column % 3 */
    sta_scope scope = sta_open();
    sta_array left = sta_test_array(STA_float32, STA_DIMS(m, k), a),
              right = sta_test_array(STA_float32, STA_DIMS(k, n), b);
    STA_ASSERT_OK(sta_read(sta_matmul(left, right), c, (size_t)(m * n) * sizeof *c));
    int64_t wrong = 0;
    for (int64_t i = 0; i < m * n; i++)
        wrong += c[i] != (float)(i / n % 5) * ((float)(k / 2) + (float)k * (float)(i % n % 3));
    CU_ASSERT_EQUAL(wrong, 0);
    sta_close(scope);
    free(a);
    free(b);
    free(c);
}

static void blocks(void)
{
    if (getenv("STA_TILE_ELEMS")) /* a million tasks */
        return;
    large(1 << 14, 100, 40);
    large(3, 1 << 18, 5);
    large(1, 1 << 20, 1);
}

/* More rows and a longer inner axis than the blocks of the integer loops. */
static void integers(void)
{
    enum { M = 133, K = 300, N = 37 };
    static uint8_t a[M * K], b[K * N], c[M * N];
    if (getenv("STA_TILE_ELEMS"))
        return;
    for (int i = 0; i < M * K; i++)
        a[i] = (uint8_t)(i * 7 + i / 11);
    for (int i = 0; i < K * N; i++)
        b[i] = (uint8_t)(i * 5 + i / 13);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int l = 0; l < K; l++)
                c[i * N + j] = (uint8_t)(c[i * N + j] + a[i * K + l] * b[l * N + j]);
    sta_array left = sta_test_array(STA_uint8, STA_DIMS(M, K), a), right = sta_test_array(STA_uint8, STA_DIMS(K, N), b);
    STA_ASSERT_EQUAL(sta_matmul(left, right), STA_uint8, STA_DIMS(M, N), c);
    sta_array wide = sta_matmul(sta_astype(left, STA_uint64), sta_astype(right, STA_uint64));
    STA_ASSERT_EQUAL(sta_astype(wide, STA_uint8), STA_uint8, STA_DIMS(M, N), c);
}

static void errors(void)
{
    sta_array a = sta_zeros(STA_DIMS(3, 4), STA_float64), b = sta_zeros(STA_DIMS(5, 6), STA_float64);
    STA_ASSERT_ERROR(sta_matmul(a, b), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(sta_wait(sta_matmul(a, b))->text, "shapes (3, 4) and (5, 6) do not align: 4 != 5");
    STA_ASSERT_ERROR(sta_matmul(a, sta_float(2)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_matmul(sta_zeros(STA_DIMS(2, 3, 4), STA_int8), sta_zeros(STA_DIMS(3, 4, 5), STA_int8)),
                     STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_matmul(a, (sta_array){0}), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_matmul(sta_matmul(a, b), a), STA_ERROR_SHAPE);
}

/* ---- products and norms made of it: product_cases.py ---- */

static sta_dims axes(const struct sta_case *c, int first)
{
    return c->numbers > first ? sta_case_dims(c, first, (int)c->numbers - first) : STA_ALL;
}

static const char *const orders[] = {NULL, "fro", "1", "-1", "inf", "-inf"};

#define CALL(name, value)                                                                                              \
    static void name(struct sta_case *c)                                                                               \
    {                                                                                                                  \
        c->out[c->outs++] = value;                                                                                     \
    }
CALL(dot, sta_dot(c->x[0], c->x[1]))
CALL(inner, sta_inner(c->x[0], c->x[1]))
CALL(outer, sta_outer(c->x[0], c->x[1]))
CALL(vdot, sta_vdot(c->x[0], c->x[1]))
CALL(vecdot, sta_vecdot(c->x[0], c->x[1], c->n[0]))
CALL(kron, sta_kron(c->x[0], c->x[1]))
CALL(trace, sta_trace(c->x[0], c->n[0], c->n[1], c->n[2]))
CALL(matrix_power, sta_matrix_power(c->x[0], c->n[0]))
CALL(multi_dot, sta_multi_dot(c->x, c->count))
CALL(norm, sta_norm(c->x[0], orders[c->n[0]], axes(c, 2), (unsigned)c->n[1]))
CALL(matrix_norm, sta_matrix_norm(c->x[0], orders[c->n[0]], (unsigned)c->n[1]))

static void tensordot(struct sta_case *c)
{
    const int n = (int)c->n[0];
    c->out[c->outs++] = sta_tensordot(c->x[0], c->x[1], sta_case_dims(c, 1, n), sta_case_dims(c, 1 + n, n));
}

static void vector_norm(struct sta_case *c)
{
    static const double numbers[] = {2, 1, 0, INFINITY, -INFINITY, 3, 0.5, -2};
    c->out[c->outs++] = sta_vector_norm(c->x[0], numbers[c->n[0]], axes(c, 2), (unsigned)c->n[1]);
}

static void products_as_numpy(void)
{
    static const struct sta_case_call calls[] = {
        STA_CALL(dot),         STA_CALL(inner),        STA_CALL(outer),     STA_CALL(vdot), STA_CALL(vecdot),
        STA_CALL(trace),       STA_CALL(matrix_power), STA_CALL(multi_dot), STA_CALL(norm), STA_CALL(matrix_norm),
        STA_CALL(vector_norm), STA_CALL(tensordot),    STA_CALL(kron)};
    sta_test_cases("product_cases", calls, sizeof calls / sizeof *calls);
}

static void product_errors(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 2), ((double[]){1, 2, 3, 4}));
    STA_ASSERT_ERROR(sta_matrix_norm(x, "nuc", 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_norm(x, "2", STA_AXES(0, 1), 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_norm(x, "two", STA_AXES(0), 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_vector_norm(x, (double)NAN, STA_ALL, 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_multi_dot(&x, 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_dot(x, (sta_array){0}), STA_ERROR_INVALID_ARRAY);
}

STA_TESTS("linalg", STA_CASE(as_numpy), STA_CASE(views), STA_CASE(blocks), STA_CASE(integers), STA_CASE(errors),
          STA_CASE(products_as_numpy), STA_CASE(product_errors))
