/* What processes of their own print and how they end: errors that stop the program, that nobody looked at, that come of calls
 * before sta_init, after sta_finish and in forked children.
 * ctest: tiny omp sanitize */
#include "sta_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void child_trap(void)
{
    setenv("STA_TRAP", "1", 1);
    sta_init(NULL);
    sta_slice(sta_zeros(STA_DIMS(2), STA_int8), "5");
    puts("still here");
    exit(0);
}

static void child_report(void)
{
    sta_init(NULL);
    sta_check(sta_slice(sta_zeros(STA_DIMS(2), STA_int8), "5")); /* looked at */
    sta_slice(sta_zeros(STA_DIMS(2), STA_int8), "6");
    sta_slice(sta_zeros(STA_DIMS(2), STA_int8), "7");
    sta_finish();
    exit(0);
}

static void child_silent(void)
{
    sta_init(NULL);
    sta_wait(sta_add(sta_slice(sta_zeros(STA_DIMS(2), STA_int8), "6"), sta_int(1)));
    sta_finish();
    exit(0);
}

static void child_not_started(void)
{
    sta_array x = sta_zeros(STA_DIMS(2), STA_int8), y = sta_add(x, sta_int(1));
    sta_scope scope = sta_open();
    const sta_error *error = sta_wait(y);
    if (error)
        printf("%s: %s\n", sta_error_name(error->code), error->text);
    sta_close(scope);
    sta_finish();
    sta_init(NULL);
    x = sta_ones(STA_DIMS(3), STA_int8);
    sta_finish();
    puts(sta_check(x) ? "gone" : "still here");
    sta_init(NULL);
    sta_array next = sta_ones(STA_DIMS(3), STA_int8);
    puts(sta_check(x) && !sta_check(next) ? "stale" : "mistaken for another");
    sta_finish();
    exit(0);
}

static void child_fork(void)
{
    sta_init(NULL);
    sta_array x = sta_eval(sta_arange(0, 3000, 1, STA_float64)), y = sta_add(x, x);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        double value;
        const sta_error *error = sta_item_float(sta_sum(y, STA_ALL, 0), &value);
        printf("%s\n", error ? sta_error_name(error->code) : "no error");
        sta_scope scope = sta_open();
        error = sta_wait(sta_add(sta_zeros(STA_DIMS(3), STA_int8), x));
        printf("%s\n", error ? sta_error_name(error->code) : "no error");
        error = sta_init(NULL);
        printf("%s\n", error ? sta_error_name(error->code) : "no error");
        sta_close(scope);
        sta_keep(x);
        sta_free(x);
        sta_eval(y);
        sta_assign(y, x);
        printf("%d\n", sta_ndim(y));
        sta_finish();
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    double sum = 0;
    const sta_error *error = sta_item_float(sta_sum(y, STA_ALL, 0), &sum);
    printf("%s %g%s\n", WIFEXITED(status) ? "ended" : "died", sum, error ? error->text : "");
    sta_finish();
    exit(0);
}

static const struct {
    const char *name;
    void (*run)(void);
} children[] = {{"trap", child_trap},
                {"report", child_report},
                {"silent", child_silent},
                {"not_started", child_not_started},
                {"fork", child_fork}};

static void be_child(void)
{
    const char *name = getenv("STA_TEST_CHILD");
    for (size_t i = 0; name && i < sizeof children / sizeof *children; i++)
        if (strcmp(name, children[i].name) == 0) {
            unsetenv("STA_TEST_CHILD");
            children[i].run();
        }
}

/* What this program prints as the child of that name; a child that hangs is ended. */
static int run_child(const char *name, char *output, size_t bytes)
{
    char self[1000], command[1200];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    CU_ASSERT_FATAL(length > 0);
    self[length] = '\0';
    snprintf(command, sizeof command, "STA_TEST_CHILD=%s timeout 60 '%s' 2>&1", name, self);
    fflush(NULL);
    FILE *from = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(from);
    size_t got = fread(output, 1, bytes - 1, from);
    output[got] = '\0';
    return pclose(from);
}

static void children_end(void)
{
    char output[20000];
    int status = run_child("trap", output, sizeof output);
    CU_ASSERT(status != 0);
    CU_ASSERT(strstr(output, "starray: slice: index 5 is out of range for axis 0 of length 2") != NULL);
    CU_ASSERT(strstr(output, "still here") == NULL);
    CU_ASSERT_EQUAL(run_child("report", output, sizeof output), 0);
    STA_ASSERT_TEXT(output,
                    "starray: nobody looked at this error: slice: index 6 is out of range for axis 0 of length 2\n");
    CU_ASSERT_EQUAL(run_child("silent", output, sizeof output), 0);
    STA_ASSERT_TEXT(output, "");
    CU_ASSERT_EQUAL(run_child("not_started", output, sizeof output), 0);
    STA_ASSERT_TEXT(output, "NOT_STARTED: the library is not started: call sta_init first\ngone\nstale\n");
    CU_ASSERT_EQUAL(run_child("fork", output, sizeof output), 0);
    STA_ASSERT_TEXT(output, "FORKED\nFORKED\nFORKED\n0\nended 8.997e+06\n");
}

/* Not before main: kernels for GPUs are not there yet. */
int main(int argc, char **argv)
{
    static const struct sta_test_case cases[] = {STA_CASE(children_end)};
    be_child();
    return sta_test_main(argc, argv, "processes", true, cases, sizeof cases / sizeof cases[0]);
}
