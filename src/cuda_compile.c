/* Kernels made at run time. Contract: cuda_compile.h. */
#include "cuda_compile.h"

#include "cache.h"
#include "cuda.h"
#include "cuda_worker.h"
#include "elementwise/cuda_text.h"
#include "runtime.h"

#include <nvrtc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 512, ARCHS = 4 };
static const char lack[] = "not enough memory"; /* what may be there the next time */

/* Machine code for one architecture. */
struct code {
    int arch;
    size_t bytes;
    void *cubin; /* until it is loaded */
    cudaLibrary_t library;
    cudaKernel_t kernel;
    atomic_bool loaded;
};
struct sta__cuda_kernel {
    struct sta__cuda_kernel *next;
    uint64_t hash;
    int words;
    bool fails;
    char why[200];
    int archs;
    struct code code[ARCHS];
    uint64_t key[];
};

static struct {
    pthread_mutex_t making; /* one kernel at a time, while bodies go on finding others */
    struct sta__cuda_kernel *_Atomic row[ROWS];
    pthread_mutex_t loading;
} all = {.making = PTHREAD_MUTEX_INITIALIZER, .loading = PTHREAD_MUTEX_INITIALIZER};
static atomic_llong compiled;

int64_t sta__cuda_compiled(void)
{
    return atomic_load(&compiled);
}

/* ---- NVRTC ---- */

/* The first line that is an error; NVRTC's messages are long. */
static void take_log(nvrtcProgram program, char *log, size_t log_bytes)
{
    size_t size = 0;
    char *whole = nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 1 ? sta__allocate(size + 1) : NULL;
    if (!whole || nvrtcGetProgramLog(program, whole) != NVRTC_SUCCESS) {
        sta__release(whole);
        return;
    }
    const char *error = strstr(whole, "error");
    while (error && error > whole && error[-1] != '\n')
        error--;
    snprintf(log, log_bytes, "%.*s", (int)strcspn(error ? error : whole, "\n"), error ? error : whole);
    sta__release(whole);
}

static bool is_quick(const char *text)
{
    int major = 0, minor = 0;
    return strncmp(text, STA__CUDA_QUICK, strlen(STA__CUDA_QUICK)) == 0 &&
           nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && major >= 13;
}

/* No fused multiply-add where it was not asked for: the bits are those of the CPU. */
static nvrtcResult compile(nvrtcProgram program, const char *arch, bool quick)
{
    char target[40];
    snprintf(target, sizeof target, "--gpu-architecture=%s", arch);
    const char *const options[] = {target,        sta__runtime.settings.fma ? "--fmad=true" : "--fmad=false",
                                   "--std=c++17", "-default-device",
                                   "-w",          "--Ofast-compile=mid"};
    const int count = (int)(sizeof options / sizeof *options);
    return nvrtcCompileProgram(program, quick ? count : count - 1, options);
}

void *sta__cuda_compile(const char *text, const char *arch, size_t *bytes, char *log, size_t log_bytes)
{
    nvrtcProgram program;
    void *code = NULL;
    nvrtcResult answer = nvrtcCreateProgram(&program, text, "program.cu", STA__CUDA_INCLUDES, sta__cuda_include_text,
                                            sta__cuda_include_name);
    snprintf(log, log_bytes, "%s", nvrtcGetErrorString(answer));
    if (answer != NVRTC_SUCCESS)
        return NULL;
    answer = compile(program, arch, is_quick(text));
    snprintf(log, log_bytes, "%s", nvrtcGetErrorString(answer));
    if (answer != NVRTC_SUCCESS)
        take_log(program, log, log_bytes);
    else if (nvrtcGetCUBINSize(program, bytes) == NVRTC_SUCCESS)
        code = sta__allocate_raw(*bytes);
    if (answer == NVRTC_ERROR_OUT_OF_MEMORY || (answer == NVRTC_SUCCESS && !code))
        snprintf(log, log_bytes, "%s", lack);
    if (code && nvrtcGetCUBIN(program, code) != NVRTC_SUCCESS) {
        sta__release(code);
        code = NULL;
    }
    nvrtcDestroyProgram(&program);
    atomic_fetch_add(&compiled, code != NULL);
    return code;
}

