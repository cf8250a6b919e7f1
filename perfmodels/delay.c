/* How long threads had to wait for a core: Linux counts it for each (the second number of schedstat, nanoseconds). */
#include "samples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double read_delay(const char *path)
{
    char text[100] = "";
    double ran, waited;
    FILE *file = fopen(path, "r");
    bool fine = file && fgets(text, sizeof text, file) && sscanf(text, "%lf %lf", &ran, &waited) == 2;

    if (file)
        fclose(file);
    return fine ? waited / 1000 : 0;
}

static double read_delays(void)
{
    DIR *threads = opendir("/proc/self/task");
    struct dirent *thread;
    double sum = 0;

    while (threads && (thread = readdir(threads))) {
        char path[300];

        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", thread->d_name);
        if (atoi(thread->d_name) > 0 && atoi(thread->d_name) != getpid())
            sum += read_delay(path);
    }
    if (threads)
        closedir(threads);
    return sum;
}

/* The main thread only waits for the others. */
double sta__delay(int threads)
{
    return threads > 1 ? read_delays() : read_delay("/proc/thread-self/schedstat");
}
