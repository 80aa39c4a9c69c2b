"""Certificates of networks of layers, against 60 digits: forward, backward and the loss in plain arithmetic."""

from decimal import Decimal, localcontext

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import hostile_target, hostile_weights, two_classes, with_extremes

D = Decimal
DIGITS = 60
HIDDEN = ((), (1,), (2,), (3,), (2, 2))
SIGMAS = ("identity", "logistic", "tanh", "relu", "softplus", "cos")
CORNER = D(10) ** 40  # of a slope that rounding decides: more than any certificate could be held to
TASKS = (
    "classes",
    "three classes",
    "labels",
    "squared_error",
    "squared_error",
    "several",
    "huber",
    "poisson",
    "absolute_error",
    "itself",
)


def layers(seed):
    """The largest entry of the gradient is as large as said, and the objective is at most that of the means."""
    X, words = with_extremes(seed, largest=6)
    rng = np.random.default_rng([seed, 7])
    task, hidden = str(rng.choice(TASKS)), HIDDEN[rng.integers(len(HIDDEN))]
    sigmas = [str(rng.choice(SIGMAS)) for _ in hidden]
    temperatures = [float(rng.choice([1.0, 1.0, 0.25, 3.0])) for _ in hidden]
    y, w = target_of(task, seed, X), hostile_weights(seed, len(X))
    if rng.random() < 0.5:  # what a network is made for; the others are as hostile as they come
        spread = X.std(axis=0)
        X, words = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0), f"standardised {words}"
    settings = {
        "solver": str(rng.choice(["lbfgs", "lbfgs", "adam", "sgd"])),
        "alpha": float(rng.choice([0.0, 1e-4, 1.0])),
        "tol": float(rng.choice([1e-4, 1e-2])),
        "learning_rate_init": float(rng.choice([1e-3, 0.1])),
        "max_iter": 200,
        "n_iter_no_change": 2,
        "random_state": seed,
    }
    X = X.astype(np.float32) if rng.random() < 0.3 else X
    shape = {"hidden_layer_sizes": hidden, "activation": sigmas, "temperature": temperatures}
    loss = "softmax" if task == "three classes" else "logistic" if task in ("classes", "labels") else task
    if loss in ("softmax", "logistic"):
        model = ap.MLPClassifier(**shape, **settings).fit(X, y, w)
    elif task == "itself":
        loss, y = "squared_error", X
        shape |= {} if hidden else {"hidden_layer_sizes": (1,), "activation": "tanh", "temperature": 1.0}
        sigmas, temperatures = (sigmas, temperatures) if hidden else (["tanh"], [1.0])
        model = ap.Autoencoder(**shape, **settings).fit(X, sample_weight=w)
    else:
        loss = "squared_error" if task == "several" else task
        model = ap.MLPRegressor(loss, **shape, **settings).fit(X, y, w)
    if model.certificate_.holds:
        check(model, (X, y, w), (sigmas, temperatures, loss, settings["alpha"]), f"{task} {hidden} {sigmas} {words}")
    return model.certificate_.holds


def target_of(task, seed, X):
    """Codes of classes, zeros and ones, or numbers."""
    y = hostile_target(seed, X)
    if task == "classes":
        return two_classes(seed, X)
    if task == "three classes":
        return np.r_[0, 1, 2, np.arange(3, len(X)) * 7 % 3][: len(X)]
    if task == "labels":
        return np.c_[two_classes(seed, X), np.arange(len(X)) % 2]
    if task == "several":
        return np.c_[y, -y[::-1]]
    return np.round(np.abs(y)) if task == "poisson" else y


def check(model, data, kind, words):
    """F, the means and ∂F/∂θ with 60 digits, beside what the certificate says, to the rounding of the numbers on the way."""
    known = model.certificate_
    with localcontext() as context:
        context.prec = DIGITS
        F, size, gradient, terms, constant = exact_objective(model, data, kind)
    eps = D(float(np.finfo(model.coefs_[0].dtype).eps))
    insist(abs(F - D(known.objective)) <= 1000 * eps * size, words, known, "objective", F, size)
    insist(
        constant * D("1.000000002") + D("1e-12") + 1000 * eps * size >= F, words, known, "no better than the means", F, constant
    )
    largest, rounding = max(map(abs, gradient)), 1000 * eps * max(terms)
    insist(abs(largest - D(known.gradient_norm)) <= rounding, words, known, "gradient", largest, rounding)


