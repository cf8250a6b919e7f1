"""What the GPU can do, as limits.c says it of the CPU: bytes a second of a copy, flops a second of products."""

import json

import cupy


def best(function, times=7):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    seconds = []
    for _ in range(times + 1):
        begin.record()
        function()
        end.record()
        end.synchronize()
        seconds.append(cupy.cuda.get_elapsed_time(begin, end) / 1e3)
    return min(seconds[1:])


def main():
    x = cupy.zeros(1 << 30, cupy.uint8)
    y = cupy.empty_like(x)
    copy = 2 * x.size / best(lambda: cupy.copyto(y, x))
    limits = {"triad": copy, "triad_past_caches": copy}
    for name, n in (("float32", 8192), ("float64", 8192)):
        a = cupy.ones((n, n), name)
        c = cupy.empty_like(a)
        limits["gemm_" + name] = 2 * n**3 / best(lambda: cupy.matmul(a, a, out=c))
    print(json.dumps(limits))


main()
