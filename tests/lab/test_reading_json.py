"""JSON: lines of records, lists of records; what is wrong is named with its line."""

import gzip
import json

import pandas as pd
import pytest

from aprendiz.lab import ReadingError, read

RECORDS = [
    {"id": f"r{i}", "n": i / 7, "ok": i % 2 == 0, "zip": f"0{i}80", "home": {"city": "Ávila", "at": {"x": i}}}
    | {"marks": [i, "a"]}
    for i in range(9)
]
FORMS = {
    "lines": "\n".join(json.dumps(one) for one in RECORDS) + "\n",
    "list": json.dumps(RECORDS),
    "indented list": json.dumps(RECORDS, indent=2, ensure_ascii=False),
    "indented objects": "\n".join(json.dumps(one, indent=1) for one in RECORDS),
    "lines with gaps": "\n\n" + "\r\n \r\n".join(json.dumps(one) for one in RECORDS),
}


@pytest.fixture
def file(tmp_path):
    def write(content, name="t.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("form", FORMS)
def test_records(file, form):
    """The same table from any form: objects inside give columns, lists are their JSON text."""
    table = read(file(FORMS[form]))
    assert list(table.frame) == ["id", "n", "ok", "zip", "home.city", "home.at.x", "marks"]
    assert table.frame["n"].tolist() == [i / 7 for i in range(9)]
    assert table.frame["ok"].tolist() == [i % 2 == 0 for i in range(9)]
    assert table.frame["zip"].iloc[3] == "0380"
    assert table.frame["home.city"].tolist() == ["Ávila"] * 9
    assert table.frame["marks"].iloc[2] == '[2, "a"]'
    assert table.dialect.kind == "json"
    pd.testing.assert_frame_equal(read(file(gzip.compress(FORMS[form].encode())), like=table.dialect).frame, table.frame)


def test_columns_that_only_later_records_have(file):
    table = read(file('{"a": 1}\n{"a": null, "b": "x"}\n{"c": 2.5}\n'))
    assert list(table.frame) == ["a", "b", "c"]
    assert table.frame.isna().to_numpy().tolist() == [[False, True, True], [True, False, True], [True, True, False]]


def test_numbers(file):
    """With all digits; those that a double would change stay text; NaN is missing; numbers in quotes are told."""
    table = read(file('{"a": 12345678901234567890, "b": 1e-3, "c": NaN, "d": "1.5"}\n{"a": 1, "b": -0.5, "c": 2, "d": 2}\n'))
    assert table.frame["a"].tolist() == ["12345678901234567890", "1"]
    assert table.frame["b"].tolist() == [1e-3, -0.5]
    assert table.frame["c"].isna().tolist() == [True, False]
    assert table.frame["d"].tolist() == [1.5, 2]
    assert "column 'd': 1 cell is a number stored as text; it was read as a number" in table.notes


def test_the_line_of_a_cell_that_does_not_fit(file):
    """Also where the records stand on several lines."""
    records = [{"a": i, "t": "x\ny"} for i in range(5)] + [{"a": "z", "t": ""}]
    with pytest.raises(ReadingError, match=r"line 6: column 'a' holds 'z', expected: number"):
        read(file("\n".join(map(json.dumps, records))), types={"a": "number"})
    with pytest.raises(ReadingError, match=r"line 22: column 'a' holds 'z'"):
        read(file(json.dumps(records, indent=1)), types={"a": "number"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}\n{"a": 2\n{"a": 3}\n', r"line 2, character 8: this is not JSON|line 3, character 1: this is not JSON"),
        ('{"a": 1}\n{"a": 2} x\n', r"line 2, character 10: this is not JSON"),
        ('{"a": 1}\n[1, 2]\n', r'line 2: a record such as \{"name": 1\} is expected, found: \[1, 2\]'),
        ('{"a": 1,}\n{"a": 2}\n', r"line 1, character [89]: this is not JSON"),
        ('[{"a": 1}\n{"a": 2}]', r"line 2, character 1: this is not JSON"),
        ('[\n{"a": 1},\n{"a": 2\n', r"line [34], character \d+: this is not JSON"),
        ('[{"a": 1}, {"a": 2}', "this is not JSON"),
        ('[{"a": 1}] x', "this is not JSON"),
        ("[[1, 2], [3, 4]]", r"line 1: a record such as .* is expected, found: \[1, 2\]"),
        ('{"a": 1, "a": 2}\n', "line 1: two values have the name 'a': rename one of them"),
        ('{"a": {"b": 1}, "a.b": 2}\n', r"line 1: two values have the name 'a\.b'"),
        ('{"a": [{"x": 1}, {"x": 2}]}', r"is one JSON object around a table, .* orient='records'"),
        ('{"a": {"0": 1, "1": 2}, "b": {"0": 1, "1": 3}}', "is one JSON object around a table"),
        ("{}\n{}\n", "holds no records"),
        ('{"a": 1}\n{"a": ' + "9" * 5000 + "}\n", "line 2, character 1: this is not JSON|line 2"),
        ('{"a": ' * 100_000, "nests objects too deeply|this is not JSON"),
    ],
)
def test_what_is_no_table(file, content, message):
    with pytest.raises(ReadingError, match=rf"t\.json.*({message})"):
        read(file(content))


def test_another_encoding(file):
    """Bytes that are not UTF-8 are read as a CSV file's would be, and an option says otherwise."""
    assert read(file('{"a": "España", "b": 1}\n{"a": "x", "b": 2}\n'.encode("cp1252"))).frame["a"].iloc[0] == "España"
    with pytest.raises(ReadingError, match=r"the text is not utf-8. Give its encoding"):
        read(file('{"a": "España"}\n'.encode("cp1252")), encoding="utf-8")
