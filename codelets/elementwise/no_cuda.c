/* Without CUDA: never called, since no worker has these variants. */
#include "elementwise/program_cuda.h"

#include "no_cuda.h"

NO_BODY(program)
NOT_READY(program)

void sta__cuda_imagine(struct sta__job *job)
{
    (void)job;
}
