"""`aprendiz compare`: finished runs side by side, by their folds on one table and by ranks over several."""

import json

import numpy as np
import pytest
from scipy import stats

from aprendiz.lab import compare_runs

from .calls import call, results

K, TEST, TRAIN = 10, 20, 180  # folds and their rows
BASELINE = "DummyClassifier"


def made_run(folder, methods, *, table="t.csv", splits="same", done=None, metric="accuracy", task="classification", **more):
    """The part of a results.json that a comparison reads, with some scores in each fold."""
    folder.mkdir()
    done = list(range(K)) if done is None else done
    scores = {
        name: {metric: {"value": float(np.nanmean(of)), "low": 0.1, "high": 0.9, "folds": list(map(float, of))}}
        for name, of in methods.items()
    }
    known = {
        "format": 2,
        "table": {"name": table, "fingerprint": table},
        "question": {"target": "kind", "task": task, "metric": metric, "rows": 200},
        "folds": {
            "done": dict.fromkeys(methods, done),
            "test_rows": [TEST] * K,
            "training_rows": [TRAIN] * K,
            "splits": splits,
        },
        "leaderboard": [{"method": name, "scores": of} for name, of in scores.items()],
    }
    text = json.dumps(known | more).replace("NaN", "null")
    (folder / "results.json").write_text(text, encoding="utf-8")
    return folder


def draws(seed, mean, folds=K):
    return mean + 0.02 * np.random.default_rng(seed).normal(size=folds)


@pytest.fixture
def two(here):
    """Two runs on the same splits of a table: a method in both, and one in each."""
    first = made_run(here / "one", {"Tree": draws(1, 0.9), "Bayes": draws(2, 0.8)})
    return first, made_run(here / "two", {"Tree": draws(3, 0.88), "Near": draws(4, 0.7)})


@pytest.fixture
def many(here):
    """A run on each of six tables, with three methods and the baseline; the last one has another method too."""
    runs = []
    for i in range(6):
        means = {BASELINE: 0.5, "Tree": 0.9, "Bayes": 0.88, "Near": 0.8} | ({"Odd": 0.9} if i == 5 else {})
        methods = {name: draws(10 * i + j, mean) for j, (name, mean) in enumerate(means.items())}
        runs.append(made_run(here / f"run{i}", methods, table=f"t{i}.csv", splits=str(i)))
    return runs


# ---- one table -------------------------------------------------------------------------------------------------------------


def test_a_run_by_itself(here, table, no_pictures):
    """The command agrees with the leaderboard of the run; results.json holds the rows of the folds, and a hash of the splits
    that another seed changes and another method does not."""
    quick = ("run", "table.csv", "--folds", "4", "--metric", "log_loss")
    assert call(*quick, "--methods", "GaussianNB,KNeighborsClassifier", "--out", "a").code == 0
    assert call(*quick, "--methods", "LogisticRegression", "--out", "b").code == 0
    assert call(*quick, "--methods", "GaussianNB", "--seed", "1", "--out", "c").code == 0
    a, b, c = map(results, "abc")
    assert a["folds"]["test_rows"] == [10] * 4
    assert a["folds"]["training_rows"] == [30] * 4
    assert a["folds"]["splits"] == b["folds"]["splits"] != c["folds"]["splits"]
    found = compare_runs(["a"]).found
    assert [one.name for one in found.standings] == [one["method"] for one in a["leaderboard"]]
    assert [one.p_value for one in found.standings[1:]] == pytest.approx([one["p_value"] for one in a["leaderboard"][1:]])
    said = call("compare", "a", "b/results.json")
    assert (said.code, said.err) == (0, "")
    assert all(name in said.out for name in ("GaussianNB", "KNeighborsClassifier", "LogisticRegression", "log loss"))
    assert said.out.splitlines()[-1] == f"With the same scores in several runs, and listed once: {BASELINE}."
    assert "same rows in the same folds" in call("compare", "a", "c").out


def corrected_t(x, y):
    """Nadeau and Bengio's p-value, from its formula."""
    d = x - y
    t = d.mean() / np.sqrt((1 / len(d) + TEST / TRAIN) * d.var(ddof=1))
    return 2 * stats.t.sf(abs(t), len(d) - 1)


