/* Long programs as machine code. Instructions that are cheap and exact (+, *, comparisons, choices, casts) are fused into
 * segments: one loop each, printed as C from the texts of ufuncs.def, compiled by the system's compiler in the background
 * and kept in a cache of files. A segment is called for a block as a loop of the library is; all other instructions stay
 * calls of those loops, so that every function of the C library is called as before. Nothing in a segment rounds
 * differently from one compiler, vector width or place in a block to another: the same bits, compiled or not.
 */
#ifndef STA__COMPILE_H
#define STA__COMPILE_H

#include "graph.h"

/* n elements; at[slot]: where the slot's block lies. */
typedef void (*sta__segment)(int64_t n, char *const *at);

/* One call for each block. */
struct sta__step {
    sta__segment segment; /* NULL: the loop of one instruction */
    struct sta__instruction instruction;
    int stage; /* which segment */
};
/* How a program runs where it is compiled. */
struct sta__steps {
    int count, buffers, block;
    uint64_t numbers;              /* a bit for each input of one element that is read as one element everywhere */
    uint8_t buffer[STA__MAXSLOTS]; /* of slots that are kept in memory */
    struct sta__step step[STA__MAXINSTRUCTIONS];
};

/* A program that may be compiled, one for all equal ones; lives until sta_finish. */
struct sta__machine_code {
    struct sta__machine_code *next, *waiting; /* all of them; those that wait for the compiler */
    struct sta__program program;
    float saving; /* of the program's cost, once it is compiled */
    int64_t done; /* elements times instructions so far */
    bool asked;   /* is compiled, or could not be, or waits for it */
    void *library;
    struct sta__steps made;
    _Atomic(const struct sta__steps *) steps; /* &made once it can be called */
};

/* ---- compile.c: with the lock, but for sta__steps_of ---- */

/* A new program, and what it will run over: finds its machine code, has it made where the program is long and hot. */
void sta__compile_note(struct sta__program *program, const struct sta__shape *shape);
const struct sta__steps *sta__steps_of(const struct sta__program *program); /* NULL: instruction by instruction */
int64_t sta__compiled(void); /* programs with machine code so far, for tests */

/* ---- compile_cut.c ---- */

/* Which instructions are fused: those of one stage and fused are a segment, which runs before the others of its stage. */
struct sta__cut {
    int stages;
    int stage[STA__MAXINSTRUCTIONS], fused_in[STA__MAXINSTRUCTIONS]; /* of an instruction; how many are in a segment */
    bool fused[STA__MAXINSTRUCTIONS];
    bool kept[STA__MAXSLOTS]; /* has a place in memory */
};
void sta__cut_program(const struct sta__program *program, struct sta__cut *cut);
bool sta__cut_is_segment(const struct sta__cut *cut, int stage); /* and not a single instruction, or none */
/* The steps, without their functions. False: there is no segment. */
bool sta__cut_steps(const struct sta__program *program, const struct sta__cut *cut, struct sta__steps *steps);
/* Nanoseconds an element that segments take less than their instructions one by one, as far as an estimate can tell. */
float sta__cut_saving(const struct sta__program *program, const struct sta__cut *cut);

/* ---- compile_text.c ---- */

/* A C source with a function sta__segment_<stage> for each segment, without what is the same for all (sta__text_begin).
 * NULL: no memory. To be released. */
char *sta__program_text(const struct sta__program *program, const struct sta__cut *cut);

/* ---- compile_build.c: from any thread, without the lock ---- */

/* Text to functions: from the cache, or by the compiler. False: code stays as it is. */
bool sta__build(struct sta__machine_code *code);
void sta__build_stop(bool stop); /* ends a compiler that runs, and starts no other; false: they may run again */

#endif
