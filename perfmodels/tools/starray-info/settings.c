/* The settings in force, and who said so. */
#include "info.h"

#include <stdio.h>

/* Tiles are made for the fastest kind of worker. */
static enum sta__variant tile_variant(void)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    bool team = settings->threads > 1 && !settings->every_core;
    return sta__runtime.gpus ? STA__CUDA : team ? STA__OPENMP : STA__SEQUENTIAL;
}

/* Sizes that the calibrator has found, where nobody asked for others. */
static bool is_measured(int setting)
{
    const struct sta__costs *costs = &sta__costs;
    const struct sta__settings *now = &sta__runtime.settings;
    if (setting == STA__SET_INLINE_BYTES)
        return costs->inline_bytes > 0;
    return setting == STA__SET_TILE_ELEMS && (int64_t)costs->tile_bytes[tile_variant()] > 0 && now->tile_elements == 0;
}

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
    case STA__SET_COMPILE:
        return (int64_t)now->compile;
    case STA__SET_REST:
        return now->rest;
    case STA__SET_LOG:
        return now->log_level;
    default:
        return wishes->value[setting];
    }
}

/* Large sizes that follow from the free memory: to the mebibyte. */
static int64_t round_bytes(int setting, int64_t value)
{
    bool large = (setting == STA__SET_BUDGET || setting == STA__SET_POOL) && value > (1 << 30);
    return large ? value >> 20 << 20 : value;
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
            sta__setting_text(setting, round_bytes(setting, value), text, sizeof text);
        bool measured = wishes->origin[setting] == STA__FROM_DEFAULT && is_measured(setting);
        info_row(info, sta__setting_name(setting), measured ? "cost table" : origin[wishes->origin[setting]], "%s",
                 text);
    }
    static const char *const others[] = {
        "STARPU_HOME",           "STARPU_SCHED",    "STARPU_NCPU",          "STARPU_NCUDA", "STARPU_CALIBRATE",
        "STARPU_LIMIT_CUDA_MEM", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "STA_ISA",      "STA_TRACE"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (g_getenv(others[k]))
            info_row(info, others[k], "environment", "%s", g_getenv(others[k]));
}
