/* The text of kernels over layouts. Contract: cuda_layout.h. The parameters are what sta__cuda_nest_words writes: words of 8
 * bytes. */
#include "elementwise/cuda_layout.h"

#include <stdio.h>

static const char *type_of(const struct sta__program *p, int operand)
{
    int slot = operand;
    for (int o = 0, k = p->inputs; operand >= p->inputs && o < p->outputs; o++)
        if (!p->output[o].reduce && k++ == operand)
            slot = p->output[o].slot;
    return sta__cuda_type(p->slot_dtype[slot]);
}

static void put_parameters(struct sta__text *text, const struct sta__cuda_layout *l)
{
    sta__text_put(text, "typedef %s index_t;\n", l->wide ? "int64_t" : "int32_t");
    sta__text_put(text,
                  "struct box {\n    int64_t first, extent[%d];\n    uint64_t magic[%d], shift[%d];\n"
                  "    int64_t stride[%d][%d];\n    char *base[%d];\n};\n",
                  l->ndim, l->ndim, l->ndim, l->sets, l->ndim, l->operands);
    sta__text_put(text, "struct parameters {\n    int64_t boxes;\n");
    if (l->numbers)
        sta__text_put(text, "    unsigned long long number[%d][2];\n", l->numbers);
    sta__text_put(text, "    struct box box[%d];\n};\n", l->boxes);
}

/* Takes the index along an axis off a number: what is left counts the axes before it. */
static void put_digit(struct sta__text *text, const struct sta__cuda_layout *l, int axis, const char *steps)
{
    sta__text_put(text, "    const index_t by%d = %s;\n", axis, steps);
    if (l->wide)
        sta__text_put(text, "    const index_t rest%d = item / by%d;\n", axis, axis);
    else
        sta__text_put(text,
                      "    const index_t rest%d = (index_t)sta__quotient((uint32_t)item, (uint32_t)box.magic[%d], "
                      "(uint32_t)box.shift[%d]);\n",
                      axis, axis, axis);
    sta__text_put(text, "    const index_t i%d = item - rest%d * by%d;\n    item = rest%d;\n", axis, axis, axis, axis);
}


/* Where a group lies, and how many of its elements there are. */
static void put_locate(struct sta__text *text, const struct sta__cuda_layout *l)
{
    char steps[100];
    int last = l->ndim - 1;
    sta__text_put(text,
                  "static __device__ __forceinline__ int locate(const box &box, index_t item, index_t (&at)[%d])\n{\n",
                  l->sets ? l->sets : 1);
    for (int a = last; a > 0; a--) {
        if (a == last && l->vector > 1)
            snprintf(steps, sizeof steps, "((index_t)box.extent[%d] + %d) / %d", a, l->vector - 1, l->vector);
        else
            snprintf(steps, sizeof steps, "(index_t)box.extent[%d]", a);
        put_digit(text, l, a, steps);
    }
    sta__text_put(text, "    const index_t i0 = item;\n");
    if (last > 0)
        sta__text_put(text, "    if (i0 >= (index_t)box.extent[0])\n        return 0;\n");
    sta__text_put(text, "    const index_t e = i%d * %d, left = (index_t)box.extent[%d] - e;\n", last, l->vector, last);
    for (int s = 0; s < l->sets; s++) {
        sta__text_put(text, "    at[%d] = ", s);
        for (int a = 0; a < last; a++)
            sta__text_put(text, "i%d * (index_t)box.stride[%d][%d] + ", a, s, a);
        sta__text_put(text, "e * (index_t)box.stride[%d][%d];\n", s, last);
    }
    sta__text_put(text, "    return left < %d ? (int)left : %d;\n}\n", l->vector, l->vector);
}

/* Which box a block works on; numbers; all as local names. */
static void put_entry(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    sta__text_put(text,
                  "extern \"C\" __global__ void __launch_bounds__(%d) sta_kernel(const __grid_constant__ parameters p)\n{\n"
                  "    index_t block = blockIdx.x;\n",
                  STA__CUDA_THREADS);
    if (l->boxes > 1)
        sta__text_put(text, "    int number = 0;\n"
                            "    while (number + 1 < (int)p.boxes && block >= (index_t)p.box[number + 1].first)\n"
                            "        number++;\n    const struct box &box = p.box[number];\n"
                            "    block -= (index_t)box.first;\n");
    else
        sta__text_put(text, "    const struct box &box = p.box[0];\n");
    for (int i = 0; i < p->inputs; i++)
        if (l->way[i] == STA__CUDA_NUMBER)
            sta__text_put(text, "    const %s x%d = sta__from_number<%s>(p.number[%d]);\n", type_of(p, i), i,
                          type_of(p, i), l->set[i]);
}

