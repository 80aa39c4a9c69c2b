"""Networks from files of HUGIN (.net).

Cost: time and memory proportional to the file.
"""

from __future__ import annotations

import os
from typing import IO, Any

from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.files.net_text import read_net_text
from aprendiz.graphical.files.source_text import read_text


def read_net(file: str | os.PathLike[str] | IO[Any]) -> BayesianNetwork:
    """Read a Bayesian network from a file of HUGIN (.net, plain or gzip).

    Parameters
    ----------
    file : path or open file

    Returns
    -------
    BayesianNetwork
        With the tables of the file; see `read_bif`.

    Examples
    --------
    >>> from io import StringIO
    >>> text = '''
    ... net { }
    ... node rain { states = ("no" "yes"); }
    ... node wet { states = ("no" "yes"); }
    ... potential (rain) { data = (0.8 0.2); }
    ... potential (wet | rain) { data = ((0.9 0.1) (0.25 0.75)); }
    ... '''
    >>> read_net(StringIO(text)).topological_order()
    ['rain', 'wet']
    """
    tables, parents, levels = read_net_text(*read_text(file)).parts()
    return BayesianNetwork.from_tables(tables, parents=parents, levels=levels)
