/* Scans on GPUs; no_cuda.c stands in without CUDA. */
#ifndef STA__SCAN_CUDA_H
#define STA__SCAN_CUDA_H

#include "internal.h"

sta_error_code sta__scan_total_cuda(struct sta__job *job);
sta_error_code sta__scan_prefix_cuda(struct sta__job *job);
sta_error_code sta__scan_cuda(struct sta__job *job);
sta_error_code sta__scan_finish_cuda(struct sta__job *job);
sta_error_code sta__scan_serial_cuda(struct sta__job *job);
bool sta__scan_total_ready(struct sta__job *job);
bool sta__scan_ready(struct sta__job *job);
bool sta__scan_lists_ready(struct sta__job *job); /* prefix and finish */
bool sta__scan_serial_ready(struct sta__job *job);

/* For tests: the text of a kernel; false where there is no such kind, or no memory. */
struct sta__text;
bool sta__scan_text(int kind, int op, sta_dtype dtype, struct sta__text *text);

#endif
