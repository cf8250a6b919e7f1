/* Without CUDA: never called. */
#include "scan/cuda.h"

#include "no_cuda.h"

NO_BODY(scan_total)
NO_BODY(scan_prefix)
NO_BODY(scan)
NO_BODY(scan_finish)
NO_BODY(scan_serial)
NOT_READY(scan_total)
NOT_READY(scan)
NOT_READY(scan_lists)
NOT_READY(scan_serial)
