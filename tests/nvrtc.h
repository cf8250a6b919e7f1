/* Texts of kernels through NVRTC. No GPU is needed. */
#ifndef STA_TEST_NVRTC_H
#define STA_TEST_NVRTC_H

#include "sta_test.h"

#include "cuda_compile.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

/* A failure that names `what` where it does not compile; STA_TEST_TEXT names a file for the text. */
static void compiles(struct sta__text *text, const char *what)
{
    char log[400];
    size_t bytes;
    const char *file = getenv("STA_TEST_TEXT");
    FILE *to = file ? fopen(file, "w") : NULL;
    if (to) {
        fputs(text->at, to);
        fclose(to);
    }
    CU_ASSERT_FALSE(text->failed);
    void *code = sta__cuda_compile(text->at, "sm_90", &bytes, log, sizeof log);
    if (!code)
        sta_test_fail(__FILE__, __LINE__, "%s: %s", what, log);
    sta__release(code);
}

#endif
