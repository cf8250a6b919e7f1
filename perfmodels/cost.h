/* What work costs on this machine before it was ever measured. */
#ifndef STA__COST_H
#define STA__COST_H

#include "elementwise/ufunc.h"
#include "internal.h"

enum { STA__LEVELS = 4 }; /* sizes of tasks at which the speed of memory is known */

enum sta__variant { STA__SEQUENTIAL, STA__OPENMP, STA__CUDA, STA__VARIANTS };

/* Times in microseconds, speeds in bytes a microsecond (MB/s). */
struct sta__costs {
    double task[STA__VARIANTS]; /* of any task, however small */
    double fork, thread;        /* of a team: once, and for each of its threads */
    double core_bytes;          /* memory speed of one core, for what no cache holds */
    double machine_bytes;       /* of all of them together */
    double gpu_bytes;
    double near[STA__VARIANTS][STA__LEVELS]; /* for tasks of so many bytes (sta__level_bytes); 0: not measured */
    double overlap;     /* of moving and computing, as the exponent p of (a^p + b^p)^(1/p): 1 none, large all */
    double overlap_far; /* the same where no cache holds the operands, and they are fetched ahead; 0: as near */
    double gpu_speedup; /* of computing: one GPU against one core */
    double instruction; /* nanoseconds of an addition in the cache, which the table of ufuncs has as the unit */
    /* Bytes; 0: by the library's own rule. */
    double inline_bytes; /* up to here the calling thread is faster than a task */
    double tile_bytes[STA__VARIANTS];
};
extern struct sta__costs sta__costs;

/* The file of this machine; g_free() it. */
char *sta__costs_path(void);
/* From the file of the calibrator, else from the one that is shipped for machines of this description, else cautious
 * figures. */
void sta__costs_load(void);
/* "amd-epyc-9554-64-cores-2-nvidia-h200": what the shipped files are named by; g_free() it. */
char *sta__machine_description(void);
/* Where the figures in force came from: a path, or NULL. Valid until they are loaded again. */
const char *sta__costs_source(void);
/* For the calibrator: false, and a reason in text. */
bool sta__costs_save(const struct sta__costs *costs, char *text, size_t bytes);

/* Nanoseconds of one element of a loop whose operands are in the cache (loops.c). */
double sta__ufunc_nanoseconds(int op, sta_dtype dtype);
double sta__cast_nanoseconds(sta_dtype from, sta_dtype to);
void sta__ufunc_measured(int op, sta_dtype dtype, double nanoseconds);
void sta__cast_measured(sta_dtype from, sta_dtype to, double nanoseconds);
/* The same of folding an element into a sum or another reduction. */
double sta__fold_nanoseconds(sta_dtype dtype);
void sta__fold_measured(sta_dtype dtype, double nanoseconds); /* 0: forgets it */
struct _GKeyFile;
void sta__loops_read(struct _GKeyFile *file); /* NULL: forgets what was measured */
void sta__loops_write(struct _GKeyFile *file);

/* What the kernel of a symbol ("sta_matmul_f32_omp") takes over what its front says of computing: 1 where nobody has
 * measured it (kernels.c). */
double sta__kernel_factor(const char *symbol);
void sta__kernel_measured(const char *symbol, double factor);
void sta__kernels_read(struct _GKeyFile *file); /* NULL: forgets what was measured */
void sta__kernels_write(struct _GKeyFile *file);

/* Bytes of a task for which near[][level] holds; above the last one the speeds are those of memory. */
double sta__level_bytes(int level);
/* Bytes a microsecond of a task that touches so many. */
double sta__cost_speed(const struct sta__costs *costs, enum sta__variant variant, double bytes);

double sta__cost_overlap(const struct sta__costs *costs, double bytes);
/* (a^p + b^p)^(1/p) */
double sta__cost_together(double moving, double computing, double exponent);

/* Microseconds, never 0, for so many bytes read and written and so many nanoseconds of computing on one core. */
double sta__cost(enum sta__variant variant, double bytes, double nanoseconds, int threads);

#endif
