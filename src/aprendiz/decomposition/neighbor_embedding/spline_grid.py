"""The repulsion between all rows of a map, by a grid: what is smooth is known from its values at few places.

R and Z (forces.py) follow from one function, the potential of the kernel K(d) = 1/(1 + d²),

    φ(y) = Σ_j K(‖y − y_j‖),     Z = Σ_i φ(y_i) − n,     R_i = −½·∇φ(y_i)                                       (1)

K is interpolated by splines of degree 5 on a grid of spacing h, B being the B-spline and g, g' nodes,

    K(‖y − y'‖) ≈ Σ_{g,g'} B((y − g)/h) c(g − g') B((y' − g')/h)                                              (2)

so that φ takes three steps: each row is shared out among the 6 nodes around it (6² in a plane), the shares of all nodes are
convolved with c, and φ and its gradient are read off at the rows. The convolution is a product of Fourier transforms, on a
grid twice as long, where it does not wrap around; there, c is K at the nodes divided by the transform b of the B-spline:

    ĉ = K̂ / Π b²,     b(k) = (33 + 26 cos k + cos 2k)/60                                                      (3)

K − 1 takes the place of K, and n is added to φ: in a map that is still small, forces then keep their digits.

Splines have continuous derivatives, and K's spectrum falls as e^{−k}: at h = 0.4 forces are wrong by less than 1 % of their
size, as noise without a bias, and Z by 10⁻⁴. A small map has at least `CELLS` cells.

Cost: O(n) and O(N log N) for N nodes; N follows the area of the map.
References: Linderman, Rachh, Hoskins, Steinerberger & Kluger, "Fast interpolation-based t-SNE", Nature Methods 16, 2019, with
other splines and one convolution for (1) in the place of four; Unser, "Splines: a perfect fit for signal and image processing",
IEEE Signal Processing Magazine 16, 1999.
"""

from __future__ import annotations

import numpy as np
from scipy import fft

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

SPACING = 0.4  # h, unless the map is small
CELLS = 24  # fewest cells along the longer side
SHARES = 6  # nodes along a side that a row is shared out among
DECAY = 48  # nodes after which the coefficients of a spline have forgotten a cell
PAIRS_OF_CELL = 80  # pairs that cost as much as a cell
MOST_CELLS = 2**25  # 256 MiB
STEP = 8  # the number of nodes is a multiple of it, so that ĉ can often stay


class SplineGrid:
    """The grid of one fit. ĉ is kept from step to step: it depends on h and the number of nodes alone."""

    def __init__(self) -> None:
        self.key: tuple[float, tuple[int, ...]] = (0.0, ())
        self.spectrum = np.empty(0)

    @staticmethod
    def is_worth_it(Y: Array) -> bool:
        """Does a grid cost less than all pairs? Not where a few rows have gone far away."""
        cells = np.prod(2.0 * np.ptp(Y, axis=0) / SPACING + DECAY)
        return bool(cells <= min(len(Y) ** 2 / PAIRS_OF_CELL, MOST_CELLS))

    def push(self, Y: Array, R: Array) -> float:
        """Write R of every row, and return Z."""
        n = len(Y)
        corner = Y.min(axis=0)
        spans = Y.max(axis=0) - corner
        if not spans.any():
            R[:] = 0.0
            return float(n * (n - 1.0))
        h = spacing(float(spans.max()))
        nodes = [int(np.ceil((span / h + SHARES) / STEP)) * STEP for span in spans]
        padded = tuple(fft.next_fast_len(2 * count + DECAY, real=True) for count in nodes)
        if self.key != (h, padded):
            self.key, self.spectrum = (h, padded), spectrum(h, padded)
        if Y.shape[1] == 1:
            shares = np.zeros(nodes[0])
            share_on_line(Y[:, 0], corner[0], h, shares)
            potential = fft.irfft(fft.rfft(shares, padded[0]) * self.spectrum, padded[0])
            total = read_line(Y[:, 0], corner[0], h, potential, R)
        else:
            shares = np.zeros(nodes)
            share_in_plane(Y, corner, h, shares)
            waves = fft.fft(fft.rfft(shares, padded[1], axis=1), padded[0], axis=0)
            waves *= self.spectrum
            potential = fft.irfft(fft.ifft(waves, axis=0)[: nodes[0]], padded[1], axis=1)
            total = read_plane(Y, corner, h, potential, R)
        return float(total + n * (n - 1.0))


