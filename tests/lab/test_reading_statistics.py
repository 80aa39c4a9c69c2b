"""Files of Stata, SPSS and SAS: labels, declared missing values, dates; other readers see the same numbers."""

import datetime as dt
import gzip

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from aprendiz.lab import ReadingError, read

SURVEY = pd.DataFrame(
    {
        "sex": [1.0, 2, 1, 9, 2, 1],
        "often": [3.0, 1, 2, 3, np.nan, 1],
        "income": [10.5, 9999, 9998, 22.25, 30, np.nan],
        "age": [31.0, 44, 98, 52, 60, 71],
        "name": ["Ana", "", "Íñigo", "x", "Zoë", "Ana"],
        "seen": [dt.date(2024, 5, 1), None, dt.date(1890, 1, 1), *[dt.date(2020, 1, 1)] * 3],
        "hour": [dt.time(10, 30), None, *[dt.time(1)] * 4],
    }
)
LABELS = {
    "sex": {1: "male", 2: "female", 9: "refused"},
    "often": {1: "never", 2: "sometimes", 3: "always"},
    "income": {9999: "no answer"},
    "age": {98: "does not know"},
}


@pytest.fixture(params=["t.sav", "t.zsav"])
def survey(request, tmp_path):
    path = tmp_path / request.param
    missing = {"income": [{"lo": 9990, "hi": 9999}], "sex": [9], "name": ["x"]}
    pyreadstat.write_sav(
        SURVEY,
        path,
        compress=request.param == "t.zsav",
        column_labels={"often": "How often do you read?"},
        variable_value_labels=LABELS,
        missing_ranges=missing,
        variable_measure={"often": "ordinal", "sex": "nominal"},
    )
    return path


def test_spss(survey):
    """Labels in the order of their codes, ordered where the file says so; declared missing cells are counted."""
    table = read(survey)
    frame = table.frame
    assert frame["sex"].tolist()[:3] == ["male", "female", "male"]
    assert list(frame["sex"].cat.categories) == ["male", "female"]
    assert list(frame["often"].cat.categories) == ["never", "sometimes", "always"]
    assert (frame["often"].cat.ordered, frame["sex"].cat.ordered) == (True, False)
    assert frame["income"].tolist()[0] == 10.5
    assert frame.isna().sum().tolist() == [1, 1, 3, 0, 2, 1, 1]
    assert frame["seen"].iloc[2] == pd.Timestamp(1890, 1, 1)
    assert frame["hour"].iloc[0] == 10.5
    assert table.facts[1].label == "How often do you read?"
    assert "How often do you read?" in table.card()
    expected = {
        "column 'sex': 1 cell has a value that the file declares missing: 9 (refused)",
        "column 'income': 2 cells have values that the file declares missing: 9999 (no answer), 9998",
        "column 'name': 1 cell has a value that the file declares missing: x",
        "column 'age' has labels for a few of its values and stays a column of numbers: 98 (does not know)",
        "column 'hour' holds times; they were read as hours (10:30 is 10.5)",
    }
    assert expected <= set(table.notes)
    assert "How often do you read?" in table._repr_html_()


def test_later_files_and_types(survey, tmp_path):
    """Read the same way; codes instead of labels; a CSV file with the labels in it."""
    table = read(survey)
    pd.testing.assert_frame_equal(read(survey, like=table.dialect).frame, table.frame)
    assert read(survey, types={"sex": "number"}).frame["sex"].tolist()[:3] == [1, 2, 1]
    assert read(survey, types={"age": "text"}).frame["age"].tolist()[0] == "31"
    table.frame.to_csv(tmp_path / "t.csv", index=False)
    assert read(tmp_path / "t.csv", like=table.dialect).frame["sex"].tolist() == table.frame["sex"].tolist()
    with pytest.raises(ValueError, match=r"separator=…: SPSS files have no such option"):
        read(survey, separator=";")
    with pytest.raises(ReadingError, match=r"column 'name' holds 'Ana', expected: number"):
        read(survey, types={"name": "number"})


