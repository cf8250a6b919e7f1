"""Transforms along several axes by NumPy in double precision, for tests/fft.c: cases.h. Numbers: the norm, whether all axes
are meant, how many axes and lengths, the axes and the lengths."""
import numpy as np

from cases import VIEWS, answer, seen

NORMS = ["backward", "ortho", "forward"]


def rounded(x, y):
    """y in the precision that x has, with its tolerance."""
    if isinstance(y, str):
        return y
    single = x.dtype.char in "fFe"
    y = y[0].astype({"d": "f4", "D": "c8"}[y[0].dtype.char] if single else y[0].dtype)
    size = float(np.sqrt(np.mean(np.abs(y.astype("c16")) ** 2))) if y.size else 0.0
    return [y], (0, 0, (3e-6 if single else 1e-14) * 10 * max(size, 1e-3))


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def values(self, dtype, shape):
        x = self.rng.normal(size=shape) * 10
        return (x + 1j * self.rng.normal(size=shape) if dtype[0] == "c" else x).astype(dtype)

    def several(self):
        for dtype in "f4 f8 c8 c16 i2".split():
            for name in "fftn ifftn rfftn irfftn".split():
                if name == "rfftn" and dtype[0] == "c":
                    continue
                for view in VIEWS:
                    x = (self.values(dtype, (4, 5, 6)), view)
                    for axes, lengths in [(None, None), ((0, 1), None), ((2, 0), None), ((1,), None), ((0, 2), (8, 3)),
                                          ((-1, -2), (4, 7)), (None, (5, 4))]:
                        norm = int(self.rng.integers(3))
                        wide = seen(x).astype("c16" if dtype[0] == "c" else "f8")
                        y = answer(getattr(np.fft, name), wide, lengths,
                                   axes if axes or not lengths else (-2, -1), NORMS[norm])
                        numbers = [norm, int(axes is None), len(axes or ()), len(lengths or ()), *(axes or ()), *(lengths or ())]
                        yield name, [x], numbers, rounded(x[0], y)
            for name in "fft2 ifft2 rfft2 irfft2 hfft ihfft".split():
                if name in ("rfft2", "ihfft") and dtype[0] == "c":
                    continue
                for norm in range(3):
                    x = self.values(dtype, (3, 6, 5))
                    wide = x.astype("c16" if dtype[0] == "c" else "f8")
                    yield name, [x], [norm], rounded(x, answer(getattr(np.fft, name), wide, norm=NORMS[norm]))
        x = np.ones((3, 4))
        yield "fftn", [x], [0, 0, 1, 2, 0, 4, 4], "VALUE"
        yield "fftn", [x], [0, 0, 2, 0, 0, 2], "AXIS"
        yield "rfftn", [x + 1j], [0, 1, 0, 0], "DTYPE"
        yield "fft2", [x[0]], [0], "AXIS"
        yield "fftn", [x[0, 0]], [0, 1, 0, 0], "SHAPE"

    def shifts(self):
        for shape in [(5,), (6,), (1,), (0,), (4, 5), (3, 2, 5)]:
            for dtype in "i4 f8 c8".split():
                x = self.values(dtype, shape)
                for name in ("fftshift", "ifftshift"):
                    yield name, [x], [0, 1, 0, 0], answer(getattr(np.fft, name), x)
                    yield name, [x], [0, 0, 1, 0, len(shape) - 1], answer(getattr(np.fft, name), x, (len(shape) - 1,))
        yield "fftshift", [np.ones(3)], [0, 0, 1, 0, 1], "AXIS"

    def frequencies(self):
        for n in (1, 2, 3, 8, 9, 1000):
            for quarters in (1, 4, 40):
                yield "fftfreq", [], [n, quarters], [np.fft.fftfreq(n, quarters / 4)]
                yield "rfftfreq", [], [n, quarters], [np.fft.rfftfreq(n, quarters / 4)]
        yield "fftfreq", [], [0, 4], "VALUE"
        yield "fftfreq", [], [2**63 - 1, 4], "TOO_LARGE"
        yield "rfftfreq", [], [4, 0], "VALUE"


def make(rng):
    maker = Maker(rng)
    for part in (maker.several, maker.shifts, maker.frequencies):
        yield from part()
