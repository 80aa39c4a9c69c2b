"""Networks to files in BIF, the interchange format of Bayesian networks."""

from __future__ import annotations

import gzip
import os
from io import BufferedIOBase, BytesIO, RawIOBase
from typing import IO, Any

from aprendiz.core.atomic import write_whole
from aprendiz.graphical.files.bif_writing import bif_lines


def write_bif(model: Any, file: str | os.PathLike[str] | IO[str], *, name: str = "unknown") -> None:
    """Write a fitted Bayesian network to a file in BIF. `read_bif` gives back the same names, levels and bits.

    Parameters
    ----------
    model : BayesianNetwork, or another model with a `network_`
    file : path or open text file
        A path that ends with .gz is compressed. The file is always whole: it replaces an older one at once.
    name : str, default="unknown"
        The name of the network in the file.
    """
    network = getattr(model, "network_", None)
    if network is None:
        raise TypeError(f"A model with tables is needed, got {type(model).__name__}: fit it, or give its tables (from_tables).")
    text = "".join(bif_lines(network, name))
    if not isinstance(file, (str, os.PathLike)):
        if not hasattr(file, "write") or isinstance(file, (RawIOBase, BufferedIOBase)):
            raise TypeError(f"A path or an open text file is needed, got {file!r}.")
        file.write(text)
        return
    content = text.encode()
    if os.fsdecode(file).endswith(".gz"):
        packed = BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as out:
            out.write(content)
        content = packed.getvalue()
    write_whole(file, content)
