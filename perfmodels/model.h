/* Codelets with their performance models: what was measured where it was, else an estimate. */
#ifndef STA__MODEL_H
#define STA__MODEL_H

#include "cost.h"
#include "internal.h"

struct starpu_codelet;
struct starpu_task;
struct sta__codelet;

/* One codelet a kernel's name and dtype ("sta_matmul_f32"), made at first use, kept for ever (StarPU refers to it).
 * NULL: no memory. With the lock. */
struct sta__codelet *sta__codelet_of(const struct sta__kernel *kernel, sta_dtype dtype);
struct starpu_codelet *sta__codelet_starpu(struct sta__codelet *codelet);

/* What models know of a task. It is the FIRST member of what the task's cl_arg points to. */
struct sta__measure {
    struct sta__codelet *codelet;
    struct starpu_task *task;
    bool follows;              /* another task of the same operation goes before it */
    uint32_t number;           /* counts tasks */
    uint32_t footprint;        /* work of one kind and about one size */
    double bytes, nanoseconds; /* touched; of computing on one core */
    double flops;              /* 0: nobody counts them */
    double hope;               /* microseconds: what is expected of a variant that gets another chance; 0: none does */
    enum sta__variant again;   /* which one */
    enum sta__variant pick;    /* for CPUs, where the scheduler asks nobody */
    double predicted;          /* microseconds, of the variant that ran; where somebody looks */
    double microseconds;       /* measured; 0: not */
    unsigned guessed; /* a bit for each variant of which nothing was measured before; where the doctor looks and
                                  there is a choice */
    enum sta__variant variant;
    int threads;
    double delay; /* of that, in which threads waited for a core; where samples are held */
    int64_t begin, end;
    struct sta__cuda_timer *timer; /* on a GPU, where this task is a sample */
};

/* Before the task is submitted, one of so many that may run at the same time. Of the job the arguments and shapes are looked
 * at. */
void sta__measure_prepare(struct sta__measure *measure, struct sta__codelet *codelet, const struct sta__kernel *kernel,
                          const struct sta__job *job, struct starpu_task *task, int64_t tasks);
/* Around the body; threads is the team's size in the OpenMP variant, 1 in the sequential one. */
void sta__measure_begin(struct sta__measure *measure, int threads);
void sta__measure_end(struct sta__measure *measure);
/* On a GPU, where measuring costs a task of microseconds a part of them: the first ones, then one now and then. */
bool sta__measure_wants_sample(const struct sta__measure *measure);
/* In the task's callback, or where the calling thread ran the task, if the body ran without an error. Writes StarPU's own
 * histories. */
void sta__measure_record(struct sta__measure *measure);

/* The time that StarPU is told, in microseconds; NaN while STARPU_CALIBRATE asks for samples. For reports and tests. */
double sta__measure_expected(const struct sta__measure *measure, enum sta__variant variant);
/* The same from the cost table alone. */
double sta__measure_estimate(const struct sta__measure *measure, enum sta__variant variant);
/* The measured time goes into the histories; the task may be gone. */
void sta__measure_learn(struct sta__measure *measure, int worker);

void sta__models_start(void);
void sta__models_refit(void); /* the cost table has changed; with the lock, or nobody else there */
/* Writes StarPU's files now, not only when it shuts down; false: this version cannot. While no task runs. */
bool sta__models_save(void);
/* Before StarPU writes them at its end. While no task runs. */
void sta__models_settle(void);
/* Symbols of the histories: "sta_add_f64" and "sta_add_f64_omp". For the calibrator. */
const char *sta__codelet_symbol(const struct sta__codelet *codelet, enum sta__variant variant);

#endif
