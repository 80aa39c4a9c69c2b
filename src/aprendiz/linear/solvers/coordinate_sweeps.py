"""Coordinate descent on a quadratic with a penalty that makes zeros: sweeps, compiled, and the exact end of them.

    min over w of ½wᵀGw − cᵀw + λ₁‖w‖₁ + ½λ₂‖w‖²          G = ZᵀZ, c = Zᵀy, slopes q = c − Gw                  (1)

The minimum over one coordinate is

    w_j ← S(q_j + G_jj·w_j)/(G_jj + λ₂),     S(z) = sign(z)·max(0, |z| − λ₁),     q ← q − δ·G_j               (2)

A change costs a row of G, and reading it takes longer than computing with it. So coordinates are swept block by block: those of
a block first come nearly to rest among themselves, on a small matrix that stays close to the processor, and rows are read
once for all that happened there. G may have half the digits of the other numbers, which halves what is read.

Sweeps find out which coordinates are not zero and what signs they have; they are slow to find the last digits. But once the
support A and the signs s are right, (1) is a linear system,

    (G_AA + λ₂I) w_A = c_A − λ₁s                                                                              (3)

Its solution is taken if it has the signs s; if not, w moves towards it until the first coordinate reaches zero and leaves A,
which lowers (1) too. Where G_AA is singular (and λ₂ = 0), w moves along a v with G_AA v = 0 and sᵀv ≤ 0: Gw and cᵀw stay,
‖w‖₁ does not grow, and some coordinate reaches zero and leaves A. So the answer is exact after finitely many steps, however
slow the sweeps are. Where A is large, sweeps are cheaper than (3), and it is left to those that do not come to rest.

Along a path of penalties, from the largest on, w starts a step further on along the straight line through the last two answers
(elastic_net_path.py), and each penalty is swept until the duality gap (working_set.py) is small,

    ‖r‖² = yᵀy − wᵀ(c + q),     yᵀr = yᵀy − cᵀw                                                               (4)

so that a look at the gap costs d, not n·d.

Cost: d for each coordinate that moves, a sweep at most m² for m coordinates; (3) |A|³/3.
References: Friedman, Hastie & Tibshirani, J. Statistical Software 33, 2010; Osborne, Presnell & Turlach, IMA J. Numerical
Analysis 20, 2000 (the active set).
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty

FEW_COORDINATES = 256  # coordinates for which (3) is always cheap
SWEEPS = 8  # over all coordinates, before (3) is tried
TURNS = 3  # times (3) is solved for more coordinates, before sweeps go on
ROUNDS = 100  # of sweeps and exact solutions
ROUNDING = 64 * float(np.finfo(float).eps)
BLOCK = 64  # coordinates that are swept together
AMONG = 10  # sweeps among them, at most
REST = 0.03  # of the first fall, after which they rest
INNER = 40  # sweeps over those that are not zero, between two over all


def minimiser(G: Array, c: Array, w: Array, penalty: ElasticPenalty, enough: float) -> tuple[Array, int]:
    """(1), from w on, and the number of sweeps. `enough`: a fall of the objective in a sweep that no longer matters.

    G may have room for more coordinates than there are, and half the digits of the others."""
    w, sweeps = w.copy(), 0
    for _ in range(ROUNDS):
        q = slopes_at(G, c, w)
        done = swept(G, q, w, penalty.l1, penalty.l2, penalty.positive, enough, SWEEPS)
        sweeps += done
        if done < SWEEPS and np.count_nonzero(w) > FEW_COORDINATES:
            return w, sweeps
        if not exact_end(G, c, w, penalty):
            if done < SWEEPS:  # the sweeps have ended by themselves
                return w, sweeps
            continue
        slope = slopes_at(G, c, w) - penalty.l2 * w
        outside = w == 0
        if not outside.any() or penalty.pull(slope[outside]).max() <= penalty.l1 + ROUNDING * np.abs(c).max():
            return w, sweeps
    return w, sweeps


def exact_end(G: Array, c: Array, w: Array, penalty: ElasticPenalty) -> bool:
    """(3), in place, giving up coordinates that reach zero; False where rounding hides the answer."""
    for _ in range(2 * len(w) + 1 if np.count_nonzero(w) <= FEW_COORDINATES else TURNS):
        A = np.flatnonzero(w)
        if not len(A):
            return True
        H = G[A[:, None], A].astype(np.float64)
        H.ravel()[:: len(A) + 1] += penalty.l2  # its diagonal
        L, failed = linalg.lapack.dpotrf(H.T, lower=1)
        if failed or (L.diagonal() ** 2).min() < ROUNDING * len(A) * H.diagonal().max():
            if len(A) > FEW_COORDINATES or not without_dependent(H, w, A):
                return False
            continue
        end = linalg.lapack.dpotrs(L, c[A] - penalty.l1 * np.sign(w[A]), lower=1)[0]
        if not np.isfinite(end).all():
            return False
        crossing = end * w[A] <= 0
        if not crossing.any():
            w[A] = end
            return True
        share = np.where(crossing, w[A] / np.where(crossing, w[A] - end, 1.0), 2.0)
        first = share.argmin()
        w[A] += share[first] * (end - w[A])
        w[A[first]] = 0.0
    return False


def without_dependent(H: Array, w: Array, A: Array) -> bool:
    """Give up the columns that depend on others, in place; False where none depends on others enough to tell.

    One basis N of the v with Hv = 0 serves for all of them: with each column that leaves, N loses a direction."""
    values, V = linalg.eigh(H, check_finite=False)
    N = V[:, values < ROUNDING * len(A) * np.diagonal(H).max()]
    now = w[A]
    while N.shape[1]:
        v = N[:, 0] if N[:, 0] @ np.sign(now) <= 0 else -N[:, 0]
        shrinks = v * now < 0
        share = np.full(len(v), np.inf)
        with np.errstate(over="ignore"):  # a column that the direction hardly moves does not reach 0
            share[shrinks] = np.abs(now[shrinks] / v[shrinks])
        first = share.argmin()
        if not np.isfinite(share[first]):
            break
        before, now = now, now + share[first] * v
        now[np.sign(now) != np.sign(before)] = 0.0
        now[first] = 0.0
        for j in np.flatnonzero((now == 0) & (before != 0)):
            N = zero_at(N, int(j))
    w[A] = now
    return bool(np.count_nonzero(now) < len(A))


def zero_at(N: Array, j: int) -> Array:
    """A basis of those vectors in the span of N that are zero at j."""
    if not N[j].any():
        return N
    k = int(np.abs(N[j]).argmax())
    return np.asarray(np.delete(N - np.outer(N[:, k] / N[j, k], N[j]), k, axis=1))


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def slopes_at(G: Array, c: Array, w: Array) -> Array:
    """q = c − Gw."""
    q = c.copy()
    for j in range(len(w)):
        if w[j] != 0.0:
            for k in range(len(w)):
                q[k] -= w[j] * G[j, k]
    return q


@compiled
def swept(G: Array, q: Array, w: Array, l1: float, l2: float, positive: bool, enough: float, most: int) -> int:
    """(2), in turn, up to `most` times; between two sweeps over all, those that are not zero are swept until they rest."""
    everyone = np.empty(len(w), np.int64)
    for j in range(len(w)):
        everyone[j] = j
    for number in range(most):
        if sweep(G, q, w, l1, l2, positive, everyone, len(w)) <= enough:
            return number
        settle_support(G, q, w, l1, l2, positive, enough)
    return most


@compiled(inner=True)
def settle_support(G: Array, q: Array, w: Array, l1: float, l2: float, positive: bool, enough: float) -> None:
    """Sweeps over the coordinates that are not zero, on their own part of G: a change then costs |A|, not m."""
    some, everyone = np.empty(len(w), np.int64), np.empty(len(w), np.int64)
    count = nonzeros(w, some)
    part, slopes, ours = np.empty((count, count), G.dtype), np.empty(count), np.empty(count)
    for a in range(count):
        everyone[a], slopes[a], ours[a] = a, q[some[a]], w[some[a]]
        for b in range(count):
            part[a, b] = G[some[a], some[b]]
    for _ in range(INNER):
        if sweep(part, slopes, ours, l1, l2, positive, everyone, count) <= enough:
            break
    for a in range(count):
        j = some[a]
        step = ours[a] - w[j]
        if step != 0.0:
            w[j] = ours[a]
            for k in range(len(w)):
                q[k] -= step * G[j, k]


@compiled(inner=True)
def nonzeros(w: Array, some: Array) -> int:
    """Lists the coordinates that are not zero; returns their number."""
    count = 0
    for j in range(len(w)):
        if w[j] != 0.0:
            some[count] = j
            count += 1
    return count


@compiled(inner=True)
def sweep(G: Array, q: Array, w: Array, l1: float, l2: float, positive: bool, members: Array, count: int) -> float:
    """(2) for each member, block by block; by how much the objective fell, at most.

    The members of a block are swept until they are nearly at rest among themselves, on their own products, which stay close
    to the processor; only then the rows of G are read, to change the slopes of all others."""
    fall, part = 0.0, np.empty((BLOCK, BLOCK))
    slopes, ours = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, count, BLOCK):
        block = members[start : min(start + BLOCK, count)]
        if not any_moves(G, q, w, l1, l2, positive, block):
            continue
        size = len(block)
        for a in range(size):
            slopes[a], ours[a] = q[block[a]], w[block[a]]
            for b in range(size):
                part[a, b] = G[block[a], block[b]]
        first = 0.0
        for _ in range(AMONG):
            less = 0.0
            for a in range(size):
                step = best(part[a, a], slopes[a], ours[a], l1, l2, positive) - ours[a]
                if step != 0.0:
                    ours[a] += step
                    less += step * step * (part[a, a] + l2)
                    for b in range(size):
                        slopes[b] -= step * part[a, b]
            fall += less
            first = max(first, less)
            if less <= REST * first:
                break
        for a in range(size):
            j = block[a]
            step = ours[a] - w[j]
            if step != 0.0:
                w[j] = ours[a]
                for k in range(len(w)):
                    q[k] -= step * G[j, k]
    return fall


@compiled(inner=True)
def any_moves(G: Array, q: Array, w: Array, l1: float, l2: float, positive: bool, members: Array) -> bool:
    """Would (2) change any of them?"""
    for j in members:  # noqa: SIM110 (a generator does not compile)
        if best(G[j, j], q[j], w[j], l1, l2, positive) != w[j]:
            return True
    return False


@compiled(inner=True)
def best(square: float, slope: float, w: float, l1: float, l2: float, positive: bool) -> float:
    """The minimum over one coordinate, with G_jj and q_j; one without curvature stays."""
    curve, z = square + l2, slope + square * w
    if curve <= 0.0:
        return w
    if z > l1:
        return (z - l1) / curve
    return (z + l1) / curve if z < -l1 and not positive else 0.0


# ---- along a path ----------------------------------------------------------------------------------------------------


@compiled
def swept_path(
    G: Array, c: Array, energy: float, l1s: Array, l2s: Array, positive: bool, tol: float, most: int, W: Array, gaps: Array,
    sweeps: Array,
) -> int:  # fmt: skip
    """Fills the rows of W, the gaps as parts of yᵀy, and the sweeps; returns how many penalties it could finish."""
    d = len(c)
    w, q, before = np.empty(d), np.empty(d), np.empty(d)
    everyone, some = np.empty(d, np.int64), np.empty(d, np.int64)
    for j in range(d):
        w[j], q[j], before[j], everyone[j] = 0.0, c[j], 0.0, j
    for k in range(len(l1s)):
        if k > 1 and l1s[k - 2] + l2s[k - 2] > l1s[k - 1] + l2s[k - 1]:
            ahead = (l1s[k - 1] + l2s[k - 1] - l1s[k] - l2s[k]) / (l1s[k - 2] + l2s[k - 2] - l1s[k - 1] - l2s[k - 1])
            further(G, q, w, before, ahead)
        for j in range(d if k > 0 else 0):
            before[j] = W[k - 1, j]
        gap = relative_gap(c, q, w, energy, l1s[k], l2s[k], positive)
        done = 0
        while gap > tol:
            if done >= most:
                return k
            fall = sweep(G, q, w, l1s[k], l2s[k], positive, everyone, d)
            done += 1
            gap = relative_gap(c, q, w, energy, l1s[k], l2s[k], positive)
            count = nonzeros(w, some)
            for _ in range(10):
                if gap <= tol:
                    break
                less = sweep(G, q, w, l1s[k], l2s[k], positive, some, count)
                done += 1
                if less <= 0.03 * fall:
                    break
        gaps[k], sweeps[k] = gap, max(done, 1)
        for j in range(d):
            W[k, j] = w[j]
    return len(l1s)


@compiled(inner=True)
def further(G: Array, q: Array, w: Array, before: Array, ahead: float) -> None:
    """A step on along the line through the last two answers, for coefficients that keep their sign."""
    for j in range(len(w)):
        step = ahead * (w[j] - before[j])
        if before[j] * w[j] > 0.0 and w[j] * (w[j] + step) > 0.0:
            w[j] += step
            for i in range(len(q)):
                q[i] -= step * G[j, i]


@compiled
def relative_gap(c: Array, q: Array, w: Array, energy: float, l1: float, l2: float, positive: bool) -> float:
    """(2) of working_set.py, by (4)."""
    along, error, squares, size, steepest = 0.0, energy, 0.0, 0.0, 0.0
    for j in range(len(w)):
        slope = q[j] - l2 * w[j]
        steepest = max(steepest, slope if positive else abs(slope))
        if w[j] != 0.0:
            along += c[j] * w[j]
            error -= w[j] * (c[j] + q[j])
            squares += w[j] * w[j]
            size += abs(w[j])
    if energy <= 0.0:
        return 0.0
    against, curve = energy - along, max(error, 0.0) + l2 * squares
    s = against / curve if curve > 0.0 else 0.0
    if steepest > 0.0:
        s = max(min(s, l1 / steepest), 0.0 if positive else -l1 / steepest)
    primal = 0.5 * max(error, 0.0) + l1 * size + 0.5 * l2 * squares
    return max(0.0, (primal - s * against + 0.5 * s * s * curve) / energy)
