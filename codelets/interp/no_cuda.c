/* Without CUDA: never called. */
#include "interp/cuda.h"

#include "no_cuda.h"

NO_BODY(interp)
