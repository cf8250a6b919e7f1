/* Without CUDA: never called. */
#include "scan/cuda.h"

#define NO_BODY(name)                                                                                                  \
    sta_error_code sta__##name##_cuda(struct sta__job *job)                                                            \
    {                                                                                                                  \
        (void)job;                                                                                                     \
        return STA_ERROR_DEVICE;                                                                                       \
    }
#define NOT_READY(name)                                                                                                \
    bool sta__##name##_ready(struct sta__job *job)                                                                     \
    {                                                                                                                  \
        (void)job;                                                                                                     \
        return false;                                                                                                  \
    }

NO_BODY(scan_total)
NO_BODY(scan_prefix)
NO_BODY(scan)
NO_BODY(scan_finish)
NO_BODY(scan_serial)
NOT_READY(scan_total)
NOT_READY(scan)
NOT_READY(scan_lists)
NOT_READY(scan_serial)
