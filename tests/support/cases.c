/* Contract: cases.h. Records of a case k: k/call, a text "name operands results error"; k/n, numbers; k/x0 with its view
 * k/v0 (a text), and so on; k/out0 and so on; k/near, the tolerance. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sta_dims sta_case_dims(const struct sta_case *c, int first, int count)
{
    sta_dims dims = {count, {0}};
    for (int i = 0; i < count && i < STA_MAXDIM; i++)
        dims.at[i] = c->n[first + i];
    return dims;
}

static sta_array seen(sta_array x, const char *view)
{
    if (strcmp(view, "T") == 0)
        return sta_transpose(x, STA_ALL);
    if (strcmp(view, "flip") == 0)
        return sta_flip(x, STA_ALL);
    if (strcmp(view, "half") == 0)
        return sta_ndim(x) ? sta_slice(x, "..., ::2") : x;
    if (strcmp(view, "repeated") == 0)
        return sta_ndim(x) ? sta_broadcast_to(sta_slice(x, "..., :1"), sta_shape(x)) : x;
    return x;
}

static sta_error_code code_of(const char *name)
{
#define STA_ERROR(label, code, text)                                                                                   \
    if (strcmp(name, #label) == 0)                                                                                     \
        return STA_ERROR_##label;
#include <starray/errors.def>
#undef STA_ERROR
    return STA_ERROR_NONE;
}

static void run(const struct sta_oracle *oracle, size_t at, const struct sta_case_call *calls, size_t count)
{
    char name[40], error[20];
    int results;
    const struct sta_record *head = sta_oracle_at(oracle, at);
    struct sta_case c = {.count = 0};
    CU_ASSERT_EQUAL_FATAL(sscanf(head->data, "%39s %d %d %19s", name, &c.count, &results, error), 4);
    const struct sta_record *numbers = sta_oracle_at(oracle, at + 1);
    const double *near = sta_oracle_at(oracle, at + 2)->data;
    c.n = numbers->data;
    c.numbers = numbers->count;
    at += 3;
    for (int i = 0; i < c.count; i++, at += 2)
        c.x[i] = seen(sta_test_record_array(sta_oracle_at(oracle, at)), sta_oracle_at(oracle, at + 1)->data);
    size_t k = 0;
    while (k < count && strcmp(calls[k].name, name) != 0)
        k++;
    if (k == count) {
        sta_test_fail(__FILE__, __LINE__, "no call of the name %s", name);
        return;
    }
    if (getenv("STA_CASE_SHOW"))
        fprintf(stderr, "%s: %s\n", head->name, (const char *)head->data);
    calls[k].run(&c);
    if (strcmp(error, "-") != 0) {
        for (int i = 0; i < c.outs; i++)
            sta_test_error(head->name, __LINE__, head->data, sta_wait(c.out[i]), code_of(error));
        return;
    }
    if (c.outs != results)
        sta_test_fail(__FILE__, __LINE__, "%s: %d results, not %d", head->name, c.outs, results);
    for (int i = 0; i < results && i < c.outs; i++) {
        const struct sta_record *r = sta_oracle_at(oracle, at + (size_t)i);
        sta_test_compare(head->name, __LINE__, head->data, c.out[i], r->dtype, r->shape, r->data,
                         (struct sta_tolerance){near[0], near[1], near[2]});
    }
}

void sta_test_cases(const char *module, const struct sta_case_call *calls, size_t count)
{
    char argument[100];
    snprintf(argument, sizeof argument, "%s", module);
    const struct sta_oracle *oracle = sta_test_oracle("cases", argument);
    size_t cases = 0;
    for (size_t i = 0; oracle && i < sta_oracle_count(oracle); i++) {
        const char *slash = strchr(sta_oracle_at(oracle, i)->name, '/');
        if (!slash || strcmp(slash, "/call") != 0)
            continue;
        sta_scope scope = sta_open();
        run(oracle, i, calls, count);
        sta_close(scope);
        cases++;
    }
    CU_ASSERT(!oracle || cases > 0);
}
