"""Findings: for each code a small table that has the problem, against the same table without it."""

import re
import warnings
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import aprendiz
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.lab import Experiment
from aprendiz.lab.methods import Method
from aprendiz.lab.report import findings, findings_of
from aprendiz.lab.report.findings.learning_curves import GAP
from aprendiz.lab.report.findings.probabilities import UNSURE, about_the_probabilities
from aprendiz.locale import language

N = 150


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(4)


def plain():
    """A table without a problem: three numbers decide about `y`, with some noise."""
    rng = np.random.default_rng(1)
    a, b, c, _ = rng.normal(size=(4, N)).round(4)
    colour = rng.choice(["red", "blue"], N)
    return {"a": a, "b": b, "c": c, "colour": colour, "y": np.where(a + b + c + rng.normal(size=N) > 0, "yes", "no")}


def linear(rows, columns, noise, seed=0):
    """A number that is half the sum of the columns, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)).round(3)
    y = (0.5 * X.sum(axis=1) + noise * rng.normal(size=rows)).round(3)
    return {**{f"x{j}": X[:, j] for j in range(columns)}, "y": y}


def by_code(outcome):
    """The findings by their codes."""
    found = findings_of(outcome)
    assert len({one.code for one in found}) == len(found)
    return {one.code: one for one in found}


def test_a_table_without_a_problem(concluded):
    assert findings_of(concluded(plain(), curve=True)) == []


# ---- the table -------------------------------------------------------------------------------------------------------


def leak():
    return plain() | {"copy": np.where(plain()["y"] == "yes", "A", "B")}


def gaps():
    return plain() | {"empty": ["" if i % 3 else value for i, value in enumerate(normal(9, N))], "full": normal(8, N)}


def wide():
    return linear(30, 40, 0.5)


def without_target():
    return plain() | {"y": ["" if i % 50 == 0 else label for i, label in enumerate(plain()["y"])]}


def uneven():
    """One row in six is rare."""
    table = {"a": normal(2, 300), "b": normal(3, 300)}
    return table | {"y": np.where(table["a"] + table["b"] + 0.3 * normal(4, 300) > 1.4, "rare", "often")}


def small_class():
    return plain() | {"y": ["odd" if i < 4 else label for i, label in enumerate(plain()["y"])]}


def repeated():
    return {name: np.concatenate([column, column[:20]]) for name, column in plain().items()}


@pytest.mark.parametrize(
    ("code", "table", "methods", "sentence", "also"),
    [
        ("leak_set_aside", leak, ["GaussianNB"], "Column 'copy' was set aside, because it may leak the target", set()),
        ("missing_cells", gaps, ["GaussianNB"], "A column is missing in most rows: 'empty'.", set()),
        ("more_columns_than_rows", wide, ["Ridge"], "more columns than rows: 40 for 30 rows", {"baseline_not_beaten"}),
        ("target_missing", without_target, ["GaussianNB"], "3 rows have no target", set()),
        ("classes_uneven", uneven, ["GaussianNB"], "of the rows belong to class 'often'", set()),
        ("class_small", small_class, ["GaussianNB"], "Class 'odd' has 4 rows.", set()),
        ("rows_repeated", repeated, ["GaussianNB"], "20 rows equal another one in the target and in all columns used.", set()),
    ],
)
def test_of_the_table(concluded, code, table, methods, sentence, also):
    """The code, with the culprit in its sentence; nothing else is blamed but what follows from it."""
    found = by_code(concluded(table(), methods))
    assert sentence in found[code].sentence
    assert found.keys() == {code, *also}


def test_every_suspect_is_named(concluded):
    """A finding for each column that gives the target away, with the option that takes it back. One that is kept is still
    suspected, with the option that leaves it out."""
    table = leak() | {"other": np.where(plain()["y"] == "yes", 1.5, 2.5)}
    found = [one for one in findings_of(concluded(table)) if one.code == "leak_set_aside"]
    assert [re.search(r"--keep (\w+)", one.remedy)[1] for one in found] == ["copy", "other"]
    kept = by_code(concluded(table, keep=["other"]))
    assert kept.keys() == {"leak_set_aside", "leak_suspected", "perfect_score"}
    assert re.search(r"--leave-out (\w+)", kept["leak_suspected"].remedy)[1] == "other"
    assert by_code(concluded(table, leave_out=["copy", "other"])).keys().isdisjoint({"leak_set_aside", "leak_suspected"})


def test_the_score_with_the_columns_set_aside(concluded):
    """Both scores stand in the finding: the honest one, and that with the copy of the target."""
    outcome = concluded(leak())
    assert outcome.other_score("with them").value == 1.0
    assert outcome.results.standings[0].score.value < 0.9
    assert " and 1 with them." in by_code(outcome)["leak_set_aside"].why


def patients():
    """Five rows of each of 30 patients, alike in all columns; the diagnosis is the patient's."""
    rng = np.random.default_rng(2)
    patient = np.repeat(np.arange(30), 5)
    X = rng.normal(size=(30, 3))[patient] + 0.1 * rng.normal(size=(150, 3))
    columns = {f"x{j}": X[:, j].round(4) for j in range(3)}
    return {"patient": patient + 1, **columns, "y": np.where(rng.permutation(30) % 2, "ill", "well")[patient]}