/* ---- groups ---- */

static void put_group_loads(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    for (int i = 0; i < p->inputs; i++) {
        const char *type = type_of(p, i);
        int set = l->set[i];
        if (l->way[i] == STA__CUDA_NUMBER)
            continue;
        if (l->way[i] != STA__CUDA_ALONG || l->vector == 1) {
            sta__text_put(text, "        x%d[u][0] = sta__load_one<%s>(box.base[%d] + at[u][%d]);\n", i, type, i, set);
            continue;
        }
        sta__text_put(text,
                      "        if (live[u] == %d)\n"
                      "            sta__load<%s, %d>(x%d[u], box.base[%d] + at[u][%d]);\n"
                      "        else\n"
                      "            for (int v = 0; v < %d; v++)\n"
                      "                x%d[u][v] = v < live[u] ? sta__load_one<%s>(box.base[%d] + at[u][%d] + "
                      "v * (int)sizeof(%s)) : %s();\n",
                      l->vector, type, l->vector, i, i, set, l->vector, i, type, i, set, type, type);
    }
}

static void put_call(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    const char *comma = "";
    sta__text_put(text, "element(");
    for (int i = 0; i < p->inputs; i++, comma = ", ") {
        if (l->way[i] == STA__CUDA_NUMBER)
            sta__text_put(text, "%sx%d", comma, i);
        else
            sta__text_put(text, "%sx%d[u][%s]", comma, i, l->way[i] == STA__CUDA_ALONG ? "v" : "0");
    }
    for (int o = p->inputs; o < l->operands; o++, comma = ", ")
        sta__text_put(text, "%sx%d[v]", comma, o);
    sta__text_put(text, ");\n");
}

static void put_group_stores(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    for (int o = p->inputs; o < l->operands; o++) {
        const char *type = type_of(p, o);
        sta__text_put(text,
                      "        if (live[u] == %d)\n"
                      "            sta__store<%s, %d>(box.base[%d] + at[u][%d], x%d);\n",
                      l->vector, type, l->vector, o, l->set[o], o);
        if (l->vector > 1)
            sta__text_put(text,
                          "        else\n"
                          "            for (int v = 0; v < %d; v++)\n"
                          "                if (v < live[u])\n"
                          "                    ((%s *)(box.base[%d] + at[u][%d]))[v] = x%d[v];\n",
                          l->vector, type, o, l->set[o], o);
    }
}

static void put_groups(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    put_locate(text, l);
    put_entry(text, p, l);
    sta__text_put(text, "    const index_t start = block * %d + (index_t)threadIdx.x;\n    int live[%d];\n",
                  STA__CUDA_THREADS * l->unroll, l->unroll);
    sta__text_put(text, "    index_t at[%d][%d];\n", l->unroll, l->sets ? l->sets : 1);
    for (int i = 0; i < p->inputs; i++)
        if (l->way[i] != STA__CUDA_NUMBER)
            sta__text_put(text, "    %s x%d[%d][%d];\n", type_of(p, i), i, l->unroll,
                          l->way[i] == STA__CUDA_ALONG ? l->vector : 1);
    sta__text_put(text,
                  "#pragma unroll\n    for (int u = 0; u < %d; u++) {\n"
                  "        live[u] = locate(box, start + u * %d, at[u]);\n"
                  "        if (live[u] <= 0)\n            continue;\n",
                  l->unroll, STA__CUDA_THREADS);
    put_group_loads(text, p, l);
    sta__text_put(text,
                  "    }\n#pragma unroll\n    for (int u = 0; u < %d; u++) {\n"
                  "        if (live[u] <= 0)\n            continue;\n",
                  l->unroll);
    for (int o = p->inputs; o < l->operands; o++)
        sta__text_put(text, "        %s x%d[%d];\n", type_of(p, o), o, l->vector);
    sta__text_put(text, "#pragma unroll\n        for (int v = 0; v < %d; v++)\n            ", l->vector);
    put_call(text, p, l);
    put_group_stores(text, p, l);
    sta__text_put(text, "    }\n}\n");
}

/* ---- lines ---- */

