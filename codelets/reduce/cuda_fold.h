/* The reducers of reducers.def for kernels: states, leaves, joins, as in combine.h, fold_var.h and leaves.c, in the same
 * order of operations. Compiled by NVRTC without fused multiply-adds, and by the tests for the host.
 *
 * Before it comes what names the work:
 *     #define REDUCTIONS(X) X(0, sum, double) X(1, var, float) ...      number, reducer, type of its blocks */

#include <stdint.h>

#define INLINE static __device__ __forceinline__
#define MEMBER __device__ __forceinline__

/* ---- complex types are structs of re and im ---- */

template <class T> constexpr auto complex_test(int) -> decltype(T().im, true)
{
    return true;
}
template <class T> constexpr bool complex_test(long)
{
    return false;
}
template <class T, bool Complex = complex_test<T>(0)> struct real_of {
    typedef T type;
};
template <class T> struct real_of<T, true> {
    typedef decltype(T().re) type;
};

/* ---- arithmetic; integers wrap ---- */

template <class T> INLINE T plus(T l, T r)
{
    if constexpr (complex_test<T>(0))
        return T{l.re + r.re, l.im + r.im};
    else if constexpr (T(0.5) == T(0))
        return (T)((uint64_t)l + (uint64_t)r);
    else
        return l + r;
}

template <class T> INLINE T times(T l, T r)
{
    if constexpr (complex_test<T>(0))
        return T{l.re * r.re + -l.im * r.im, l.re * r.im + l.im * r.re};
    else if constexpr (T(0.5) == T(0))
        return (T)((uint64_t)l * (uint64_t)r);
    else
        return l * r;
}

template <class T> INLINE bool is_nan(T x)
{
    if constexpr (complex_test<T>(0))
        return (x.re != x.re) | (x.im != x.im);
    else
        return x != x;
}

template <class T> INLINE bool complex_less(T a, T b)
{
    return a.re < b.re || (a.re == b.re && a.im < b.im);
}

/* Whether the right operand replaces the left one, which comes first in index order. */
template <class T> INLINE bool takes_min(T l, T r)
{
    if constexpr (complex_test<T>(0))
        return !is_nan(l) && (is_nan(r) || complex_less(r, l));
    else
        return (l == l) & !(l <= r);
}
template <class T> INLINE bool takes_max(T l, T r)
{
    if constexpr (complex_test<T>(0))
        return !is_nan(l) && (is_nan(r) || complex_less(l, r));
    else
        return (l == l) & !(l >= r);
}
template <class T> INLINE bool takes_nanmin(T l, T r)
{
    if constexpr (complex_test<T>(0))
        return !is_nan(r) && (is_nan(l) || complex_less(r, l));
    else
        return (r == r) & !(l <= r);
}
template <class T> INLINE bool takes_nanmax(T l, T r)
{
    if constexpr (complex_test<T>(0))
        return !is_nan(r) && (is_nan(l) || complex_less(l, r));
    else
        return (r == r) & !(l >= r);
}

/* ---- the NaN of a result: positive, quiet, without payload ---- */

INLINE void settle_one(float &x)
{
    if (x != x)
        x = __int_as_float(0x7fc00000);
}
INLINE void settle_one(double &x)
{
    if (x != x)
        x = __longlong_as_double(0x7ff8000000000000LL);
}
template <class T> INLINE auto settle_one(T &x) -> decltype(x.im, void())
{
    settle_one(x.re);
    settle_one(x.im);
}
INLINE void settle_one(int64_t &)
{
}
INLINE void settle_one(uint64_t &)
{
}

/* ---- states. `level` is that of the two nodes that are joined, `unit` the elements of a leaf; ragged joins get the
 * elements of both ---- */

template <class A> struct single {
    static constexpr int components = 1;
    typedef A first;
    typedef A second;
    A a;
};
template <class A, class B> struct both {
    static constexpr int components = 2;
    typedef A first;
    typedef B second;
    A a;
    B b;
};

