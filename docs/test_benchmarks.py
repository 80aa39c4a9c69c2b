"""The page of benchmarks: it is what the stored results say, and results come back from their files as they were measured."""

import os
import re
import sys
import warnings
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest

DOCS = Path(__file__).parent
PARTS = ("about", "alone", "harness", "machine", "page", "populations", "rates", "results", "small", "__main__")


@pytest.fixture(scope="module")
def benchmarks():
    """The parts of the benchmarks by name. Their import sets the number of threads and silences warnings: not here."""
    with patch.dict(os.environ), patch.object(sys, "path", [str(DOCS.parent), *sys.path]), warnings.catch_warnings():
        package = import_module("benchmarks")
        parts = {part.strip("_"): import_module(f"benchmarks.{part}") for part in PARTS}
    return SimpleNamespace(families=package.FAMILIES, **parts)


@pytest.fixture
def elsewhere(benchmarks, monkeypatch, tmp_path):
    """Results and page in an empty folder, and a machine of known speed."""
    monkeypatch.setattr(benchmarks.results, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(benchmarks.page, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr(benchmarks.rates, "PAGE", tmp_path / "how_sure_are_we.md")
    monkeypatch.setattr(benchmarks.machine, "limits", lambda: benchmarks.machine.Limits(4e9, 2e9, 1e9, 3e9))
    return tmp_path


@pytest.fixture(scope="module")
def measured(benchmarks):
    """A tiny case, as the harness measures it in a few turns; the processes of its own are left out."""
    quick = {"PAUSE": 0.0, "BATCH": 0.0, "BUDGET": 0.01, "MOST_TURNS": 2}
    alone = patch.object(benchmarks.alone, "measured", lambda *names: benchmarks.alone.Alone(0.0125, None))
    with patch.multiple(benchmarks.harness, **quick), alone:
        return benchmarks.harness.measure("small", benchmarks.small.SCALERS[0])


def run(benchmarks, *found, date="2026-01-02", version="1.0"):
    return benchmarks.results.Run(date, {"processor": "P", "aprendiz": version}, results=list(found))


# ---- the page that is kept ---------------------------------------------------------------------------------------------


def test_the_page_is_written_from_what_is_stored(benchmarks):
    page, results = benchmarks.page, benchmarks.results
    assert page.PAGE.read_text(encoding="utf-8") == page.page(results.load_all())


def test_files_are_as_they_would_be_written(benchmarks):
    results = benchmarks.results
    for file in results.FOLDER.iterdir():
        assert file.stem in benchmarks.families
        runs = [results.numbers(found) for found in results.load(file.stem)]
        assert file.read_text(encoding="utf-8") == results.text(runs), file.name


def test_contents_name_every_family_and_lead_to_headings(benchmarks):
    text = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    headings = [benchmarks.page.anchor(title) for title in re.findall(r"^## (.*)", text, re.MULTILINE)]
    contents = text.partition("## Contents")[2].partition("\n## ")[0]
    assert ["#contents", *re.findall(r"\((#[^)]*)\)", contents)] == headings
    assert list(benchmarks.about.TITLES) == list(benchmarks.about.ABOUT) == list(benchmarks.families)
    assert all(title in contents for title in benchmarks.about.TITLES.values())


# ---- rates -------------------------------------------------------------------------------------------------------------


def test_rates_are_those_that_are_stored(benchmarks):
    text = benchmarks.rates.PAGE.read_text(encoding="utf-8")
    assert text == benchmarks.rates.page(text, benchmarks.results.load_all())
    with pytest.raises(ValueError, match="one place marked for 'resampling'"):
        benchmarks.rates.page("", benchmarks.results.load_all())


def test_what_the_page_says_of_rates(benchmarks):
    """Its sentences, in numbers."""
    runs = benchmarks.results.load_all()
    tests = {(one.group, one.test, one.on): one.wrong / one.repeats for run in runs["type_one"] for one in run.results}
    held = {
        (one.protocol, one.measure, one.interval, one.rows): one.model / one.repeats
        for run in runs["coverage"]
        for one in run.results
    }
    stable, unstable, rows = "folds", "folds of unstable learners", "held-out rows"
    assert tests[stable, "paired_t", "10 folds"] < 0.07 < 0.15 < tests[unstable, "paired_t", "10 folds"]
    for group in (stable, unstable):
        assert tests[group, "paired_t", "3 times 10 folds"] > 0.2
        assert tests[group, "paired_t", "5 times 2 folds"] > 0.4
        assert tests[group, "corrected_t", "5 times 2 folds"] < 0.06
    assert tests[stable, "corrected_t", "10 folds"] < 0.02
    assert tests[unstable, "corrected_t", "10 folds"] > 0.05
    for on in ("two rules", "two models"):
        assert max(tests[rows, "mcnemar", on], tests[rows, "mcnemar_corrected", on]) < 0.045
        assert 0.045 < tests[rows, "mcnemar_mid_p", on] < 0.065
    for size in (100, 1000):
        assert held["holdout", "accuracy", "Hoeffding", size] > 0.99
        assert held["holdout", "accuracy", "Clopper–Pearson", size] > 0.95
        assert abs(held["holdout", "accuracy", "Wilson", size] - 0.95) < 0.015
    assert held["5 times 2 folds", "accuracy", "of the folds, naive", 100] < 0.7
    bootstrap = [share for (protocol, *_), share in held.items() if protocol == "bootstrap"]
    assert min(bootstrap) > 0.9


@pytest.mark.parametrize("kind", ["classes", "target"])
def test_the_truth_is_that_of_many_rows(benchmarks, kind):
    """The closed forms of every measure, beside the measure of 200 000 rows."""
    from aprendiz.evaluation import METRICS
    from aprendiz.evaluation.measures.answers import Answers

    made = {"classes": benchmarks.populations.NormalClasses, "target": benchmarks.populations.LinearTarget}
    population, random = made[kind]((0.8, 0.4)), np.random.default_rng(0)
    model = population.learner.fit(*population.draw(60, random))
    X, y = population.draw(200_000, random)
    classes = (model.classes_, model.predict_proba(X)) if kind == "classes" else (None, None)
    answers, truth = Answers(y, model.predict(X), *classes), population.truth(model)
    of_task = {name for name, one in METRICS.items() if (one.task == "classification") == (kind == "classes")}
    assert set(truth) == of_task - {"mean_cost"}, "which depends on the costs that are given"
    for name, value in truth.items():
        assert METRICS[name].of(answers) == pytest.approx(value, abs=0.01), name


# ---- from a case to the page -------------------------------------------------------------------------------------------


def test_a_result_comes_back_from_its_file(benchmarks, elsewhere, measured):
    results = benchmarks.results
    results.save("small", [run(benchmarks, measured)])
    written = (results.FOLDER / "small.json").read_text(encoding="utf-8")
    (back,) = results.load("small")
    assert back.results[0].seconds == pytest.approx(measured.seconds, rel=1e-4)
    assert replace(back.results[0], seconds={}, noise={}) == replace(measured, seconds={}, noise={})
    results.save("small", [back])
    assert (results.FOLDER / "small.json").read_text(encoding="utf-8") == written


def test_a_result_is_shown(benchmarks, measured):
    shown = replace(measured, seconds={"aprendiz": 0.002, "scikit-learn": 0.5}, once=["scikit-learn"], disturbed=True)
    bare = benchmarks.harness.Result("another", {"aprendiz": 12.0}, "no peer")
    text = benchmarks.page.section("small", [run(benchmarks, shown, bare)])
    assert f"| StandardScaler, iris † | 250.00 | 2.00 | 500 (once) | {measured.quality} |" in text
    assert "| another | — | 12 000 | — | no peer |" in text
    assert "| StandardScaler, iris | ? | ? | 12.5 | 12.5 |" in text
    assert "Growth" not in text


def test_first_fits_are_stored_and_shown(benchmarks, elsewhere):
    """They are no cases: stored as a whole, the import of scikit-learn first, which is named in the text."""
    found = [("scikit-learn", 0.5, 0.0, None, 0), ("KMeans", 0.75, 5.5, 0.25, 30), ("Agglomerative", 0.75, 2.0, None, 4)]
    results, cold = benchmarks.results, benchmarks.results.cold
    first = run(benchmarks, *(cold.ColdResult(*numbers) for numbers in found))
    results.save("cold", [first])
    assert results.load_all() == {"cold": [first]}
    text = benchmarks.page.page(results.load_all())
    assert "takes 0.50 s." in text
    assert "| **KMeans** | 5.50 | 0.25 | 0.75 | 30 |\n| Agglomerative | 2.00 | — | 0.75 | 4 |" in text
    assert "- Decision trees: not measured yet" in text


def test_the_share_of_the_limit_is_that_of_the_run(benchmarks):
    grown = benchmarks.harness.Result("case", {"aprendiz": 2.0}, "", growth={"aprendiz": 1.0}, operations=4e9)
    limits = benchmarks.machine.Limits(4e9, 2e9, 1e9, 3e9)
    text = benchmarks.page.section("small", [replace(run(benchmarks, grown), limits=limits), run(benchmarks, grown)])
    assert "| case | 1.00 | GEMM | 50% |\n| case | 1.00 | — | — |" in text


# ---- runs ----------------------------------------------------------------------------------------------------------------


def test_new_results_take_the_place_of_older_ones(benchmarks):
    a, b, again = (benchmarks.harness.Result(name, {"aprendiz": s}, "") for name, s in (("a", 1.0), ("b", 2.0), ("a", 3.0)))
    new = run(benchmarks, again, date="2026-02-03")
    merge = benchmarks.results.merge
    assert merge([run(benchmarks, a), run(benchmarks, b)], new) == [run(benchmarks, b), new]
    text = benchmarks.page.section("small", merge([run(benchmarks, a, b)], new))
    assert "Measured on 2026-01-02 and 2026-02-03." in text
    assert "| b | 2 000 |  | 2026-01-02 |\n| a | 3 000 |  | 2026-02-03 |" in text


def test_an_interrupted_run_loses_nothing_and_goes_on(benchmarks, elsewhere, monkeypatch):
    main, seen, stop_at = benchmarks.main, [], [3]

    def measure(family, case):
        if len(seen) == stop_at[0]:
            raise KeyboardInterrupt
        seen.append(case.name)
        return benchmarks.harness.Result(case.name, {"aprendiz": 1.0}, "equal")

    monkeypatch.setattr(main, "measure", measure)
    names = [case.name for case in benchmarks.harness.cases("small")]
    with pytest.raises(KeyboardInterrupt):
        main.main(["small"])
    assert [result.name for result in benchmarks.results.load("small")[0].results] == names[:3]
    assert benchmarks.page.PAGE.read_text(encoding="utf-8") == benchmarks.page.page(benchmarks.results.load_all())
    stop_at[0] = None
    assert main.main(["small", "--missing"]) == 0
    assert seen == names
    assert main.main(["small"]) == 0  # from end to end: only this run is left
    (whole,) = benchmarks.results.load("small")
    assert [result.name for result in whole.results] == names


def test_a_quick_run_stores_nothing(benchmarks, elsewhere, monkeypatch, capsys):
    result = benchmarks.harness.Result("case", {"aprendiz": 1.0}, "behind", kept=False)
    monkeypatch.setattr(benchmarks.main, "measure", lambda family, case: result)
    monkeypatch.setattr(benchmarks.main, "QUICK", True)
    assert benchmarks.main.main(["decomposition"]) == 1  # ours did not reach the quality of its peers
    assert "| case | 1 000 | behind |" in capsys.readouterr().out
    assert not list(elsewhere.iterdir())
    assert benchmarks.main.main(["no such family"]) == 2
