"""Parts of the report that explain a run: wrong rows, what tuning chose, all pairs, the axis, the paragraph for a paper."""

import numpy as np
import pytest

import aprendiz
from aprendiz.evaluation.compare import compare
from aprendiz.lab import Experiment, ask, chosen_methods, read
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude, why_no_curve
from aprendiz.lab.report.methods_paragraph import methods_paragraph
from aprendiz.lab.report.page import ticks_of_axis, times_as_likely
from aprendiz.lab.report.pairs_of_methods import pairs_of
from aprendiz.lab.report.tuning_of_run import edge, tuning_of
from aprendiz.lab.report.wrong_rows import wrong_rows_of
from aprendiz.locale import language

HEADER = 1  # line of the file


def run_on(folder, lines, methods, **asked):
    """An experiment of four folds on a file of some lines, concluded."""
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table = read(path)
    question = ask(table, target="y", folds=4, **asked)
    experiment = Experiment(table, question, [*chosen_methods(question.task)[:1], *methods])
    for _step in experiment.steps():
        pass
    return conclude(experiment)


@pytest.fixture(scope="module")
def of_classes(tmp_path_factory):
    """Two classes far apart in `a`; row 7 has no target, and the class of row 20 is written wrongly."""
    random = np.random.default_rng(0)
    y = np.array(["low", "high"])[np.arange(60) % 2]
    a = np.where(y == "low", -3.0, 3.0) + random.normal(size=60)
    y[19] = "low" if y[19] == "high" else "high"
    b, word = random.normal(size=60), random.choice(["red", "blue"], 60)
    lines = ["a,b,word,y", *(f"{p:.3f},{q:.3f},{w},{c}" for p, q, w, c in zip(a, b, word, y, strict=True))]
    lines[6 + HEADER] = lines[6 + HEADER].rpartition(",")[0] + ","
    methods = [
        Method("LogisticRegression", aprendiz.LogisticRegression(), {"C": (0.1, 1.0, 10.0)}),
        Method("GaussianNB", aprendiz.GaussianNB(), {}),
    ]
    return run_on(tmp_path_factory.mktemp("classes"), lines, methods)


@pytest.fixture(scope="module")
def of_numbers(tmp_path_factory):
    """A line with little noise, and one row far from it."""
    random = np.random.default_rng(1)
    a = random.normal(size=50)
    y = 2.0 * a + 0.1 * random.normal(size=50)
    y[30] += 12.0
    lines = ["a,y", *(f"{p:.4f},{q:.4f}" for p, q in zip(a, y, strict=True))]
    return run_on(tmp_path_factory.mktemp("numbers"), lines, [Method("Ridge", aprendiz.Ridge(), {})])


def test_a_class_that_is_written_wrongly_is_the_first_wrong_row(of_classes):
    found = wrong_rows_of(of_classes)
    assert found["tested"] == 59
    assert found["count"] == (of_classes.evaluation.pooled.truth != of_classes.evaluation.pooled.prediction).sum()
    first = found["rows"][0]
    assert first["row"] == 20, "as it stands in the file, the row without a target included"
    assert first["of_near"][0] == {"label": first["predicted"], "rows": 5}
    assert first["cells"][0]["column"] == "a"
    assert first["cells"][0]["log_ratio"] > 3
    probabilities = [one["probability"] for one in found["rows"]]
    assert probabilities == sorted(probabilities, reverse=True)


def test_near_rows_are_the_nearest(of_classes):
    """By brute force on the columns standardised, words as zeros and ones."""
    X = of_classes.experiment.X
    Z = np.column_stack([X["a"], X["b"], X["word"] == "red"]).astype(float)
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    places = of_classes.experiment.question.known_rows(of_classes.experiment.table)
    for one in wrong_rows_of(of_classes)["rows"]:
        row = int(np.flatnonzero(places == one["row"] - 1)[0])
        order = np.argsort(((Z - Z[row]) ** 2).sum(axis=1))
        assert [near["row"] - 1 for near in one["near"]] == places[order[1:6]].tolist()


def test_the_largest_error_of_a_quantity(of_numbers):
    found = wrong_rows_of(of_numbers)
    assert found["count"] is None
    assert found["rows"][0]["row"] == 31
    errors = [abs(one["truth"] - one["predicted"]) for one in found["rows"]]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 8
    near = found["rows"][0]["near"]
    assert found["rows"][0]["of_near"] == [{"mean": np.mean([one["truth"] for one in near])}]