def test_repeated_subjects(concluded):
    """Patients are not split, and the finding tells what splitting them would have shown. If they are left out, they are still
    named; if the user says that rows are independent, nothing is."""
    found = by_code(concluded(patients(), ["KNeighborsClassifier"]))
    kept = found["groups_kept_together"]
    assert "'patient'" in kept.sentence
    apart, now = (float(value) for value in re.search(r"seem to score ([\d.]+) instead of ([\d.]+)\.", kept.why).groups())
    assert apart > 0.9
    assert now < 0.75
    left = by_code(concluded(patients(), ["KNeighborsClassifier"], leave_out=["patient"]))["groups_split"]
    assert left.weight == "warning"
    assert "--groups patient" in left.remedy
    alone = by_code(concluded(patients(), ["KNeighborsClassifier"], groups=False))
    assert alone.keys().isdisjoint({"groups_split", "groups_kept_together"})


def test_copies_within_a_group_are_no_duplicates(concluded):
    """The same row twice in one patient is on one side; in another patient it is a duplicate."""
    table = {name: np.concatenate([column, column[:20]]) for name, column in (patients() | {"x4": normal(5, N)}).items()}
    assert "rows_repeated" not in by_code(concluded(table))
    table["patient"] = np.concatenate([table["patient"][:N], np.arange(100, 120)])
    assert "rows_repeated" in by_code(concluded(table, groups="patient"))


def test_gaps_of_columns_that_are_not_used(concluded):
    """Half of the cells are not most of them, and a column that was left out does not matter."""
    half = plain() | {"half": ["" if i % 2 else value for i, value in enumerate(normal(9, N))]}
    assert "missing_cells" not in by_code(concluded(half))
    assert "missing_cells" not in by_code(concluded(gaps(), leave_out=["empty"]))
    many = gaps() | {name: gaps()["empty"] for name in ("second", "third")}
    said = by_code(concluded(many))["missing_cells"].sentence
    assert said == "3 columns are missing in most rows: 'empty', 'second', 'third'."


def test_shares_of_classes(concluded):
    """The share of the largest class is that of the table."""
    table = uneven()
    share = np.mean(table["y"] == "often")
    assert f"{100 * share:.1f} %" in by_code(concluded(table))["classes_uneven"].sentence


def test_a_class_with_as_many_rows_as_folds_is_not_small(concluded):
    table = plain() | {"y": ["odd" if i < 4 else label for i, label in enumerate(plain()["y"])]}
    assert "class_small" not in by_code(concluded(table, folds=4))


def test_tables_in_which_rows_come_again_by_chance(concluded):
    """Of three columns no repetition is told: there they are common. One in a hundred is not told either."""
    rounded = {"a": normal(2, N).round(0), "b": normal(3, N).round(0), "c": normal(4, N).round(0)}
    table = rounded | {"y": np.where(rounded["a"] + rounded["b"] + normal(5, N) > 0, "yes", "no")}
    assert "rows_repeated" not in by_code(concluded(table))
    one = {name: np.concatenate([column, column[:1]]) for name, column in plain().items()}
    assert "rows_repeated" not in by_code(concluded(one))


