/** @file histogram.h
 *  Histograms.
 */
#ifndef STARRAY_HISTOGRAM_H
#define STARRAY_HISTOGRAM_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rare parameters of sta_histogram. Set `size` to sizeof(sta_histogram_options), what is not used to 0. */
typedef struct sta_histogram_options {
    size_t size;
    int has_range; /**< not 0: the bins go from lo to hi, and what lies outside is not counted */
    double lo, hi;
    sta_array edges;   /**< explicit edges, 1-D and ascending; `bins` is not looked at then. {0}: equal bins */
    sta_array weights; /**< of the shape of x: added up instead of counted. {0}: every element counts 1 */
    int density;       /**< not 0: counts[k] / (edges[k + 1] - edges[k]) / sum(counts), whose integral is 1 */
} sta_histogram_options;

/** What sta_histogram returns. Both are in error if one is. */
typedef struct sta_histogram_result {
    sta_array counts; /**< (n,) */
    sta_array edges;  /**< (n + 1,) */
} sta_histogram_result;

/** How many elements of x, of any shape, lie in each bin:
 *
 *      counts[k] = sum of weights[i] over all i with edges[k] <= x[i] < edges[k + 1]
 *
 *  where the last bin has its right edge too. That holds exactly for every element: bins are found by one
 *  multiplication, and where this may be off, by comparing with the edges. NaN lies in no bin. GPUs give the same
 *  bits as CPUs, in sums of weights for the same tiles.
 *
 *  Bins: `bins` equal ones from min(x) to max(x), or over the range of the options, or explicit edges. If both ends are
 *  equal they are moved apart by 1/2 each; the range of an empty x is 0 to 1. The minimum and the maximum are found in
 *  the pass that computes x, and nothing waits for them.
 *  edges: as linspace(lo, hi, bins + 1). dtype: that of x where it is a float, else float64; explicit edges keep
 *  theirs.
 *  counts: int64; with weights the dtype of these (sums of bool are "any"); float64 or complex128 for a density.
 *  Integer weights are added exactly and wrap; floats are added in float64, in an order that depends on the tiles of x
 *  but never on timing, and rounded once. NumPy rounds after each 65536 elements, so that its float32 sums differ in
 *  their last digits.
 *
 *  Differences to NumPy: in a histogram of float16 NumPy computes the bins in float16, and puts some elements into a
 *  neighbour of the bin that its edges say; NaN in explicit edges is an error; the width of bins with explicit edges of
 *  small integers does not wrap; complex x is an error.
 *
 *  Errors: VALUE for bins < 1, a range that is not finite or has hi < lo, edges that do not ascend, more than 2^31 - 2
 *  bins; SHAPE for edges that are not 1-D and weights of another shape than x; DTYPE for complex x or edges. Found
 *  when the tasks run: VALUE for an x with NaN or an infinity where its range is asked for, and for bins so many that
 *  edges of the dtype coincide.
 *
 *  Cost: one pass over x, for up to some thousand bins at the speed of memory. */
sta_histogram_result sta_histogram(sta_array x, int64_t bins, const sta_histogram_options *options);

#ifdef __cplusplus
}
#endif
#endif
