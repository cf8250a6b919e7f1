/** @file starray.h
 *  All of the library.
 */
#ifndef STARRAY_STARRAY_H
#define STARRAY_STARRAY_H

#include <starray/array.h>
#include <starray/create.h>
#include <starray/doctor.h>
#include <starray/dtype.h>
#include <starray/error.h>
#include <starray/fft.h>
#include <starray/forms.h>
#include <starray/histogram.h>
#include <starray/index.h>
#include <starray/interp.h>
#include <starray/io.h>
#include <starray/join.h>
#include <starray/linalg.h>
#include <starray/logic.h>
#include <starray/mpi.h>
#include <starray/print.h>
#include <starray/profile.h>
#include <starray/reduce.h>
#include <starray/runtime.h>
#include <starray/scan.h>
#include <starray/scope.h>
#include <starray/shape.h>
#include <starray/starpu.h>
#include <starray/ufunc.h>

#endif
