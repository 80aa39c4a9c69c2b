"""The posteriors of asia: of somebody short of breath, and after the X-ray that explains it."""

import matplotlib.pyplot as plt
from PIL import Image

from aprendiz import BayesianNetwork
from aprendiz.datasets import load
from aprendiz.plots.shared.style import INK


def draw(path):
    """Write the picture."""
    asia = BayesianNetwork.from_tables(load("asia"))
    figure, axes = plt.subplots(1, 2, figsize=(10.5, 5.2), layout="constrained")
    for ax, evidence in zip(axes, ({"dysp": "yes"}, {"dysp": "yes", "xray": "yes"}), strict=True):
        asia.plot(ax, evidence=evidence, posteriors=True)
        ax.set_title("given " + ", ".join(f"{name} = {level}" for name, level in evidence.items()), fontsize=10, color=INK)
    figure.savefig(path, dpi=90)
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
