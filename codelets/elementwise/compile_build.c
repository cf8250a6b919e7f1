/* From the text of a program to functions: the system's compiler, run as a child process, and the cache of what it made.
 * Contract: compile.h. Where anything is missing the program goes on as it did; STA_LOG=2 says why. */
#include "isa.h"
#include "elementwise/compile.h"

#include "cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pthread_mutex_t mutex;
    bool stopped;
    int children;
    pid_t child[8];
} compilers = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- the compiler ---- */

struct compiler {
    char path[400];
    char facts[64]; /* when another one is installed there, these differ */
    char isa[40], vectors[40];
};

static bool is_program(const char *path, struct compiler *to)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || access(path, X_OK) != 0 ||
        strlen(path) >= sizeof to->path)
        return false;
    memcpy(to->path, path, strlen(path) + 1);
    snprintf(to->facts, sizeof to->facts, "%lld %lld", (long long)facts.st_size, (long long)facts.st_mtime);
    return true;
}

static bool look_in_path(const char *name, struct compiler *to)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        char path[400];
        int used = snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, name);
        if (length > 0 && used > 0 && (size_t)used < sizeof path && is_program(path, to))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool find_compiler(struct compiler *to)
{
    const char *asked = getenv("STA_CC"), *level = sta__isa_name();
    const char *const usual[] = {"cc", "gcc", "clang"};
    bool found = false;
    if (asked && *asked)
        found = strchr(asked, '/') ? is_program(asked, to) : look_in_path(asked, to);
    for (int k = 0; k < 3 && !found && !(asked && *asked); k++)
        found = look_in_path(usual[k], to);
    if (level[0] == 'v') {
        snprintf(to->isa, sizeof to->isa, "-march=x86-64-%s", level);
        snprintf(to->vectors, sizeof to->vectors, strcmp(level, "v4") == 0 ? "-mprefer-vector-width=512" : "-w");
    } else {
        snprintf(to->isa, sizeof to->isa, "-w");
        snprintf(to->vectors, sizeof to->vectors, "-w");
    }
    return found;
}

/* ---- running it ---- */

/* Counts a child that runs, so that sta_finish can end it. False: nothing is to be started any more. */
static bool start(pid_t *child, const struct compiler *compiler, const posix_spawn_file_actions_t *files,
                  const posix_spawnattr_t *attributes, char *const *arguments)
{
    pthread_mutex_lock(&compilers.mutex);
    bool fine = !compilers.stopped && compilers.children < 8 &&
                posix_spawn(child, compiler->path, files, attributes, arguments, environ) == 0;
    if (fine)
        compilers.child[compilers.children++] = *child;
    pthread_mutex_unlock(&compilers.mutex);
    return fine;
}

/* Where the program has told the system to forget its children the exit status is not known: the file tells. */
static bool wait_for(pid_t child)
{
    siginfo_t facts;
    int status, answer;
    do
        answer = waitid(P_PID, (id_t)child, &facts, WEXITED | WNOWAIT); /* it keeps its number while it can be killed */
    while (answer != 0 && errno == EINTR);
    pthread_mutex_lock(&compilers.mutex);
    for (int k = 0; k < compilers.children; k++)
        if (compilers.child[k] == child)
            compilers.child[k] = compilers.child[--compilers.children];
    pthread_mutex_unlock(&compilers.mutex);
    if (waitpid(child, &status, 0) != child)
        return true;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void sta__build_stop(bool stop)
{
    pthread_mutex_lock(&compilers.mutex);
    compilers.stopped = stop;
    for (int k = 0; k < compilers.children && stop; k++)
        kill(compilers.child[k], SIGKILL);
    pthread_mutex_unlock(&compilers.mutex);
}

/* Its messages go to a file beside the source. */
static bool run_compiler(const struct compiler *compiler, char *const *arguments, const char *messages)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t child = 0;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&files) != 0)
        return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return false;
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    bool fine = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0 &&
                posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
                posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages, O_WRONLY | O_CREAT, 0600) == 0 &&
                start(&child, compiler, &files, &attributes, arguments);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return fine && wait_for(child);
}

static void log_messages(const char *path)
{
    char line[300] = "";
    FILE *file = fopen(path, "re");
    if (file && fgets(line, sizeof line, file))
        line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
    sta__log(2, "a program is not compiled: %s", *line ? line : "the compiler did not run");
}