/* The offset of element u of a thread behind its first one. */
static void put_behind(struct sta__text *text, const struct sta__cuda_layout *l, int operand, const char *type)
{
    if (l->way[operand] == STA__CUDA_ALONG)
        sta__text_put(text, " + u * (%d * (int)sizeof(%s))", STA__CUDA_THREADS, type);
    else
        sta__text_put(text, " + (index_t)(u * %d) * (index_t)box.stride[%d][%d]", STA__CUDA_THREADS, l->set[operand],
                      l->ndim - 1);
}

static void put_line_places(struct sta__text *text, const struct sta__cuda_layout *l)
{
    char steps[100];
    int last = l->ndim - 1, part = STA__CUDA_THREADS * l->unroll;
    sta__text_put(text, "    index_t item = block;\n");
    for (int a = last; a > 0; a--) {
        if (a == last)
            snprintf(steps, sizeof steps, "((index_t)box.extent[%d] + %d) / %d", a, part - 1, part);
        else
            snprintf(steps, sizeof steps, "(index_t)box.extent[%d]", a);
        put_digit(text, l, a, steps);
    }
    sta__text_put(text,
                  "    const index_t i0 = item;\n    const index_t e = i%d * %d + (index_t)threadIdx.x, left = "
                  "(index_t)box.extent[%d] - e;\n    index_t at[%d];\n",
                  last, part, last, l->sets ? l->sets : 1);
    for (int s = 0; s < l->sets; s++) {
        sta__text_put(text, "    at[%d] = ", s);
        for (int a = 0; a < last; a++)
            sta__text_put(text, "i%d * (index_t)box.stride[%d][%d] + ", a, s, a);
        sta__text_put(text, "e * (index_t)box.stride[%d][%d];\n", s, last);
    }
}

static void put_lines(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    const char *comma = "";
    put_entry(text, p, l);
    put_line_places(text, l);
    for (int i = 0; i < p->inputs; i++)
        if (l->way[i] != STA__CUDA_NUMBER)
            sta__text_put(text, "    %s x%d[%d];\n", type_of(p, i), i, l->unroll);
    sta__text_put(text, "#pragma unroll\n    for (int u = 0; u < %d; u++)\n        if (u * %d < left) {\n", l->unroll,
                  STA__CUDA_THREADS);
    for (int i = 0; i < p->inputs; i++) {
        if (l->way[i] == STA__CUDA_NUMBER)
            continue;
        sta__text_put(text, "            x%d[u] = sta__load_one<%s>(box.base[%d] + at[%d]", i, type_of(p, i), i, l->set[i]);
        put_behind(text, l, i, type_of(p, i));
        sta__text_put(text, ");\n");
    }
    sta__text_put(text, "        }\n#pragma unroll\n    for (int u = 0; u < %d; u++)\n        if (u * %d < left) {\n",
                  l->unroll, STA__CUDA_THREADS);
    for (int o = p->inputs; o < l->operands; o++)
        sta__text_put(text, "            %s x%d[1];\n", type_of(p, o), o);
    sta__text_put(text, "            element(");
    for (int i = 0; i < p->inputs; i++, comma = ", ")
        sta__text_put(text, l->way[i] == STA__CUDA_NUMBER ? "%sx%d" : "%sx%d[u]", comma, i);
    for (int o = p->inputs; o < l->operands; o++, comma = ", ")
        sta__text_put(text, "%sx%d[0]", comma, o);
    sta__text_put(text, ");\n");
    for (int o = p->inputs; o < l->operands; o++) {
        sta__text_put(text, "            sta__store<%s, 1>(box.base[%d] + at[%d]", type_of(p, o), o, l->set[o]);
        put_behind(text, l, o, type_of(p, o));
        sta__text_put(text, ", x%d);\n", o);
    }
    sta__text_put(text, "        }\n}\n");
}

/* ---- squares in shared memory ---- */

