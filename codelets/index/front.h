/* What the fronts of the family share. */
#ifndef STA__INDEX_FRONT_H
#define STA__INDEX_FRONT_H

#include "array.h"
#include "codelets/index/index.h"
#include "elementwise/front.h"
#include "frame.h"

bool sta__has_arrays(sta_items items);
/* The view by an index without arrays. False: call->error. */
bool sta__index_view(struct sta__call *call, struct sta__view *view, sta_items items);
/* int64, not weak. */
struct sta__operand sta__whole_number(struct sta__call *call, int64_t number);
/* Leaves with what is selected; `fine`: whether the selection was made. Ends it, and x. */
sta_array sta__read_selected(struct sta__call *call, struct sta__operand *x, struct sta__selection *s, bool fine);
void sta__write_selected(struct sta__call *call, struct sta__target *target, struct sta__selection *s,
                         struct sta__operand *source, int op);
/* x made flat, as a view of it whatever its strides (src/reframe.c). */
sta_array sta__flat(sta_array x);
/* An error that only the handle `from` tells of is told by `to` too, and by all its views where elements are missing. */
void sta__pass_error(sta_array to, sta_array from);
/* Indices as the mode has them, int64: RAISE leaves them. Takes the operand over. */
struct sta__operand sta__by_mode(struct sta__call *call, struct sta__operand ids, int64_t length, sta_index_mode mode);

#endif
