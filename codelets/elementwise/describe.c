/* The name of a program for people: its operations, in the order that they run. */
#include "program.h"

#include "reduce/tree.h"

#include <stdio.h>
#include <string.h>

static void append(char *text, size_t bytes, const char *word)
{
    size_t length = strlen(text);
    if (length + strlen(word) + 5 < bytes)
        snprintf(text + length, bytes - length, "%s%s", length ? " " : "", word);
    else if (length < 4 || strcmp(text + length - 4, " ...") != 0)
        snprintf(text + length, bytes - length, " ...");
}

void sta__program_describe(const void *arguments, char *text, size_t bytes)
{
    const struct sta__program *program = ((const struct sta__program_arguments *)arguments)->program;
    text[0] = '\0';
    for (int i = 0; i < program->instructions; i++)
        if (program->instruction[i].op >= 0)
            append(text, bytes, sta__ufunc(program->instruction[i].op)->name);
    for (int i = 0; i < program->reductions; i++)
        append(text, bytes, sta__reducer_name((enum sta__reducer)program->reduction[i].op));
    if (!text[0])
        append(text, bytes, "copy");
}
