/* Stand-ins until perfmodels/model.c and partition/filter.c come: delete this file then. */
#include "perfmodels/model.h"
#include "submit.h"
#include "partition/tile.h"
#include <starpu.h>
#include <stdio.h>
struct sta__codelet { struct starpu_codelet cl; const struct sta__kernel *k; sta_dtype d; char name[64]; struct sta__codelet *next; };
static struct sta__codelet *all;
struct sta__codelet *sta__codelet_of(const struct sta__kernel *k, sta_dtype d)
{
    char name[64]; snprintf(name, sizeof name, "sta_%s_%s", k->name, sta__dtype_brief(d));
    for (struct sta__codelet *c = all; c; c = c->next) if (!__builtin_strcmp(c->name, name)) return c;
    struct sta__codelet *c = sta__allocate(sizeof *c);
    if (!c) return NULL;
    __builtin_memcpy(c->name, name, sizeof name);
    c->cl.cpu_funcs[0] = sta__variants.sequential; c->cl.name = c->name; c->cl.nbuffers = STARPU_VARIABLE_NBUFFERS;
    c->next = all; all = c; return c;
}
struct starpu_codelet *sta__codelet_starpu(struct sta__codelet *c) { return &c->cl; }
void sta__measure_begin(struct sta__measure *m, int threads) { m->threads = threads; }
void sta__measure_end(struct sta__measure *m) { (void)m; }
void sta__measure_record(struct sta__measure *m, struct sta__codelet *c) { (void)m; (void)c; }
int sta__priority(int depth) { return depth; }
void sta__root_home(struct sta__root *root);
void sta__root_home(struct sta__root *root) { (void)root; }
void sta__root_tile_dropped(struct sta__root *root) { (void)root; }
#include "partition/filter.h"
bool sta__root_make(void *memory, sta_dtype dtype, const int64_t *stride, const struct sta__grid *grid, struct sta__owner owner, struct sta__tile **tiles) { (void)memory; (void)dtype; (void)stride; (void)grid; (void)owner; (void)tiles; return false; }
void sta__roots_finish(void) {}