/* ---- the cache of files ---- */

/* What a file is about: who compiled it, for what, how, and the text. */
static char *about(const char *text, const char *arch)
{
    int major = 0, minor = 0;
    size_t room = strlen(text) + 100;
    char *to = sta__allocate(room);
    nvrtcVersion(&major, &minor);
    if (to)
        snprintf(to, room, "NVRTC %d.%d %s %s\n%s", major, minor, arch, sta__runtime.settings.fma ? "fma" : "no fma",
                 text);
    return to;
}

static void keep(const struct sta__cache *cache, const struct sta__cache_key *key, const void *cubin, size_t bytes)
{
    char path[500];
    sta__cache_temporary(cache, ".cubin", path, sizeof path);
    FILE *file = fopen(path, "wxe");
    if (!file)
        return;
    bool fine = fwrite(cubin, 1, bytes, file) == bytes;
    fine = fclose(file) == 0 && fine;
    if (!fine || !sta__cache_keep(cache, key, path))
        unlink(path);
}

/* Machine code from the cache, or from NVRTC. */
static void *find_code(const char *text, const char *arch, size_t *bytes, char *log, size_t log_bytes)
{
    struct sta__cache cache;
    char *name = about(text, arch);
    bool open = name && sta__cache_open(&cache);
    struct sta__cache_key key = sta__cache_key(name, name ? strlen(name) : 0);
    void *code = open ? sta__cache_read(&cache, &key, bytes) : NULL;
    if (!code) {
        code = sta__cuda_compile(text, arch, bytes, log, log_bytes);
        if (code && open)
            keep(&cache, &key, code, *bytes);
    }
    if (open)
        sta__cache_close(&cache);
    sta__release(name);
    return code;
}

/* ---- kernels ---- */

static void end(void)
{
    for (int r = 0; r < ROWS; r++)
        for (struct sta__cuda_kernel *kernel = all.row[r], *next; kernel; kernel = next) {
            next = kernel->next;
            for (int k = 0; k < kernel->archs; k++) {
                if (kernel->code[k].library)
                    cudaLibraryUnload(kernel->code[k].library);
                sta__release(kernel->code[k].cubin);
            }
            sta__release(kernel);
        }
    for (int r = 0; r < ROWS; r++)
        atomic_store(&all.row[r], NULL);
}

static bool has_arch(const struct sta__cuda_kernel *kernel, int arch)
{
    for (int k = 0; k < kernel->archs; k++)
        if (kernel->code[k].arch == arch)
            return true;
    return false;
}

/* For each kind of GPU that there is. */
static void make_codes(struct sta__cuda_kernel *kernel, const char *text)
{
    for (int number = 0; number < sta__cuda_workers() && !kernel->fails; number++) {
        const struct sta__cuda_worker *worker = sta__cuda_worker(number);
        char arch[16];
        if (!worker || has_arch(kernel, worker->arch) || kernel->archs == ARCHS)
            continue;
        struct code *code = &kernel->code[kernel->archs++];
        code->arch = worker->arch;
        snprintf(arch, sizeof arch, "sm_%d", worker->arch);
        code->cubin = find_code(text, arch, &code->bytes, kernel->why, sizeof kernel->why);
        kernel->fails = !code->cubin;
    }
}

static void make(struct sta__cuda_kernel *kernel, sta__cuda_writer writer, const void *context)
{
    struct sta__text text;
    bool fine = sta__text_open(&text) && writer(context, &text) && !text.failed;
    if (fine)
        make_codes(kernel, text.at);
    else
        snprintf(kernel->why, sizeof kernel->why, "%s", lack);
    kernel->fails |= !fine;
    if (kernel->fails)
        sta__log(1, "a program is not compiled for GPUs: %s", kernel->why);
    sta__text_close(&text);
}

