/* Files and text of arrays. */
#ifndef STA__IO_H
#define STA__IO_H

#include "internal.h"
#include "npy.h"
#include "slice.h"

/* An open .npy file, shared by the tasks that read it. */
struct sta__file {
    atomic_int references;
    int descriptor;
    struct sta__npy npy; /* of a file in Fortran order: the shape turned round, so that it is in C order */
    char name[100];
};
/* With nothing known of its contents. NULL: call->error. */
struct sta__file *sta__file_open(struct sta__call *call, const char *path);
void sta__file_drop(struct sta__file *file);
/* Leaves with the array that file->npy describes; takes the file over. NULL: with the call's error. On every rank. */
sta_array sta__file_load(struct sta__call *call, struct sta__file *file);

/* Reads one box of the file into a tile. */
struct sta__load_arguments {
    struct sta__file *file;
    struct sta__box box;
};
extern const struct sta__kernel sta__load_kernel;
/* The kernel's work: a box, C order, contiguous. */
sta_error_code sta__load_box(const struct sta__file *file, const struct sta__box *box, void *to, char *why);

#endif