def test_rows_that_are_equal_by_chance(concluded):
    """Of answers from 1 to 3 many are equal without being the same case: that is a note, which does not blame the scores."""
    rng = np.random.default_rng(6)
    answers = {name: rng.integers(1, 4, N) for name in "abcde"}
    table = answers | {"y": np.where(answers["a"] + answers["b"] + 0.2 * rng.normal(size=N) > 4, "yes", "no")}
    found = by_code(concluded(table))["rows_repeated"]
    assert (found.weight, "by chance" in found.why) == ("note", True)
    found = by_code(concluded(repeated()))["rows_repeated"]
    assert (found.weight, "by chance" in found.why) == ("warning", False)


# ---- the run ---------------------------------------------------------------------------------------------------------


class Broken(aprendiz.GaussianNB):
    def fit(self, X, y=None, sample_weight=None):
        raise ValueError("it does not work")


class Warner(aprendiz.GaussianNB):
    def fit(self, X, y=None, sample_weight=None):
        warnings.warn("mind the gap", UserWarning, stacklevel=1)
        return super().fit(X, y, sample_weight)


def test_a_method_that_failed(concluded):
    """Which one, and why."""
    found = by_code(concluded(plain(), ["GaussianNB", Method("Broken", Broken(), {})]))
    assert found.keys() == {"method_failed"}
    assert found["method_failed"].sentence == "Broken could not be fitted."
    assert found["method_failed"].why == "it does not work"


def test_warnings(concluded):
    """How many, and the most frequent one: five folds and the last fit."""
    found = by_code(concluded(plain(), [Method("Warner", Warner(), {})]))
    assert found.keys() == {"warnings"}
    assert found["warnings"].sentence == "The methods gave 6 warnings."
    assert found["warnings"].why == "UserWarning: mind the gap"


@pytest.mark.parametrize(("reason", "words"), [("budget", "the time limit was reached"), ("interrupted", "it was interrupted")])
def test_a_run_that_was_stopped(concluded, monkeypatch, reason, words):
    """Why, and after how many folds."""

    def two_folds(self):
        yield from islice(steps(self), 4)
        self.stopped = reason

    steps = Experiment.steps
    monkeypatch.setattr(Experiment, "steps", two_folds)
    found = by_code(concluded(plain()))
    assert words in found["stopped"].sentence
    assert "2 of 5 folds" in found["stopped"].why
    assert "--resume" in found["stopped"].remedy


# ---- the scores ------------------------------------------------------------------------------------------------------


def test_nothing_to_learn(concluded):
    """Labels in another order: the columns say nothing of them."""
    shuffled = plain() | {"y": np.random.default_rng(5).permutation(plain()["y"])}
    assert "baseline_not_beaten" in by_code(concluded(shuffled))


def test_columns_that_tell_without_changing_the_class(concluded):
    """Nobody's class changes where the rarer one is never more likely than not; the order of the rows is told all the same."""
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 400)).round(4)
    table = {"a": a, "b": b, "y": np.where(rng.uniform(size=400) < 0.5 / (1 + np.exp(-1.5 * a)), "ill", "well")}
    found = by_code(concluded(table))["baseline_not_beaten"]
    assert "But the columns do tell something: GaussianNB has an area under the ROC curve of 0." in found.remedy
    shuffled = table | {"a": rng.permutation(a)}
    assert "no information" in by_code(concluded(shuffled))["baseline_not_beaten"].remedy


def test_methods_that_cannot_be_told_apart(concluded):
    """A ridge of so small a penalty is least squares; a baseline far below is not tied."""
    found = by_code(concluded(linear(90, 4, 0.5), ["LinearRegression", "Ridge"]))
    useless = by_code(concluded(linear(90, 4, 0.5) | {"y": normal(3, 90)}, ["LinearRegression", "Ridge"]))
    assert useless.keys().isdisjoint({"tied"}), "which of two useless methods is better is not worth a word"
    assert {"LinearRegression", "Ridge"} <= set(re.findall(r"\w+", found["tied"].sentence))
    assert "DummyRegressor" not in found["tied"].sentence
    assert "baseline_not_beaten" not in found


