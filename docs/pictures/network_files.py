"""The network asia as it was read from a file, with what is known of a patient."""

from io import StringIO

import matplotlib.pyplot as plt

from aprendiz import BayesianNetwork, read_bif, write_bif
from aprendiz.datasets import load


def draw(path):
    """Write the picture."""
    text = StringIO()
    write_bif(BayesianNetwork.from_tables(load("asia")), text)
    model = read_bif(StringIO(text.getvalue()))
    evidence = {"dysp": "yes", "xray": "yes"}
    shown = model.plot(evidence=evidence, posteriors=True)
    shown.figure_.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(shown.figure_)
