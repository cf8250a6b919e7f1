/* The same program on one rank and on several: every value has the same bits, every error the same text. Rank 0 runs this
 * program once more, alone, and all compare what they got with what that run wrote. */
#include <starray/starray.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what was computed, one entry behind the other ---- */

static struct {
    char *bytes;
    size_t count, room;
} record;

static void put(const void *bytes, size_t count)
{
    if (record.count + count > record.room) {
        record.room = 2 * (record.count + count);
        record.bytes = realloc(record.bytes, record.room);
        if (!record.bytes)
            exit(2);
    }
    if (count)
        memcpy(record.bytes + record.count, bytes, count);
    record.count += count;
}

static int ranks, rank, alone;
static size_t begin[64];
static const char *names[64];
static int cases;

static void put_error(const sta_error *error)
{
    char text[400];
    snprintf(text, sizeof text, "%s: %s", error ? error->op : "no error", error ? error->text : "");
    put(text, strlen(text) + 1);
}

static void put_array(sta_array x)
{
    sta_dims shape = sta_shape(x);
    size_t bytes = (size_t)sta_size(x) * sta_itemsize(sta_dtype_of(x));
    void *data = calloc(bytes ? bytes : 1, 1);
    put(shape.at, sizeof *shape.at * (size_t)shape.count);
    put_error(sta_read(x, data, bytes));
    put(data, bytes);
    free(data);
}

/* ---- cases ---- */

static int64_t N, ROWS, COLUMNS;
enum { LONGEST = 1009 };

/* Sizes of arrays and tiles. What rank 0 says about tiles counts. */
static const struct {
    int64_t n, rows, columns, tile_elements, inline_bytes;
} passes[] = {{1009, 23, 31, 60, -1}, {101, 7, 11, 3, -1}, {1009, 23, 31, 100, 2048}, {1009, 23, 31, 0, 0}};

static sta_array vector(double step)
{
    return sta_sin(sta_arange(0, (double)N * step, step, STA_float64));
}

static sta_array matrix(int64_t rows, int64_t columns)
{
    sta_array row = sta_arange_int(0, rows, 1, STA_float64), column = sta_arange_int(0, columns, 1, STA_float64);
    return sta_cos(sta_add(sta_expand_dims(sta_multiply(row, sta_float(0.7)), STA_AXES(1)), column));
}

static void chains(void)
{
    sta_array x = vector(0.25), y = vector(0.5);
    sta_array z = sta_eval(sta_add(sta_multiply(x, y), sta_float(3)));
    put_array(sta_divide(z, sta_add(sta_absolute(x), sta_int(1))));
    put_array(z);
    put_array(sta_greater(x, y));
}

static void views(void)
{
    sta_array x = matrix(ROWS, ROWS), y = matrix(ROWS, COLUMNS);
    put_array(sta_add(x, sta_transpose(x, STA_ALL)));
    put_array(sta_add(sta_slice(y, "1:, ::3"), sta_slice(y, ":-1, 1::3")));
    put_array(sta_slice(sta_eval(y), "::-2, 5"));
    put_array(sta_add(y, sta_slice(y, "5")));
}

static void assignments(void)
{
    sta_array x = sta_eval(vector(0.25)), old = sta_copy(x);
    sta_assign(sta_slice(x, "1:"), sta_slice(x, ":-1"));
    put_array(x);
    put_array(sta_subtract(x, old));
    sta_assign(sta_slice(x, "::-1"), x);
    put_array(x);
    sta_assign(sta_slice(x, "10:90:7"), sta_float(0.5));
    put_array(x);
    sta_array y = sta_eval(matrix(ROWS, ROWS));
    sta_assign(y, sta_transpose(y, STA_ALL));
    sta_assign(sta_slice(y, "1:6, 2"), sta_slice(y, "2, 1:6"));
    put_array(y);
}

