"""Roles of columns, the proposed target and task, suspected leaks."""

import numpy as np
import pandas as pd
import pytest

from aprendiz.lab import propose_target, read, suspected_leaks, task_of_target

RNG = np.random.default_rng(3)
N = 200


@pytest.fixture
def table(tmp_path):
    """A function that writes columns to a file and reads it."""

    def write(**columns):
        pd.DataFrame(columns).to_csv(tmp_path / "t.csv", index=False)
        return read(tmp_path / "t.csv")

    return write


def roles(table):
    return {role.name: role.role for role in table.roles}


def test_roles(table):
    found = roles(
        table(
            row=np.arange(N),
            customer_id=RNG.integers(10**6, 10**7, N),
            serial=RNG.permutation(np.arange(50_000, 50_000 + N)),
            code=[f"A{i:04d}" for i in RNG.permutation(N)],
            same=["x"] * N,
            nothing=[None] * N,
            when=pd.date_range("2020-01-01", periods=N),
            comment=[" ".join(RNG.choice(["very", "good", "bad", "long", "service", "again"], 12)) for _ in range(N)],
            words=[f"w{i}" for i in RNG.integers(0, 140, N)],
            year=np.arange(1900, 1900 + N),
            income=RNG.integers(0, 10**6, N),
            height=RNG.normal(size=N),
            colour=RNG.choice(["red", "blue"], N),
            class_id=RNG.integers(0, 3, N),
        )
    )
    assert found == {
        "row": "identifier",
        "customer_id": "identifier",
        "serial": "identifier",
        "code": "identifier",
        "same": "constant",
        "nothing": "empty",
        "when": "date",
        "comment": "text",
        "words": "text",
        "year": "feature",
        "income": "feature",
        "height": "feature",
        "colour": "feature",
        "class_id": "feature",
    }


def test_features_are_in_the_schema(table):
    """Whatever is called a feature can be given to a learner."""
    found = table(a=RNG.normal(size=N), b=[f"w{i}" for i in RNG.integers(0, 140, N)], c=["x", "y"] * (N // 2))
    features = {name for name, role in roles(found).items() if role == "feature"}
    assert features <= set(found.columns.names)


@pytest.mark.parametrize("name", ["Species", "class", "TARGET", "y", "Clase", "diagnóstico", "Class."])
def test_targets_by_name(table, name):
    found = table(**{name: ["u", "v"] * 20, "z": np.arange(40) % 7 + 0.5})
    assert propose_target(found) == (name, "suggested by its name")


def test_target_without_a_name(table):
    """The last column that can be learned: no identifier, constant, date or text."""
    found = table(a=np.arange(40) % 7 + 0.5, b=["u", "v"] * 20, c=["same"] * 40, id=np.arange(40) + 5)
    assert propose_target(found)[0] == "b"
    with pytest.raises(ValueError, match="no column can be the target"):
        propose_target(table(a=["same"] * 5, id=np.arange(5)))


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (["a", "b", "c"] * 20, "classification"),
        ([True, False] * 30, "classification"),
        ([0, 1] * 30, "classification"),
        ([1.5, 2.5] * 30, "classification"),
        (list(range(3, 9)) * 10, "classification"),
        ([*range(12)] * 5, "regression"),  # more than ten numbers, each of them rare
        (list(range(60)), "regression"),
        ([0.5, 1.5, 2.5] * 20, "regression"),
    ],
)
def test_tasks(table, values, task):
    found = table(target=values, x=RNG.normal(size=60))
    assert task_of_target(found.frame["target"])[0] == task


def test_dates_are_no_targets(table):
    found = table(day=pd.date_range("2020-01-01", periods=9), x=range(9))
    with pytest.raises(ValueError, match="The target 'day' holds dates"):
        task_of_target(found.frame["day"])


# ---- leaks -----------------------------------------------------------------------------------------------------------


def test_leaks_of_classes(table):
    """A code of the class, a number that thresholds divide, and a gap that tells; not a good feature."""
    y = RNG.integers(0, 3, N)
    good = y + RNG.normal(scale=0.3, size=N)
    found = table(
        code=np.array(["p", "q", "r"])[y],
        several=[f"{k}{i}" for k, i in zip(y, RNG.integers(0, 3, N), strict=True)],
        score=10 * y + RNG.uniform(size=N),
        gap=[None if k == 0 else "m" if k == 1 else "n" for k in y],
        good=good,
        noise=RNG.normal(size=N),
        colour=RNG.choice(["red", "blue"], N),
        target=np.array(["a", "b", "c"])[y],
    )
    assert {role.name for role in suspected_leaks(found, "target")} == {"code", "several", "score", "gap"}
    assert all(role.reason for role in suspected_leaks(found, "target"))


