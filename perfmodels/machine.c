/* What machines are told apart by: processor, cores, GPUs. */
#include "cost.h"

#include <glib.h>
#include <hwloc.h>

/* Letters and digits in small, everything else one hyphen. */
static void append_word(GString *to, const char *text)
{
    for (; *text; text++)
        if (g_ascii_isalnum(*text))
            g_string_append_c(to, g_ascii_tolower(*text));
        else if (to->len && to->str[to->len - 1] != '-')
            g_string_append_c(to, '-');
    if (to->len && to->str[to->len - 1] != '-')
        g_string_append_c(to, '-');
}

static int count_gpus(hwloc_topology_t topology, const char **model)
{
    int count = 0;

    for (hwloc_obj_t device = NULL; (device = hwloc_get_next_osdev(topology, device));)
        if (device->attr->osdev.type == HWLOC_OBJ_OSDEV_COPROC) {
            const char *name = hwloc_obj_get_info_by_name(device, "GPUModel");

            *model = name ? name : *model;
            count++;
        }
    return count;
}

char *sta__machine_description(void)
{
    hwloc_topology_t topology;
    GString *text = g_string_new(NULL);
    const char *gpu = "gpu";
    char part[32];

    if (hwloc_topology_init(&topology))
        return g_string_free(text, FALSE);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
        int gpus = count_gpus(topology, &gpu);

        append_word(text, model ? model : "processor");
        g_snprintf(part, sizeof part, "%d-cores", hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE));
        g_string_append(text, part);
        if (gpus) {
            g_snprintf(part, sizeof part, "-%d-", gpus);
            g_string_append(text, part);
            append_word(text, gpu);
        }
    }
    hwloc_topology_destroy(topology);
    if (text->len && text->str[text->len - 1] == '-')
        g_string_truncate(text, text->len - 1);
    return g_string_free(text, FALSE);
}
