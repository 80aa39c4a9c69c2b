"""Seven nodes with an observed one, the student with its tables and with posteriors, and the class of the student."""

import matplotlib.pyplot as plt
from PIL import Image

from aprendiz import BayesianNetwork, cpdag
from aprendiz.datasets import load
from aprendiz.plots import NetworkDisplay
from aprendiz.plots.shared.style import INK


def draw(path):
    """Write the picture."""
    student = BayesianNetwork.from_tables(load("student"))
    figure, axes = plt.subplots(1, 4, figsize=(12.5, 4.6), layout="constrained", width_ratios=[0.45, 1.0, 1.2, 0.45])
    NetworkDisplay(load("dsep_seven"), evidence={"x6": "1"}).plot(axes[0])
    student.plot(axes[1], tables=True)
    student.plot(axes[2], evidence={"Letter": "l0"}, posteriors=True)
    cpdag(student).plot(axes[3])
    for ax, words in zip(axes, ["x6 is observed", "tables", "given a weak letter", "what rows can tell"], strict=True):
        ax.set_title(words, fontsize=10, color=INK)
    figure.savefig(path, dpi=90)
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
