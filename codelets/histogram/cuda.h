/* Kernels of histograms on GPUs. Plain arguments, so that C and CUDA C++ read this. All launch only; the status is of type
 * cudaError_t. */
#ifndef STA__HISTOGRAM_CUDA_H
#define STA__HISTOGRAM_CUDA_H

#include <starray/dtype.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of a dtype on the device. */
struct sta__cuda_array {
    sta_dtype dtype;
    const void *data;
};

/* The edges of equal bins, as edges.c makes them. Without a range: lo and hi are one element each. */
struct sta__cuda_edges {
    int64_t bins;
    bool has_range;
    double lo, hi;
    struct sta__cuda_array lo_at, hi_at;
};
/* What is wrong, in the word `fault`: bits that may come together, and the kinds of both ends. */
enum {
    STA__EDGES_NOT_FINITE = 1,
    STA__EDGES_COINCIDE = 2,
    STA__EDGES_LO = 4, /* times 0 finite, 1 NaN, 2 infinity, 3 minus infinity */
    STA__EDGES_HI = 16
};
int sta__cuda_histogram_edges(const struct sta__cuda_edges *e, sta_dtype dtype, void *edges, uint32_t *fault,
                              void *stream);

/* What finds bins (rule.c): `edges` as comparisons need them, 8 bytes for each of bins + 1, and `worst`, a word for how
 * far estimates may be off. */
struct sta__cuda_rule {
    int precision; /* of enum sta__bin_precision */
    int32_t bins;
    void *edges;
    uint64_t *worst;
};
/* Fills it in; on the way empties the sums, int64, where they are given. */
int sta__cuda_histogram_rule(const struct sta__cuda_rule *rule, const struct sta__cuda_array *edges, int64_t *sums,
                             void *stream);

/* Adds to the sums, int64. */
int sta__cuda_histogram_count(const struct sta__cuda_rule *rule, const struct sta__cuda_array *data, int64_t count,
                              int64_t *sums, int processors, void *stream);

/* Weights of `chunk` elements at a time are added in the order of the elements to a table of their own, and the tables
 * in their order to the sums (added to where `add`): as sums.c does. `tables` has room for ceil(count / chunk) * bins
 * sums of dtype int64, float64 or complex128. */
int sta__cuda_histogram_weigh(const struct sta__cuda_rule *rule, const struct sta__cuda_array *data,
                              const struct sta__cuda_array *weights, int64_t count, int64_t chunk, sta_dtype dtype,
                              void *tables, void *sums, bool add, void *stream);

/* What becomes of the sums (finish.c). total: two numbers on the device, where a density is wanted; else NULL. */
struct sta__cuda_finish {
    int64_t bins;
    sta_dtype as, dtype; /* of the counts; of `to` */
    struct sta__cuda_array sums, edges;
    void *to;
    double *total;
};
int sta__cuda_histogram_finish(const struct sta__cuda_finish *finish, void *stream);

/* Where edges do not rise: words = 1 and the index of the first, in two words. bad: one word on the device. */
int sta__cuda_histogram_check(const struct sta__cuda_array *edges, int64_t count, unsigned long long *bad,
                              uint32_t *words, void *stream);

/* to = from[0] + from[1] + ..., in this order; int64 or double. */
int sta__cuda_histogram_add(bool whole, int64_t count, int inputs, const void *const *from, void *to, void *stream);

#ifdef __cplusplus
}
#endif
#endif