def test_stata(tmp_path):
    """Tagged missing values, labels; and what pandas' own reader says of the rest."""
    path = tmp_path / "t.dta"
    frame = pd.DataFrame({"a": [1.0, "a", 3.0, np.nan, "b"], "b": [1.5, 2.5, 3.5, 4.5, 5.5], "c": [1.0, 1, 2, 2, 1]})
    labels = {"a": {1: "one", 3: "three", "a": "refused"}, "c": {1: "same", 2: "same"}}
    pyreadstat.write_dta(frame, path, missing_user_values={"a": ["a", "b"]}, variable_value_labels=labels)
    table = read(path)
    assert table.frame["a"].isna().tolist() == [False, True, False, True, True]
    assert list(table.frame["a"].cat.categories) == ["one", "three"]
    assert "column 'a': 2 cells have values that the file declares missing: .a (refused), .b" in table.notes
    assert list(table.frame["c"].cat.categories) == ["same (1)", "same (2)"]
    pd.testing.assert_series_equal(table.frame["b"], pd.read_stata(path, convert_categoricals=False)["b"])


@pytest.mark.parametrize("version", [114, 117, 118, 119])
def test_what_pandas_writes(tmp_path, version):
    """Every version that it writes, with the dates of every period."""
    days = pd.to_datetime(["2024-05-01", "1959-11-01", "1960-01-01"])
    moments = pd.to_datetime(["2024-05-01 10:30:05", "1950-01-02 00:00:00", "1960-01-01 00:00:00"])
    frame = pd.DataFrame(
        {"n": [0.1, 1e300, np.nan], "word": ["Ana", "b", ""], "level": pd.Categorical(["lo", "hi", "lo"], ["lo", "hi"])}
    )
    periods = {"tm": days, "tq": days, "th": days, "tw": days, "td": days, "tc": moments}
    frame = frame.assign(**periods)
    path = tmp_path / "t.dta"
    frame.to_stata(path, write_index=False, version=version, convert_dates={name: name for name in periods})
    read_again = pd.read_stata(path)
    found = read(path).frame
    assert found["n"].tolist()[:2] == [0.1, 1e300]
    assert list(found["level"].cat.categories) == ["lo", "hi"]
    assert found["word"].isna().tolist() == [False, False, True]
    for name in periods:
        assert found[name].tolist() == read_again[name].tolist()


def test_sas_and_portable_files(tmp_path):
    """Numbers, words and dates; packed too."""
    plain = SURVEY[["sex", "income", "seen", "name"]].replace({"Íñigo": "Inigo", "Zoë": "Zoe"})  # .por is ASCII
    pyreadstat.write_xport(plain, tmp_path / "t.xpt", file_format_version=8)
    pyreadstat.write_por(plain, tmp_path / "t.por")
    (tmp_path / "t.gz").write_bytes(gzip.compress((tmp_path / "t.xpt").read_bytes()))
    for name, kind in (("t.xpt", "sas"), ("t.por", "spss"), ("t.gz", "sas")):
        table = read(tmp_path / name)
        assert table.dialect.kind == kind
        numbers, words = table.frame.iloc[:, 1], table.frame.iloc[:, 3]
        assert numbers.tolist()[:5] == SURVEY["income"].tolist()[:5]
        assert words.isna().tolist() == [False, True, False, False, False, False]
        assert table.frame.iloc[2, 2] == pd.Timestamp(1890, 1, 1)


@pytest.mark.parametrize("kind", ["dta", "sav", "por", "xpt"])
def test_damaged_files(tmp_path, kind):
    """Cut off anywhere: a sentence, or what is left of the rows."""
    path = tmp_path / f"t.{kind}"
    getattr(pyreadstat, {"xpt": "write_xport"}.get(kind, f"write_{kind}"))(SURVEY[["sex", "income"]].assign(name="x"), path)
    content = path.read_bytes().rstrip(b"Z\r\n")  # which fill the end of .por
    for share in (0.3, 0.6):
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(ReadingError, match=rf"t\.{kind} (is a damaged file of|holds no rows)"):
            read(path)
    bad = tmp_path / "t.sas"
    bad.write_bytes(bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c") + bytes(400))
    with pytest.raises(ReadingError, match=r"sas is a damaged file of SAS"):
        read(bad)
