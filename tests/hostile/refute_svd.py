"""Certificates of truncated singular value decompositions, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext

import aprendiz as ap
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.decomposition.svd.by_krylov import by_krylov

from .checks import decimal, insist
from .hostile_tables import exactly, hostile_weights, with_extremes
from .refute_statistics import eigenvalues


def truncated_svd(seed):
    """What the components leave is within the bounds, and each singular value is near one of A's: of small tables, by a
    triangle; of the same tables, with and without weights, by the products that large ones are given."""
    X, words = with_extremes(seed)
    k = 1 + seed % X.shape[1]
    if k > min(X.shape):
        return None
    w = hostile_weights(seed, len(X)) if seed % 2 else None
    model = ap.TruncatedSVD(k, random_state=seed).fit(X, sample_weight=w)
    check(X, w, model.components_, model.singular_values_, model.certificate_, f"{words}, triangle")
    settings = {
        "width": min(k + 1, X.shape[1]),
        "steps": 1 + seed % 3,
        "tolerance": 1e-14,
        "seed": seed,
    }
    space = by_krylov(ArrayRows(X, None, w), k, **settings)
    known = space.certificate()
    check(X, w, space.vectors, space.values, known, f"{words}, krylov")
    return model.certificate_.holds and known.holds


def check(X, w, V, values, known, words):
    """The bounds of a certificate that holds, with A = diag(√w) X in units of its norm."""
    if not known.holds or known.norm == 0:
        return
    with localcontext(prec=60):
        unit, roots = Decimal(known.norm), [Decimal(1)] * len(X) if w is None else [decimal(v).sqrt() for v in exactly(w)]
        A = [[r * decimal(v) / unit for v in row] for r, row in zip(roots, exactly(X), strict=True)]
        V = [[Decimal(float(v)) for v in row] for row in V]
        coordinates = [[sum(a * b for a, b in zip(row, v, strict=True)) for v in V] for row in A]
        rest = [
            [a - sum(t * v[j] for t, v in zip(line, V, strict=True)) for j, a in enumerate(row)]
            for row, line in zip(A, coordinates, strict=True)
        ]
        norms = singular_values(rest)
        told = {
            name: Decimal(float(known.values[name])) / unit
            for name in ("frobenius", "spectral", "spectral_at_least", "residual")
        }
        left = sum(v * v for v in norms).sqrt()
        insist(left <= told["frobenius"], words, known, "left", left)
        insist(told["spectral_at_least"] <= norms[0] <= told["spectral"], words, known, "norm", norms[0])
        exact = singular_values(A)
        for value in values:
            nearest = min(abs(Decimal(float(value)) / unit - s) for s in exact)
            insist(nearest <= told["residual"], words, known, "value", value, "off by", nearest)


def singular_values(A):
    """The largest first, by the eigenvalues of AᵀA."""
    d = len(A[0])
    gram = [[sum(row[i] * row[j] for row in A) for j in range(d)] for i in range(d)]
    return sorted((max(v, Decimal(0)).sqrt() for v in eigenvalues(gram)), reverse=True)


# ---- random projections ----------------------------------------------------------------------------------------------


def random_projection(seed):
    """The smallest and the largest ratio of squared distances, exact from what is stored, are those that are told, and lie
    where it is said."""
    X, words = with_extremes(seed)
    cls = (ap.GaussianRandomProjection, ap.SparseRandomProjection)[seed % 2]
    retry = 1 + 4 * (seed % 3)
    model = cls(1 + seed % 5, eps=0.9, retry=retry, random_state=seed).fit(X)
    known = model.certificate_
    if known.holds:
        P = model.components_.toarray() if seed % 2 and model.density_ < 1 else model.components_
        rows, P = exactly(X), exactly(P)
        images = [[sum(p * u for p, u in zip(line, row, strict=True)) for line in P] for row in rows]
        pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
        before = [sum((a - b) ** 2 for a, b in zip(rows[i], rows[j], strict=True)) for i, j in pairs]
        after = [sum((a - b) ** 2 for a, b in zip(images[i], images[j], strict=True)) for i, j in pairs]
        ratios = [float(v / u) for u, v in zip(before, after, strict=True) if u > 0]
        insist(known.pairs == len(ratios), words, known)
        low, high = min(ratios, default=1.0), max(ratios, default=1.0)
        close = max(abs(known.lowest - low), abs(known.highest - high)) <= 1e-6 * (1.0 + high)
        insist(close, words, known, low, high)
        insist(retry == 1 or max(1.0 - low, high - 1.0) <= 0.9 + 1e-6, words, known, low, high)
    return known.holds
