/* Without CUDA: never called. */
#include "codelets/create/range.h"

#include "no_cuda.h"

NO_BODY(range)
NOT_READY(range)
