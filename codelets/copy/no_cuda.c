/* Without CUDA: never called. */
#include "copy/cuda_copy.h"

#include "no_cuda.h"

NO_BODY(assemble)
NOT_READY(assemble)
