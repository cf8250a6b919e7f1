/* Mean times by footprint. */
#include "history.h"

#include "starpu_compat.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PROBES = 8, MEMORY = 32, YOUNG = 8, OUTLIER = 3, PATIENCE = 3, FIRST_TRIAL = 16, MOST_CHANCES = 16 };

/* The entry of a footprint, or (where `add`) the least known of those it may take the place of. */
static int find(const struct sta__history *history, uint32_t footprint, bool add)
{
    uint32_t start = footprint * 2654435761u >> 8;
    int poorest = -1;

    for (uint32_t k = 0; k < PROBES; k++) {
        int at = (int)((start + k) % STA__HISTORY_ENTRIES);

        if (history->entry[at].samples && history->entry[at].footprint == footprint)
            return at;
        if (poorest < 0 || history->entry[at].samples < history->entry[poorest].samples)
            poorest = at;
    }
    return add ? poorest : -1;
}

static void set(struct sta__history *history, uint32_t footprint, uint32_t samples, double mean)
{
    int at = find(history, footprint, true);

    history->entry[at].footprint = footprint;
    history->entry[at].samples = samples;
    history->entry[at].slow = history->entry[at].passed = history->entry[at].chances = 0;
    history->entry[at].on_trial = false;
    history->entry[at].mean = mean;
}

/* What disturbs a thread only makes it slower, and the first sample pays for cold caches and fresh pages: of the first two
 * the better one stands, a time far above the mean does not count, unless they go on so, and one far below a young mean, or
 * below one that is on trial, begins it anew. */
bool sta__history_add(struct sta__history *history, uint32_t footprint, double microseconds)
{
    bool counts = true;
    int at;

    pthread_mutex_lock(&history->mutex);
    at = find(history, footprint, false);
    if (at < 0) {
        set(history, footprint, 1, microseconds);
    } else {
        uint32_t samples = history->entry[at].samples;
        double mean = history->entry[at].mean;

        if (samples == 1) {
            mean = microseconds < mean ? microseconds : mean;
        } else if ((samples < YOUNG && microseconds < mean / 2) ||
                   (history->entry[at].on_trial && microseconds < 0.8 * mean)) {
            mean = microseconds;
            samples = 1;
        } else if (microseconds > OUTLIER * mean && ++history->entry[at].slow < PATIENCE) {
            counts = false;
        } else {
            history->entry[at].slow = 0;
            mean += (microseconds - mean) / samples;
        }
        history->entry[at].on_trial = false;
        history->entry[at].mean = mean;
        if (counts && samples < MEMORY) /* from there on the old is slowly forgotten */
            history->entry[at].samples = samples + 1;
    }
    pthread_mutex_unlock(&history->mutex);
    return counts;
}

double sta__history_look(struct sta__history *history, uint32_t footprint, uint32_t *samples)
{
    double mean = NAN;
    int at;

    pthread_mutex_lock(&history->mutex);
    at = find(history, footprint, false);
    if (at >= 0 && history->entry[at].samples > 1) {
        mean = history->entry[at].mean;
        *samples = history->entry[at].samples;
    }
    pthread_mutex_unlock(&history->mutex);
    return mean;
}

void sta__history_pass(struct sta__history *history, uint32_t footprint)
{
    pthread_mutex_lock(&history->mutex);
    int at = find(history, footprint, false);
    if (at >= 0 && history->entry[at].passed < UINT32_MAX)
        history->entry[at].passed++;
    pthread_mutex_unlock(&history->mutex);
}

bool sta__history_due(struct sta__history *history, uint32_t footprint)
{
    bool due = false;

    pthread_mutex_lock(&history->mutex);
    int at = find(history, footprint, false);
    if (at >= 0 && history->entry[at].chances < MOST_CHANCES)
        due = history->entry[at].passed >= (uint32_t)FIRST_TRIAL << history->entry[at].chances;
    if (due) {
        history->entry[at].passed = 0;
        history->entry[at].chances++;
        history->entry[at].on_trial = true;
    }
    pthread_mutex_unlock(&history->mutex);
    return due;
}

double sta__history_mean(struct sta__history *history, uint32_t footprint)
{
    uint32_t samples;

    return sta__history_look(history, footprint, &samples);
}

uint32_t sta__history_samples(struct sta__history *history, uint32_t footprint)
{
    uint32_t samples = 0;

    pthread_mutex_lock(&history->mutex);
    int at = find(history, footprint, false);
    if (at >= 0)
        samples = history->entry[at].samples;
    pthread_mutex_unlock(&history->mutex);
    return samples;
}

static void take_over(struct sta__history *history, struct starpu_perfmodel *model, struct starpu_perfmodel_arch *arch)
{
    struct starpu_perfmodel_per_arch *of_arch = starpu_perfmodel_get_model_per_arch(model, arch, 0);
    struct starpu_perfmodel_history_list *list = of_arch ? of_arch->list : NULL;

    for (; list; list = list->next)
        if (list->entry->nsample > 0 && list->entry->mean > 0)
            set(history, list->entry->footprint, 2 + (list->entry->nsample < MEMORY ? list->entry->nsample : MEMORY),
                list->entry->mean);
}

void sta__history_load(struct sta__history *history, const char *symbol)
{
    struct starpu_perfmodel model;
    char path[1024] = "";
    int workers = (int)starpu_worker_get_count();

    starpu_perfmodel_get_model_path(symbol, path, sizeof path);
    if (!*path || access(path, R_OK)) /* StarPU would complain */
        return;
    memset(&model, 0, sizeof model);
    model.type = STARPU_HISTORY_BASED;
    if (starpu_perfmodel_load_symbol(symbol, &model))
        return;
    pthread_mutex_lock(&history->mutex);
    for (int worker = 0; worker < workers; worker++)
        take_over(history, &model, starpu_worker_get_perf_archtype(worker, 0));
    pthread_mutex_unlock(&history->mutex);
    starpu_perfmodel_unload_model(&model);
}

static void correct(struct sta__history *history, struct starpu_perfmodel_history_entry *entry)
{
    double mean = sta__history_mean(history, entry->footprint);

    if (isnan(mean) || entry->mean < 1.25 * mean)
        return;
    entry->mean = mean;
    entry->deviation = 0;
    entry->sum = mean * entry->nsample;
    entry->sum2 = mean * entry->sum;
}

void sta__history_settle(struct sta__history *history, struct starpu_perfmodel *model)
{
    int workers = (int)starpu_worker_get_count();

    for (int worker = 0; worker < workers && model->is_loaded; worker++) {
        struct starpu_perfmodel_per_arch *of_arch =
            starpu_perfmodel_get_model_per_arch(model, starpu_worker_get_perf_archtype(worker, 0), 0);

        for (struct starpu_perfmodel_history_list *list = of_arch ? of_arch->list : NULL; list; list = list->next)
            correct(history, list->entry);
    }
}
