/* The machine as hwloc sees it: a picture in text. */
#include "info.h"

#include "mem.h"

#include <hwloc.h>
#include <string.h>

static bool is_drawn(hwloc_obj_type_t type)
{
    return type == HWLOC_OBJ_MACHINE || type == HWLOC_OBJ_PACKAGE || type == HWLOC_OBJ_NUMANODE ||
           type == HWLOC_OBJ_L3CACHE;
}

/* "cores 0-7, 2 threads each" */
static void describe(hwloc_topology_t topology, hwloc_obj_t object, GString *to)
{
    int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_CORE);
    int threads = hwloc_get_nbobjs_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_PU);
    if (object->type == HWLOC_OBJ_L3CACHE)
        g_string_append_printf(to, "%llu MiB, ", (unsigned long long)object->attr->cache.size >> 20);
    g_string_append_printf(to, "%d core%s, %d thread%s", cores, cores == 1 ? "" : "s", threads,
                           threads == 1 ? "" : "s");
    const char *model = hwloc_obj_get_info_by_name(object, "CPUModel");
    if (model)
        g_string_append_printf(to, ", %s", model);
    for (hwloc_obj_t memory = object->memory_first_child; memory; memory = memory->next_sibling)
        if (memory->type == HWLOC_OBJ_NUMANODE)
            g_string_append_printf(to, ", NUMA node %u of %.1f GiB", memory->os_index,
                                   (double)memory->attr->numanode.local_memory / (double)(1 << 30));
}

static void draw(struct info *info, hwloc_topology_t topology, hwloc_obj_t object, int depth)
{
    if (is_drawn(object->type)) {
        GString *text = g_string_new(NULL);
        char type[64];
        hwloc_obj_type_snprintf(type, sizeof type, object, 0);
        char *name = g_strdup_printf("%*s%s", 2 * depth, "", type);
        describe(topology, object, text);
        info_row(info, name, NULL, "%s", text->str);
        g_free(name);
        g_string_free(text, TRUE);
        depth++;
    }
    for (hwloc_obj_t child = object->first_child; child; child = child->next_sibling)
        draw(info, topology, child, depth);
}

static void draw_gpus(struct info *info, hwloc_topology_t topology)
{
    for (hwloc_obj_t device = NULL; (device = hwloc_get_next_osdev(topology, device));) {
        const char *model = hwloc_obj_get_info_by_name(device, "GPUModel");
        if (device->attr->osdev.type != HWLOC_OBJ_OSDEV_COPROC && device->attr->osdev.type != HWLOC_OBJ_OSDEV_GPU)
            continue;
        info_row(info, device->name, NULL, "%s", model ? model : "a graphics or compute device");
    }
}

void info_machine(struct info *info)
{
    hwloc_topology_t topology;
    info_section(info, "machine");
    info_row(info, "name", NULL, "%s", g_get_host_name());
    info_row(info, "memory", NULL, "%.1f GiB, %.1f GiB of it free", (double)sta__memory_total() / (double)(1 << 30),
             (double)sta__memory_available() / (double)(1 << 30));
    if (hwloc_topology_init(&topology))
        return;
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) == 0) {
        draw(info, topology, hwloc_get_root_obj(topology), 0);
        draw_gpus(info, topology);
    }
    hwloc_topology_destroy(topology);
}
