/* What an element of each element-wise loop costs, its operands in the cache. */
#include "calibrate.h"

#include "mem.h"

#include <math.h>
#include <string.h>

enum { ELEMENTS = 512 };

/* The best of some rounds, in nanoseconds an element. */
static double time_loop(sta__loop loop, char *to, const void *const *from, int rounds)
{
    double best = INFINITY;
    int calls = 1;
    for (int round = 0; round < rounds; round++) {
        int64_t begin = sta__clock();
        for (int k = 0; k < calls; k++)
            loop(ELEMENTS, to, from);
        double time = (double)(sta__clock() - begin);
        if (time < 4000) { /* the clock itself takes some 25 ns */
            calls *= 4;
            round--;
        } else if (time / calls < best) {
            best = time / calls;
        }
    }
    return best / ELEMENTS;
}

/* Positive numbers up to 9 without a pattern that a processor could learn: loops take each of their usual ways. */
static void fill(char *to, sta_dtype dtype, uint32_t seed)
{
    double numbers[ELEMENTS];
    const void *from = numbers;
    for (int i = 0; i < ELEMENTS; i++) {
        seed = seed * 1664525U + 1013904223U;
        numbers[i] = 0.5 + 8.5 * (double)(seed >> 8) / (1 << 24);
    }
    sta__cast_loop(STA_float64, dtype)(ELEMENTS, to, &from);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* In a later pass the better of both counts. */
static void measure_dtype(sta_dtype dtype, char *memory, int rounds, bool again)
{
    const size_t part = ELEMENTS * 16 + 64;
    const void *from[3] = {memory, memory + part, memory + 2 * part};
    char *to = memory + 3 * part;
    for (uint32_t k = 0; k < 3; k++)
        fill(memory + k * part, dtype, k + 1);
    for (int op = 0; op < STA__OPS; op++) {
        sta__loop loop = sta__ufunc_loop(op, dtype);
        double before = again && loop ? sta__ufunc_nanoseconds(op, dtype) : INFINITY;
        if (loop && strcmp(sta__ufunc(op)->name, "ldexp") != 0) /* its second operand is of another dtype */
            sta__ufunc_measured(op, dtype, smaller(before, time_loop(loop, to, from, rounds)));
    }
    for (int into = 0; into < STA__DTYPES; into++) {
        if (!sta__dtype_valid((sta_dtype)into) || into == (int)dtype)
            continue;
        double before = again ? sta__cast_nanoseconds(dtype, (sta_dtype)into) : INFINITY;
        sta__loop loop = sta__cast_loop(dtype, (sta_dtype)into);
        sta__cast_measured(dtype, (sta_dtype)into, smaller(before, time_loop(loop, to, from, rounds)));
    }
}

/* The usual dtypes first: there may be no time for the others. */
static const sta_dtype order[] = {STA_float64,   STA_float32, STA_int64, STA_bool, STA_complex128,
                                  STA_complex64, STA_int32,   STA_uint8, STA_int8, STA_int16,
                                  STA_uint16,    STA_uint32,  STA_uint64};
enum { DTYPES = sizeof order / sizeof *order, USUAL = 6, OFTEN = 2 };

static void measure_one(sta_dtype dtype, int rounds, bool again)
{
    char *memory = sta__allocate(4 * (ELEMENTS * 16 + 64));
    if (memory)
        measure_dtype(dtype, memory, rounds, again);
    sta__release(memory);
}

void loops_measure(const struct plan *plan, enum part part)
{
    int dtypes = plan->full ? DTYPES : USUAL;
    for (int k = 0; k < dtypes && progress_left(part) > 0 && !stop_wanted(); k++) {
        progress_show(part, k, dtypes, "loops");
        measure_one(order[k], plan->full ? 30 : 8, part == PART_LOOPS_AGAIN);
    }
}

void loops_refine(int turn)
{
    measure_one(order[turn % OFTEN], 3, true);
}
