/* Without CUDA: no products on GPUs. */
#include "linalg.h"

#include "no_cuda.h"

NOT_READY(matmul)
NO_BODY(matmul)
NO_BODY(matmul_add)