static void put_square_places(struct sta__text *text, const struct sta__cuda_layout *l)
{
    char steps[100];
    int last = l->ndim - 1, across = l->across - 1;
    sta__text_put(text, "    index_t item = block;\n    index_t at[%d];\n", l->sets ? l->sets : 1);
    for (int a = last; a > 0; a--) {
        if (a == last || a == across)
            snprintf(steps, sizeof steps, "((index_t)box.extent[%d] + %d) / %d", a, l->edge - 1, l->edge);
        else
            snprintf(steps, sizeof steps, "(index_t)box.extent[%d]", a);
        put_digit(text, l, a, steps);
    }
    sta__text_put(text, "    const index_t i0 = item;\n");
    for (int s = 0; s < l->sets; s++) {
        sta__text_put(text, "    at[%d] = ", s);
        for (int a = 0; a < l->ndim; a++)
            sta__text_put(text, "%si%d * %s(index_t)box.stride[%d][%d]", a ? " + " : "", a,
                          a == last      ? "EDGE * "
                          : a == across ? "EDGE * "
                                        : "",
                          s, a);
        sta__text_put(text, ";\n");
    }
    sta__text_put(text,
                  "    const index_t rows = (index_t)box.extent[%d] - i%d * EDGE, columns = (index_t)box.extent[%d] - i%d "
                  "* EDGE;\n    const int tx = threadIdx.x %% 32, ty = threadIdx.x / 32;\n",
                  across, across, last, last);
}

static void put_square_loads(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    int last = l->ndim - 1, across = l->across - 1;
    for (int i = 0; i < p->inputs; i++)
        if (l->way[i] == STA__CUDA_ACROSS)
            sta__text_put(text,
                          "    for (int j = 0; j < EDGE; j += 8)\n        for (int i = 0; i < EDGE; i += 32)\n"
                          "            if (i + tx < rows && j + ty < columns)\n"
                          "                square%d[j + ty][i + tx] = sta__load_one<%s>(box.base[%d] + at[%d] + (i + tx) "
                          "* (index_t)box.stride[%d][%d] + (j + ty) * (index_t)box.stride[%d][%d]);\n",
                          i, type_of(p, i), i, l->set[i], l->set[i], across, l->set[i], last);
    sta__text_put(text, "    __syncthreads();\n");
}

static void put_squares(struct sta__text *text, const struct sta__program *p, const struct sta__cuda_layout *l)
{
    int last = l->ndim - 1, across = l->across - 1;
    const char *comma = "";
    sta__text_put(text, "enum { EDGE = %d };\n", l->edge);
    put_entry(text, p, l);
    for (int i = 0; i < p->inputs; i++)
        if (l->way[i] == STA__CUDA_ACROSS)
            sta__text_put(text,
                          "    __shared__ %s square%d[EDGE][EDGE + (sizeof(%s) < 4 ? 4 / sizeof(%s) : 1)];\n",
                          type_of(p, i), i, type_of(p, i), type_of(p, i));
    put_square_places(text, l);
    put_square_loads(text, p, l);
    sta__text_put(text, "#pragma unroll\n    for (int j = 0; j < EDGE; j += 8)\n#pragma unroll\n"
                        "        for (int i = 0; i < EDGE; i += 32) {\n"
                        "            if (j + ty >= rows || i + tx >= columns)\n                continue;\n");
    for (int s = 0; s < l->sets; s++)
        sta__text_put(text,
                      "            const index_t to%d = at[%d] + (j + ty) * (index_t)box.stride[%d][%d] + (i + tx) * "
                      "(index_t)box.stride[%d][%d];\n",
                      s, s, s, across, s, last);
    for (int i = 0; i < p->inputs; i++)
        if (l->way[i] == STA__CUDA_ANY)
            sta__text_put(text, "            const %s x%d = sta__load_one<%s>(box.base[%d] + to%d);\n", type_of(p, i), i,
                          type_of(p, i), i, l->set[i]);
    for (int o = p->inputs; o < l->operands; o++)
        sta__text_put(text, "            %s x%d[1];\n", type_of(p, o), o);
    sta__text_put(text, "            element(");
    for (int i = 0; i < p->inputs; i++, comma = ", ")
        sta__text_put(text, l->way[i] == STA__CUDA_ACROSS ? "%ssquare%d[i + tx][j + ty]" : "%sx%d", comma, i);
    for (int o = p->inputs; o < l->operands; o++, comma = ", ")
        sta__text_put(text, "%sx%d[0]", comma, o);
    sta__text_put(text, ");\n");
    for (int o = p->inputs; o < l->operands; o++)
        sta__text_put(text, "            sta__store<%s, 1>(box.base[%d] + to%d, x%d);\n", type_of(p, o), o, l->set[o],
                      o);
    sta__text_put(text, "        }\n}\n");
}

void sta__cuda_put_kernel(struct sta__text *text, const struct sta__program *program,
                          const struct sta__cuda_layout *layout)
{
    put_parameters(text, layout);
    if (layout->across)
        put_squares(text, program, layout);
    else if (layout->line)
        put_lines(text, program, layout);
    else
        put_groups(text, program, layout);
}
