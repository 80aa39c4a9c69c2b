"""The list of faults that `make mutants` plants: each can be planted, and the tests that should notice it exist."""

import tomllib
from functools import cache
from pathlib import Path

import aprendiz

TESTS, SOURCE = Path(__file__).parent, Path(aprendiz.__file__).parent
FAULTS = [fault for family in tomllib.loads((TESTS.parent / "tools" / "faults.toml").read_text()).values() for fault in family]


@cache
def source():
    return [file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py"))]


def test_there_are_many():
    assert len(FAULTS) >= 170
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS)


def test_it_can_be_planted():
    """Its text stands once in the source, something else takes its place, and its tests are there."""
    for fault in FAULTS:
        assert sum(text.count(fault["find"]) for text in source()) == 1, fault["name"]
        assert fault["find"] != fault["put"], fault["name"]
        for entry in fault.get("tests", ()):
            for name in entry.partition(" -k ")[0].split():
                path = f"{name.partition('::')[0]}.py"
                assert (TESTS / path).exists() or list(TESTS.rglob(path)), name