def exact_objective(model, data, kind):
    """F, the size of its terms, its gradient, the sizes of theirs, and F of the means."""
    sigmas, temperatures, loss, alpha = kind
    X, y, w = data
    weights = [[[D(float(v)) for v in row] for row in W] for W in model.coefs_]
    biases = [[D(float(v)) for v in b] for b in model.intercepts_]
    omega = [D(1)] * len(X) if w is None else [D(float(v)) for v in w]
    targets = [indicators(row, loss, model.n_outputs_) for row in y]
    total, F, size = sum(omega), D(0), D(0)
    slopes = [[[(D(0), D(0)) for _ in row] for row in W] for W in weights]
    shifts = [[(D(0), D(0)) for _ in b] for b in biases]
    for x, t, v in zip(X, targets, omega, strict=True):
        passed = forward([D(float(cell)) for cell in x], weights, biases, sigmas, temperatures)
        lost, reach, delta = loss_of(passed[-1], t, loss)
        F, size = F + v * lost / total, size + v * reach / total
        share = v / total
        backward(passed, [(share * d, share * s) for d, s in delta], weights, temperatures, slopes, shifts)
    squares = sum(v * v for W in weights for row in W for v in row)
    penalty = D(alpha) / total
    gradient = [
        g + penalty * v
        for W, S in zip(weights, slopes, strict=True)
        for row, line in zip(W, S, strict=True)
        for v, (g, _) in zip(row, line, strict=True)
    ]
    terms = [
        s + penalty * abs(v)
        for W, S in zip(weights, slopes, strict=True)
        for row, line in zip(W, S, strict=True)
        for v, (_, s) in zip(row, line, strict=True)
    ]
    gradient += [g for b in shifts for g, _ in b]
    terms += [s for b in shifts for _, s in b]
    F, size = F + penalty * squares / 2, size + penalty * squares / 2
    return F, size, gradient, terms, objective_of_means(targets, omega, loss)


def indicators(row, loss, outputs):
    """The target of a row for each output."""
    if loss == "softmax":
        return [D(int(row == k)) for k in range(outputs)]
    return [D(float(v)) for v in np.ravel(row)]


def objective_of_means(targets, omega, loss):
    """The loss of the same outputs for each row: the means, on the scale of the outputs."""
    total = sum(omega)
    means = [sum(v * t[k] for t, v in zip(targets, omega, strict=True)) / total for k in range(len(targets[0]))]
    if loss in ("softmax", "logistic"):
        shares = means if loss == "softmax" else [*means, *(1 - p for p in means)]
        return -sum(p * p.ln() for p in shares if p > 0)
    outputs = [m.ln() if m > 0 else D(-700) for m in means] if loss == "poisson" else means
    row = [(o, D(0)) for o in outputs]
    return sum(v * loss_of((row, None, None), t, loss)[0] for t, v in zip(targets, omega, strict=True)) / total


# ---- a network in plain arithmetic: every number beside the size of the terms it is a sum of -----------------------------


def forward(x, weights, biases, sigmas, temperatures):
    """Of each layer: outputs with sizes, the slopes of its neurons, and what came in."""
    below = [(v, abs(v)) for v in x]
    passed = [(below, None, None)]
    for layer, (W, b) in enumerate(zip(weights, biases, strict=True)):
        sums = []
        for j, shift in enumerate(b):
            value = shift + sum(h * W[i][j] for i, (h, _) in enumerate(below))
            reach = abs(shift) + sum(s * abs(W[i][j]) for i, (_, s) in enumerate(below))
            sums.append((value, reach))
        if layer == len(sigmas):
            passed.append((sums, None, None))
            break
        t = D(temperatures[layer])
        found = [activation(sigmas[layer], z / t) for z, _ in sums]
        below = [(h, abs(h) + abs(slope) * s / t) for (h, slope), (_, s) in zip(found, sums, strict=True)]
        corners = [CORNER if sigmas[layer] == "relu" and abs(z) <= s * D("1e-6") else s / t for z, s in sums]
        passed.append((below, [slope / t for _, slope in found], corners))
    return passed


