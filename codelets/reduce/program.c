/* Reductions at the end of a program: one thread, or a team that shares out the strips of a tile, or, where those are few,
 * the range of its outermost reduced axis. */
#include "reduce/walk.h"

#include <omp.h>

/* In aligned steps, so that node lists are short; in some for each member, or of a team of 15 eight had all the work. */
void sta__walk_cut(int64_t from, int64_t to, int team, int64_t *cut)
{
    enum { STEPS = 16 };
    int64_t step = 1;
    while (step * team * STEPS < to - from)
        step *= 2;
    const int64_t first = from / step, steps = (to - 1) / step - first + 1;
    for (int m = 0; m <= team; m++) {
        int64_t at = (first + steps * m / team) * step;
        cut[m] = at < from ? from : at > to ? to : at;
    }
    cut[team] = to;
}

enum { TEAM = 256 };

/* Too few strips for the team: the range of the outermost reduced axis is shared out. */
static bool reduce_ranges(struct sta__job *job, const struct sta__walk *whole, int team)
{
    void *parts[TEAM][STA__MAXOUTPUTS] = {{NULL}};
    int64_t cut[TEAM + 1];
    bool fine = true;
    sta__walk_cut(whole->from, whole->to, team, cut);
    for (int m = 0; m < team; m++)
        for (int k = 0; k < sta__walk_reductions(whole); k++) {
            const struct sta__reduction *reduction = sta__walk_reduction(whole, k);
            parts[m][k] = sta__allocate(64 + sta__partial_bytes((enum sta__reducer)reduction->op, reduction->dtype,
                                                                cut[m], cut[m + 1], whole->cells));
            fine &= parts[m][k] != NULL;
        }
    if (fine) {
#pragma omp parallel num_threads(team) reduction(&& : fine)
        for (int m = omp_get_thread_num(); m < team; m += omp_get_num_threads())
            if (cut[m] < cut[m + 1])
                fine = sta__reduce_share(job, 0, whole->strips, cut[m], cut[m + 1], parts[m]) && fine;
    }
    fine = fine && sta__reduce_merge(whole, (void *const(*)[STA__MAXOUTPUTS])parts, cut, team);
    for (int m = 0; m < team; m++)
        for (int k = 0; k < sta__walk_reductions(whole); k++)
            sta__release(parts[m][k]);
    return fine;
}

bool sta__program_reduce(struct sta__job *job)
{
    struct sta__walk whole;
    sta__walk_open(&whole, job);
    int team = job->threads < TEAM ? job->threads : TEAM;
    if (team <= 1)
        return sta__reduce_share(job, 0, whole.strips, whole.from, whole.to, NULL);
    if (whole.strips < team && whole.trees > 0)
        return reduce_ranges(job, &whole, team);
    bool fine = true;
#pragma omp parallel num_threads(team) reduction(&& : fine)
    {
        int64_t member = omp_get_thread_num(), members = omp_get_num_threads();
        fine = sta__reduce_share(job, whole.strips * member / members, whole.strips * (member + 1) / members,
                                 whole.from, whole.to, NULL);
    }
    return fine;
}
