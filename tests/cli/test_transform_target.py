"""`aprendiz run --transform-target`: what is told and kept, in both languages; wrong values."""

import json

import numpy as np
import pytest

from .calls import QUICK, call, written

ASKED = ("--target", "price", "--methods", "Ridge", "--folds", "3", "--out", "out")


@pytest.mark.parametrize(("speech", "words"), [("en", "logarithm"), ("es", "logaritmo")])
def test_auto(here, no_pictures, speech, words):
    rng = np.random.default_rng(0)
    a, noise = rng.normal(size=(2, 90))
    written("table.csv", {"a": a.round(4).tolist(), "price": np.exp(1 + a + 0.5 * noise).round(4).tolist()})
    said = call("run", "table.csv", "--transform-target", "auto", "--lang", speech, *ASKED)
    assert said.code == 0, said.err
    assert words in said.out
    assert json.loads((here / "out" / "results.json").read_text(encoding="utf-8"))["transform"]["used"] == "log"


def test_wrong_values(table, refused):
    refused("run", "table.csv", "--transform-target", "root", *QUICK, words=["--transform-target", "auto, log, boxcox or none"])
    refused("run", "table.csv", "--transform-target", "log", *QUICK, words=["Only numbers can be transformed", "'kind'"])
