"""Columns of dates in the laboratory: a part of the date that decides is found; the first date is that of the fit."""

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz import persistence
from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.lab import ask, prepared, read
from aprendiz.lab.columns import DateColumns
from aprendiz.lab.columns.dates import date_parts

SCHEMA = Columns((Column("when", "date", ("days", "year", "month", "weekday", "hour")), Column("x", "numeric")))


def moments(n, seed=0):
    rng = np.random.default_rng(seed)
    when = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 3 * 365 * 24, n), unit="h")
    return pd.DataFrame({"when": when, "x": rng.random(n)})


def table_in(tmp_path, frame, y):
    path = tmp_path / "table.csv"
    frame.assign(y=y).to_csv(path, index=False)
    return read(path)


def test_numbers_of_dates():
    """Each number is what Python's calendar says; missing dates are missing cells; other columns stay."""
    frame = moments(50)
    frame.loc[3, "when"] = pd.NaT
    found = DateColumns(SCHEMA).fit(frame[:40]).transform(frame)
    assert list(found.columns) == list(DateColumns(SCHEMA).get_feature_names_out())
    first = frame["when"][:40].min()
    for k, moment in enumerate(frame["when"]):
        if k == 3:
            assert found.drop(columns="x").iloc[k].isna().all()
            continue
        row = found.iloc[k]
        days = (moment.to_pydatetime() - first.to_pydatetime()).total_seconds() / 86400
        assert row["when: days"] == pytest.approx(days, rel=1e-9, abs=1e-9)
        assert tuple(row[["when: year", "when: month", "when: weekday", "when: hour"]]) == (
            moment.year,
            moment.month,
            moment.to_pydatetime().weekday(),
            moment.hour + moment.minute / 60,
        )
    np.testing.assert_array_equal(found["x"], frame["x"])
    for part, period in (("month", 12), ("weekday", 7), ("hour", 24)):
        sine, cosine = found[f"when: {part} (sine)"], found[f"when: {part} (cosine)"]
        np.testing.assert_allclose((sine**2 + cosine**2).dropna(), 1)
        turn = np.arctan2(sine, cosine) / (2 * np.pi) * period
        difference = (turn - found[f"when: {part}"]).dropna() % period
        start = float(part == "month")  # January is 1
        np.testing.assert_allclose((difference + start + 0.5) % period, 0.5, atol=1e-9)


def test_parts_that_vary():
    """Dates of one year have no year, dates without a time no hour."""
    days = pd.Series(pd.date_range("2024-01-01", periods=60))
    assert date_parts(days) == ("days", "month", "weekday")
    assert date_parts(pd.Series(pd.date_range("2024-01-01", periods=5, freq="h"))) == ("days", "hour")
    assert date_parts(pd.Series([pd.Timestamp("2024-01-01"), pd.NaT])) == ("days",)


PLANTED = {
    "month": lambda when: when.dt.month.isin([6, 7, 8]),
    "weekday": lambda when: when.dt.day_of_week >= 5,
    "hour": lambda when: when.dt.hour.isin([22, 23, 0, 1, 2]),
    "days": lambda when: when > pd.Timestamp("2020-05-01"),
}


@pytest.mark.parametrize("part", PLANTED)
@pytest.mark.parametrize("name", ["LogisticRegression", "DecisionTreeClassifier", "GaussianNB", "CategoricalNB"])
def test_a_planted_part_decides(part, name, tmp_path):
    """A class that depends on a part of the date is predicted far better than by its share."""
    frame = moments(600)
    y = np.where(PLANTED[part](frame["when"]), "yes", "no")
    table = table_in(tmp_path, frame, y)
    question = ask(table, target="y")
    assert question.features == ("when", "x")
    X, target, _ = question.data(table)
    model = prepared(getattr(aprendiz, name)(), X, columns=question.columns(table)).fit(X[:400], target[:400])
    share = max((target[400:] == label).mean() for label in ("yes", "no"))
    assert 1 - model.score(X[400:], target[400:]) < 0.6 * (1 - share)


def test_model_file(tmp_path):
    """A stored model has the first date of its fit, and takes dates as moments or as words."""
    frame = moments(200)
    y = 2.0 * (frame["when"] - frame["when"].min()).dt.days + frame["x"]
    model = prepared(aprendiz.LinearRegression(), frame, columns=SCHEMA).fit(frame, y)
    persistence.save(model, tmp_path / "model.apz")
    again, new = persistence.load(tmp_path / "model.apz"), moments(20, seed=1)
    np.testing.assert_array_equal(again.predict(new), model.predict(new))
    np.testing.assert_array_equal(again.predict(new.assign(when=new["when"].astype(str))), model.predict(new))


def test_the_first_date_is_that_of_the_fit():
    """Earlier dates among other rows count as negative days, and change nothing."""
    frame = moments(100).sort_values("when", ignore_index=True)
    model = DateColumns(SCHEMA).fit(frame[50:])
    assert model.transform(frame)["when: days"].iloc[50] == 0
    assert model.transform(frame)["when: days"].iloc[0] < 0
    empty = DateColumns(SCHEMA).fit(frame[:5].assign(when=pd.NaT))
    assert empty.transform(frame)["when: days"].isna().all()


def test_dates_in_three_formats(tmp_path):
    """A sentence with an example of each; two that can be read are read; words and codes are no dates."""
    path = tmp_path / "dates.csv"

    def of(cells):
        path.write_text("when;y\n" + "".join(f'"{cell}";{k}\n' for k, cell in enumerate(cells)), encoding="utf-8")
        return read(path)

    table = of(["2024-03-05", "25/12/2023", "5 Mar 2024", "March 7, 2024", "8 de enero de 2024"] * 4)
    note = next(note for note in table.notes if "dates that cannot be read" in note)
    assert all(repr(cell) in note for cell in ("2024-03-05", "25/12/2023", "5 Mar 2024", "March 7, 2024"))
    assert of(["2024-03-05", "25/12/2023"] * 4).facts[0].kind == "date"
    for cells in (["may", "june", "may be"], ["12-AB-2024", "1/2/3"], ["5 Mar 2024", "soon", "later"]):
        assert not any("dates" in note for note in of(cells * 3).notes)
