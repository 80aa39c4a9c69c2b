"""`aprendiz predict --coverage`: ends and sets that are written, what is told, wrong values."""

import numpy as np
import pandas as pd
import pytest

import aprendiz as library

from .calls import call, cells_of, columns_of, written

NEW = columns_of(rows=30, seed=1)


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    """A model of a number."""
    home = tmp_path_factory.mktemp("numbers")
    rng = np.random.default_rng(0)
    a, noise = rng.normal(size=(2, 80)).round(3)
    pd.DataFrame({"a": a, "price": (5 * a + noise).round(3)}).to_csv(home / "table.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aprendiz.lab.report.folder.maps_of_rows", lambda outcome: (None, None))
        patch.setattr("aprendiz.lab.report.folder.pictures", lambda outcome, plane, of_rows: {})
        patch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", -1.0)
        said = call("run", home / "table.csv", "--target", "price", "--methods", "Ridge", "--folds", "4", "--out", home / "out")
    assert said.code == 0, said.err
    return home


def test_sets(model):
    """The set of each row beside its probabilities, and the coverage where the classes are known."""
    written("new.csv", NEW)
    said = call("predict", "model.apz", "new.csv", "--coverage", "0.8", "-o", "out.csv")
    assert said.code == 0, said.err
    found = dict(cells_of("out.csv"))
    sets = library.load("model.apz").predict_set("new.csv", 0.8)
    expected = [" | ".join(name for name, inside in zip(["big", "small"], row, strict=True) if inside) for row in sets]
    assert found["set_kind"] == expected
    share = np.mean([kind in cell.split(" | ") for kind, cell in zip(NEW["kind"], expected, strict=True)])
    assert f"coverage {100 * share:.1f} %" in said.err


def test_intervals(numbers):
    """low and high around the prediction; in Spanish, too."""
    written("new.csv", {"a": [0.1, 0.2, -1.0], "price": [0.5, 1.0, 400]})
    said = call("predict", numbers / "out" / "model.apz", "new.csv", "--coverage", "0.9", "-o", "out.csv", "--lang", "es")
    assert said.code == 0, said.err
    found = dict(cells_of("out.csv"))
    low, said_price, high = (np.array(found[name], dtype=float) for name in ("low_price", "predicted_price", "high_price"))
    np.testing.assert_allclose(high - said_price, said_price - low, rtol=1e-9)
    assert "cobertura 66,7 %" in said.err


def test_too_few_rows_for_a_coverage(numbers):
    """Infinite ends, with a sentence."""
    written("new.csv", {"a": [0.1, 0.2, -1.0]})
    said = call("predict", numbers / "out" / "model.apz", "new.csv", "--coverage", "0.999", "-o", "out.csv")
    assert said.code == 0
    assert dict(cells_of("out.csv"))["low_price"] == ["-inf"] * 3
    assert "80 calibration rows are too few for a coverage of 0.999" in said.err


@pytest.mark.parametrize("value", ["90", "0", "1", "-0.5", "much", "nan"])
def test_wrong_values(refused, model, value):
    written("new.csv", NEW)
    refused("predict", "model.apz", "new.csv", "--coverage", value, words=["--coverage", "between 0 and 1, such as 0.9"])