static void sums(void)
{
    sta_array x = matrix(ROWS, COLUMNS), v = vector(0.125);
    put_array(sta_sum(x, STA_AXES(0), 0));
    put_array(sta_sum(x, STA_AXES(1), STA_KEEPDIMS));
    put_array(sta_sum(v, STA_ALL, 0));
    put_array(sta_mean(sta_multiply(v, v), STA_ALL, 0));
    put_array(sta_std(x, STA_AXES(0), 0));
    put_array(sta_max(x, STA_AXES(0, 1), 0));
    put_array(sta_argmax(v, STA_ALL, 0));
}

/* A loop whose end depends on what was computed. */
static void loops(void)
{
    sta_array x = sta_eval(vector(0.25));
    double change = 1;
    int rounds = 0;
    while (change > 0.05 && rounds < 50) {
        sta_scope scope = sta_open();
        sta_array next = sta_copy(x);
        sta_array middle = sta_divide(sta_add(sta_slice(x, ":-2"), sta_slice(x, "2:")), sta_int(2));
        sta_assign(sta_slice(next, "1:-1"), middle);
        sta_item_float(sta_max(sta_absolute(sta_subtract(next, x)), STA_ALL, 0), &change);
        sta_assign(x, next);
        sta_close(scope);
        rounds++;
    }
    put(&rounds, sizeof rounds);
    put(&change, sizeof change);
    put_array(x);
}

static void families(void)
{
    sta_array a = matrix(ROWS, COLUMNS), b = matrix(COLUMNS, ROWS);
    put_array(sta_matmul(sta_astype(sta_multiply(a, sta_int(9)), STA_int32),
                         sta_astype(sta_multiply(b, sta_int(9)), STA_int32)));
    put_array(sta_fft(a, -1, NULL));
    put_array(sta_fft(a, 0, NULL));
    sta_histogram_result h = sta_histogram(vector(0.25), 16, NULL);
    put_array(h.counts);
    put_array(h.edges);
}

static void buffers(void)
{
    static double memory[LONGEST], copied[LONGEST];
    for (int i = 0; i < N; i++)
        memory[i] = copied[i] = i * 0.5;
    sta_array x = sta_from_buffer(memory, STA_float64, STA_DIMS(N), NULL, 0, NULL, NULL);
    sta_array c = sta_from_buffer(copied, STA_float64, STA_DIMS(N), NULL, STA_COPY, NULL, NULL);
    sta_assign(sta_slice(x, "1::2"), sta_int(-1));
    sta_assign(sta_slice(x, "40:"), sta_slice(x, ":-40"));
    put_array(sta_add(x, c));
    put_error(sta_wait(x));
    put(memory, sizeof memory);
    sta_assign(x, sta_slice(x, "::-1"));
    put_array(sta_subtract(x, c));
    sta_assign(sta_slice(x, "5:90:3"), sta_slice(c, "5:90:3"));
    put_error(sta_wait(x));
    put(memory, sizeof memory);
}

static double gone_memory[LONGEST];
static volatile int gone;

static void told(void *argument)
{
    (void)argument;
    gone = 1;
}

/* Freed without waiting: the values are home on every rank when `done` is called. */
static void homes(void)
{
    sta_scope scope = sta_open();
    gone = 0;
    for (int i = 0; i < N; i++)
        gone_memory[i] = i;
    sta_array x = sta_from_buffer(gone_memory, STA_float64, STA_DIMS(N), NULL, 0, told, NULL);
    sta_assign(x, sta_multiply(sta_slice(x, "::-1"), sta_int(3)));
    sta_close(scope);
    while (!gone)
        usleep(1000);
    put(gone_memory, sizeof gone_memory);
}

static void files(void)
{
    char path[60];
    snprintf(path, sizeof path, "mpi_same.%ld.%d.npy", alone ? (long)getpid() : 0, ranks);
    sta_array x = matrix(ROWS, COLUMNS);
    put_error(sta_save(path, x));
    sta_array y = sta_load(path);
    put_array(sta_subtract(y, x));
    put_error(sta_save("no such folder/x.npy", x));
    put_error(sta_wait(sta_load("no such file.npy")));
    if (rank == 0)
        unlink(path);
}