def test_leaks_of_quantities(table):
    """Another unit of the target, with the opposite sign too; not a correlation of 0.99."""
    y = RNG.normal(size=N)
    found = table(inches=y / 2.54 + 3, minus=-y, near=y + RNG.normal(scale=0.1, size=N), noise=RNG.normal(size=N), target=y)
    assert {role.name for role in suspected_leaks(found, "target")} == {"inches", "minus"}


def test_one_error_in_a_thousand(table):
    """2000 rows of the smaller class allow two errors, not three."""
    y = np.repeat([0, 1], 2000)
    for errors, suspected in ((2, True), (3, False)):
        x = y.copy()
        x[:errors] = 1
        good = y + RNG.normal(scale=0.4, size=4000)  # else x would stand out
        found = table(x=np.where(x, "u", "v"), good=good, target=np.where(y, "yes", "no"))
        assert bool(suspected_leaks(found, "target")) is suspected


def test_copies_with_errors_stand_out(table):
    """2 % of errors are suspicious where no other column comes near, and so is a correlation of 0.998."""
    y = RNG.integers(0, 2, 1000)
    x = np.where(RNG.uniform(size=1000) < 0.01, 1 - y, y)
    near = y + RNG.normal(scale=0.3, size=1000)
    for other, suspected in ((RNG.normal(size=1000), True), (near, False)):
        found = table(x=np.where(x, "u", "v"), other=other, target=np.where(y, "yes", "no"))
        assert bool(suspected_leaks(found, "target")) is suspected
    z = RNG.normal(size=1000)
    for other, suspected in ((RNG.normal(size=1000), True), (z + RNG.normal(scale=0.3, size=1000), False)):
        found = table(x=z + RNG.normal(scale=0.05, size=1000), other=other, target=z)
        assert bool(suspected_leaks(found, "target")) is suspected


def test_classes_that_are_easy_to_tell_apart(table):
    """Three columns that separate the classes: no column is suspected for it, but a code of the class still is."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    target = np.where(y, "yes", "no")
    for third in (5 * y + rng.normal(size=N), 20 * y + rng.normal(size=N)):  # nearly, and wholly
        easy = {name: 20 * y + rng.normal(size=N) for name in "ab"} | {"c": third}
        assert suspected_leaks(table(**easy, target=target), "target") == []
    assert [one.name for one in suspected_leaks(table(**easy, code=np.where(y, "p", "q"), target=target), "target")] == ["code"]


def test_missing_cells_and_ranks_tell(table):
    """A number that is only there for one class, and another scale of a quantity."""
    y = RNG.integers(0, 2, N)
    days = np.where(y, RNG.integers(1, 99, N), np.nan)
    found = table(days=days, noise=RNG.normal(size=N), target=np.where(y, "ill", "well"))
    assert [one.name for one in suspected_leaks(found, "target")] == ["days"]
    z = RNG.normal(size=N)
    found = table(log=np.exp(3 * z), noise=RNG.normal(size=N), target=z)
    assert [one.name for one in suspected_leaks(found, "target")] == ["log"]


def test_no_leak_by_chance(table):
    """A rare class that a constant answer nearly always misses, and tables of few rows, prove nothing."""
    rare = np.zeros(N, int)
    rare[0] = 1
    assert suspected_leaks(table(x=["u", "v"] * (N // 2), target=np.where(rare, "yes", "no")), "target") == []
    assert suspected_leaks(table(x=[1, 2, 3, 4, 5, 6], target=list("aaabbb")), "target") == []


def test_leaks_in_many_rows(table):
    """A sample of the rows is enough to find them."""
    y = RNG.integers(0, 2, 50_000)
    found = table(x=np.array(["u", "v"])[y], z=RNG.normal(size=50_000), target=np.array(["a", "b"])[y])
    assert [role.name for role in suspected_leaks(found, "target")] == ["x"]
