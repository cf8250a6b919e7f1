/* How far kernels are from what their fronts say of computing, by the symbols of their histories. */
#include "cost.h"

#include <glib.h>
#include <math.h>

static GHashTable *factors; /* symbol -> double */

double sta__kernel_factor(const char *symbol)
{
    const double *factor = factors ? g_hash_table_lookup(factors, symbol) : NULL;

    return factor ? *factor : 1;
}

void sta__kernel_measured(const char *symbol, double factor)
{
    double *copy = g_new(double, 1);

    *copy = factor;
    if (!factors)
        factors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_replace(factors, g_strdup(symbol), copy);
}

void sta__kernels_read(GKeyFile *file)
{
    char **symbols = file ? g_key_file_get_keys(file, "kernels", NULL, NULL) : NULL;

    g_clear_pointer(&factors, g_hash_table_destroy);
    for (int k = 0; symbols && symbols[k]; k++) {
        double factor = g_key_file_get_double(file, "kernels", symbols[k], NULL);

        if (factor > 0 && isfinite(factor))
            sta__kernel_measured(symbols[k], factor);
    }
    g_strfreev(symbols);
}

void sta__kernels_write(GKeyFile *file)
{
    GHashTableIter each;
    gpointer symbol, factor;

    if (!factors)
        return;
    g_hash_table_iter_init(&each, factors);
    while (g_hash_table_iter_next(&each, &symbol, &factor))
        g_key_file_set_double(file, "kernels", symbol, *(double *)factor);
}
