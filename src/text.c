/* A text that grows. */
#include "text.h"

#include "mem.h"

#include <stdio.h>

bool sta__text_open(struct sta__text *text)
{
    *text = (struct sta__text){.room = 65536};
    text->at = sta__allocate_raw(text->room);
    text->failed = !text->at;
    if (text->at)
        *text->at = '\0';
    return text->at != NULL;
}

void sta__text_close(struct sta__text *text)
{
    sta__release(text->at);
    text->at = NULL;
}

void sta__text_put(struct sta__text *text, const char *format, ...)
{
    for (int turn = 0; turn < 2 && !text->failed; turn++) {
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(text->at + text->length, text->room - text->length, format, arguments);
        va_end(arguments);
        text->failed |= length < 0;
        if (text->failed || (size_t)length < text->room - text->length) {
            text->length += text->failed ? 0 : (size_t)length;
            return;
        }
        size_t room = 2 * text->room + (size_t)length;
        char *wider = sta__resize(text->at, text->room, room);
        text->failed = !wider;
        text->at = wider ? wider : text->at;
        text->room = wider ? room : text->room;
    }
}
