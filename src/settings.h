/* Settings: options of sta_init, else the environment, else the settings file, else a default. */
#ifndef STA__SETTINGS_H
#define STA__SETTINGS_H

#include "internal.h"

/* What was asked for; a default that depends on the machine stays open (given[] false) until StarPU runs. */
enum sta__setting {
    STA__SET_DEVICES,
    STA__SET_CPU,
    STA__SET_TILE_ELEMS,
    STA__SET_INLINE_BYTES,
    STA__SET_BUDGET,
    STA__SET_POOL,
    STA__SET_COMPILE,
    STA__SET_FMA,
    STA__SET_TRAP,
    STA__SET_MPI,
    STA__SET_LOG,
    STA__SET_REST,
    STA__SET_TF32,
    STA__SET_PROFILE,
    STA__SETTINGS
};
enum sta__origin { STA__FROM_DEFAULT, STA__FROM_OPTIONS, STA__FROM_ENVIRONMENT, STA__FROM_FILE };
struct sta__wishes {
    int64_t value[STA__SETTINGS];
    bool given[STA__SETTINGS];
    enum sta__origin origin[STA__SETTINGS];
};

/* False: `text` says which variable, what it is, and what is allowed. */
bool sta__wishes_read(const sta_init_options *options, struct sta__wishes *to, char *text, size_t bytes);

/* Logs which groups and keys of the settings file are none. */
void sta__settings_warn(void);

/* A row of the table, for tools that list the settings. NULL: no such row. */
const char *sta__setting_name(int setting);    /* "STA_BUDGET" */
const char *sta__setting_allowed(int setting); /* "a number of bytes from .. " */
/* A value in the words that are read: "cuda", "64M". */
const char *sta__setting_text(int setting, int64_t value, char *to, size_t bytes);

#endif