def spacing(span: float) -> float:
    """h: `SPACING`, or divided by the power of √2 that gives the longer side its cells."""
    halvings = np.ceil(2.0 * np.log2(SPACING * CELLS / span))
    return float(SPACING * 2.0 ** (-0.5 * max(halvings, 0.0)))


def spectrum(h: float, padded: tuple[int, ...]) -> Array:
    """ĉ of (3), real since K is even."""
    square, smoothing = np.zeros(()), np.ones(())
    for axis, count in enumerate(padded):
        nodes = np.arange(count)
        square = square[..., None] + (np.minimum(nodes, count - nodes) * h) ** 2
        k = 2.0 * np.pi / count * (nodes if axis < len(padded) - 1 else np.arange(count // 2 + 1))
        smoothing = smoothing[..., None] * ((33.0 + 26.0 * np.cos(k) + np.cos(2.0 * k)) / 60.0)
    return np.asarray(fft.rfftn(-square / (1.0 + square)).real / smoothing**2)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def spline(t: float, B: Array, slope: Array) -> None:
    """The B-spline and its derivative at the six nodes around a place that lies by t after the third: three nodes after it,
    seen from t, and three before it, seen from 1 − t."""
    for side in range(2):
        x, sign, end, step = (t, -1.0, 0, 1) if side == 0 else (1.0 - t, 1.0, 5, -1)
        a, b, c = (1.0 - x) ** 4, (2.0 - x) ** 4, (3.0 - x) ** 4
        B[end] = (1.0 - x) * a / 120.0
        B[end + step] = ((2.0 - x) * b - 6.0 * (1.0 - x) * a) / 120.0
        B[end + 2 * step] = ((3.0 - x) * c - 6.0 * (2.0 - x) * b + 15.0 * (1.0 - x) * a) / 120.0
        slope[end] = sign * a / 24.0
        slope[end + step] = sign * (b - 6.0 * a) / 24.0
        slope[end + 2 * step] = sign * (c - 6.0 * b + 15.0 * a) / 24.0


@compiled
def share_in_plane(Y: Array, corner: Array, h: float, shares: Array) -> None:
    """Share every row out among the nodes around it: the sum over y' of (2)."""
    A, B, slope = np.empty(SHARES), np.empty(SHARES), np.empty(SHARES)
    for i in range(len(Y)):
        u, v = (Y[i, 0] - corner[0]) / h, (Y[i, 1] - corner[1]) / h
        row, column = int(u), int(v)
        spline(u - row, A, slope)
        spline(v - column, B, slope)
        for k in range(SHARES):
            for m in range(SHARES):
                shares[row + k, column + m] += A[k] * B[m]


@compiled
def read_plane(Y: Array, corner: Array, h: float, potential: Array, R: Array) -> float:
    """R of (1) for every row, and the sum of φ over them."""
    A, B, total = np.empty(SHARES), np.empty(SHARES), 0.0
    slope_a, slope_b = np.empty(SHARES), np.empty(SHARES)
    for i in range(len(Y)):
        u, v = (Y[i, 0] - corner[0]) / h, (Y[i, 1] - corner[1]) / h
        row, column = int(u), int(v)
        spline(u - row, A, slope_a)
        spline(v - column, B, slope_b)
        along, across = 0.0, 0.0
        for k in range(SHARES):
            value, slope = 0.0, 0.0
            for m in range(SHARES):
                value += B[m] * potential[row + k, column + m]
                slope += slope_b[m] * potential[row + k, column + m]
            total += A[k] * value
            along += slope_a[k] * value
            across += A[k] * slope
        R[i, 0], R[i, 1] = -0.5 * along / h, -0.5 * across / h
    return total


@compiled
def share_on_line(y: Array, corner: float, h: float, shares: Array) -> None:
    """`share_in_plane` for a map with one column."""
    A, slope = np.empty(SHARES), np.empty(SHARES)
    for i in range(len(y)):
        u = (y[i] - corner) / h
        spline(u - int(u), A, slope)
        for k in range(SHARES):
            shares[int(u) + k] += A[k]


@compiled
def read_line(y: Array, corner: float, h: float, potential: Array, R: Array) -> float:
    """`read_plane` for a map with one column."""
    A, slope, total = np.empty(SHARES), np.empty(SHARES), 0.0
    for i in range(len(y)):
        u, along = (y[i] - corner) / h, 0.0
        spline(u - int(u), A, slope)
        for k in range(SHARES):
            total += A[k] * potential[int(u) + k]
            along += slope[k] * potential[int(u) + k]
        R[i, 0] = -0.5 * along / h
    return total