def backward(passed, delta, weights, temperatures, slopes, shifts):
    """∂/∂θ of one row, added to what is there."""
    for layer in range(len(weights) - 1, -1, -1):
        below = passed[layer][0]
        for j, (d, s) in enumerate(delta):
            shifts[layer][j] = add(shifts[layer][j], d, s)
            for i, (h, reach) in enumerate(below):
                slopes[layer][i][j] = add(slopes[layer][i][j], h * d, reach * s)
        if layer:
            factors, reaches = passed[layer][1:]
            back = []
            for i, row in enumerate(weights[layer]):
                d = sum(W * d for W, (d, _) in zip(row, delta, strict=True)) * factors[i]
                s = sum(abs(W) * s for W, (_, s) in zip(row, delta, strict=True)) * (abs(factors[i]) + reaches[i])
                back.append((d, s))
            delta = back


def add(pair, value, size):
    return pair[0] + value, pair[1] + size


def activation(name, z):
    """σ(z) and σ'(z)."""
    if name == "identity":
        return z, D(1)
    if name == "relu":
        return max(z, D(0)), D(int(z > 0))
    if name == "cos":
        return cosine(z), -cosine(z - half_pi())
    small = (-abs(z)).exp()  # e^−|z|
    if name == "tanh":
        h = (1 - small**2) / (1 + small**2) * (1 if z >= 0 else -1)
        return h, 1 - h * h
    o = 1 / (1 + small) if z >= 0 else small / (1 + small)
    return (o, o * (1 - o)) if name == "logistic" else (max(z, D(0)) + (1 + small).ln(), o)


def loss_of(outputs, target, loss):
    """The loss, the size of its terms, and ∂loss/∂o with sizes."""
    outputs = outputs[0]
    if loss == "softmax":
        highest = max(o for o, _ in outputs)
        powers = [(o - highest).exp() for o, _ in outputs]
        total, reach = sum(powers), max(s for _, s in outputs)
        own = sum(o * t for (o, _), t in zip(outputs, target, strict=True))
        delta = [p / total - t for p, t in zip(powers, target, strict=True)]
        return total.ln() + highest - own, 1 + reach, [(d, abs(d) + reach) for d in delta]
    lost, size, delta = D(0), D(0), []
    for (o, s), t in zip(outputs, target, strict=True):
        one, reach, d, moved = loss_of_number(o, s, t, loss)
        lost, size = lost + one, size + reach
        delta.append((d, moved))
    return lost, size, delta


def loss_of_number(o, s, y, loss):
    """The loss of one output, what rounding of the output can do to it, its slope, and the same of that."""
    if loss == "logistic":
        small = (-abs(o)).exp()
        p = 1 / (1 + small) if o >= 0 else small / (1 + small)
        return max(o, D(0)) - o * y + (1 + small).ln(), 1 + s, p - y, 1 + s
    if loss == "poisson":
        mean = o.exp()
        own = y * y.ln() - y * o - y if y > 0 else D(0)
        return own + mean, y * (1 + abs(o) + s) + mean * (1 + s), mean - y, y + mean * (1 + s)
    r, reach = o - y, s + abs(y)
    if loss == "squared_error" or (loss == "huber" and abs(r) <= 1):
        return r * r / 2, (abs(r) + reach * D("1e-7")) * reach, r, reach
    sign = D(int(r > 0) - int(r < 0))
    return abs(r) - (D("0.5") if loss == "huber" else 0), reach, sign, CORNER if abs(r) <= reach * D("1e-6") else 1 + reach


def half_pi():
    """π/2, by Machin's sum of arctangents."""
    return 2 * (4 * arctangent_of_one_over(5) - arctangent_of_one_over(239))


def arctangent_of_one_over(n):
    term, total, k = D(1) / n, D(0), 1
    while abs(term) > D(10) ** (-DIGITS - 30):
        total, term, k = total + (term / k if k % 4 == 1 else -term / k), term / (n * n), k + 2
    return total


def cosine(z):
    """By its series, after whole turns have been taken away."""
    with localcontext() as context:
        context.prec = DIGITS + max(0, z.adjusted()) + 30
        z = z % (4 * half_pi())
        term, total, k = D(1), D(1), 0
        while abs(term) > D(10) ** (-DIGITS):
            k += 2
            term = -term * z * z / (k * (k - 1))
            total += term
    return +total
