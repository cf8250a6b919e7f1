/* Several arrays in one file: sta_savez, sta_load_npz, sta_npz_names. */
#include "io.h"
#include "output.h"
#include "zip.h"

#include "composed.h"
#include "mpi/ranks.h"

#include <starray/create.h>
#include <starray/io.h>
#include <starray/shape.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- writing ---- */

struct archive {
    const char *const *names;
    struct sta__operand *x;
    int count;
};

enum { NAME = 300 }; /* bytes of the longest name, with its ending */

static size_t name_of(const struct archive *archive, int i, char to[NAME])
{
    return (size_t)(archive->names ? snprintf(to, NAME, "%s.npy", archive->names[i])
                                   : snprintf(to, NAME, "arr_%d.npy", i));
}

/* One member; its header is written again when its sum is known. */
static void put_member(struct sta__call *call, struct sta__output *output, struct sta__operand *x, const char *name,
                       struct sta__zip_member *member)
{
    char head[STA__NPY_OURS];
    unsigned char local[STA__ZIP_LOCAL];
    const size_t bytes = sta__npy_header(head, x->value->dtype, &x->view.shape);
    if (!output) {
        sta__output_array(call, x, NULL);
        return;
    }
    int64_t size = 0;
    sta__shape_size(&x->view.shape, &size);
    member->begin = output->at;
    member->bytes = member->packed = (int64_t)bytes + size * (int64_t)sta_itemsize(x->value->dtype);
    member->name_bytes = strlen(name);
    sta__zip_local(local, member);
    bool fine = sta__output_write(call, output, local, 30) && sta__output_write(call, output, name, strlen(name)) &&
                sta__output_write(call, output, local + 30, sizeof local - 30);
    output->crc = 0;
    if (fine)
        sta__output_write(call, output, head, bytes);
    sta__output_array(call, x, output);
    member->crc = output->crc;
    sta__zip_local(local, member);
    if (!call->error && pwrite(output->descriptor, local, 30, member->begin) != 30)
        sta__fail(call, STA_ERROR_IO, "%.90s: writing failed", output->target);
}

static void put_directory(struct sta__call *call, struct sta__output *output, const struct archive *archive,
                          const struct sta__zip_member *members)
{
    unsigned char bytes[STA__ZIP_END > STA__ZIP_CENTRAL ? STA__ZIP_END : STA__ZIP_CENTRAL];
    char name[NAME];
    const int64_t begin = output->at;
    for (int i = 0; i < archive->count && !call->error; i++) {
        const size_t length = sta__zip_central(bytes, &members[i]);
        if (sta__output_write(call, output, bytes, 46) &&
            sta__output_write(call, output, name, name_of(archive, i, name)))
            sta__output_write(call, output, bytes + 46, length - 46);
    }
    const size_t length = sta__zip_end(bytes, archive->count, begin, output->at);
    if (!call->error)
        sta__output_write(call, output, bytes, length);
}

static void contents(struct sta__call *call, struct sta__output *output, void *argument)
{
    const struct archive *archive = argument;
    char name[NAME];
    struct sta__zip_member *members = sta__allocate(sizeof *members * (size_t)(archive->count ? archive->count : 1));
    if (!members)
        sta__fail_memory(call);
    if (output && output->direct)
        sta__fail(call, STA_ERROR_IO, "%.90s: not a regular file", output->target);
    if (sta__ranks_agree(call, NULL)) {
        sta__release(members);
        return;
    }
    if (output)
        output->summed = true;
    for (int i = 0; i < archive->count; i++) { /* on with the others where this rank has an error */
        name_of(archive, i, name);
        put_member(call, output, &archive->x[i], name, &members[i]);
        if (sta__runtime.settings.ranks <= 1 && call->error)
            break;
    }
    if (output && !call->error)
        put_directory(call, output, archive, members);
    sta__release(members);
}

