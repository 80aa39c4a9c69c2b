"""Dimensionality reduction: projections of the columns."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(__name__, pca=["PCA"])
