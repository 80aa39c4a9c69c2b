"""`aprendiz run --costs --reject` and what `predict` then says; wrong files and values, in both languages."""

import json

import pytest

from .calls import QUICK, call, cells_of, columns_of, written


@pytest.mark.parametrize("speech", ["en", "es"])
def test_costs_from_the_run_to_the_predictions(table, here, no_pictures, speech):
    """The costs stand in the introduction, in the numbers and in the model."""
    (here / "costs.csv").write_text("true,big,small\nbig,0,1\nsmall,8,0\n", encoding="utf-8")
    said = call("run", "table.csv", "--costs", "costs.csv", "--reject", "0.3", "--out", "out", "--lang", speech, *QUICK)
    assert said.code == 0, said.err
    assert {"en": "8 for 'big' where 'small' is true", "es": "8 por 'big' cuando lo cierto es 'small'"}[speech] in said.out
    numbers = json.loads((here / "out" / "results.json").read_text(encoding="utf-8"))
    assert numbers["question"]["metric"] == "mean_cost"
    assert numbers["decisions"]["costs"] == [[0, 1], [8, 0]]
    written("new.csv", columns_of(rows=30, seed=1))
    said = call("predict", "out/model.apz", "new.csv", "-o", "new-out.csv", "--lang", speech)
    assert said.code == 0, said.err
    found = dict(cells_of("new-out.csv"))["predicted_kind"]
    count = sum(cell == "reject" for cell in found)
    assert {"en": f"{count} rows were rejected", "es": f"se rechazaron {count} filas"}[speech] in said.err


def test_wrong_costs(table, here, refused):
    (here / "costs.csv").write_text("true,big,tiny\nbig,0,1\ntiny,8,0\n", encoding="utf-8")
    refused("run", "table.csv", "--costs", "costs.csv", *QUICK, words=["name class 'tiny'", "it has 'big', 'small'"])
    refused("run", "table.csv", "--costs", "no.csv", *QUICK, words=["There is no file of costs no.csv"])
    refused("run", "table.csv", "--reject", "-1", *QUICK, words=["--reject", "must be a cost above 0"])
    refused("run", "table.csv", "--target", "size", "--reject", "1", "--methods", "Ridge", words=["'size' is a number"])
