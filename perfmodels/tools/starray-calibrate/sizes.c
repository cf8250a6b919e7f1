/* Up to which size the calling thread computes at once, and which tiles suit each variant. */
#include "calibrate.h"

#include "runtime.h"

#include <math.h>
#include <time.h>

static double cpu_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Microseconds for a task that does nothing much, submitted back to back: of all threads, which other programs cannot make
 * longer; but with GPUs, whose workers never rest, of the clock. */
static double time_of_submission(enum sta__variant variant)
{
    enum { TASKS = 256, TILE = 64, ROUNDS = 7 };
    bool here = variant_force(variant);
    if (variant == STA__OPENMP) /* a team's own cost is known; many short tasks would take long where cores are busy */
        variant_force(STA__SEQUENTIAL);
    double best = INFINITY;
    sta__runtime.settings.tile_elements = TILE;
    for (int round = 0; round < ROUNDS && here && progress_left(PART_SIZES) > 0; round++) {
        sta_scope scope = sta_open();
        sta_array x = sta_zeros(STA_DIMS((int64_t)TASKS * TILE), STA_float64);
        sta_wait(x);
        double wall = (double)sta__clock() / 1000, cpu = cpu_us();
        sta_wait(sta_add(x, sta_int(1)));
        best = fmin(best, (sta__runtime.gpus ? (double)sta__clock() / 1000 - wall : cpu_us() - cpu) / TASKS);
        sta_close(scope);
    }
    variants_restore();
    return best;
}

/* The smallest power of two for which the cost of a task is a twentieth of its work. */
static double tile_for(double task_us, double bytes_per_us, double least, double most)
{
    double bytes = 20 * task_us * bytes_per_us / 3; /* two operands and a result */
    return fmin(fmax(exp2(ceil(log2(fmax(bytes, 1)))), least), most);
}

static double wall_of_chain(sta_array x, sta_array y)
{
    double best = INFINITY;
    for (int round = 0; round < 15 && (round < 3 || progress_left(PART_SIZES) > 0); round++) {
        sta_scope scope = sta_open();
        int64_t begin = sta__clock();
        sta_wait(sta_add(sta_multiply(x, sta_int(2)), sta_multiply(y, sta_int(3))));
        best = fmin(best, (double)(sta__clock() - begin) / 1000);
        sta_close(scope);
    }
    return best;
}

static double wall_of_size(int64_t bytes, bool at_once)
{
    sta__runtime.settings.inline_bytes = at_once ? INT64_MAX : 0;
    sta_scope scope = sta_open();
    sta_array x = sta_ones(STA_DIMS(bytes / 8), STA_float64), y = sta_ones(STA_DIMS(bytes / 8), STA_float64);
    sta_wait(x);
    sta_wait(y);
    double wall = wall_of_chain(x, y);
    sta_close(scope);
    return wall;
}

/* Operations of the calling thread are computed one by one, tasks have all of them in one loop. Two sizes in a row at which
 * tasks are faster are the end: one may be chance. */
static double inline_limit(void)
{
    const int64_t usual = sta__runtime.settings.inline_bytes;
    int64_t limit = 64 << 10;
    for (int64_t bytes = 64 << 10, lost = 0; bytes <= 512 << 10 && lost < 2; bytes *= 2) {
        if (progress_left(PART_SIZES) <= 0) {
            limit = 0; /* not known: the library's own rule */
            break;
        }
        bool faster = wall_of_size(bytes, true) <= wall_of_size(bytes, false);
        lost = faster ? 0 : lost + 1;
        limit = faster ? bytes : limit;
    }
    sta__runtime.settings.inline_bytes = usual;
    return (double)limit;
}

void sizes_measure(struct sta__costs *costs)
{
    const double speed[STA__VARIANTS] = {costs->core_bytes, costs->machine_bytes, costs->gpu_bytes};
    const double most[STA__VARIANTS] = {2 << 20, 32 << 20, 256 << 20}; /* of one core: what its caches hold */
    for (int v = 0; v < STA__VARIANTS; v++) {
        progress_show(PART_SIZES, v, STA__VARIANTS + 1, "sizes of tiles");
        double task = time_of_submission((enum sta__variant)v);
        task += v == STA__OPENMP && task > 0 ? costs->fork + costs->thread * sta__runtime.settings.threads : 0;
        costs->tile_bytes[v] = 0; /* the library's own rule */
        if (task > 0 && isfinite(task))
            costs->tile_bytes[v] = tile_for(task, speed[v], 1 << 20, most[v]);
        if (v == STA__OPENMP && costs->tile_bytes[v] > 0) /* each thread a share that would be worth a task */
            costs->tile_bytes[v] =
                fmin(fmax(costs->tile_bytes[v], costs->tile_bytes[STA__SEQUENTIAL] * sta__runtime.settings.threads),
                     most[v]);
    }
    progress_show(PART_SIZES, STA__VARIANTS, STA__VARIANTS + 1, "what is computed at once");
    costs->inline_bytes = inline_limit();
}