def test_tuning_counts_folds_and_names_edges(of_classes):
    method = of_classes.experiment.method("LogisticRegression")
    chosen = [fold.chosen for fold in of_classes.results.evaluations["LogisticRegression"].folds]
    (found,) = tuning_of(of_classes.experiment.grid(method), chosen)
    assert found["parameter"] == "C"
    assert found["folds"] == 4 == sum(one["folds"] for one in found["values"])
    for one in found["values"]:
        assert one["folds"] == sum(fold["learner__C"] == one["value"] for fold in chosen)


@pytest.mark.parametrize(
    ("values", "times", "which"),
    [
        ([1, 2, 3], [0, 1, 2], "largest"),
        ([3, 2, 1], [0, 1, 2], "smallest"),
        ([1, 2, 3], [1, 1, 1], None),
        ([1, 2, 3], [2, 0, 2], None),  # a half is not most
        ([1, 2], [0, 4], None),  # no inside
        (["a", "b", "c"], [4, 0, 0], None),
        ([True, False, True], [4, 0, 0], None),
        ([1.0, 10.0, 100.0], [0, 0, 0], None),
    ],
)
def test_an_edge_is_where_more_than_half_of_the_folds_are(values, times, which):
    assert edge(values, times) == which


def test_all_pairs_are_those_of_compare(of_classes):
    found = pairs_of(of_classes.results)
    expected = compare(of_classes.results.evaluations, metric="accuracy", test="corrected_t")
    assert {tuple(one["methods"]): one["raised"] for one in found} == {one.names: one.adjusted for one in expected.pairs}
    assert len(found) == 3
    raised = [one["raised"] for one in found]
    assert raised == sorted(raised)


@pytest.mark.parametrize(("low", "high"), [(0.91, 1.0), (0.0, 1.0), (-3.2, 17.5), (0.96312, 0.96387), (1200.0, 56000.0)])
def test_the_axis_has_round_numbers_in_their_places(low, high):
    ticks = ticks_of_axis(low, high)
    assert 2 <= len(ticks) <= 5
    for tick in ticks:
        value = float(tick["value"].replace(",", "").replace("−", "-"))
        assert 0 <= tick["at"] <= 100
        assert low + tick["at"] / 100 * (high - low) == pytest.approx(value, abs=1e-3 * (high - low))


def test_no_axis_for_a_single_value():
    assert ticks_of_axis(0.5, 0.5) == []


def test_the_paragraph_has_the_numbers_of_the_run_in_both_languages(of_classes, of_numbers):
    for outcome in (of_classes, of_numbers):
        with language("es"):
            found = methods_paragraph(outcome)
        assert list(found["texts"]) == ["es", "en"], "that of the run first"
        best, english = outcome.results.standings[0], found["texts"]["en"]
        assert f"{best.name} had the best" in english
        assert f"{best.score.value:.4f}" in english
        assert f"{best.score.value:.4f}".replace(".", ",") in found["texts"]["es"]
        assert f"{outcome.results.question.rows} rows" in english
        assert "{" not in english + found["texts"]["es"]
        cited = [one.split(",")[0].split()[0] for one in found["references"]]
        assert all(name in english for name in cited), "every reference is referred to"
        assert ("Varma" in cited) == (outcome is of_classes), "only what was tuned"


def test_why_there_is_no_learning_curve(of_classes):
    assert of_classes.no_curve is None
    assert of_classes.curve is not None
    experiment = of_classes.experiment
    experiment.stopped = "interrupted"
    try:
        assert why_no_curve(experiment, of_classes.results) == "interrupted"
    finally:
        experiment.stopped = None


def test_how_many_times_as_likely():
    assert times_as_likely(np.log(2.0)) == "2 times as likely"
    assert times_as_likely(None) == times_as_likely(800.0) == "more than 1,000 times as likely"


def test_what_the_columns_are_worth(of_classes, of_numbers):
    """The column that decides comes first, a column of noise is worth little, and predictions rise or fall along the first."""
    found = of_classes.columns
    worth = dict(zip(found.importance.names, found.importance.importances_mean, strict=True))
    assert found.rows == 18
    assert found.importance.measure == "accuracy"
    assert max(worth, key=worth.get) == "a"
    assert worth["a"] > 0.25
    assert abs(worth["b"]) < 0.15
    along = found.dependence[0]
    assert along.names == ("a",)
    assert (np.diff(along.average[-1]) <= 1e-12).all(), "the larger a, the less probable is the class 'low'"
    (of_a,) = of_numbers.columns.dependence
    assert np.polyfit(of_a.grid_values[0].astype(float), of_a.average[0], 1)[0] > 0.5


def test_the_baseline_is_not_asked_about_columns(tmp_path):
    random = np.random.default_rng(3)
    lines = ["a,y", *(f"{value:.3f},{label}" for value, label in zip(random.normal(size=40), 20 * ["p", "q"], strict=True))]
    assert run_on(tmp_path, lines, []).columns is None