/* A reducer of one component whose ragged joins are joins. */
#define SINGLE_REDUCER(name, swaps, component, leaf_of_x, joined, settled)                                             \
    template <class T> struct fold_##name {                                                                            \
        typedef single<component> state;                                                                               \
        static constexpr bool symmetric = swaps, indexed = false, weighted = false;                                    \
        static MEMBER state leaf(T x, int64_t)                                                                         \
        {                                                                                                              \
            return state{leaf_of_x};                                                                                   \
        }                                                                                                              \
        static MEMBER state join(state l, state r, int, int64_t)                                                       \
        {                                                                                                              \
            return state{joined};                                                                                      \
        }                                                                                                              \
        static MEMBER state ragged(state l, state r, double, double)                                                   \
        {                                                                                                              \
            return join(l, r, 0, 1);                                                                                   \
        }                                                                                                              \
        static MEMBER void settle(state &s)                                                                            \
        {                                                                                                              \
            settled;                                                                                                   \
        }                                                                                                              \
    };
SINGLE_REDUCER(sum, true, T, x, plus(l.a, r.a), settle_one(s.a))
SINGLE_REDUCER(prod, true, T, x, times(l.a, r.a), settle_one(s.a))
SINGLE_REDUCER(min, false, T, x, takes_min(l.a, r.a) ? r.a : l.a, (void)s)
SINGLE_REDUCER(max, false, T, x, takes_max(l.a, r.a) ? r.a : l.a, (void)s)
SINGLE_REDUCER(nanmin, false, T, x, takes_nanmin(l.a, r.a) ? r.a : l.a, (void)s)
SINGLE_REDUCER(nanmax, false, T, x, takes_nanmax(l.a, r.a) ? r.a : l.a, (void)s)
SINGLE_REDUCER(any, true, T, x, (T)(l.a | r.a), (void)s)
SINGLE_REDUCER(all, true, T, x, (T)(l.a &r.a), (void)s)
SINGLE_REDUCER(count_nonzero, true, int64_t, x != 0, plus(l.a, r.a), (void)s)

#define PLACED_REDUCER(name, takes)                                                                                    \
    template <class T> struct fold_##name {                                                                            \
        typedef both<T, int64_t> state;                                                                                \
        static constexpr bool symmetric = false, indexed = true, weighted = false;                                     \
        static MEMBER state leaf(T x, int64_t index)                                                                   \
        {                                                                                                              \
            return state{x, index};                                                                                    \
        }                                                                                                              \
        static MEMBER state join(state l, state r, int, int64_t)                                                       \
        {                                                                                                              \
            const bool right = takes(l.a, r.a);                                                                        \
            return state{right ? r.a : l.a, right ? r.b : l.b};                                                        \
        }                                                                                                              \
        static MEMBER state ragged(state l, state r, double, double)                                                   \
        {                                                                                                              \
            return join(l, r, 0, 1);                                                                                   \
        }                                                                                                              \
        static MEMBER void settle(state &)                                                                             \
        {                                                                                                              \
        }                                                                                                              \
    };
PLACED_REDUCER(argmin, takes_min)
PLACED_REDUCER(argmax, takes_max)
PLACED_REDUCER(nanargmin, takes_nanmin)
PLACED_REDUCER(nanargmax, takes_nanmax)

/* s and m2 = m2L + m2R + |d|^2 c / 2, d = (sR - sL) / c, for nodes of c elements; Chan's formula where the right one is
 * cut short. */
