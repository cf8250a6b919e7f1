/* What the speeds of GPU benchmarks are compared with: a copy on the device, in the same run. */
#ifndef DEVICE_COPY_H
#define DEVICE_COPY_H

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + 1e-6 * (double)t.tv_nsec;
}

static double copy_speed; /* bytes a millisecond, read and written */

static void check(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

static void measure_copy(void)
{
    size_t bytes = (size_t)1 << 30;
    cudaEvent_t begin, end;
    char *a, *b;
    float best = 1e30F, took;
    check(cudaMalloc((void **)&a, bytes), "memory");
    check(cudaMalloc((void **)&b, bytes), "memory");
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int turn = 0; turn < 8; turn++) {
        cudaEventRecord(begin, NULL);
        cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, NULL);
        cudaEventRecord(end, NULL);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&took, begin, end);
        best = took < best ? took : best;
    }
    copy_speed = 2 * (double)bytes / (double)best;
    printf("%-28s %8.3f ms %7.0f GB/s\n", "device copy, 1 GiB", (double)best, copy_speed * 1e-6);
    cudaFree(a);
    cudaFree(b);
}

#endif
