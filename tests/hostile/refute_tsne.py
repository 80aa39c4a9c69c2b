"""The certificate of t-SNE: neighbourhoods from exact distances, the divergence and the forces by their definitions."""

from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, with_extremes

SHARE = 0.05 + 1e-3  # of the attraction that may be left over
CLOSE = 1e-4  # of C, where rounding may change an exponent of P by 10⁻⁵


def map_at_rest(seed):
    """Every row has its perplexity, C is what is said, and no more than 5 % of the attraction is left over."""
    X, words = with_extremes(seed, largest=14)
    rng = np.random.default_rng([seed, 5])
    if rng.random() < 0.2:  # a row beyond the digits of doubles
        X[0] += 10.0 ** rng.integers(6, 18)
    made = {
        "n_components": int(rng.integers(1, 4)),
        "perplexity": float(rng.choice([1.0, 1.5, 2.0, 3.0, (len(X) - 1) / 2, len(X) - 1])),
        "max_iter": int(rng.choice([40, 255, 400, 1000])),
        "init": str(rng.choice(["pca", "random"])) if min(X.shape) >= 3 else "random",
        "method": str(rng.choice(["barnes_hut", "exact"])),
    }
    if made["perplexity"] >= len(X):
        made["perplexity"] = 1.5
    model = ap.TSNE(**made, random_state=0).fit(X)
    known, words = model.certificate_, f"{made} {words}"
    if known.holds:
        every = len(X) if made["method"] == "exact" else int(3.0 * made["perplexity"] + 1)
        P, reached = exact_neighbourhoods(X, made["perplexity"], every)
        C, share = exact_balance(P, model.embedding_)
        insist(np.abs(reached / made["perplexity"] - 1.0).max() <= 1e-6, words, known, "perplexities", reached)
        insist(abs(C - known.objective) <= CLOSE * max(1.0, C), words, known, "divergence", C)
        insist(abs(C - model.kl_divergence_) <= 1.1e-3 * max(1.0, C), words, known, "kl_divergence_", C)
        insist(share <= SHARE, words, known, "left over", share)
    return known.holds


def exact_neighbourhoods(X, perplexity, count):
    """P of so many nearest rows, and the perplexities, with squares of distances, less the smallest, in fractions; β by
    halving."""
    rows, n = exactly(X), len(X)
    conditional, reached = np.zeros((n, n)), np.empty(n)
    for i in range(n):
        squares = {j: sum((p - q) ** 2 for p, q in zip(rows[i], rows[j], strict=True)) for j in range(n) if j != i}
        others = sorted(squares, key=lambda j: (squares[j], j))[:count]
        square = [squares[j] for j in others]
        largest = max(square) or Fraction(1)
        excess = [(one - min(square)) / largest for one in square]
        exponents = np.array([-np.inf if one == 0 else float_log(one) for one in excess])
        low, high = -60.0, 600.0  # logarithms of β
        for _ in range(200):
            middle = 0.5 * (low + high)
            p = np.exp(-np.exp(np.minimum(middle + exponents, 60.0)))
            p /= p.sum()
            entropy = -(p[p > 0] * np.log(p[p > 0])).sum()
            low, high = (middle, high) if entropy > np.log(perplexity) else (low, middle)
        conditional[i, others], reached[i] = p, np.exp(entropy)
    return (conditional + conditional.T) / (2 * n), reached


def float_log(fraction):
    """The logarithm of a fraction of any size."""
    shift = fraction.numerator.bit_length() - fraction.denominator.bit_length()
    return float(np.log(float(fraction / Fraction(2) ** shift))) + shift * float(np.log(2.0))


def exact_balance(P, Y):
    """C, and the part of the attraction that is left over, in extended precision."""
    Y, P = Y.astype(np.longdouble), P.astype(np.longdouble)
    freedom = max(Y.shape[1] - 1, 1)
    apart = Y[:, None] - Y[None]
    near = 1 / (1 + (apart**2).sum(axis=2) / freedom)
    power = near ** ((freedom + 1) / 2)
    np.fill_diagonal(power, 0)
    Q, some = power / power.sum(), P > 0
    C = float((P[some] * np.log(P[some] / Q[some])).sum())
    pull, push = ((weights * near)[:, :, None] * apart for weights in (P, Q))
    attraction, left = (np.linalg.norm(force.sum(axis=1).astype(float)) for force in (pull, pull - push))
    return C, left / attraction if attraction > 0 else float(left > 0)
