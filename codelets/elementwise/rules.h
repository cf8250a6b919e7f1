/* What the rule column of ufuncs.def makes of a row: the types of operands and result, and how the value of the text is
 * kept. For whoever has defined T, U, OTHER and STA__CLASS as loops.h asks. Programs that are compiled at run time
 * include it too (compile_text.c).
 */
#ifndef STA__RULES_H
#define STA__RULES_H

#define STA__RESULT_SAME T
#define STA__RESULT_POWER T
#define STA__RESULT_BOOL uint8_t
#define STA__RESULT_COMPARE uint8_t
#define STA__RESULT_FLOAT T
#define STA__RESULT_DIVIDE T
#define STA__RESULT_WIDE T
#define STA__RESULT_REAL U
#define STA__RESULT_ANGLE U
#define STA__RESULT_EXPONENT int32_t
#define STA__RESULT_SCALE T
#define STA__RESULT_CHOICE T
#define STA__RESULT_OPPOSED uint8_t
#define STA__KEEP_SAME(value) STA__GLUE(STA__KEEP_, STA__CLASS)(value)
#define STA__KEEP_B(value) (T)((value) != 0)
#define STA__KEEP_I(value) (T)(value)
#define STA__KEEP_L(value) (T)(value)
#define STA__KEEP_F(value) (T)(value)
#define STA__KEEP_C(value) (T)(value)
#define STA__KEEP_POWER(value) (T)(value)
#define STA__KEEP_BOOL(value) (uint8_t)((value) != 0)
#define STA__KEEP_COMPARE(value) (uint8_t)((value) != 0)
#define STA__KEEP_FLOAT(value) (T)(value)
#define STA__KEEP_DIVIDE(value) (T)(value)
#define STA__KEEP_WIDE(value) (T)(value)
#define STA__KEEP_REAL(value) (U)(value)
#define STA__KEEP_ANGLE(value) (U)(value)
#define STA__KEEP_EXPONENT(value) (int32_t)(value)
#define STA__KEEP_SCALE(value) (T)(value)
#define STA__KEEP_CHOICE(value) (T)(value)
#define STA__KEEP_OPPOSED(value) (uint8_t)((value) != 0)
#define STA__X_SAME T
#define STA__X_POWER T
#define STA__X_BOOL T
#define STA__X_COMPARE T
#define STA__X_FLOAT T
#define STA__X_DIVIDE T
#define STA__X_WIDE T
#define STA__X_REAL T
#define STA__X_ANGLE T
#define STA__X_EXPONENT T
#define STA__X_SCALE T
#define STA__X_CHOICE uint8_t
#define STA__X_OPPOSED T
#define STA__Y_SAME T
#define STA__Y_POWER T
#define STA__Y_BOOL T
#define STA__Y_COMPARE T
#define STA__Y_FLOAT T
#define STA__Y_WIDE T
#define STA__Y_DIVIDE T
#define STA__Y_SCALE int64_t
#define STA__Y_CHOICE T
#define STA__Y_OPPOSED OTHER

#endif
