/* What a program says at its end: its output may not have reached where it goes, a full disk say. */
#ifndef STA__WRITTEN_H
#define STA__WRITTEN_H

#include <glib.h>
#include <stdio.h>

/* The exit status of the program: 1 also where its output could not be written. */
static inline int written(const char *program, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    g_printerr("%s: the output cannot be written\n", program);
    return status ? status : 1;
}

#endif
