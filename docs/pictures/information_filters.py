"""Which columns a ranking and four filters take, and when: a copy, a pair that only together tells, and noise."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import CMIM, DISR, JMI, MRMR
from aprendiz.plots.shared.style import PALETTE, tidy

NAMES = ["strong", "copy", "noise", "noise too", "xor a", "xor b"]
KINDS = [0, 1, 3, 3, 2, 2]
COLORS = [PALETTE[0], PALETTE[1], PALETTE[2], "#d8d8d8"]
WORDS = ["relevant", "a copy", "relevant together", "irrelevant"]


def table():
    """A column that tells of the class, its copy, noise, and a pair in an exclusive or, one of which says a little alone."""
    rng = np.random.default_rng(0)
    strong, a, b, noise, other = rng.integers(0, 2, (5, 2000))
    first = strong ^ (rng.random(2000) < 0.1)
    second = np.where(rng.random(2000) < 0.2, a, a ^ b)
    return np.column_stack([strong, 1 - strong, noise, other, a, b]), 2 * first + second


def draw(path):
    """Write the picture."""
    X, y = table()
    models = {"mRMR": MRMR(6), "JMI": JMI(6), "DISR": DISR(6), "CMIM": CMIM(6)}
    orders = {name: model.fit(X, y).order_ for name, model in models.items()}
    relevance = models["mRMR"].relevance_
    orders = {"ranking": np.argsort(-relevance.round(12), kind="stable"), **orders}
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.6, 3.6), width_ratios=(1, 1.7), layout="constrained")
    left.barh(range(len(NAMES)), relevance, color=[COLORS[k] for k in KINDS])
    left.invert_yaxis()
    tidy(left, x="I(x; y), nats", y="", title="what each column says alone")
    left.set_yticks(range(len(NAMES)), NAMES)
    for row, order in enumerate(orders.values()):
        for step, j in enumerate(order):
            right.add_patch(plt.Rectangle((step + 0.53, row - 0.42), 0.94, 0.84, color=COLORS[KINDS[j]]))
            right.text(step + 1, row, NAMES[j], ha="center", va="center", fontsize=9)
    right.set(xlim=(0.4, 6.6), ylim=(len(orders) - 0.4, -0.6))
    tidy(right, x="step", y="", title="the order in which the columns are taken")
    right.set_yticks(range(len(orders)), list(orders))
    right.grid(visible=False)
    for kind, word in enumerate(WORDS):
        right.scatter([], [], marker="s", s=60, color=COLORS[kind], label=word)
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
