/* Messages for people. */
#include "internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One write a line, so that lines of several threads do not mix; no memory is taken. */
void sta__log(int level, const char *format, ...)
{
    char line[1024] = "starray: ";
    size_t length = strlen(line);
    va_list arguments;
    int more;

    if (level > sta__runtime.settings.log_level)
        return;
    va_start(arguments, format);
    more = vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    va_end(arguments);
    if (more < 0)
        return;
    length = strlen(line);
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0)
        return; /* nobody listens */
}