def test_methods_of_two_runs(two):
    """Each against the best, with p-values raised by Holm's method; a method of both runs appears with the name of each."""
    found = compare_runs(two).found
    scores = {"Tree (one)": draws(1, 0.9), "Tree (two)": draws(3, 0.88), "Bayes": draws(2, 0.8), "Near": draws(4, 0.7)}
    assert {one.name: one.score.value for one in found.standings} == pytest.approx({n: s.mean() for n, s in scores.items()})
    assert found[0].name == "Tree (one)"
    plain = sorted(corrected_t(scores["Tree (one)"], scores[name]) for name in list(scores)[1:])
    raised = np.maximum.accumulate([min(1, (3 - i) * p) for i, p in enumerate(plain)])
    assert sorted(one.p_value for one in found.standings[1:]) == pytest.approx(raised)
    said = call("compare", *two).out
    assert "corrected t of folds; accuracy; Holm" in said
    assert "The smallest test fold has 20 rows, fewer than 30" in said
    assert "Significantly worse: Bayes, Near." in said


def test_all_pairs_by_a_test(two):
    """A test that is asked for compares each with each."""
    found = compare_runs(two, test="paired_t", metric="accuracy").found
    assert len(found.pairs) == 6
    pair = found.pair("Bayes", "Near")
    assert pair.p_value == pytest.approx(stats.ttest_rel(draws(2, 0.8), draws(4, 0.7)).pvalue)
    assert "use --test" in call("compare", *two, "--test", "paired_t").out  # as an option, not as an argument of Python


def test_only_shared_folds(here, two):
    """Of a run that was stopped the finished folds are compared, and folds without a score are left out."""
    part = made_run(here / "part", {"Short": [0.5, 0.7, 0.6, np.nan]}, done=[0, 2, 3, 7])
    found = compare_runs([two[0], part])
    assert next(one for one in found.found.standings if one.name == "Tree").score.folds == pytest.approx(
        draws(1, 0.9)[[0, 2, 3]]
    )
    assert found.notes == ("Folds without a score of some method were left out: 1.",)


def test_other_splits(here, two, refused):
    """Scores without p-values, with the reason; a test, a picture and Weka's table are refused with it."""
    other = made_run(here / "other", {"Tree": draws(5, 0.95)}, splits="other")
    said = call("compare", two[0], other)
    assert said.code == 0
    assert [line.split()[:3] for line in said.out.splitlines()[1:4]] == [
        ["Tree", "(other)", f"{draws(5, 0.95).mean():.4f}"],
        ["Tree", "(one)", f"{draws(1, 0.9).mean():.4f}"],
        ["Bayes", f"{draws(2, 0.8).mean():.4f}", "0.1000"],
    ]
    for option in (["--test", "sign"], ["-o", "x.png"], ["--weka"]):
        refused("compare", two[0], other, *option, words=["one and other", "same rows in the same folds", "--seed"])


def test_a_single_split(here):
    """One score of each cannot be tested."""
    alone = made_run(here / "alone", {"Tree": [0.9], "Bayes": [0.8]}, done=[0])
    assert "single split" in call("compare", alone).out


# ---- several tables --------------------------------------------------------------------------------------------------------


