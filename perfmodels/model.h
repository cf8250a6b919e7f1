#ifndef M_H
#define M_H
#include "internal.h"
struct starpu_codelet; struct sta__codelet;
struct sta__measure { int threads; double t; };
struct sta__codelet *sta__codelet_of(const struct sta__kernel *k, sta_dtype d);
struct starpu_codelet *sta__codelet_starpu(struct sta__codelet *c);
void sta__measure_begin(struct sta__measure *m, int threads);
void sta__measure_end(struct sta__measure *m);
void sta__measure_record(struct sta__measure *m, struct sta__codelet *c);
#endif
