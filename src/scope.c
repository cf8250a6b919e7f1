/* Scopes: a stack per thread above one root scope; each holds a list of slots. */
#include "array.h"

#include <starray/scope.h>

struct sta__scope_record {
    uint64_t id;
    struct sta__scope_record *parent; /* NULL: the root */
    struct sta__scope_record *other;  /* the list of all, for finish */
    uint32_t first;                   /* slot */
};

static struct {
    struct sta__scope_record root;
    struct sta__scope_record *all;
    uint64_t ids;
} scopes;

/* The innermost scope of this thread. `start` tells whether it belongs to this run of the library. */
static _Thread_local struct {
    struct sta__scope_record *top;
    int64_t start;
} stack;

static struct sta__scope_record *innermost(void)
{
    if (stack.start != sta__runtime.start_number) {
        stack.start = sta__runtime.start_number;
        stack.top = NULL;
    }
    return stack.top ? stack.top : &scopes.root;
}

static void adopt(struct sta__scope_record *scope, uint32_t number, struct sta__slot *slot)
{
    slot->scope = scope;
    slot->previous = 0;
    slot->next = scope->first;
    if (scope->first)
        sta__slot_at(scope->first)->previous = number;
    scope->first = number;
}

bool sta__scope_adopt(uint32_t number, struct sta__slot *slot)
{
    adopt(innermost(), number, slot);
    return true;
}

void sta__scope_forget(struct sta__slot *slot)
{
    if (slot->previous)
        sta__slot_at(slot->previous)->next = slot->next;
    else
        slot->scope->first = slot->next;
    if (slot->next)
        sta__slot_at(slot->next)->previous = slot->previous;
    slot->scope = NULL;
}

sta_scope sta_open(void)
{
    struct sta__call call = sta__enter("open");
    struct sta__scope_record *scope = call.error ? NULL : sta__allocate(sizeof *scope);
    if (!call.error && !scope)
        sta__fail_memory(&call);
    if (scope) {
        scope->id = ++scopes.ids;
        scope->parent = innermost() == &scopes.root ? NULL : innermost();
        scope->other = scopes.all;
        scopes.all = scope;
        stack.top = scope;
    }
    sta__leave_error(&call);
    return (sta_scope){scope ? scope->id : 0};
}

static void close_innermost(void)
{
    struct sta__scope_record *scope = stack.top;
    while (scope->first)
        sta__slot_free(scope->first);
    stack.top = scope->parent;
    struct sta__scope_record **at = &scopes.all;
    while (*at != scope)
        at = &(*at)->other;
    *at = scope->other;
    sta__release(scope);
}

void sta_close(sta_scope scope)
{
    struct sta__call call = sta__enter("close");
    if (!call.error) {
        struct sta__scope_record *found = innermost();
        while (found && found->id != scope.id)
            found = found->parent;
        if (found && found != &scopes.root)
            for (bool last = false; !last;) {
                last = stack.top == found;
                close_innermost();
            }
    }
    sta__leave_error(&call);
}

sta_array sta_keep(sta_array x)
{
    struct sta__call call = sta__enter("keep");
    struct sta__slot *slot = call.error ? NULL : sta__slot_of(x);
    if (slot && slot->scope != &scopes.root) {
        struct sta__scope_record *parent = slot->scope->parent ? slot->scope->parent : &scopes.root;
        sta__scope_forget(slot);
        adopt(parent, sta__slot_number(x), slot);
        if (slot->store)
            sta__submit_values(&call, &slot->store->value, 1);
        if (call.error)
            slot->error = call.error;
    }
    sta__call_end(&call);
    return x;
}

void sta_free(sta_array x)
{
    struct sta__call call = sta__enter("free");
    struct sta__slot *slot = call.error ? NULL : sta__slot_of(x);
    if (slot)
        sta__slot_free(sta__slot_number(x));
    sta__call_end(&call);
}

void sta__scopes_finish(void)
{
    while (scopes.all) {
        struct sta__scope_record *scope = scopes.all;
        scopes.all = scope->other;
        sta__release(scope);
    }
    scopes.root.first = 0;
}