def test_ranks_over_tables(many):
    """Friedman's test of the shared methods but the baseline, as SciPy has it; what is left out is said."""
    known = compare_runs(many, test="friedman")
    means = [[draws(10 * i + j, mean).mean() for i in range(6)] for j, mean in ((1, 0.9), (2, 0.88), (3, 0.8))]
    expected = stats.friedmanchisquare(*means)
    assert (known.found.statistic, known.found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert known.found.names == ("Tree", "Bayes", "Near")
    assert known.notes[0] == "Not ranked, because some runs lack them: Odd."
    said = call("compare", *many)
    assert said.code == 0
    for words in ("t5.csv", "Iman and Davenport", "6 tables; Nemenyi", "mean rank", "critical difference", "Not told apart: "):
        assert words in said.out
    assert said.out.splitlines()[-1] == "The baseline is not ranked: it would make any methods differ."


def test_two_methods_over_tables(here):
    """Two methods, of which one may be the baseline, are compared by Wilcoxon's test."""
    runs = [
        made_run(here / f"r{i}", {"Tree": draws(i, 0.9), BASELINE: draws(9 + i, 0.5)}, table=f"t{i}", splits=str(i))
        for i in range(6)
    ]
    found = compare_runs(runs).found
    assert (found.test, found.names, found.p_value) == ("wilcoxon", ("Tree", BASELINE), pytest.approx(2 / 2**6))


def test_weka(many):
    """v and * by the corrected t-test on each table, against the first method."""
    lines = call("compare", *many, "--weka").out.splitlines()
    marks = [np.array(line.split())[2:] for line in lines[1:7]]
    for i, cells in enumerate(marks):
        p = corrected_t(draws(10 * i + 3, 0.8), draws(10 * i + 1, 0.9))
        assert (cells[-1] == "*") == (p < 0.05)
    assert lines[7].startswith("(v/ /*)")


# ---- words and pictures ----------------------------------------------------------------------------------------------------


def test_in_spanish(many, two):
    assert "diferencia crítica" in call("compare", *many, "--lang", "es").out
    said = call("compare", *two, "--lang", "es").out
    assert "Significativamente peores: Bayes, Near." in said
    assert "0,7" in said


def test_picture(two, many, here, refused):
    """A whole file of the kind that its name tells; one that is there stays, unless it may be replaced."""
    said = call("compare", *many, "-o", "ranks.svg")
    assert (said.code, said.err) == (0, "picture: ranks.svg\n")
    assert "</svg>" in (here / "ranks.svg").read_text(encoding="utf-8")
    refused("compare", *two, "-o", "ranks.svg", words=["ranks.svg already exists", "--force"])
    assert call("compare", *two, "--out", "both.png").code == 0
    assert (here / "both.png").read_bytes().startswith(b"\x89PNG")
    refused("compare", *two, "-o", "both.txt", words=["both.txt", ".png, .svg, .pdf"])


# ---- bad input -------------------------------------------------------------------------------------------------------------


def test_no_runs(here, two, refused):
    """What is no run is named."""
    refused("compare", words=["RUN", "missing"])
    refused("compare", two[0], "nowhere", words=["nowhere", "folder of a run"])
    (here / "empty").mkdir()
    refused("compare", "empty", words=["empty/results.json", "folder of a run"])
    nobody = (two[0] / "results.json").read_text().replace('"leaderboard": [{', '"leaderboard": [], "old": [{')
    broken = {"words.json": "hello", "list.json": "[1, 2]", "other.json": '{"format": 2}', "b.json": "\x00", "no.json": nobody}
    for name, text in broken.items():
        (here / name).write_text(text)
        refused("compare", two[0], name, words=[name, "is not a results.json"])
    made_run(here / "old", {"Tree": draws(1, 0.9)}, format=1)
    refused("compare", "old", words=["old/results.json", "older version", "again"])


def test_runs_that_cannot_be_compared(here, two, many, refused):
    """Other tasks, other measures, a single method, no shared methods, a table twice among others."""
    numbers = made_run(here / "numbers", {"Line": draws(1, 0.5)}, task="regression", metric="r2")
    refused("compare", two[0], numbers, words=["one is a run of classification and numbers of regression"])
    other = made_run(here / "other", {"Tree": draws(1, 0.5)}, metric="auc")
    refused("compare", two[0], other, words=["one was judged by accuracy and other by auc", "--metric accuracy"])
    refused("compare", *two, "--metric", "auc", words=["one has no measure 'auc'", "accuracy"])
    alone = made_run(here / "alone", {"Tree": draws(1, 0.5)})
    refused("compare", alone, words=["only Tree", "another run"])
    strange = made_run(here / "strange", {"Other": draws(1, 0.5)}, table="s.csv")
    refused("compare", alone, strange, words=["share fewer than two methods", "alone: Tree; strange: Other"])
    refused("compare", *two, many[0], words=["one and two are runs of the same table, t.csv", "give one of them"])
    equal = made_run(here / "equal", {"Tree": draws(1, 0.9), "Copy": draws(1, 0.9)})
    refused("compare", equal, words=["Tree, Copy have the same accuracy in every fold"])


def test_tests_that_do_not_fit(here, two, many, refused):
    """The test is named, and those that can be chosen."""
    refused("compare", *two, "--test", "friedman", words=["'friedman' is not a test of the folds", "corrected_t"])
    refused("compare", *many, "--test", "corrected_t", words=["'corrected_t' is not a test of several tables", "friedman"])
    refused("compare", *two, "--level", "1", words=["--level", "between 0 and 1"])
    pair = [
        made_run(here / f"p{i}", {"A": draws(i, 1), "B": draws(i + 5, 2)}, table=f"p{i}", metric="rmse", task="regression")
        for i in range(2)
    ]
    refused("compare", *pair, "--test", "friedman", words=["friedman is for three methods or more", "--test wilcoxon"])
    refused("compare", *pair, "--test", "bayesian_signed_rank", words=["bayesian_signed_rank", "RMSE", "another test"])
