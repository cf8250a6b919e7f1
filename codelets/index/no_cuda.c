/* Without CUDA: never called. */
#include "codelets/index/cuda_index.h"

#include "no_cuda.h"

NO_BODY(move)
NOT_READY(move)
NO_FAULT(move)
NO_BODY(survey)
NOT_READY(survey)
NO_BODY(mask_count)
NO_BODY(mask_take)
NO_BODY(mask_indices)
NO_BODY(unravel)
NO_FAULT(unravel)
NO_BODY(ravel)
NO_FAULT(ravel)
NO_BODY(triangle)