static bool write_source(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (!stream && file >= 0)
        close(file);
    if (!stream)
        return false;
    bool fine = fputs(text, stream) >= 0;
    return fclose(stream) == 0 && fine;
}

/* No fused multiply-add where it was not asked for: gcc 12.2 makes some in spite of -ffp-contract=off. */
static const char *contraction(void)
{
    return sta__runtime.settings.fma ? "-ffp-contract=fast" : "-ffp-contract=off";
}

static const char *no_fma(const struct compiler *compiler)
{
    return sta__runtime.settings.fma || strcmp(compiler->isa, "-march=x86-64-v3") != 0 ? "-w" : "-mno-fma";
}

static bool compile(const struct compiler *compiler, const struct sta__cache *cache, const struct sta__cache_key *key,
                    const char *text)
{
    char source[500], object[500], messages[500];
    sta__cache_temporary(cache, ".c", source, sizeof source);
    sta__cache_temporary(cache, ".so", object, sizeof object);
    sta__cache_temporary(cache, ".txt", messages, sizeof messages);
    const char *const arguments[] = {compiler->path,
                                     "-x",
                                     "c",
                                     "-std=c11",
                                     "-O3",
                                     "-fPIC",
                                     "-shared",
                                     "-s",
                                     "-w",
                                     "-fno-math-errno",
                                     "-fno-trapping-math",
                                     "-fopenmp-simd",
                                     contraction(),
                                     compiler->isa,
                                     compiler->vectors,
                                     no_fma(compiler),
                                     "-o",
                                     object,
                                     source,
                                     NULL};
    bool fine = write_source(source, text) && run_compiler(compiler, (char *const *)(uintptr_t)arguments, messages) &&
                sta__cache_keep(cache, key, object);
    if (!fine)
        log_messages(messages);
    unlink(source);
    unlink(messages);
    unlink(object); /* where it was kept it has another name */
    return fine;
}

/* ---- functions ---- */

static bool load(struct sta__machine_code *code, const char *path)
{
    code->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool fine = code->library != NULL;
    for (int t = 0; t < code->made.count && fine; t++) {
        struct sta__step *step = &code->made.step[t];
        char name[40];
        if (step->stage < 0)
            continue;
        snprintf(name, sizeof name, "sta__segment_%d", step->stage);
        *(void **)(void *)&step->segment = dlsym(code->library, name); /* as POSIX has it */
        fine = step->segment != NULL;
    }
    if (!fine)
        sta__log(2, "a program is not compiled: %s", dlerror());
    if (!fine && code->library) {
        dlclose(code->library);
        code->library = NULL;
    }
    return fine;
}

/* What the file is about: the compiler, how it is called, and the text. */
static char *key_text(const struct compiler *compiler, const char *text)
{
    size_t room = strlen(text) + 1000;
    char *key = sta__allocate(room);
    if (key)
        snprintf(key, room, "%s %s %s %s %s %s\n%s", compiler->path, compiler->facts, compiler->isa, compiler->vectors,
                 no_fma(compiler), contraction(), text);
    return key;
}

static bool find_or_compile(struct sta__machine_code *code, const struct sta__cache *cache, const char *text)
{
    struct compiler compiler = {.path = ""};
    char path[500];
    if (!find_compiler(&compiler)) {
        sta__log(2, "a program is not compiled: there is no C compiler (STA_CC)");
        return false;
    }
    char *about = key_text(&compiler, text);
    if (!about)
        return false;
    struct sta__cache_key key = sta__cache_key(about, strlen(about));
    bool there = sta__cache_has(cache, &key), fine = there || compile(&compiler, cache, &key, text);
    sta__release(about);
    if (!fine || !sta__cache_path(cache, &key, path, sizeof path) || !load(code, path))
        return false;
    sta__log(2, "a program of %d instructions is compiled (%s)", code->program.instructions,
             there ? "from the cache" : compiler.path);
    return true;
}

bool sta__build(struct sta__machine_code *code)
{
    struct sta__cut cut;
    struct sta__cache cache;
    sta__cut_program(&code->program, &cut);
    if (!sta__cut_steps(&code->program, &cut, &code->made))
        return false;
    if (!sta__cache_open(&cache)) {
        sta__log(2, "a program is not compiled: %s is not a folder of this user alone", cache.path);
        return false;
    }
    char *text = sta__program_text(&code->program, &cut);
    bool fine = text && find_or_compile(code, &cache, text);
    sta__release(text);
    sta__cache_close(&cache);
    return fine;
}
