/* Products of floats and complex numbers by OpenBLAS, on the calling thread. Its sizes are int: what is longer is done
 * in parts. */
#include "linalg.h"

#include <cblas.h>
#include <limits.h>
#include <pthread.h>

enum { LONGEST = 1 << 30 };

static const sta_complex64 one_c64 = {1, 0}, zero_c64 = {0, 0};
static const sta_complex128 one_c128 = {1, 0}, zero_c128 = {0, 0};

static atomic_bool used;

/* Tasks are the threads; OpenBLAS must not start its own below them. */
static void use_one_thread(void)
{
    openblas_set_num_threads(1);
    atomic_store(&used, true);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

int sta__blas_threads(void)
{
    return atomic_load(&used) ? openblas_get_num_threads() : 0;
}

/* A matrix times a vector: y (rows) = x (rows, columns as stored, perhaps transposed) v, with steps of v and y. */
static void gemv(sta_dtype dtype, bool transposed, int rows, int columns, const void *x, int pitch, const void *v,
                 int v_step, void *y, int y_step, bool add)
{
    const CBLAS_TRANSPOSE t = transposed ? CblasTrans : CblasNoTrans;
    const float beta_f32 = add ? 1.0F : 0.0F;
    const double beta_f64 = add ? 1.0 : 0.0;
    if (dtype == STA_float32)
        cblas_sgemv(CblasRowMajor, t, rows, columns, 1.0F, x, pitch, v, v_step, beta_f32, y, y_step);
    else if (dtype == STA_float64)
        cblas_dgemv(CblasRowMajor, t, rows, columns, 1.0, x, pitch, v, v_step, beta_f64, y, y_step);
    else if (dtype == STA_complex64)
        cblas_cgemv(CblasRowMajor, t, rows, columns, &one_c64, x, pitch, v, v_step, add ? &one_c64 : &zero_c64, y,
                    y_step);
    else
        cblas_zgemv(CblasRowMajor, t, rows, columns, &one_c128, x, pitch, v, v_step, add ? &one_c128 : &zero_c128, y,
                    y_step);
}

static void gemm(const struct sta__product *p)
{
    const CBLAS_TRANSPOSE ta = p->a_transposed ? CblasTrans : CblasNoTrans,
                          tb = p->b_transposed ? CblasTrans : CblasNoTrans;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const int lda = (int)p->a_pitch, ldb = (int)p->b_pitch, ldc = (int)p->c_pitch;
    const float beta_f32 = p->add ? 1.0F : 0.0F;
    const double beta_f64 = p->add ? 1.0 : 0.0;
    const void *a = p->a, *b = p->b;
    void *c = p->c;
    if (p->dtype == STA_float32)
        cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1.0F, a, lda, b, ldb, beta_f32, c, ldc);
    else if (p->dtype == STA_float64)
        cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1.0, a, lda, b, ldb, beta_f64, c, ldc);
    else if (p->dtype == STA_complex64)
        cblas_cgemm(CblasRowMajor, ta, tb, m, n, k, &one_c64, a, lda, b, ldb, p->add ? &one_c64 : &zero_c64, c, ldc);
    else
        cblas_zgemm(CblasRowMajor, ta, tb, m, n, k, &one_c128, a, lda, b, ldb, p->add ? &one_c128 : &zero_c128, c, ldc);
}

/* gemm packs its operands, which a single row or column does not pay for. */
static void part(const struct sta__product *p)
{
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const bool a_is_stored_k_by_m = p->a_transposed, b_is_stored_n_by_k = p->b_transposed;
    if (n == 1)
        gemv(p->dtype, a_is_stored_k_by_m, a_is_stored_k_by_m ? k : m, a_is_stored_k_by_m ? m : k, p->a,
             (int)p->a_pitch, p->b, b_is_stored_n_by_k ? 1 : (int)p->b_pitch, p->c, (int)p->c_pitch, p->add);
    else if (m == 1)
        gemv(p->dtype, !b_is_stored_n_by_k, b_is_stored_n_by_k ? n : k, b_is_stored_n_by_k ? k : n, p->b,
             (int)p->b_pitch, p->a, a_is_stored_k_by_m ? (int)p->a_pitch : 1, p->c, 1, p->add);
    else
        gemm(p);
}

/* The pitch of a single row is never used, but BLAS checks it. */
static int64_t pitch_of(int64_t rows, int64_t columns, int64_t pitch)
{
    return rows == 1 || pitch < columns ? columns : pitch;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows (of what is stored) further apart than an int are taken one by one. */
static int64_t step_of(int64_t length, int64_t pitch)
{
    return pitch > INT_MAX ? 1 : length < LONGEST ? length : LONGEST;
}

void sta__product_blas(const struct sta__product *p)
{
    pthread_once(&once, use_one_thread);
    const int64_t bytes = (int64_t)sta_itemsize(p->dtype);
    int64_t m_step = step_of(p->m, p->a_transposed ? p->c_pitch : p->a_pitch > p->c_pitch ? p->a_pitch : p->c_pitch);
    int64_t n_step = step_of(p->n, p->b_transposed ? p->b_pitch : 0),
            k_step = step_of(p->k, p->a_transposed ? p->a_pitch : 0);
    k_step = least(k_step, step_of(p->k, p->b_transposed ? 0 : p->b_pitch));
    for (int64_t i = 0; i < p->m; i += m_step)
        for (int64_t j = 0; j < p->n; j += n_step)
            for (int64_t l = 0; l < p->k; l += k_step) {
                struct sta__product q = *p;
                q.m = least(m_step, p->m - i);
                q.n = least(n_step, p->n - j);
                q.k = least(k_step, p->k - l);
                q.a += (p->a_transposed ? l * p->a_pitch + i : i * p->a_pitch + l) * bytes;
                q.b += (p->b_transposed ? j * p->b_pitch + l : l * p->b_pitch + j) * bytes;
                q.c += (i * p->c_pitch + j) * bytes;
                q.a_pitch = p->a_transposed ? pitch_of(q.k, q.m, p->a_pitch) : pitch_of(q.m, q.k, p->a_pitch);
                q.b_pitch = p->b_transposed ? pitch_of(q.n, q.k, p->b_pitch) : pitch_of(q.k, q.n, p->b_pitch);
                q.c_pitch = pitch_of(q.m, q.n, p->c_pitch);
                q.add = p->add || l > 0;
                part(&q);
            }
}
