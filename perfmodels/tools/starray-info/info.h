/* The parts of starray-info. Each prints a section: as lines of text, or as members of a JSON object. */
#ifndef STARRAY_INFO_H
#define STARRAY_INFO_H

#include "internal.h"
#include "perfmodels/cost.h"
#include "settings.h"

#include <glib.h>

struct info {
    bool json, first;
    bool models; /* name them */
};

/* print.c: a section holds rows "name: value, note". */
void info_open(struct info *info);
void info_close(struct info *info);
void info_section(struct info *info, const char *name); /* ends the one before */
void info_row(struct info *info, const char *name, const char *note, const char *format, ...) STA__PRINTF(4, 5);

void info_machine(struct info *info);                                    /* machine.c */
void info_starpu(struct info *info);                                     /* starpu.c */
void info_workers(struct info *info);                                    /* starpu.c */
void info_models(struct info *info);                                     /* starpu.c */
void info_settings(struct info *info, const struct sta__wishes *wishes); /* settings.c */
void info_advice(struct info *info);                                     /* advice.c */
int info_model_count(void);                                              /* of ours, for this machine */

#endif