template <class T> struct fold_var {
    typedef typename real_of<T>::type real;
    typedef both<T, real> state;
    static constexpr bool symmetric = true, indexed = false, weighted = true;
    static MEMBER state leaf(T x, int64_t) /* an infinity is at no distance from any mean: NaN */
    {
        if constexpr (complex_test<T>(0))
            return state{x, (x.re - x.re) + (x.im - x.im)};
        else
            return state{x, x - x};
    }
    static MEMBER real square(T d)
    {
        if constexpr (complex_test<T>(0))
            return d.re * d.re + d.im * d.im;
        else
            return d * d;
    }
    static MEMBER state join(state l, state r, int level, int64_t unit)
    {
        const double elements = (double)unit * (double)(1ULL << level);
        const real reciprocal = (real)(1 / elements), half = (real)(elements / 2);
        T d;
        if constexpr (complex_test<T>(0))
            d = T{(r.a.re - l.a.re) * reciprocal, (r.a.im - l.a.im) * reciprocal};
        else
            d = (r.a - l.a) * reciprocal;
        return state{plus(l.a, r.a), (l.b + r.b) + square(d) * half};
    }
    static MEMBER state ragged(state l, state r, double left, double right)
    {
        const real factor = (real)(left * right / (left + right)), of_left = (real)left, of_right = (real)right;
        T d;
        if constexpr (complex_test<T>(0))
            d = T{r.a.re / of_right - l.a.re / of_left, r.a.im / of_right - l.a.im / of_left};
        else
            d = r.a / of_right - l.a / of_left;
        return state{plus(l.a, r.a), (l.b + r.b) + square(d) * factor};
    }
    static MEMBER void settle(state &s)
    {
        settle_one(s.a);
        settle_one(s.b);
    }
};

/* ---- the states of all reductions of the program ---- */

struct state {
#define X(k, reducer, type) fold_##reducer<type>::state r##k;
    REDUCTIONS(X)
#undef X
};
struct values {
#define X(k, reducer, type) type r##k;
    REDUCTIONS(X)
#undef X
};
enum {
#define X(k, reducer, type) +1
    COUNT = 0 REDUCTIONS(X)
#undef X
};
#define X(k, reducer, type) &&fold_##reducer<type>::symmetric
constexpr bool all_symmetric = true REDUCTIONS(X);
#undef X
#define X(k, reducer, type) || fold_##reducer<type>::weighted
constexpr bool some_weighted = false REDUCTIONS(X);
#undef X

INLINE state leaf_of(const values &x, int64_t index)
{
    state s;
#define X(k, reducer, type) s.r##k = fold_##reducer<type>::leaf(x.r##k, index);
    REDUCTIONS(X)
#undef X
    return s;
}

INLINE state join(state l, state r, int level, int64_t unit = 1)
{
    state s;
#define X(k, reducer, type) s.r##k = fold_##reducer<type>::join(l.r##k, r.r##k, level, unit);
    REDUCTIONS(X)
#undef X
    return s;
}

INLINE state ragged(state l, state r, double left, double right)
{
    state s;
#define X(k, reducer, type) s.r##k = fold_##reducer<type>::ragged(l.r##k, r.r##k, left, right);
    REDUCTIONS(X)
#undef X
    return s;
}

INLINE void settle(state &s)
{
#define X(k, reducer, type) fold_##reducer<type>::settle(s.r##k);
    REDUCTIONS(X)
#undef X
}

/* One of two states, by their numbers: states stay in registers. */
template <class T> INLINE T chosen(bool first, T a, T b)
{
    if constexpr (complex_test<T>(0))
        return T{first ? a.re : b.re, first ? a.im : b.im};
    else
        return first ? a : b;
}
template <class A> INLINE single<A> chosen(bool first, single<A> a, single<A> b)
{
    return single<A>{chosen(first, a.a, b.a)};
}
template <class A, class B> INLINE both<A, B> chosen(bool first, both<A, B> a, both<A, B> b)
{
    return both<A, B>{chosen(first, a.a, b.a), chosen(first, a.b, b.b)};
}
INLINE state chosen(bool first, state a, state b)
{
    state s;
#define X(k, reducer, type) s.r##k = chosen(first, a.r##k, b.r##k);
    REDUCTIONS(X)
#undef X
    return s;
}

