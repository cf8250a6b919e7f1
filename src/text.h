/* A text that is printed piece by piece, for programs that are compiled at run time. */
#ifndef STA__TEXT_H
#define STA__TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sta__text {
    char *at;
    size_t length, room;
    bool failed; /* there was no memory: what is printed later is left out */
};
bool sta__text_open(struct sta__text *text); /* false: no memory */
void sta__text_put(struct sta__text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sta__text_close(struct sta__text *text);

#endif
