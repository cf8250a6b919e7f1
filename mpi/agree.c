/* Ranks agree on an error. In round k each tells the rank 2^k further what is first of all that it knows; after log2(ranks)
 * rounds all know the same. */
#include "travel.h"

#include "failure.h"
#include "ranks.h"

#include <string.h>

struct verdict {
    int32_t code; /* 0: no error */
    int64_t operation, tile;
    char op[32], text[200];
};

static void put_text(char *to, size_t bytes, const char *text)
{
    size_t length = strnlen(text, bytes - 1);
    memcpy(to, text, length);
}

/* What no task did has no operation: it comes last, and the first rank first. */
static struct verdict verdict_of(const sta_error *error, const struct sta__failure *failure)
{
    struct verdict verdict = {0};
    if (!error)
        return verdict;
    verdict.code = (int32_t)error->code;
    verdict.operation = failure ? failure->operation : INT64_MAX;
    verdict.tile = failure ? failure->tile : sta__runtime.settings.rank;
    put_text(verdict.op, sizeof verdict.op, error->op);
    put_text(verdict.text, sizeof verdict.text, error->text);
    return verdict;
}

static bool before(const struct verdict *a, const struct verdict *b)
{
    if (!a->code || !b->code)
        return a->code != 0;
    return a->operation != b->operation ? a->operation < b->operation : a->tile < b->tile;
}

static void exchange(struct verdict *mine, struct verdict *theirs, int step, int64_t tag)
{
    int ranks = sta__runtime.settings.ranks, rank = sta__runtime.settings.rank;
    MPI_Comm all = sta__ranks_communicator();
    starpu_data_handle_t out, in;
    starpu_mpi_req sending, receiving;

    starpu_variable_data_register(&out, STARPU_MAIN_RAM, (uintptr_t)mine, sizeof *mine);
    starpu_variable_data_register(&in, STARPU_MAIN_RAM, (uintptr_t)theirs, sizeof *theirs);
    starpu_mpi_isend(out, &sending, (rank + step) % ranks, tag, all);
    starpu_mpi_irecv(in, &receiving, (rank - step + ranks) % ranks, tag, all);
    starpu_mpi_wait(&sending, MPI_STATUS_IGNORE);
    starpu_mpi_wait(&receiving, MPI_STATUS_IGNORE);
    starpu_data_unregister(out);
    starpu_data_unregister(in);
}

bool sta__ranks_agree(struct sta__call *call, const struct sta__failure *failure)
{
    struct verdict mine = verdict_of(call->error, failure), theirs;
    const int64_t operation = mine.operation, tile = mine.tile;
    if (sta__runtime.settings.ranks <= 1)
        return call->error != NULL;
    for (int step = 1; step < sta__runtime.settings.ranks; step *= 2) {
        int64_t tag = sta__tag_next();
        sta__unlock();
        exchange(&mine, &theirs, step, tag);
        sta__lock();
        if (before(&theirs, &mine))
            mine = theirs;
    }
    if (mine.code && (!call->error || mine.operation != operation || mine.tile != tile))
        call->error = sta__error_of((sta_error_code)mine.code, mine.op, mine.text);
    return call->error != NULL;
}
