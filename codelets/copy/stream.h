/* Copies that go past the caches: for results that are larger than they are and not read soon, writing a line would else
 * read it first. */
#ifndef STA__STREAM_H
#define STA__STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

static inline void sta__stream_copy(void *to, const void *from, size_t bytes)
{
    char *target = to;
    const char *source = from;
    size_t head = (size_t)(-(uintptr_t)target & 15);
    head = head < bytes ? head : bytes;
    memcpy(target, source, head);
    size_t at = head;
    for (; at + 64 <= bytes; at += 64)
        for (size_t k = 0; k < 64; k += 16)
            _mm_stream_si128((__m128i *)(void *)(target + at + k),
                             _mm_loadu_si128((const __m128i *)(const void *)(source + at + k)));
    memcpy(target + at, source + at, bytes - at);
}

/* Before anybody else looks at what was streamed. */
static inline void sta__stream_end(void)
{
    _mm_sfence();
}
#else
static inline void sta__stream_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static inline void sta__stream_end(void)
{
}
#endif

#endif
