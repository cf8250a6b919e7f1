/* StarPU: version, limits, workers, schedulers, models. */
#include "info.h"

#include "cuda.h"
#include "elementwise/ufunc.h"
#include "starpu_compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void info_starpu(struct info *info)
{
    int version[3];
    info_section(info, "starpu");
    starpu_get_version(&version[0], &version[1], &version[2]);
    info_row(info, "version", NULL, "%d.%d.%d", version[0], version[1], version[2]);
    info_row(info, "limits", "of its build", "%d CPU workers, %d CUDA devices, %d handles a task, %d memories",
             STARPU_MAXCPUS, STA__STARPU_CUDA ? STARPU_MAXCUDADEVS : 0, STARPU_NMAXBUFS, STARPU_MAXNODES);
    info_row(info, "starray", NULL, "%d.%d.%d, CUDA %s", STA_VERSION_MAJOR, STA_VERSION_MINOR, STA_VERSION_PATCH,
             sta__cuda_built() ? "built in" : "not built in");
    info_row(info, "loops", "STA_ISA", "x86-64-%s", sta__loops_choose());
    struct starpu_sched_policy *now = starpu_sched_ctx_get_sched_policy(0),
                               **known = starpu_sched_get_predefined_policies();
    GString *names = g_string_new(NULL);
    for (; known && *known; known++)
        g_string_append_printf(names, "%s%s", names->len ? " " : "", (*known)->policy_name);
    info_row(info, "scheduler", names->str, "%s", now ? now->policy_name : "?");
    g_string_free(names, TRUE);
}

void info_workers(struct info *info)
{
    info_section(info, "workers");
    for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) {
        char name[64], number[16];
        starpu_worker_get_name((int)worker, name, sizeof name);
        snprintf(number, sizeof number, "%u", worker);
        bool cpu = starpu_worker_get_type((int)worker) == STARPU_CPU_WORKER;
        if (cpu && sta__runtime.settings.threads > 1)
            info_row(info, number, NULL, "%s, a team of %d threads", name, sta__runtime.settings.threads);
        else
            info_row(info, number, NULL, "%s", name);
    }
}

/* Lines of StarPU's own list that are ours. */
static int list_models(GString *names)
{
    char *text = NULL;
    size_t bytes;
    int count = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return 0;
    starpu_perfmodel_list(to);
    if (fclose(to) == 0)
        for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
            char *ours = strstr(line, "sta_");
            if (!ours)
                continue;
            count++;
            ours[strcspn(ours, "> .\t")] = '\0';
            if (names)
                g_string_append_printf(names, "%s%s", names->len ? " " : "", ours + strlen("sta_"));
        }
    free(text);
    return count;
}

int info_model_count(void)
{
    return list_models(NULL);
}

/* Which file the cost table came from: the calibrator's, or one that is shipped for such machines. */
static void info_costs(struct info *info)
{
    char *own = sta__costs_path(), *machine = sta__machine_description();
    const char *source = sta__costs_source();
    const char *kind = !source ? NULL : strcmp(source, own) == 0 ? "calibrated here" : "shipped for such machines";
    info_row(info, "cost table", kind, "%s", source ? source : "none: cautious figures are used");
    info_row(info, "description", NULL, "%s", machine);
    g_free(machine);
    g_free(own);
}

void info_models(struct info *info)
{
    GString *names = g_string_new(NULL);
    info_section(info, "models");
    int count = list_models(names);
    info_row(info, "measured", NULL, "%d codelets and variants%s", count,
             info->models || info->json ? "" : " (--models names them)");
    if (count && (info->models || info->json))
        info_row(info, "names", NULL, "%s", names->str);
    g_string_free(names, TRUE);
    info_costs(info);
}