static uint64_t hash_of(const uint64_t *key, int words)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < words; i++) {
        hash = (hash ^ key[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

/* What is in a list stays there as it is. */
static struct sta__cuda_kernel *find(uint64_t hash, const uint64_t *key, int words)
{
    struct sta__cuda_kernel *kernel = atomic_load_explicit(&all.row[hash % ROWS], memory_order_acquire);
    while (kernel && (kernel->hash != hash || kernel->words != words ||
                      memcmp(kernel->key, key, sizeof *key * (size_t)words) != 0))
        kernel = kernel->next;
    return kernel;
}

/* NULL: no memory, and nothing is remembered. */
static struct sta__cuda_kernel *add(uint64_t hash, const uint64_t *key, int words, sta__cuda_writer writer,
                                    const void *context)
{
    struct sta__cuda_kernel *kernel = sta__allocate(sizeof *kernel + sizeof *key * (size_t)words);
    if (!kernel)
        return NULL;
    kernel->hash = hash;
    kernel->words = words;
    memcpy(kernel->key, key, sizeof *key * (size_t)words);
    make(kernel, writer, context);
    if (kernel->fails && strcmp(kernel->why, lack) == 0) {
        for (int k = 0; k < kernel->archs; k++)
            sta__release(kernel->code[k].cubin);
        sta__release(kernel);
        return NULL;
    }
    kernel->next = all.row[hash % ROWS];
    atomic_store_explicit(&all.row[hash % ROWS], kernel, memory_order_release);
    sta__at_finish(end);
    return kernel;
}

struct sta__cuda_kernel *sta__cuda_kernel_of(struct sta__job *job, const uint64_t *key, int words,
                                             sta__cuda_writer writer, const void *context)
{
    uint64_t hash = hash_of(key, words);
    struct sta__cuda_kernel *kernel = find(hash, key, words);
    if (!kernel) {
        pthread_mutex_lock(&all.making);
        kernel = find(hash, key, words);
        if (!kernel)
            kernel = add(hash, key, words, writer, context);
        pthread_mutex_unlock(&all.making);
    }
    if (kernel && !kernel->fails)
        return kernel;
    snprintf(job->text, sizeof job->text, "it cannot be compiled for the GPU: %.150s", kernel ? kernel->why : lack);
    job->no_memory = !kernel;
    return NULL;
}

/* ---- launching ---- */

/* The first time on a worker's thread, where there is a device. */
static cudaError_t load(struct code *code)
{
    cudaError_t status = cudaSuccess;
    if (atomic_load_explicit(&code->loaded, memory_order_acquire))
        return status;
    pthread_mutex_lock(&all.loading);
    if (!code->library)
        status = cudaLibraryLoadData(&code->library, code->cubin, NULL, NULL, 0, NULL, NULL, 0);
    if (!status && !code->kernel)
        status = cudaLibraryGetKernel(&code->kernel, code->library, "sta_kernel");
    if (!status) {
        sta__release(code->cubin);
        code->cubin = NULL;
        atomic_store_explicit(&code->loaded, true, memory_order_release);
    }
    pthread_mutex_unlock(&all.loading);
    return status;
}

sta_error_code sta__cuda_launch(struct sta__job *job, struct sta__cuda_kernel *kernel, int64_t blocks, int threads,
                                const void *parameters)
{
    struct code *code = kernel->code;
    while (code < kernel->code + kernel->archs && code->arch != job->cuda->arch)
        code++;
    if (code == kernel->code + kernel->archs)
        return sta__cuda_check(job, cudaErrorInvalidDeviceFunction, "a program");
    cudaError_t status = load(code);
    if (status)
        return sta__cuda_check(job, status, "loading a program");
    void *arguments[] = {(void *)(uintptr_t)parameters};
    status = cudaLaunchKernel(code->kernel, (dim3){(unsigned)blocks, 1, 1}, (dim3){(unsigned)threads, 1, 1}, arguments,
                              0, job->cuda->stream);
    return sta__cuda_check(job, status, "a program");
}