static bool check_names(struct sta__call *call, const char *const *names, int count)
{
    for (int i = 0; names && i < count; i++) {
        if (!names[i] || !*names[i] || strlen(names[i]) > NAME - 10)
            return sta__fail(call, STA_ERROR_VALUE, "the name of array %d is NULL, empty or too long", i) != NULL;
        for (int k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                return sta__fail(call, STA_ERROR_VALUE, "two arrays have the name %s", names[i]) != NULL;
    }
    return true;
}

const sta_error *sta_savez(const char *path, const char *const *names, const sta_array *x, int count)
{
    struct sta__call call = sta__enter("savez");
    struct archive archive = {.names = names};
    if (!call.error && count < 0)
        sta__fail(&call, STA_ERROR_VALUE, "the number of arrays is negative");
    if (!call.error && count > 0 && !x)
        sta__fail(&call, STA_ERROR_VALUE, "the arrays are NULL");
    if (!call.error && check_names(&call, names, count)) {
        archive.x = sta__allocate(sizeof *archive.x * (size_t)(count ? count : 1));
        if (!archive.x)
            sta__fail_memory(&call);
        while (archive.x && archive.count < count &&
               sta__operand_of(&call, x[archive.count], &archive.x[archive.count]))
            archive.count++;
        sta__output_file(&call, path, contents, &archive);
    }
    for (int i = 0; i < archive.count; i++)
        sta__operand_drop(&archive.x[i]);
    sta__release(archive.x);
    return sta__leave_error(&call);
}

/* ---- reading ---- */

static bool ends_in_npy(const struct sta__zip_member *member)
{
    return member->name_bytes >= 4 && memcmp(member->name + member->name_bytes - 4, ".npy", 4) == 0;
}

static bool has_name(const struct sta__zip_member *member, const char *name)
{
    const size_t bytes = strlen(name), own = member->name_bytes - (ends_in_npy(member) ? 4 : 0);
    return (own == bytes || member->name_bytes == bytes) && memcmp(member->name, name, bytes) == 0;
}

/* The header of a member that is stored: then the array lies in the file as in a .npy file. */
static sta_error_code describe_stored(struct sta__file *file, const struct sta__zip_member *member, char *why)
{
    const size_t most = STA__NPY_LONGEST + 12;
    const size_t bytes = member->bytes < (int64_t)most ? (size_t)member->bytes : most;
    char *head = sta__allocate_raw(bytes ? bytes : 1);
    if (!head) {
        snprintf(why, STA__WHY, "no memory");
        return STA_ERROR_MEMORY;
    }
    sta_error_code error = sta__read_at(file->descriptor, head, bytes, member->begin, why);
    if (!error)
        error = sta__npy_parse(head, bytes, member->bytes, &file->npy, why);
    file->npy.begin += member->begin;
    sta__release(head);
    return error;
}

/* A deflated member as memory that is a .npy file; for sta__release. */
static sta_error_code unpack(const struct sta__zip *zip, const struct sta__zip_member *member, struct sta__npy *npy,
                             char **memory, char *why)
{
    *memory = sta__allocate_raw(member->bytes ? (size_t)member->bytes : 1);
    if (!*memory) {
        snprintf(why, STA__WHY, "no memory");
        return STA_ERROR_MEMORY;
    }
    sta_error_code error = sta__zip_inflate(zip, member, *memory, why);
    return error ? error : sta__npy_parse(*memory, (size_t)member->bytes, member->bytes, npy, why);
}

/* Finds the member; *memory is its contents where it is deflated, NULL where file->npy tells where they are. */
static sta_error_code find(struct sta__file *file, const char *name, char **memory, char *why)
{
    struct sta__zip zip;
    struct sta__zip_member member;
    int64_t at = 0;
    sta_error_code error = sta__zip_open(file->descriptor, &zip, why);
    if (error)
        return error;
    snprintf(why, STA__WHY, "there is no array %.60s", name);
    error = STA_ERROR_VALUE;
    while (sta__zip_next(&zip, &at, &member)) {
        if (!has_name(&member, name))
            continue;
        error = sta__zip_locate(&zip, &member, why);
        if (!error && member.method != 0 && member.method != 8) {
            snprintf(why, STA__WHY, "packed by a method that is not known (%d)", member.method);
            error = STA_ERROR_FORMAT;
        }
        if (!error)
            error =
                member.method ? unpack(&zip, &member, &file->npy, memory, why) : describe_stored(file, &member, why);
        break;
    }
    sta__release(zip.directory);
    return error;
}

/* The array of a .npy file in memory. */
static sta_array from_memory(char *memory, const struct sta__npy *npy)
{
    char *elements = memory + npy->begin;
    sta_dims shape = {.count = npy->shape.ndim};
    for (int a = 0; a < shape.count; a++)
        shape.at[a] = npy->shape.at[npy->fortran ? shape.count - 1 - a : a];
    sta__npy_convert(elements, npy->size, npy->dtype, npy->swapped);
    const sta_scope scope = sta_open();
    const sta_array x = sta_from_buffer(elements, npy->dtype, shape, NULL, STA_COPY, NULL, NULL);
    return sta__composed(scope, npy->fortran ? sta_transpose(x, STA_ALL) : x);
}

static void turn_round(struct sta__npy *npy)
{
    struct sta__shape shape = npy->shape;
    for (int a = 0; npy->fortran && a < shape.ndim; a++)
        npy->shape.at[a] = shape.at[shape.ndim - 1 - a];
}

sta_array sta_load_npz(const char *path, const char *name)
{
    struct sta__call call = sta__enter("load_npz");
    char why[STA__WHY], *memory = NULL;
    if (!call.error && !name)
        sta__fail(&call, STA_ERROR_VALUE, "the name is NULL");
    struct sta__file *file = call.error ? NULL : sta__file_open(&call, path);
    const sta_error_code error = file ? find(file, name, &memory, why) : STA_ERROR_NONE;
    if (error)
        sta__fail(&call, error, "%.90s: %.100s", path, why);
    if (file && !error && !memory)
        turn_round(&file->npy);
    if (!memory || error) {
        if (error)
            sta__file_drop(file);
        sta__release(memory);
        return sta__file_load(&call, error ? NULL : file);
    }
    const struct sta__npy npy = file->npy;
    sta__file_drop(file);
    if (sta__ranks_agree(&call, NULL)) {
        sta__release(memory);
        return sta__leave(&call, NULL);
    }
    sta__call_end(&call);
    const sta_array x = from_memory(memory, &npy);
    sta__release(memory);
    return x;
}

/* The names, each with a newline. NULL: no memory. */
static char *all_names(const struct sta__zip *zip)
{
    struct sta__zip_member member;
    size_t bytes = 1;
    for (int64_t at = 0; sta__zip_next(zip, &at, &member);)
        bytes += member.name_bytes + 1;
    char *text = sta__allocate_raw(bytes), *to = text;
    for (int64_t at = 0; text && sta__zip_next(zip, &at, &member);) {
        const size_t length = member.name_bytes - (ends_in_npy(&member) ? 4 : 0);
        memcpy(to, member.name, length);
        to += length;
        *to++ = '\n';
    }
    if (text)
        *to = '\0';
    return text;
}

const sta_error *sta_npz_names(const char *path, char **names)
{
    struct sta__call call = sta__enter("npz_names");
    struct sta__zip zip;
    char why[STA__WHY];
    if (names)
        *names = NULL;
    else
        sta__fail(&call, STA_ERROR_VALUE, "the pointer to the names is NULL");
    struct sta__file *file = call.error ? NULL : sta__file_open(&call, path);
    const sta_error_code error = file ? sta__zip_open(file->descriptor, &zip, why) : STA_ERROR_NONE;
    if (error)
        sta__fail(&call, error, "%.90s: %.100s", path, why);
    if (file && !error) {
        char *text = all_names(&zip);
        *names = text ? strdup(text) : NULL; /* for free() */
        sta__release(text);
        if (!*names)
            sta__fail_memory(&call);
        sta__release(zip.directory);
    }
    sta__file_drop(file);
    return sta__leave_error(&call);
}
