/* In which precision elements are compared with edges; read by C and CUDA C++. */
#ifndef STA__HISTOGRAM_PRECISION_H
#define STA__HISTOGRAM_PRECISION_H

enum sta__bin_precision { STA__BINS_F32, STA__BINS_F64, STA__BINS_I64 };

#endif
