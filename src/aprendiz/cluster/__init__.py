"""Groups of rows."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    kmeans=["KMeans"],
)
