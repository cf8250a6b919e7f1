/* What a row of ufuncs.def becomes in a loop: see loops.h, which is included once per dtype. A file that includes
 * this has defined STA__PADDED as 1 where tails must go through the vector functions of the C library, else 0. The
 * build compiles these files once per instruction set, with -DSTA__ISA=v2, v3 or v4 and the -march of that name;
 * every exported symbol ends in it.
 */
#ifndef STA__LOOP_MACROS_H
#define STA__LOOP_MACROS_H

#include "ufunc.h"

#include <string.h>

#include "scalar.h"
#include "rules.h"

#ifdef __clang__ /* loops that call scalar functions stay scalar: no fault */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#ifndef STA__ISA
#error "say which instruction set this file is compiled for: -DSTA__ISA=v3"
#endif
#define STA__SYMBOL(name) STA__GLUE(STA__GLUE(name, _), STA__ISA)

#if STA__PADDED
/* The vector function and its scalar twin differ in the last bits, so every element goes through the vector one:
 * loops do whole blocks only, and what is left over is computed in a padded block. */
enum { STA__BLOCK = 16 };
#define STA__EACH(n, ...)                                                                                              \
    for (int64_t from = 0; from < n; from += STA__BLOCK) {                                                             \
        _Pragma("omp simd") for (int64_t i = from; i < from + STA__BLOCK; i++)                                         \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define STA__FINISH(name, result_bytes, arity, x_bytes, y_bytes)                                                       \
    static void STA__NAME(name##_any)(int64_t n, void *out, const void *const *in)                                     \
    {                                                                                                                  \
        padded(STA__NAME(name), n, out, in, (result_bytes), arity, x_bytes, y_bytes);                                  \
    }
#define STA__ENTRY(name) STA__NAME(name##_any)

static __attribute__((noinline)) void padded(sta__loop blocks, int64_t n, void *out, const void *const *in,
                                             size_t result_bytes, int arity, size_t x_bytes, size_t y_bytes)
{
    const size_t rest = (size_t)n % STA__BLOCK, whole = (size_t)n - rest;
    if (whole != 0)
        blocks((int64_t)whole, out, in);
    if (rest == 0)
        return;
    _Alignas(64) char result[STA__BLOCK * 16], pad[3][STA__BLOCK * 16];
    const size_t bytes[3] = {x_bytes, y_bytes, y_bytes};
    const void *pads[3] = {pad[0], pad[1], pad[2]};
    for (int k = 0; k < arity; k++) {
        const char *from = (const char *)in[k] + whole * bytes[k];
        if (bytes[k] == 0) /* a scalar */
            pads[k] = from;
        memcpy(pad[k], from, rest * bytes[k]);
        for (size_t i = rest; i < STA__BLOCK; i++)
            memcpy(pad[k] + i * bytes[k], from, bytes[k]);
    }
    blocks(STA__BLOCK, result, pads);
    memcpy((char *)out + whole * result_bytes, result, rest * result_bytes);
}
#else
#define STA__EACH(n, ...)                                                                                              \
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++)                                                                \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define STA__FINISH(name, result_bytes, arity, x_bytes, y_bytes)
#define STA__ENTRY(name) STA__NAME(name)
#endif

/* Rows by kind: puts `what` into the places of the kinds column. */
#define STA__KINDS_BIFC(B, I, F, C, L) B I F C
#define STA__KINDS_bIFC(B, I, F, C, L) I F C
#define STA__KINDS_IFC(B, I, F, C, L) I F C
#define STA__KINDS_BIF(B, I, F, C, L) B I F
#define STA__KINDS_bIF(B, I, F, C, L) I F
#define STA__KINDS_IF(B, I, F, C, L) I F
#define STA__KINDS_BI(B, I, F, C, L) B I
#define STA__KINDS_bI(B, I, F, C, L) I
#define STA__KINDS_I(B, I, F, C, L) I
#define STA__KINDS_FC(B, I, F, C, L) F C
#define STA__KINDS_F(B, I, F, C, L) F
#define STA__KINDS_C(B, I, F, C, L) C
#define STA__KINDS_L(B, I, F, C, L) L
#define STA__SELECT_B(row, what) row(what, , , , )
#define STA__SELECT_I(row, what) row(, what, , , )
#define STA__SELECT_F(row, what) row(, , what, , )
#define STA__SELECT_C(row, what) row(, , , what, )
#define STA__SELECT_L(row, what) row(, what, , , what)
#define STA__SELECT(row, what) STA__GLUE(STA__SELECT_, STA__CLASS)(row, what)

#define STA__LOOP_1(name, rule, text)                                                                                  \
    static void STA__NAME(name)(int64_t n, void *out, const void *const *in)                                           \
    {                                                                                                                  \
        STA__RESULT_##rule *const to = out;                                                                            \
        const STA__X_##rule *const a = in[0];                                                                          \
        STA__EACH(n, const STA__X_##rule x = a[i]; to[i] = STA__KEEP_##rule(text);)                                    \
    }                                                                                                                  \
    STA__FINISH(name, sizeof(STA__RESULT_##rule), 1, sizeof(STA__X_##rule), 0)
#define STA__LOOP_2(name, rule, text)                                                                                  \
    static void STA__NAME(name)(int64_t n, void *out, const void *const *in)                                           \
    {                                                                                                                  \
        STA__RESULT_##rule *const to = out;                                                                            \
        const STA__X_##rule *const a = in[0];                                                                          \
        const STA__Y_##rule *const b = in[1];                                                                          \
        STA__EACH(n, const STA__X_##rule x = a[i]; const STA__Y_##rule y = b[i]; to[i] = STA__KEEP_##rule(text);)      \
    }                                                                                                                  \
    STA__FINISH(name, sizeof(STA__RESULT_##rule), 2, sizeof(STA__X_##rule), sizeof(STA__Y_##rule))
#define STA__LOOP_3(name, rule, text)                                                                                  \
    static void STA__NAME(name)(int64_t n, void *out, const void *const *in)                                           \
    {                                                                                                                  \
        STA__RESULT_##rule *const to = out;                                                                            \
        const STA__X_##rule *const a = in[0];                                                                          \
        const STA__Y_##rule *const b = in[1];                                                                          \
        const T *const c = in[2];                                                                                      \
        STA__EACH(n, const STA__X_##rule x = a[i]; const STA__Y_##rule y = b[i]; const T z = c[i];                     \
                  to[i] = STA__KEEP_##rule(text);)                                                                     \
    }                                                                                                                  \
    STA__FINISH(name, sizeof(STA__RESULT_##rule), 3, sizeof(STA__X_##rule), sizeof(STA__Y_##rule))

/* The same with scalars on the right (y; y and z) or on the left (x): one element that is read before the loop. Files whose dtype
 * is worth it define STA__SCALARS as 1. */
#define STA__LOOP_SCALAR_1(name, rule, text)
#define STA__LOOP_SCALAR_2(name, rule, text)                                                                           \
    static void STA__NAME(name##_right)(int64_t n, void *out, const void *const *in)                                   \
    {                                                                                                                  \
        STA__RESULT_##rule *const to = out;                                                                            \
        const STA__X_##rule *const a = in[0];                                                                          \
        const STA__Y_##rule y = *(const STA__Y_##rule *)in[1];                                                         \
        STA__EACH(n, const STA__X_##rule x = a[i]; to[i] = STA__KEEP_##rule(text);)                                    \
    }                                                                                                                  \
    STA__FINISH(name##_right, sizeof(STA__RESULT_##rule), 2, sizeof(STA__X_##rule), 0)                                 \
    static void STA__NAME(name##_left)(int64_t n, void *out, const void *const *in)                                    \
    {                                                                                                                  \
        STA__RESULT_##rule *const to = out;                                                                            \
        const STA__X_##rule x = *(const STA__X_##rule *)in[0];                                                         \
        const STA__Y_##rule *const b = in[1];                                                                          \
        STA__EACH(n, const STA__Y_##rule y = b[i]; to[i] = STA__KEEP_##rule(text);)                                    \
    }                                                                                                                  \
    STA__FINISH(name##_left, sizeof(STA__RESULT_##rule), 2, 0, sizeof(STA__Y_##rule))
#define STA__LOOP_SCALAR_3(name, rule, text)                                                                           \
    static void STA__NAME(name##_right)(int64_t n, void *out, const void *const *in)                                   \
    {                                                                                                                  \
        STA__RESULT_##rule *const to = out;                                                                            \
        const STA__X_##rule *const a = in[0];                                                                          \
        const STA__Y_##rule y = *(const STA__Y_##rule *)in[1];                                                         \
        const T z = *(const T *)in[2];                                                                                 \
        STA__EACH(n, const STA__X_##rule x = a[i]; to[i] = STA__KEEP_##rule(text);)                                    \
    }                                                                                                                  \
    STA__FINISH(name##_right, sizeof(STA__RESULT_##rule), 3, sizeof(STA__X_##rule), 0)
#define STA__SCALAR_ENTRY_1(name)
#define STA__SCALAR_ENTRY_2(name)                                                                                      \
    loops[STA__OPS + STA__OP_##name] = STA__ENTRY(name##_values_right);                                                \
    loops[2 * STA__OPS + STA__OP_##name] = STA__ENTRY(name##_values_left);
#define STA__SCALAR_ENTRY_3(name) loops[STA__OPS + STA__OP_##name] = STA__ENTRY(name##_values_right);

#endif
