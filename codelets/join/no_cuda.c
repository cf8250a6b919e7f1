/* Without CUDA: never called. */
#include "join/cuda.h"

#include "no_cuda.h"

NO_BODY(mosaic)
NOT_READY(mosaic)