/* Joins two nodes of `level` of a tree over `total` leaves, of which the right one begins at leaf `right`. */
INLINE state join_at(state l, state r, int level, int64_t right, int64_t total, int64_t unit = 1)
{
    state s;
    if (some_weighted && right < total && total - right < (1LL << level))
        s = ragged(l, r, (double)(1LL << level) * (double)unit, (double)(total - right) * (double)unit);
    else
        s = join(l, r, level, unit);
    return chosen(right < total, s, l);
}

/* ---- between the lanes of a warp ---- */

template <class T> INLINE T from_lane(T x, int mask)
{
    if constexpr (complex_test<T>(0)) {
        return T{from_lane(x.re, mask), from_lane(x.im, mask)};
    } else if constexpr (sizeof(T) == 8) {
        uint64_t word;
        memcpy(&word, &x, sizeof x);
        const unsigned low = __shfl_xor_sync(0xffffffffU, (unsigned)word, mask);
        word = (uint64_t)__shfl_xor_sync(0xffffffffU, (unsigned)(word >> 32), mask) << 32 | low;
        memcpy(&x, &word, sizeof x);
        return x;
    } else if constexpr (sizeof(T) == 4) {
        unsigned word;
        memcpy(&word, &x, sizeof x);
        word = __shfl_xor_sync(0xffffffffU, word, mask);
        memcpy(&x, &word, sizeof x);
        return x;
    } else {
        return (T)__shfl_xor_sync(0xffffffffU, (unsigned)x, mask);
    }
}
template <class A> INLINE single<A> from_lane(single<A> s, int mask)
{
    return single<A>{from_lane(s.a, mask)};
}
template <class A, class B> INLINE both<A, B> from_lane(both<A, B> s, int mask)
{
    return both<A, B>{from_lane(s.a, mask), from_lane(s.b, mask)};
}
INLINE state from_lane(state s, int mask)
{
    state t;
#define X(k, reducer, type) t.r##k = from_lane(s.r##k, mask);
    REDUCTIONS(X)
#undef X
    return t;
}

/* ---- in memory: an array a component ---- */

template <class A> INLINE void write_state(const single<A> &s, char *const *at, int64_t i)
{
    if (at[0])
        ((A *)at[0])[i] = s.a;
}
template <class A, class B> INLINE void write_state(const both<A, B> &s, char *const *at, int64_t i)
{
    if (at[0])
        ((A *)at[0])[i] = s.a;
    if (at[1])
        ((B *)at[1])[i] = s.b;
}
/* What other blocks wrote: past the first-level cache. */
template <class T> INLINE T read_fresh(const T *at)
{
    T x;
    if constexpr (sizeof(T) % 8 == 0) {
        unsigned long long word[sizeof(T) / 8];
        for (int i = 0; i < (int)(sizeof(T) / 8); i++)
            word[i] = __ldcg((const unsigned long long *)at + i);
        memcpy(&x, word, sizeof x);
    } else if constexpr (sizeof(T) == 4) {
        const unsigned word = __ldcg((const unsigned *)at);
        memcpy(&x, &word, sizeof x);
    } else if constexpr (sizeof(T) == 2) {
        const unsigned short word = __ldcg((const unsigned short *)at);
        memcpy(&x, &word, sizeof x);
    } else {
        const unsigned char word = __ldcg((const unsigned char *)at);
        memcpy(&x, &word, sizeof x);
    }
    return x;
}
template <class A> INLINE void read_state(single<A> &s, char *const *at, int64_t i)
{
    s.a = read_fresh((const A *)at[0] + i);
}
template <class A, class B> INLINE void read_state(both<A, B> &s, char *const *at, int64_t i)
{
    s.a = read_fresh((const A *)at[0] + i);
    s.b = read_fresh((const B *)at[1] + i);
}

/* ---- node lists (tree.h) ---- */

/* The level of the largest aligned node that begins at `first` and ends before or at `last`. */
INLINE int level_at(int64_t first, int64_t last)
{
    const int fits = 63 - __clzll(last - first), aligned = first ? __ffsll(first) - 1 : 63;
    return fits < aligned ? fits : aligned;
}
