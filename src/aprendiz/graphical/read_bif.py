"""Networks from files in BIF, the interchange format of Bayesian networks.

Cost: time and memory proportional to the file.
"""

from __future__ import annotations

import os
from typing import IO, Any

from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.files.bif_text import read_bif_text
from aprendiz.graphical.files.source_text import read_text


def read_bif(file: str | os.PathLike[str] | IO[Any]) -> BayesianNetwork:
    """Read a Bayesian network from a file in BIF (versions 0.1 to 0.3, plain or gzip).

    Parameters
    ----------
    file : path or open file

    Returns
    -------
    BayesianNetwork
        With the tables of the file. Names and levels are words. A row of k probabilities may miss the sum of one by k·1e-6,
        as files round them; it is then divided by its sum.

    Examples
    --------
    >>> from io import StringIO
    >>> text = '''
    ... variable rain { type discrete [ 2 ] { no, yes }; }
    ... variable wet { type discrete [ 2 ] { no, yes }; }
    ... probability ( rain ) { table 0.8, 0.2; }
    ... probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.25, 0.75; }
    ... '''
    >>> network = read_bif(StringIO(text))
    >>> network.topological_order()
    ['rain', 'wet']
    """
    tables, parents, levels = read_bif_text(*read_text(file)).parts()
    return BayesianNetwork.from_tables(tables, parents=parents, levels=levels)
