"""Columns that group the rows: found where they are planted, not invented where there are none."""

import time

import numpy as np
import pandas as pd
import pytest

from aprendiz.evaluation.leaks.group_columns import agreement, find_groups, is_named, likeness, rows_compared
from aprendiz.evaluation.leaks.row_distances import RowDistances, distances_in
from aprendiz.evaluation.leaks.table_columns import columns_of
from aprendiz.lab import ask, read
from aprendiz.lab.question import group_column

NAMES = ("patient", "subject_id", "Paciente", "site", "mouseID", "code", "k", "donor")


@pytest.fixture
def table(tmp_path):
    """A table from its columns, through a file."""

    def of(columns):
        path = tmp_path / "t.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        return read(path)

    return of


def planted(seed):
    """Two to ten rows of each of 12 to 120 subjects, whose columns differ by some noise; the name of their column."""
    rng = np.random.default_rng(seed)
    subjects, usual, width = int(rng.integers(12, 120)), int(rng.integers(2, 9)), int(rng.integers(2, 10))
    subject = rng.permutation(np.repeat(np.arange(subjects), rng.integers(max(1, usual - 2), usual + 3, subjects)))
    X = rng.normal(size=(subjects, width))[subject] + rng.uniform(0.1, 0.6) * rng.normal(size=(len(subject), width))
    columns = {f"x{j}": X[:, j].round(4) for j in range(width)}
    if seed % 3:
        columns["sex"] = rng.choice(["m", "f"], subjects)[subject]
    name, number = NAMES[seed % len(NAMES)], rng.permutation(subjects)[subject] + (1000 if seed % 2 else 1)
    columns[name] = [f"P{one:03d}" for one in number] if seed % 4 == 1 else number
    inner = rng.normal(size=subjects)
    if seed % 5 == 4:
        columns["target"] = (inner[subject] + 0.3 * rng.normal(size=len(subject))).round(4)
    else:
        columns["target"] = np.where(inner > np.median(inner), "ill", "well")[subject]
    return columns, name


