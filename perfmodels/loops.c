/* What one element of each loop costs on this machine: as measured by the calibrator, else by the table of ufuncs. */
#include "cost.h"

#include <glib.h>
#include <stdio.h>

static float ufunc[STA__OPS][STA__DTYPES], cast[STA__DTYPES][STA__DTYPES],
    fold[STA__DTYPES]; /* nanoseconds; 0: not measured */

double sta__ufunc_nanoseconds(int op, sta_dtype dtype)
{
    if (ufunc[op][dtype] > 0)
        return (double)ufunc[op][dtype];
    return sta__ufunc(op)->cost * sta__costs.instruction * (double)sta_itemsize(dtype) / sizeof(double);
}

double sta__cast_nanoseconds(sta_dtype from, sta_dtype to)
{
    if (cast[from][to] > 0)
        return (double)cast[from][to];
    return sta__cast_cost(from, to) * sta__costs.instruction;
}

double sta__fold_nanoseconds(sta_dtype dtype)
{
    if (fold[dtype] > 0)
        return (double)fold[dtype];
    return 0.3 * (double)sta_itemsize(dtype) / sizeof(double);
}

void sta__fold_measured(sta_dtype dtype, double nanoseconds)
{
    fold[dtype] = (float)nanoseconds;
}

void sta__ufunc_measured(int op, sta_dtype dtype, double nanoseconds)
{
    ufunc[op][dtype] = (float)nanoseconds;
}

void sta__cast_measured(sta_dtype from, sta_dtype to, double nanoseconds)
{
    cast[from][to] = (float)nanoseconds;
}

/* ---- the file: "add_f64=0.2", "cast_f64_f32=0.3" ---- */

static void ufunc_key(char *to, size_t bytes, int op, sta_dtype dtype)
{
    snprintf(to, bytes, "%s_%s", sta__ufunc(op)->name, sta__dtype_brief(dtype));
}

static void cast_key(char *to, size_t bytes, sta_dtype from, sta_dtype into)
{
    snprintf(to, bytes, "cast_%s_%s", sta__dtype_brief(from), sta__dtype_brief(into));
}

static void fold_key(char *to, size_t bytes, sta_dtype dtype)
{
    snprintf(to, bytes, "fold_%s", sta__dtype_brief(dtype));
}

static float read_time(GKeyFile *file, const char *key)
{
    double value = file ? g_key_file_get_double(file, "loops", key, NULL) : 0;
    return value > 0 ? (float)value : 0;
}

void sta__loops_read(GKeyFile *file)
{
    char key[80];
    for (int dtype = 0; dtype < STA__DTYPES; dtype++) {
        if (!sta__dtype_valid((sta_dtype)dtype))
            continue;
        fold_key(key, sizeof key, (sta_dtype)dtype);
        fold[dtype] = read_time(file, key);
        for (int op = 0; op < STA__OPS; op++) {
            ufunc_key(key, sizeof key, op, (sta_dtype)dtype);
            ufunc[op][dtype] = read_time(file, key);
        }
        for (int into = 0; into < STA__DTYPES; into++) {
            if (!sta__dtype_valid((sta_dtype)into))
                continue;
            cast_key(key, sizeof key, (sta_dtype)dtype, (sta_dtype)into);
            cast[dtype][into] = read_time(file, key);
        }
    }
}

void sta__loops_write(GKeyFile *file)
{
    char key[80];
    for (int dtype = 0; dtype < STA__DTYPES; dtype++) {
        if (fold[dtype] > 0) {
            fold_key(key, sizeof key, (sta_dtype)dtype);
            g_key_file_set_double(file, "loops", key, (double)fold[dtype]);
        }
        for (int op = 0; op < STA__OPS; op++)
            if (ufunc[op][dtype] > 0) {
                ufunc_key(key, sizeof key, op, (sta_dtype)dtype);
                g_key_file_set_double(file, "loops", key, (double)ufunc[op][dtype]);
            }
        for (int into = 0; into < STA__DTYPES; into++)
            if (cast[dtype][into] > 0) {
                cast_key(key, sizeof key, (sta_dtype)dtype, (sta_dtype)into);
                g_key_file_set_double(file, "loops", key, (double)cast[dtype][into]);
            }
    }
}
