/* Which programs are compiled, and when: a thread of its own asks the compiler, one program after the other, while the
 * tasks go on as they did. Contract: compile.h. */
#include "elementwise/compile.h"

#include "runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SHORT = 12,        /* instructions up to which a program gains only by its memory traffic */
    SMALL = 200000,    /* elements times instructions: less is done before a program is found */
    HOT = 80000000,    /* of them are done before it is compiled */
    MILLION = 1000000, /* elements of the arrays that make one remembered */
    MOST = 1024,       /* programs that are remembered */
    ROWS = 256
};

static struct {
    struct sta__machine_code *row[ROWS]; /* by hash; with the lock */
    int count;
    pthread_mutex_t mutex; /* what follows */
    pthread_cond_t wanted;
    struct sta__machine_code *first, *last; /* that wait */
    bool running, stop;
    pthread_t thread;
} all = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};
static atomic_llong compiled;

int64_t sta__compiled(void)
{
    return atomic_load(&compiled);
}

const struct sta__steps *sta__steps_of(const struct sta__program *program)
{
    return program->code ? atomic_load_explicit(&program->code->steps, memory_order_acquire) : NULL;
}

/* ---- equal programs ---- */

static bool same_instruction(const struct sta__instruction *a, const struct sta__instruction *b)
{
    bool same = a->op == b->op && a->type == b->type && a->to == b->to && a->count == b->count;
    for (int k = 0; k < a->count && same; k++)
        same = a->from[k] == b->from[k];
    return same;
}

static bool same_program(const struct sta__program *a, const struct sta__program *b)
{
    if (a->hash != b->hash || a->inputs != b->inputs || a->slots != b->slots || a->scalars != b->scalars ||
        a->instructions != b->instructions || a->outputs != b->outputs || a->reductions != b->reductions ||
        memcmp(a->slot_dtype, b->slot_dtype, sizeof *a->slot_dtype * (size_t)a->slots) != 0)
        return false;
    for (int i = 0; i < a->instructions; i++)
        if (!same_instruction(&a->instruction[i], &b->instruction[i]))
            return false;
    for (int o = 0; o < a->outputs; o++)
        if (a->output[o].slot != b->output[o].slot)
            return false;
    for (int r = 0; r < a->reductions; r++)
        if (a->reduction[r].slot != b->reduction[r].slot)
            return false;
    return true;
}

static struct sta__machine_code *find(const struct sta__program *program)
{
    struct sta__machine_code *code = all.row[program->hash % ROWS];
    while (code && !same_program(&code->program, program))
        code = code->next;
    return code;
}

static struct sta__machine_code *remember(const struct sta__program *program)
{
    struct sta__machine_code *code = all.count < MOST ? sta__allocate(sizeof *code) : NULL;
    if (!code)
        return NULL; /* it is only slower */
    struct sta__cut cut;
    sta__cut_program(program, &cut);
    code->saving = sta__cut_saving(program, &cut);
    code->program = *program;
    code->next = all.row[program->hash % ROWS];
    all.row[program->hash % ROWS] = code;
    all.count++;
    return code;
}

/* ---- the thread ---- */

static void build(struct sta__machine_code *code)
{
    if (!sta__build(code))
        return;
    atomic_fetch_add(&compiled, 1);
    atomic_store_explicit(&code->steps, &code->made, memory_order_release);
}

static void *work(void *nothing)
{
    (void)nothing;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10); /* of this thread, and of the compiler that it starts */
    pthread_mutex_lock(&all.mutex);
    while (!all.stop) {
        struct sta__machine_code *code = all.first;
        if (!code) {
            pthread_cond_wait(&all.wanted, &all.mutex);
            continue;
        }
        all.first = code->waiting;
        pthread_mutex_unlock(&all.mutex);
        build(code);
        pthread_mutex_lock(&all.mutex);
    }
    pthread_mutex_unlock(&all.mutex);
    return NULL;
}

/* Signals are for the program's own threads. */
static bool start_thread(void)
{
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    bool fine = pthread_create(&all.thread, NULL, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fine;
}

/* Tasks have ended, and with them the programs. */
static void end(void)
{
    sta__build_stop(true);
    pthread_mutex_lock(&all.mutex);
    bool running = all.running;
    all.stop = true;
    pthread_cond_signal(&all.wanted);
    pthread_mutex_unlock(&all.mutex);
    if (running)
        pthread_join(all.thread, NULL);
    all.running = all.stop = false;
    all.first = all.last = NULL;
    for (int r = 0; r < ROWS; r++)
        while (all.row[r]) {
            struct sta__machine_code *code = all.row[r];
            all.row[r] = code->next;
            if (code->library)
                dlclose(code->library);
            sta__release(code);
        }
    all.count = 0;
    sta__build_stop(false);
}

static void enqueue(struct sta__machine_code *code)
{
    pthread_mutex_lock(&all.mutex);
    if (all.first)
        all.last->waiting = code;
    else
        all.first = code;
    all.last = code;
    all.running = all.running || start_thread();
    pthread_cond_signal(&all.wanted);
    pthread_mutex_unlock(&all.mutex);
}

/* ---- which ones ---- */

/* Short programs gain where most of their functions are as cheap as moving their operands through the cache. */
static bool can_gain(const struct sta__program *program)
{
    return program->instructions > SHORT ||
           (program->instructions > 2 && program->cost < 0.6F * (float)program->instructions);
}

void sta__compile_note(struct sta__program *program, const struct sta__shape *shape)
{
    const enum sta__compile_choice choice = sta__runtime.settings.compile;
    int64_t size = 1;
    for (int a = 0; a < shape->ndim; a++)
        size *= shape->at[a];
    if (choice == STA__COMPILE_OFF || !can_gain(program))
        return;
    const int64_t work = size * program->instructions;
    if (work < SMALL && choice != STA__COMPILE_NOW)
        return;
    struct sta__machine_code *code = find(program);
    if (!code && (size >= MILLION || choice == STA__COMPILE_NOW))
        code = remember(program);
    program->code = code;
    if (sta__steps_of(program))
        program->cost -= code->saving;
    if (!code || code->asked)
        return;
    code->done += work;
    if (code->done <= HOT && choice != STA__COMPILE_NOW)
        return;
    code->asked = true;
    sta__at_finish(end);
    if (choice == STA__COMPILE_NOW)
        build(code);
    else
        enqueue(code);
}
