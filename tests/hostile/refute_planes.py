"""Certificates of linear support vector machines, against 60 digits."""

from decimal import Decimal, localcontext

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import hostile_target, hostile_weights, two_classes, with_extremes

EPOCHS = 200
NO_END = Decimal("Infinity")


def linear_classes(seed):
    """No plane that coordinate descent or Newton's method finds in 60 digits has an F lower by more than gap and rounding."""
    X, words = with_extremes(seed, largest=9)
    y, w, rng = two_classes(seed, X), hostile_weights(seed, len(X)), np.random.default_rng([seed, 9])
    loss, C = str(rng.choice(["hinge", "squared_hinge"])), float(10.0 ** rng.integers(-2, 3))
    penalty = "l1" if loss == "squared_hinge" and rng.random() < 0.3 else "l2"
    model = ap.LinearSVC(penalty, loss, C=C, fit_intercept=bool(rng.random() < 0.8)).fit(X, y, w)
    ends = [(Decimal(1), NO_END) if k == 1 else (-NO_END, Decimal(-1)) for k in y]
    return check(model, X, w, ends, (C, loss == "squared_hinge", penalty == "l1"), f"{penalty} {loss} {words}")


def linear_numbers(seed):
    """The same for tubes."""
    X, words = with_extremes(seed, largest=9)
    y, w, rng = hostile_target(seed, X), hostile_weights(seed, len(X)), np.random.default_rng([seed, 9])
    loss, C = str(rng.choice(["epsilon_insensitive", "squared_epsilon_insensitive"])), float(10.0 ** rng.integers(-2, 3))
    epsilon = float(rng.choice([0.0, 0.1, 1.0]) * np.abs(y).mean())
    model = ap.LinearSVR(epsilon=epsilon, loss=loss, C=C, fit_intercept=bool(rng.random() < 0.8)).fit(X, y, w)
    ends = [(Decimal(v) - Decimal(epsilon), Decimal(v) + Decimal(epsilon)) for v in y.tolist()]
    return check(model, X, w, ends, (C, loss.startswith("squared"), False), f"{loss} {words}")


def check(model, X, w, ends, settings, words):
    """F at the stored plane is what is said, up to rounding, and no plane that is found lies further below."""
    certificate, (C, squared, absolute) = model.certificate_, settings
    if not certificate.holds:
        return False
    with localcontext(prec=60):
        last = Decimal(1 if model.fit_intercept else 0)
        rows = [[*map(Decimal, row), last] for row in np.asarray(X, float).tolist()]
        c = [Decimal(C) * Decimal(v) for v in (np.ones(len(X)) if w is None else w).tolist()]
        theta = [*map(Decimal, np.ravel(model.coef_).tolist()), Decimal(float(np.ravel(model.intercept_)[0]))]

        def F(theta):
            size = sum(map(abs, theta)) if absolute else sum(v * v for v in theta) / 2
            return size + sum(
                v * distance(product(theta, z), e) ** (1 + squared) for v, z, e in zip(c, rows, ends, strict=True)
            )

        here = F(theta)
        allowed = (Decimal(certificate.gap) + Decimal(certificate.rounding)) * here
        insist(
            abs(here - Decimal(certificate.objective)) <= Decimal(certificate.rounding) * here, words, "F is", here, certificate
        )
        others = along_rows(rows, c, ends, squared) if not absolute else along_columns(rows, c, ends, theta)
        for other in others:
            insist(here - F(other) <= allowed, words, certificate, "lower:", float(F(other)))
    return True


def product(theta, z):
    return sum(p * q for p, q in zip(theta, z, strict=True))


def distance(t, end):
    return max(end[0] - t, t - end[1], Decimal(0))


def along_rows(rows, c, ends, squared):
    """Planes of coordinate descent on the dual, epoch after epoch."""
    theta, alpha = [Decimal(0)] * len(rows[0]), [Decimal(0)] * len(rows)
    for epoch in range(EPOCHS):
        for i, z in enumerate(rows):
            Q = product(z, z)
            q = Q + (1 / (2 * c[i]) if squared and c[i] else 0)
            if c[i] == 0 or q == 0:
                continue
            u = Q * alpha[i] - product(theta, z)
            new = max(u + ends[i][0], Decimal(0)) / q + min(u + ends[i][1], Decimal(0)) / q
            new = new if squared else max(min(new, c[i]), -c[i])
            theta = [p + (new - alpha[i]) * v for p, v in zip(theta, z, strict=True)]
            alpha[i] = new
        if epoch % 50 == 49:
            yield theta


def along_columns(rows, c, ends, theta):
    """Planes of coordinate descent on the columns, from the stored plane: each model of a column is minimised, as a whole step
    and as a tenth of it."""
    for _ in range(5):
        for j in range(len(theta)):
            t = [product(theta, z) for z in rows]
            gamma = [max(e[0] - v, Decimal(0)) + min(e[1] - v, Decimal(0)) for v, e in zip(t, ends, strict=True)]
            slope = -2 * sum(a * g * z[j] for a, g, z in zip(c, gamma, rows, strict=True))
            curve = 2 * sum(a * z[j] ** 2 for a, g, z in zip(c, gamma, rows, strict=True) if g != 0)
            if curve == 0:
                continue
            best = curve * theta[j] - slope
            best = (abs(best) - 1 if abs(best) > 1 else Decimal(0)).copy_sign(best) / curve
            for share in (Decimal(1), Decimal("0.1")):
                other = [*theta]
                other[j] += share * (best - theta[j])
                yield other
            theta = other