def test_a_perfect_score(concluded):
    """Accuracy 1, and an error of 0 where less is better. 0.99 is not perfect."""
    table = plain() | {"a": normal(2, N) + np.where(plain()["y"] == "yes", 20, -20)}
    assert "perfect_score" in by_code(concluded(table, keep=["a"]))
    exact = {"x": np.arange(60) % 7, "z": normal(1, 60), "y": 0.5 * (np.arange(60) % 7)}
    mean = Method("Rounded", Rounded(), {})
    assert "perfect_score" in by_code(concluded(exact, [mean], metric="mae", keep=["x"]))
    exact["y"][0] += 0.5
    assert "perfect_score" not in by_code(concluded(exact, [mean], metric="mae", keep=["x"]))


class Rounded(aprendiz.LinearRegression):
    """Predictions to the nearest half."""

    def predict(self, X):
        return np.round(2 * super().predict(X)) / 2


def test_probabilities_that_promise_too_much(concluded):
    """The same column thirteen times: naive Bayes takes the copies for thirteen witnesses."""
    rng = np.random.default_rng(3)
    copies = {f"a{j}": (plain()["a"] + 0.01 * rng.normal(size=N)).round(4) for j in range(12)}
    found = by_code(concluded({**copies, **plain()}))
    assert found.keys() == {"badly_calibrated"}
    error = float(re.search(r"off by (0\.\d+)", found["badly_calibrated"].sentence)[1])
    assert error > UNSURE


def judged(truth, probability):
    """The findings about some probabilities of the second of two classes."""
    answers = Answers(truth, truth, np.array([False, True]), np.column_stack([1 - probability, probability]))
    return asked_about(answers)


def asked_about(answers):
    of_best = SimpleNamespace(evaluation=SimpleNamespace(pooled=answers), results=SimpleNamespace(best="GaussianNB"))
    return list(about_the_probabilities(of_best))


def test_honest_probabilities_are_not_blamed():
    """Each row is positive with exactly the probability it was given: of 300 tables, small ones too, at most three are called
    wrong, the level of the test."""
    blamed = 0
    for rows in (50, 200, 1000):
        rng = np.random.default_rng(rows)
        draws = ((p := rng.beta(0.5, 0.5, size=rows), rng.uniform(size=rows) < p) for _ in range(100))
        blamed += sum(bool(judged(truth, p)) for p, truth in draws if 0 < truth.sum() < rows)
    assert blamed <= 3


def test_dishonest_probabilities_are_blamed():
    """0.9 is said where one row in two is positive; odds that are doubled and doubled again, in 95 of 100 tables."""
    truth = np.arange(200) % 2 == 0
    assert [one.code for one in judged(truth, np.full(200, 0.9))] == ["badly_calibrated"]
    assert judged(truth, np.full(200, 0.5)) == []
    rng, blamed = np.random.default_rng(0), 0
    for _ in range(100):
        p = rng.uniform(size=400)
        blamed += bool(judged(rng.uniform(size=400) < p, p**4 / (p**4 + (1 - p) ** 4)))
    assert blamed >= 95


def test_probabilities_of_several_classes(concluded):
    """Drawn from what was said they are not blamed; said of the wrong class, the worst class is named with a bin of it."""
    rng = np.random.default_rng(4)
    P = rng.dirichlet([0.6, 0.6, 0.6], 600)
    truth = np.array(["a", "b", "c"])[(rng.uniform(size=(600, 1)) > P.cumsum(axis=1)).sum(axis=1)]
    assert asked_about(Answers(truth, truth, np.array(["a", "b", "c"]), P)) == []
    (found,) = asked_about(Answers(truth, truth, np.array(["a", "b", "c"]), P[:, [0, 2, 1]]))
    assert "class 'b'" in found.sentence or "class 'c'" in found.sentence
    assert re.search(r"Of \d+ test rows with a probability of about [\d.]+ %, [\d.]+ % belong", found.why)
    assert "badly_calibrated" not in by_code(concluded(small_class()))


def test_a_model_too_flexible(concluded):
    """Twenty columns for forty training rows: least squares fits their noise."""
    found = by_code(concluded(linear(60, 20, 1.0), ["LinearRegression"], curve=True))
    assert "overfitted" in found
    seen, unseen = map(float, re.findall(r"\d\.\d+", found["overfitted"].why))
    assert seen > unseen + GAP
    assert "overfitted" not in by_code(concluded(linear(200, 2, 0.2), ["LinearRegression"], curve=True))


