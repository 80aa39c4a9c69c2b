"""Readers of the classic tables: numbers as floats, words as words, None where a cell is missing."""

import csv
import re

import numpy as np
import pandas as pd


def read_arff(path):
    """A table in Weka's format. Columns of numbers are floats, with NaN where a cell is missing."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    lines = [line for line in lines if line and not line.startswith("%")]
    start = next(number for number, line in enumerate(lines) if line.lower() == "@data")
    found = [re.match(r"@attribute\s+('[^']*'|\S+)\s+(.*)", line, re.IGNORECASE) for line in lines[:start]]
    columns = [(match[1].strip("'"), match[2].lower()) for match in found if match]
    cells = list(csv.reader(lines[start + 1 :], quotechar="'", skipinitialspace=True))
    frame = pd.DataFrame(cells, columns=[name for name, _ in columns], dtype=object)
    frame = frame.where(frame != "?", None)
    numbers = [name for name, kind in columns if kind.startswith(("real", "numeric", "integer"))]
    return frame.astype(dict.fromkeys(numbers, float))


def read_words(path):
    """A table of words separated by commas, numbers too read as words."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False).astype(object)
    return frame.where(frame != "NA", None)


def without_class(frame, label):
    """Features, and the class of each row as words."""
    return frame.drop(columns=label), frame[label].to_numpy(str)


def kinds(frame):
    """Names of the columns of numbers, and of the others."""
    numbers = list(frame.select_dtypes(np.number).columns)
    return numbers, [name for name in frame.columns if name not in numbers]
