"""Text in arrow's form as codes: each cell the number of its word, words in the order of their first cells.

A column of a table has few words. A word of up to 16 bytes is known by its length, its first eight bytes and its last eight,
which are read as two whole numbers and looked up in a small table of hashes; longer words are compared byte by byte, too.

Cost: O(cells), some cycles for each; arrow's own dictionary, which takes any number of words, takes several times as long.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

MOST_WORDS = 256
SLOT_BITS = 10  # of the table of hashes


def few_words(cells: Any) -> tuple[Array, list[str]] | None:
    """The codes of a column of text, and its words; None where a cell is missing, where there are many words, and on machines
    that have the first byte of a number last."""
    kind = {"string": np.int32, "large_string": np.int64}.get(str(cells.type))
    if kind is None or cells.null_count or sys.byteorder != "little":
        return None
    _, numbers, text = cells.buffers()
    starts = np.frombuffer(numbers, kind)[cells.offset : cells.offset + len(cells) + 1].astype(np.int64, copy=False)
    data = np.frombuffer(b"" if text is None else text, np.uint8)
    eight = np.ndarray(max(0, len(data) - 7), np.uint64, data, 0, (1,))  # the eight bytes from each byte on
    codes, first = np.empty(len(cells), np.int32), np.empty(MOST_WORDS, np.int64)
    words = code_words(data, eight, starts, codes, first)
    return None if words < 0 else (codes, cells.take(first[:words]).to_pylist())


@compiled
def code_words(data: Array, eight: Array, starts: Array, codes: Array, first: Array) -> int:
    """The code of each cell, of which cell i has the bytes from starts[i] to starts[i + 1], and the first cell of each word.
    Returns the number of words, −1 if they are more than `first` holds."""
    slots = np.full(1 << SLOT_BITS, -1, np.int32)
    heads, tails = np.empty(len(first), np.uint64), np.empty(len(first), np.uint64)
    words = int64(0)
    for i in range(len(codes)):
        begin, end = starts[i], starts[i + 1]
        length = end - begin
        head, tail = np.uint64(0), np.uint64(length)
        if length >= 8:
            head, tail = eight[begin], eight[end - 8]
        elif begin < len(eight):
            head = eight[begin] & ((np.uint64(1) << np.uint64(8 * length)) - np.uint64(1))
        else:
            for k in range(length):
                head |= np.uint64(data[begin + k]) << np.uint64(8 * k)
        hashed = (head ^ (tail * np.uint64(0xD6E8FEB86659FD93))) * np.uint64(0x9E3779B97F4A7C15)
        slot = int64(hashed >> np.uint64(64 - SLOT_BITS))
        while slots[slot] >= 0:
            word = slots[slot]
            other = starts[first[word]]
            if starts[first[word] + 1] - other == length and heads[word] == head and tails[word] == tail:
                k = int64(8)
                while k < length - 8 and data[other + k] == data[begin + k]:
                    k += 1
                if k >= length - 8:
                    break
            slot = (slot + 1) & ((1 << SLOT_BITS) - 1)
        if slots[slot] < 0:
            if words == len(first):
                return -1
            slots[slot], first[words], heads[words], tails[words] = words, i, head, tail
            words += 1
        codes[i] = slots[slot]
    return words