def clean(seed):
    """Correlated numbers, ages, counts, towns that matter, years, codes of towns; each row is a case of its own."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(60, 800)), int(rng.integers(2, 12))
    X = rng.normal(size=(n, max(1, d // 2))) @ rng.normal(size=(max(1, d // 2), d)) + rng.normal(size=(n, d))
    score = X @ rng.normal(size=d) * rng.uniform(0.5, 3) + rng.normal(size=n)
    columns = {f"x{j}": X[:, j].round(4) for j in range(d)} | {"age": rng.integers(18, 90, n)}
    if seed % 2:
        columns["visits"] = rng.poisson(6, n)
    if seed % 3 == 0:
        town = rng.integers(0, int(rng.integers(8, 30)), n)
        columns["town"], score = [f"t{one}" for one in town], score + 2 * rng.normal(size=30)[town]
    if seed % 5 == 0:
        columns["zip"] = 10_000 + rng.integers(0, 40, n)
        columns["x0"] = columns["x0"] + columns["zip"] % 7 / 2
    if seed % 6 == 0:
        columns |= {"height": np.round(170 + 8 * X[:, 0]), "year": rng.integers(1990, 2020, n)}
    kinds = int(rng.integers(2, 5))
    columns["target"] = score.round(4) if seed % 7 == 3 else [f"k{one}" for one in pd.qcut(score, kinds, labels=False)]
    return columns


def test_planted_groups_are_found_and_none_are_invented(table):
    """At least 95 of 100 planted ones are taken (of seeds 0 to 99 all), and none in 100 clean tables; here every fifth."""
    taken = [ask(table(columns), target="target").groups == name for columns, name in map(planted, range(0, 100, 5))]
    assert sum(taken) >= 19
    assert [ask(table(columns), target="target").groups for columns in map(clean, range(0, 100, 5))] == [None] * 20


def test_planted_leaks_are_found_and_none_are_invented(table):
    """Codes, copies with errors, other scales, and cells that are missing for one class."""
    found = []
    for seed in range(20):
        columns, rng = clean(seed), np.random.default_rng(seed)
        numbers = isinstance(columns["target"], np.ndarray)
        assert ask(table(columns), target="target").leaks == ()
        codes = pd.factorize(pd.Series(columns["target"]), sort=True)[0]
        kinds = [
            lambda codes=codes: [f"c{one}" for one in codes],
            lambda codes=codes: 10 * codes + np.random.default_rng(0).uniform(size=len(codes)),
            lambda codes=codes: np.where(codes == 0, np.nan, codes) if codes.max() == 1 else codes + 0.5,
            lambda codes=codes, rng=rng: np.where(rng.uniform(size=len(codes)) < 0.01, 0, codes).astype(str),
        ]
        copy = np.exp(columns["target"] / np.std(columns["target"])) if numbers else kinds[seed % 4]()
        found.append(ask(table({"copy": copy, **columns}), target="target").set_aside == ("copy",))
    assert sum(found) >= 19


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[(name, True) for name in ("patient", "PatientID", "subject_id", "n_paciente", "Sesión", "sites", "donorid")],
        *[(name, False) for name in ("age", "impatience", "website", "user_rating_mean_of"[5:], "sex", "class")],
    ],
)
def test_names(name, expected):
    """Whole words of the name count, in English and Spanish, with or without `id`."""
    assert is_named(name) is expected


def test_likeness_and_agreement_by_hand():
    """Four rows, two groups. Nearest rows: 0–1 of one group, 2–3 of two groups. Of pairs of one group, half agree."""
    points, codes = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]]), np.array([0, 0, 1, 2, 1, 2])
    same, adjacent, chance = likeness(distances_in(points), codes)
    assert (same, adjacent) == (2 / 6, 4 / 6)
    assert chance == 6 / 30
    y = np.array([0, 0, 1, 1, 0, 1])  # pairs of one group: 00, 10, 11; of all 15 pairs, 9 differ
    assert agreement(codes, y, "classification") == pytest.approx(1 - (1 / 3) / (9 / 15), rel=1e-12)
    z = np.array([1.0, 3.0, 0.0, 5.0, 4.0, 5.0])  # squares of the differences: 4, 16, 0
    pairs = np.mean([(a - b) ** 2 for i, a in enumerate(z) for b in z[:i]])
    assert agreement(codes, z, "regression") == pytest.approx(1 - (20 / 3) / pairs, rel=1e-12)


def test_equally_near_rows_share():
    """A row in the same place as all others is near each of them to the same part."""
    codes = np.repeat([0, 1, 2], 4)
    same, adjacent, chance = likeness(np.zeros((12, 12)), codes)
    assert same == pytest.approx(3 / 11)
    assert adjacent == pytest.approx((4 + 8 + 4) / 3 / 11)
    assert same == pytest.approx(chance)


def test_a_class_in_one_group_cannot_be_learned_from_others(table):
    """Then the groups are not taken: each fold would lack a class."""
    columns, name = planted(0)
    assert group_column(table(columns), "target", "classification").name == name
    columns["target"] = np.where(columns[name] == columns[name][0], "ill", "well")
    assert group_column(table(columns), "target", "classification") is None


def test_roles_that_contradict(table):
    """A column that is kept is not a group; one that no method can use cannot be kept."""
    columns, name = planted(0)
    assert ask(table(columns), target="target", keep=[name]).groups is None
    assert ask(table(columns), target="target", groups=False).subjects is None
    nothing = [None] * len(columns["target"])
    with pytest.raises(ValueError, match="Column 'void' cannot be kept, because no method can use it"):
        ask(table(columns | {"void": nothing}), target="target", keep=["void"])
    with pytest.raises(ValueError, match="is given as leave-out and as keep"):
        ask(table(columns), target="target", leave_out=[name], keep=[name])


def test_a_measured_number_is_no_group(table):
    """Rows of one age are alike and have the same target, but rows of the next age are as alike."""
    rng = np.random.default_rng(0)
    age = np.repeat(np.arange(20, 60), 6)
    columns = {f"x{j}": (age + 2.0 * rng.normal(size=len(age))).round(4) for j in range(2)}
    found = table(columns | {"age": age, "target": np.where(age < 40, "young", "old")})
    assert group_column(found, "target", "classification") is None


def test_a_name_is_not_enough(table):
    """Codes without any meaning in a column called patient are told, not taken."""
    rng = np.random.default_rng(0)
    columns = {f"x{j}": rng.normal(size=200).round(4) for j in range(3)} | {"patient": rng.integers(1, 41, 200)}
    question = ask(table(columns | {"target": rng.choice(["a", "b"], 200)}), target="target")
    assert question.groups is None
    assert question.subjects.name == "patient"
    assert not question.subjects.clear


def test_distances_are_those_without_other_names_of_the_groups(monkeypatch):
    """By hand, from a table of all kinds of columns; the same whether the distances of all rows are kept or not."""
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.repeat(np.arange(12), 5))
    other = np.array(list("cabdefghijkl"))[codes]
    X = pd.DataFrame({f"x{j}": rng.normal(size=60) for j in range(3)} | {"code": codes, "other": other})
    X["sex"], X["one"], X.loc[7, "x1"] = np.array(["f", "m"])[codes % 2], 1.0, np.nan
    some = np.flatnonzero(codes < 9)  # groups of five, whole
    places = []
    for j in range(3):
        x = X[f"x{j}"].fillna(X[f"x{j}"].median()).to_numpy()
        x = np.clip(x, *np.nanquantile(X[f"x{j}"], [0.05, 0.95]))
        places.append((x - x.mean()) / x.std())
    Z = np.column_stack([*places, X["sex"] == "m"]).astype(float)[some]
    expected = ((Z[:, None] - Z) ** 2).sum(axis=2)
    table = columns_of(X)
    np.testing.assert_allclose(RowDistances(table, 60).without_names_of(codes[some], some), expected, atol=1e-12)
    names_alone = [one for one in table if one.name in ("code", "other", "one")]
    assert RowDistances(names_alone, 60).without_names_of(codes[some], some) is None
    monkeypatch.setattr("aprendiz.evaluation.leaks.row_distances.FEW_ROWS", 59)
    monkeypatch.setattr(RowDistances, "drawn", np.arange(60))
    np.testing.assert_allclose(RowDistances(table, 60).without_names_of(codes[some], some), expected, atol=1e-12)


def test_thousands_of_columns_of_whole_numbers():
    """Each might group the rows: fewer rows are compared for each, and the one that does is found among them."""
    assert rows_compared(3, 20, 100_000) == 1500
    assert rows_compared(7000, 7000, 72) == 200
    assert rows_compared(800, 800, 10_000) == 279
    rng = np.random.default_rng(0)
    subject = np.repeat(np.arange(20), 3)
    X = rng.integers(0, 30, (60, 1000)) + 20 * rng.normal(size=(20, 1000))[subject].round()
    X[:, 500] = subject[rng.permutation(60)]
    X[:, 700] = rng.permutation(20)[subject]
    start = time.process_time()
    found = find_groups(columns_of(X), np.arange(20)[subject] % 2, "classification")
    assert found.name == 700
    assert found.clear
    assert time.process_time() - start < 10  # a second; it was minutes when the distances were made for each column
