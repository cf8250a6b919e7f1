/* Sections and rows, as text or as JSON. Colours only on a terminal. */
#include "info.h"

#include <stdio.h>
#include <unistd.h>

static bool colours(void)
{
    return isatty(STDOUT_FILENO) && !g_getenv("NO_COLOR");
}

static void put_json_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char)*text >= 32)
            putchar(*text);
        else
            printf("\\u%04x", (unsigned)*text);
    }
    putchar('"');
}

void info_open(struct info *info)
{
    if (info->json)
        putchar('{');
}

void info_close(struct info *info)
{
    if (info->json)
        puts("\n]}");
}

void info_section(struct info *info, const char *name)
{
    static bool any;
    if (info->json) {
        printf("%s\n\"%s\": [", any ? "\n]," : "", name);
        info->first = true;
    } else {
        printf("%s%s%s%s\n", any ? "\n" : "", colours() ? "\033[1m" : "", name, colours() ? "\033[0m" : "");
    }
    any = true;
}

/* Lists are long: broken between words, the rest below the value. */
static void put_row(const char *name, const char *value, const char *note)
{
    enum { NAME = 18, WIDTH = 100 };
    char *text = note ? g_strdup_printf("%s  (%s)", value, note) : g_strdup(value);
    char **words = g_strsplit(text, " ", -1);
    int column = printf("  %-*s", NAME, name);
    for (char **word = words; *word; word++) {
        int length = (int)g_utf8_strlen(*word, -1);
        if (column + 1 + length > WIDTH && column > NAME + 2)
            column = printf("\n  %-*s", NAME, "") - 1;
        column += printf(" %s", *word);
    }
    putchar('\n');
    g_strfreev(words);
    g_free(text);
}

void info_row(struct info *info, const char *name, const char *note, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *value = g_strdup_vprintf(format, list);
    va_end(list);
    if (info->json) {
        printf("%s\n  {\"name\": ", info->first ? "" : ",");
        put_json_text(name);
        printf(", \"value\": ");
        put_json_text(value);
        if (note) {
            printf(", \"note\": ");
            put_json_text(note);
        }
        putchar('}');
        info->first = false;
    } else {
        put_row(name, value, note);
    }
    g_free(value);
}
