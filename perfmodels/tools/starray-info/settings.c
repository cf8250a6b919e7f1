/* The settings in force, and who said so. */
#include "info.h"

#include <stdio.h>

/* What is in force now: where nobody asked, it was chosen for the machine. */
static int64_t value_of(int setting, const struct sta__wishes *wishes)
{
    const struct sta__settings *now = &sta__runtime.settings;
    switch (setting) {
    case STA__SET_DEVICES:
        return (int64_t)now->devices;
    case STA__SET_CPU:
        return (int64_t)now->cpu;
    case STA__SET_TILE_ELEMS:
        return now->tile_elements;
    case STA__SET_INLINE_BYTES:
        return now->inline_bytes;
    case STA__SET_BUDGET:
        return now->budget_bytes;
    case STA__SET_POOL:
        return now->pool_bytes;
    case STA__SET_REST:
        return now->rest;
    case STA__SET_LOG:
        return now->log_level;
    default:
        return wishes->value[setting];
    }
}

void info_settings(struct info *info, const struct sta__wishes *wishes)
{
    static const char *const origin[] = {[STA__FROM_DEFAULT] = "default",
                                         [STA__FROM_OPTIONS] = "sta_init",
                                         [STA__FROM_ENVIRONMENT] = "environment",
                                         [STA__FROM_FILE] = "settings.ini"};
    char text[64];
    info_section(info, "settings");
    for (int setting = 0; setting < STA__SETTINGS; setting++) {
        int64_t value = value_of(setting, wishes);
        bool by_size = setting == STA__SET_TILE_ELEMS && value == 0;
        if (by_size)
            snprintf(text, sizeof text, "by size: %lld KiB", (long long)sta__runtime.settings.tile_bytes / 1024);
        else
            sta__setting_text(setting, value, text, sizeof text);
        info_row(info, sta__setting_name(setting), origin[wishes->origin[setting]], "%s", text);
    }
    static const char *const others[] = {
        "STARPU_HOME",           "STARPU_SCHED",    "STARPU_NCPU",          "STARPU_NCUDA", "STARPU_CALIBRATE",
        "STARPU_LIMIT_CUDA_MEM", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "STA_ISA",      "STA_TRACE"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (g_getenv(others[k]))
            info_row(info, others[k], "environment", "%s", g_getenv(others[k]));
}
