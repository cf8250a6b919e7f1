/* Without CUDA: no histograms on GPUs. */
#include "histogram.h"

#include "no_cuda.h"

NO_BODY(histogram_edges)
NO_FAULT(histogram_edges)
NO_BODY(histogram_count)
NO_BODY(histogram_add)
NO_BODY(histogram_finish)
NO_BODY(histogram_check)
NO_FAULT(histogram_check)
