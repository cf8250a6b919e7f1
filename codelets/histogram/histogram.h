/* What the parts of the histogram share: kernels and their arguments, and the rule that finds bins. */
#ifndef STA__HISTOGRAM_H
#define STA__HISTOGRAM_H

#include "internal.h"
#include "histogram_precision.h"
#include "loops.h"

/* The result is memory[0] everywhere; a tile that is read twice has one index, so that arguments say where operands
 * are. */

/* The edges of equal bins, of a given range or of that which the data have. */
struct sta__histogram_edges_arguments {
    int64_t bins;
    bool has_range;
    double lo, hi;
    int lo_at, hi_at; /* without a range: in memory */
};
/* Explicit edges are checked and copied. */
struct sta__histogram_check_arguments {
    int64_t edges;
    int given_at;
};
/* Counts of one tile into sums: int64 (counts, integer weights), float64 or complex128. */
struct sta__histogram_count_arguments {
    int64_t bins;
    bool add;                          /* to what the sums hold already */
    int data_at, edges_at, weights_at; /* no weights: -1 */
};
/* The sum of memory[1] ..., in their order. */
struct sta__histogram_add_arguments {
    int64_t bins;
};
/* The counts. The sums are made `as` before they become a density. */
struct sta__histogram_finish_arguments {
    int64_t bins;
    sta_dtype as;
    bool density;
    int sums_at, edges_at;
};
extern const struct sta__kernel sta__histogram_edges, sta__histogram_check, sta__histogram_count, sta__histogram_add,
    sta__histogram_finish;

/* On GPUs (cuda.c). */
sta_error_code sta__histogram_edges_cuda(struct sta__job *job);
sta_error_code sta__histogram_edges_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes);
sta_error_code sta__histogram_count_cuda(struct sta__job *job);
sta_error_code sta__histogram_add_cuda(struct sta__job *job);
sta_error_code sta__histogram_finish_cuda(struct sta__job *job);
sta_error_code sta__histogram_check_cuda(struct sta__job *job);
sta_error_code sta__histogram_check_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes);

/* Elements of memory in any dtype (values.c). As doubles: bool and halves too, and the real part of complex ones. */
void sta__histogram_doubles(const struct sta__memory *memory, int64_t from, int64_t count, double *restrict to);
void sta__histogram_imaginary(const struct sta__memory *memory, int64_t from, int64_t count, double *restrict to);
void sta__histogram_integers(const struct sta__memory *memory, int64_t from, int64_t count, int64_t *restrict to);
double sta__histogram_double(const struct sta__memory *memory, int64_t i);

/* How the bin of a value is found. */
struct sta__bin_rule {
    enum sta__bin_precision precision; /* of the comparison with the edges */
    bool uniform;                      /* by arithmetic, else by search */
    int32_t count;
    union {
        struct sta__bins_f32 f32;
        struct sta__bins_f64 f64;
    } bins;
    const int64_t *whole; /* I64: the edges */
    void *copy;           /* the edges in that precision, where they are not so already */
    const struct sta__histogram_loops *loops;
};
/* The rule for data of a dtype and these edges. false: no memory. */
bool sta__bin_rule_make(struct sta__bin_rule *rule, sta_dtype data, const struct sta__memory *edges, int64_t bins);
void sta__bin_rule_clear(struct sta__bin_rule *rule);
/* Elements whose weights are added to a table of their own. */
int64_t sta__histogram_chunk(int64_t bins);
/* Adds weights to sums (sums.c). false: no memory. */
bool sta__histogram_weigh(const struct sta__bin_rule *rule, const struct sta__memory *data,
                          const struct sta__memory *weights, const struct sta__memory *sums, int threads);
/* The bins of up to STA__HISTOGRAM_BLOCK elements from index `from` on; `bin` has room for that many in any case. */
void sta__bin_rule_find(const struct sta__bin_rule *rule, const struct sta__memory *data, int64_t from, int64_t count,
                        int32_t *bin);

#endif
