/** @file error.h
 *  Errors. They live in arrays: every function returns an array, an array in error is inert, and each function of it
 *  returns the same error, so that an expression is written without a check between its parts. Whoever leaves the
 *  array world (sta_wait, sta_read, sta_item_*, sta_save) gets the error; what nobody looked at is printed by
 *  sta_finish. With STA_TRAP=1 in the environment the process aborts where the first error is born, for a debugger.
 *
 *  Errors of tasks travel in the same way: a tile whose task failed hands the error to every tile computed from it.
 */
#ifndef STARRAY_ERROR_H
#define STARRAY_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/** Error codes; the table is errors.def. Codes never change their number. */
typedef enum sta_error_code {
    STA_ERROR_NONE = 0,
#define STA_ERROR(name, code, text) STA_ERROR_##name = (code),
#include <starray/errors.def>
#undef STA_ERROR
} sta_error_code;

/** One error. Immutable and owned by the library: valid until sta_finish. */
typedef struct sta_error {
    sta_error_code code;
    const char *op;   /**< the function that failed, without its prefix: "matmul" */
    const char *text; /**< in the array's terms: "shapes (3, 4) and (5, 6) do not align: 4 != 5" */
} sta_error;

/** The name of a code, "SHAPE"; "UNKNOWN" for a number that is none. */
const char *sta_error_name(sta_error_code code);

#ifdef __cplusplus
}
#endif
#endif
