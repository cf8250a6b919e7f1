/** @file fft.h
 *  Discrete Fourier transforms along one axis, and along several.
 *
 *  All of them: `axis` is 0 .. ndim-1, or -ndim .. -1 counted from the end. float16, bfloat16, float32 and complex64
 *  are computed in float32 and complex64, everything else in float64 and complex128.
 *  Any length n is fast: lengths with prime factors above 19 go through Bluestein's algorithm, all others through FFTW.
 *
 *  Accuracy: the error of a result is below 10 log2(n) eps times the root of the mean square of the results of its
 *  line. On one kind of device the bits do not depend on tiles, threads or runs.
 *
 *  Errors of all: SHAPE for an x without axes; AXIS; VALUE for n < 1 (also where the axis has length 0 and n is not
 *  given) and for a norm that is none; MEMORY.
 *
 *  FFTW makes plans with one global state: a program that plans with FFTW itself in another thread while the library is
 *  in use must call fftw_make_planner_thread_safe first.
 */
#ifndef STARRAY_FFT_H
#define STARRAY_FFT_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rare parameters. Set `size` to sizeof(sta_fft_options), what is not used to 0. */
typedef struct sta_fft_options {
    size_t size;
    int64_t n;        /**< length of the transform: the axis is cut, or filled up with zeros. 0: as long as the axis */
    const char *norm; /**< "backward" (NULL), "ortho", "forward": what the sums are multiplied with, see below */
} sta_fft_options;

/** y[k] = s * sum over j of x[j] * exp(-2 pi i j k / n), k = 0 .. n - 1. s: 1, 1/sqrt(n) for "ortho", 1/n for
 *  "forward".
 *  Shape: that of x with n along the axis. dtype: complex64 or complex128. */
sta_array sta_fft(sta_array x, int64_t axis, const sta_fft_options *options);
/** The inverse of sta_fft: exp(+2 pi i j k / n), and s: 1/n, 1/sqrt(n) for "ortho", 1 for "forward". */
sta_array sta_ifft(sta_array x, int64_t axis, const sta_fft_options *options);
/** The first n/2 + 1 values of sta_fft of a real x; the others are their conjugates. Errors: DTYPE for complex x. */
sta_array sta_rfft(sta_array x, int64_t axis, const sta_fft_options *options);
/** The inverse of sta_rfft: n real values of the first n/2 + 1 of x. n = 0: 2 (m - 1) for an axis of length m. The
 *  imaginary parts of x[0] and, for even n, of x[n/2] are not looked at. dtype: float32 or float64 (NumPy gives
 *  float16 for float16). */
sta_array sta_irfft(sta_array x, int64_t axis, const sta_fft_options *options);
/** The transform of a Hermitian line, of which x has the first n/2 + 1 values: n real ones. n = 0: 2 (m - 1) for an axis of
 *  length m. s as of sta_fft. dtype: float32 or float64. */
sta_array sta_hfft(sta_array x, int64_t axis, const sta_fft_options *options);
/** The inverse of sta_hfft: the first n/2 + 1 values for n real ones. Errors: DTYPE for complex x. */
sta_array sta_ihfft(sta_array x, int64_t axis, const sta_fft_options *options);

/* ---- along several axes, one after the other ---- */

/** Rare parameters. Set `size` to sizeof(sta_fftn_options), what is not used to 0. */
typedef struct sta_fftn_options {
    size_t size;
    sta_dims
        lengths; /**< of the transforms, one for each axis, 0: as long as it is; count 0: all so. With STA_ALL and fewer
                           lengths than axes they are those of the last axes. Error VALUE for another count */
    const char *norm; /**< as in sta_fft_options, along each axis */
} sta_fftn_options;

/** sta_fft along each of the axes, the last one first. Errors: AXIS also for an axis given twice, which NumPy takes;
 *  VALUE for options of a wrong size. */
sta_array sta_fftn(sta_array x, sta_dims axes, const sta_fftn_options *options);
/** The inverse of sta_fftn. */
sta_array sta_ifftn(sta_array x, sta_dims axes, const sta_fftn_options *options);
/** sta_rfft along the last of the axes, then sta_fft along the others. Errors: DTYPE for complex x. */
sta_array sta_rfftn(sta_array x, sta_dims axes, const sta_fftn_options *options);
/** The inverse of sta_rfftn: sta_ifft along the axes but the last, then sta_irfft. */
sta_array sta_irfftn(sta_array x, sta_dims axes, const sta_fftn_options *options);
/** The same along the last two axes. */
sta_array sta_fft2(sta_array x, const sta_fftn_options *options);
sta_array sta_ifft2(sta_array x, const sta_fftn_options *options);
sta_array sta_rfft2(sta_array x, const sta_fftn_options *options);
sta_array sta_irfft2(sta_array x, const sta_fftn_options *options);

/* ---- frequencies ---- */

/** The frequencies of sta_fft of n samples that lie d apart, in cycles for each unit of d: k / (n d) for k = 0 .. (n - 1) / 2,
 *  then -(n / 2) .. -1. float64. Errors: VALUE for n < 1, and for a d that is 0 or NaN. */
sta_array sta_fftfreq(int64_t n, double d);
/** Those of sta_rfft: k = 0 .. n / 2. */
sta_array sta_rfftfreq(int64_t n, double d);
/** x rolled by half the length of each of the axes, so that frequency 0 comes to the middle; and back. */
sta_array sta_fftshift(sta_array x, sta_dims axes);
sta_array sta_ifftshift(sta_array x, sta_dims axes);

#ifdef __cplusplus
}
#endif
#endif