def test_a_forest_is_not_called_too_flexible(concluded):
    """Its trees know their rows by heart, and that says nothing of the forest."""
    forest = Method("RandomForestRegressor", aprendiz.RandomForestRegressor(20, random_state=0), {})
    outcome = concluded(linear(60, 4, 1.0), [forest], curve=True)
    assert outcome.curve.seen[-1].value - outcome.curve.unseen[-1].value > GAP
    assert "overfitted" not in by_code(outcome)


def test_a_small_gap_of_a_weak_model(concluded):
    """R² 0.43 on training rows and 0.37 on unseen ones, three columns and eighty rows: noise, not flexibility."""
    outcome = concluded(linear(120, 3, 1.0, seed=1), ["LinearRegression"], curve=True)
    assert outcome.curve.seen[-1].value - outcome.curve.unseen[-1].value < GAP
    assert "overfitted" not in by_code(outcome)


def test_more_rows_would_help(concluded):
    """Forty columns: with 42 training rows least squares is nearly undetermined, with 60 it is not."""
    found = by_code(concluded(linear(90, 40, 0.5), ["LinearRegression"], curve=True))
    assert "From 42 to 60 training rows" in found["more_rows_help"].why
    assert "more_rows_help" not in by_code(concluded(linear(200, 2, 0.2), ["LinearRegression"], curve=True))


def test_no_curve_no_word_about_it(concluded):
    outcome = concluded(linear(60, 20, 1.0), ["LinearRegression"])
    assert outcome.curve is None
    assert not by_code(outcome).keys() & {"overfitted", "more_rows_help"}


def test_a_class_of_one_row_is_left_out(concluded):
    """It can teach or test, not both; the others are compared without it."""
    table = plain()
    outcome = concluded(table | {"y": np.where(np.arange(len(table["y"])) == 3, "alone", table["y"])})
    found = by_code(outcome)["class_left_out"]
    assert "'alone'" in found.sentence
    assert "alone" not in outcome.experiment.y
    assert outcome.results.question.rows == len(table["y"]) - 1
    assert "class_left_out" not in by_code(concluded(plain()))


def test_methods_that_lag_behind(concluded):
    """A method that was added to a run, and has done fewer folds than the others, is not compared but named."""
    outcome = concluded(plain())
    experiment = outcome.experiment
    late = experiment.methods[-1].name
    experiment.found[late] = {0: experiment.found[late][0]}
    results = experiment.results()
    assert results.unfinished == (late,)
    assert late not in results.evaluations
    assert results.done == len(experiment.splits)
    found = by_code(replace(outcome, results=results))
    assert late in found["unfinished"].sentence


# ---- all of them -----------------------------------------------------------------------------------------------------


def test_warnings_come_first(concluded):
    """And every finding has a sentence, a reason and a remedy."""
    found = findings_of(concluded(without_target() | {"copy": leak()["copy"], "empty": gaps()["empty"]}))
    weights = [one.weight for one in found]
    assert set(weights) == {"warning", "note"}
    assert weights == sorted(weights, reverse=True)
    assert all(one.sentence and one.why and one.remedy for one in found)


def test_the_same_codes_in_spanish(concluded):
    outcome = concluded(leak())
    english = findings_of(outcome)
    with language("es"):
        spanish = findings_of(outcome)
    assert [one.code for one in spanish] == [one.code for one in english]
    assert not {one.sentence for one in spanish} & {one.sentence for one in english}
    assert "'copy'" in spanish[0].sentence


def test_every_code_is_asked_here():
    """The codes in the files of the findings are those of this file and its neighbour."""
    files = [path.read_text(encoding="utf-8") for path in Path(findings.__path__[0]).glob("*.py")]
    codes = {code for source in files for code in re.findall(r'Finding\(\s*"(\w+)"', source)}
    here = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert len(codes) > 20
    assert {code for code in codes if f'"{code}"' not in here} == set()


def test_columns_that_were_chosen():
    """The code "columns_chosen" is asked for in test_column_choice.py, with the selection that it needs."""
    assert "columns_chosen" in (Path(__file__).parent / "test_column_choice.py").read_text(encoding="utf-8")
