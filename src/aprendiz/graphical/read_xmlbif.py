"""Networks from files in XMLBIF, the interchange format in XML.

Cost: time and memory proportional to the file.
"""

from __future__ import annotations

import os
from typing import IO, Any

from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.files.source_text import read_text
from aprendiz.graphical.files.xmlbif_text import read_xmlbif_text


def read_xmlbif(file: str | os.PathLike[str] | IO[Any]) -> BayesianNetwork:
    """Read a Bayesian network from a file in XMLBIF (plain or gzip).

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
    >>> text = '''<BIF VERSION="0.3"><NETWORK><NAME>small</NAME>
    ... <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
    ... <DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>
    ... </NETWORK></BIF>'''
    >>> read_xmlbif(StringIO(text)).network_.levels
    (('no', 'yes'),)
    """
    tables, parents, levels = read_xmlbif_text(*read_text(file)).parts()
    return BayesianNetwork.from_tables(tables, parents=parents, levels=levels)
