/* Without CUDA: no transforms on GPUs. */
#include "fft.h"

#include "no_cuda.h"

NOT_READY(fft)
NO_BODY(fft)
