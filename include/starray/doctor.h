/** @file doctor.h
 *  Looking inside: costly habits, with the lines of the program that have them.
 *
 *  `STA_DOCTOR=1` looks from sta_init on, and prints to the standard error at sta_finish what it found: what was seen,
 *  at which `file:line` of the program, what to do, and a section of docs/doctor.md. `STA_DOCTOR=found.json` writes it to
 *  a file, as JSON where the name ends so, else as text; with several ranks that of rank r is named found.r.json. The
 *  functions here do the same for a part of a program.
 *
 *  Lines need a program that was compiled with -g; without, functions are named (function+0x1c), and in a stripped program
 *  the file (program+0x11c9, for addr2line -e with the program that was not stripped). A call in tail position is put down
 *  to the caller of its function, since the compiler makes it a jump.
 *
 *  Off, it costs nothing; on, a call costs some 20 ns more, but microseconds where
 *  it is the first one from its place; a task less than one.
 */
#ifndef STARRAY_DOCTOR_H
#define STARRAY_DOCTOR_H

#include <starray/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Forgets what was seen, and looks from here on. Waits for the tasks that are under way. Errors: MEMORY, NOT_STARTED. */
const sta_error *sta_doctor_start(void);
/** Waits for the tasks under way and looks no more; what was seen stays. Error: NOT_STARTED. */
const sta_error *sta_doctor_stop(void);
/** What was found so far as text, to be released with free(); NULL without memory or before sta_init. Where there is
 *  nothing, its last line is "nothing to say". Arrays that nobody reads are found when they are freed: those that live
 *  are missing here. Waits for the tasks that are under way. */
char *sta_doctor_text(void);
/** The same to a file: JSON where its name ends in ".json", else text. Errors: IO; VALUE (no name); NOT_STARTED.
 *
 *      {"rank": 0, "calls": 812, "tasks": 96, "findings": [
 *        {"check": "element-access", "habit": "...", "seen": "...", "remedy": "...", "anchor": "docs/doctor.md#element-access",
 *         "place": {"function_called": "item_float", "calls": 500, "file": "/home/me/p.c", "line": 57, "function": "main",
 *                   "module": "p", "offset": 188}}]}
 *
 *  `place` is null where all of the program is meant. The offset is one in the function, or in the module where that is
 *  not known. Of one check the first 8 places are told, then {"check": "...", "more_places": 4}. */
const sta_error *sta_doctor_save(const char *path);

#ifdef __cplusplus
}
#endif
#endif
