"""The data of the benchmarks, the same as data.h makes: an element is a function of its index."""

import numpy

np = numpy  # or CuPy

BLOCK = 1 << 17


def bits(seed, first, count):
    with numpy.errstate(over="ignore"):
        z = np.arange(first + 1, first + count + 1, dtype=np.uint64)
        z *= np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(seed << 40)
        z ^= z >> np.uint64(30)
        z *= np.uint64(0xBF58476D1CE4E5B9)
        z ^= z >> np.uint64(27)
        z *= np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return z


def uniform(seed, first, count):
    return (bits(seed, first, count) >> np.uint64(11)) * 2.0**-53


def coarse(seed, first, count):
    return (bits(seed, first, count) >> np.uint64(44)) * 2.0**-20


def whole(seed, first, count):
    return np.floor(uniform(seed, first, count) * 100)


def normal(seed, first, count):
    z = bits(seed, first, count)
    low = np.uint64(0xFFFF)
    total = (z & low) + (z >> np.uint64(16) & low) + (z >> np.uint64(32) & low) + (z >> np.uint64(48))
    return (total.astype(np.int64) - 2 * 0xFFFF) * 2.0**-15


def array(shape, dtype, value, seed):
    x = np.empty(shape, dtype)
    flat = x.reshape(-1)
    block = BLOCK if np is numpy else BLOCK << 9
    for first in range(0, flat.size, block):
        count = min(block, flat.size - first)
        flat[first : first + count] = value(seed, first, count)
    return x