static void errors(void)
{
    sta_array x = vector(0.25);
    int64_t count;
    sta_array wrong = sta_add(x, sta_slice(x, "1:"));
    put_error(sta_wait(wrong));
    put_error(sta_wait(sta_add(wrong, x)));
    put_error(sta_item_int(x, &count));
}

static const struct {
    const char *name;
    void (*run)(void);
} all[] = {{"chains", chains}, {"views", views},       {"assignments", assignments}, {"sums", sums},
           {"loops", loops},   {"families", families}, {"buffers", buffers},         {"homes", homes},
           {"files", files},   {"errors", errors}};

static void run_all(void)
{
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        sta_scope scope = sta_open();
        names[cases] = all[k].name;
        begin[cases++] = record.count;
        all[k].run();
        sta_close(scope);
    }
}

/* ---- comparing ---- */

static int run_alone(const char *program, const char *path)
{
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        setenv("STA_MPI", "off", 1);
        unsetenv("OMPI_COMM_WORLD_RANK"); /* as rank 0 */
        execl(program, program, path, (char *)NULL);
        _exit(3);
    }
    waitpid(child, &status, 0);
    return status;
}

static int rank_is_0(void)
{
    const char *text = getenv("OMPI_COMM_WORLD_RANK");
    return !text || atoi(text) == 0;
}

static int compare(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *expected = malloc(record.count + 1);
    if (!file || !expected)
        return 1;
    size_t count = fread(expected, 1, record.count + 1, file);
    fclose(file);
    int wrong = count != record.count;
    if (wrong)
        printf("rank %d: %zu bytes of results, alone %zu\n", rank, record.count, count);
    for (int k = 0; k < cases && !wrong; k++)
        for (size_t i = begin[k]; i < begin[k + 1] && !wrong; i++)
            if (record.bytes[i] != expected[i]) {
                printf("rank %d of %d: %s differs at byte %zu of %zu\n", rank, ranks, names[k], i - begin[k],
                       begin[k + 1] - begin[k]);
                wrong = 1;
            }
    free(expected);
    return wrong;
}

/* What is wrong on rank 0 is so for all, and nobody is left behind. */
static void start_wrongly(void)
{
    sta_init_options wrong = {.size = rank_is_0() ? 1 : sizeof wrong};
    const sta_error *error = sta_init(&wrong);
    put_error(error);
    if (!error)
        sta_finish();
}

static int run_passes(void)
{
    for (size_t k = 0; k < sizeof passes / sizeof *passes; k++) {
        int64_t other = rank_is_0() ? 0 : 5;
        sta_init_options options = {.size = sizeof options,
                                    .tile_elements = passes[k].tile_elements + other,
                                    .inline_bytes = other ? 300 : passes[k].inline_bytes};
        N = passes[k].n;
        ROWS = passes[k].rows;
        COLUMNS = passes[k].columns;
        if (sta_init(&options))
            return 77;
        ranks = sta_ranks();
        rank = sta_rank();
        run_all();
        sta_finish();
    }
    begin[cases] = record.count;
    return 0;
}

static int write_record(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    size_t count = fwrite(record.bytes, 1, record.count, file);
    return fclose(file) || count != record.count;
}

int main(int count, char **arguments)
{
    char path[100];
    snprintf(path, sizeof path, "mpi_same.%ld.bin", (long)getpid());
    alone = count > 1;
    if (!alone && run_alone(arguments[0], path) != 0)
        return 1;
    start_wrongly();
    int answer = run_passes();
    if (answer == 0 && alone)
        answer = write_record(arguments[1]);
    else if (answer == 0)
        answer = compare(path);
    if (!alone)
        unlink(path);
    if (answer == 0 && !alone && ranks < 2) {
        printf("one rank only\n");
        answer = 1;
    }
    free(record.bytes);
    return answer;
}
