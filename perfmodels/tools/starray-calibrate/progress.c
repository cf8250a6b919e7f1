/* A bar with the time left on a terminal; lines now and then elsewhere. */
#include "calibrate.h"

#include <stdio.h>
#include <unistd.h>

static const double part_begin[PARTS + 1] = {0, 0.08, 0.42, 0.50, 0.68, 0.76, 0.97};
static int64_t began, shown;
static double budget_seconds;

double progress_seconds(void)
{
    return (double)(sta__clock() - began) * 1e-9;
}

void progress_start(double budget)
{
    began = sta__clock();
    shown = 0;
    budget_seconds = budget;
}

double progress_left(enum part part)
{
    return budget_seconds > 0 ? part_begin[part + 1] * budget_seconds - progress_seconds() : 86400;
}

/* What a budget leaves is used. */
static double seconds_left(double share)
{
    double left = budget_seconds > 0 ? budget_seconds - progress_seconds()
                  : share > 0.01     ? progress_seconds() / share * (1 - share)
                                     : 0;
    return left > 0 ? left : 0;
}

void progress_show(enum part part, int done, int all, const char *what)
{
    enum { WIDTH = 30 };
    static const char full[] = "##############################", rest[] = "..............................";
    bool terminal = isatty(STDERR_FILENO);
    int64_t now = sta__clock(), pause = terminal ? 100000000 : 5000000000;
    if (now - shown < pause)
        return;
    shown = now;
    double inside = all > 0 ? (double)done / all : 1;
    double share = part_begin[part] + inside * (part_begin[part + 1] - part_begin[part]);
    int filled = (int)(WIDTH * share);
    if (terminal)
        fprintf(stderr, "\r[%.*s%.*s] %3.0f%% %4.0f s left  %-44.44s", filled, full, WIDTH - filled, rest, 100 * share,
                seconds_left(share), what);
    else
        fprintf(stderr, "%3.0f%%, %.0f s left: %s\n", 100 * share, seconds_left(share), what);
}

void progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%-100s\r", "");
}
