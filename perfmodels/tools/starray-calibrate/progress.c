/* A bar with the time left on a terminal; lines now and then elsewhere. */
#include "calibrate.h"

#include <stdio.h>
#include <unistd.h>

static int64_t began, shown;
static double limit_seconds;

double progress_seconds(void)
{
    return (double)(sta__clock() - began) * 1e-9;
}

void progress_start(double limit)
{
    began = sta__clock();
    shown = 0;
    limit_seconds = limit;
}

static double seconds_left(int done, int all)
{
    double left = done ? progress_seconds() / done * (all - done) : 0;
    double until_limit = limit_seconds > 0 ? limit_seconds - progress_seconds() : left;
    return left < until_limit ? left : until_limit;
}

void progress_show(int done, int all, const char *what)
{
    enum { WIDTH = 30 };
    static const char full[] = "##############################", rest[] = "..............................";
    bool terminal = isatty(STDERR_FILENO);
    int64_t now = sta__clock(), pause = terminal ? 100000000 : 5000000000;
    if (done < all && now - shown < pause)
        return;
    shown = now;
    int filled = all ? WIDTH * done / all : WIDTH;
    if (terminal)
        fprintf(stderr, "\r[%.*s%.*s] %3d%% %4.0f s left  %-44.44s", filled, full, WIDTH - filled, rest,
                all ? 100 * done / all : 100, seconds_left(done, all), what);
    else
        fprintf(stderr, "%3d%%, %.0f s left: %s\n", all ? 100 * done / all : 100, seconds_left(done, all), what);
}

void progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%-100s\r", "");
}
