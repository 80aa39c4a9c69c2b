"""Everything that a report shows, as plain data: what stands in results.json.

Numbers are numbers, in no language; a number that does not exist (NaN) is null. Reasons, notes and findings are sentences in
the language of the run; findings and roles also have codes that stay the same in every language.

    format 1     everything below but for what follows
    format 2     the rows of the folds and a hash of the splits, by which runs are compared (lab/compare_runs.py); how the
                 methods were compared, what theory says, the Brier score in parts; the support vectors of the machine of a run;
                 the map of the rows; the columns that were chosen inside the folds; the coverage of intervals and sets
                 the map of the rows; the columns that were chosen inside the folds; all pairs of methods, what tuning chose,
                 the table of each method, the worst rows, why there is no learning curve, a paragraph for a paper;
                 methods that were stopped early
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.compose import TransformedTargetRegressor

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.evaluation.bias_variance import BiasVariance
from aprendiz.evaluation.comparison import Comparison, Standing
from aprendiz.evaluation.evaluation import Evaluation, Score
from aprendiz.evaluation.precision_recall import precision_recall
from aprendiz.lab.columns_of_run import ColumnsOfRun
from aprendiz.lab.experiment import Experiment
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.pages.plain_data import plain, versions
from aprendiz.lab.reading import Table
from aprendiz.lab.report.calibration_of_run import calibration_of
from aprendiz.lab.report.columns_used import columns_used_of
from aprendiz.lab.report.findings import findings_of
from aprendiz.lab.report.map_of_rows import MapOfRows
from aprendiz.lab.report.methods_paragraph import methods_paragraph
from aprendiz.lab.report.pairs_of_methods import pairs_of
from aprendiz.lab.report.selection_of_run import selection_of
from aprendiz.lab.report.stopped_methods import stopped_methods_of
from aprendiz.lab.report.support_vectors_of_run import support_vectors_of
from aprendiz.lab.report.telling_words import words_of
from aprendiz.lab.report.theory_of_run import theory_of
from aprendiz.lab.report.tuning_of_run import tuning_of
from aprendiz.lab.report.wrong_rows import wrong_rows_of
from aprendiz.lab.targets.costs import decisions_of
from aprendiz.lab.targets.coverage_of_run import coverage_of
from aprendiz.lab.targets.orders_and_counts import counts_of, order_of
from aprendiz.lab.targets.rare_classes import rare_class_of
from aprendiz.lab.targets.skewed import transform_of
from aprendiz.locale import current_language
from aprendiz.plots.models.coefficients import classes_of, names_of
from aprendiz.plots.rows_display import RowsDisplay

FORMAT = 2
POINTS = 200  # of a curve
ROWS, FEW_ROWS = 5000, 150  # whose predictions are listed, of the best method and of the others
ERRORS = ("mse", "rmse", "mae", "median_absolute", "bias", "nmse")
LARGEST = 200  # coefficients of a class that are listed


def numbers_of(outcome: Outcome, plane: RowsDisplay | None = None, of_rows: MapOfRows | None = None) -> dict[str, Any]:
    """All that is known of an experiment, with the plane and the map of its rows if there are any, ready for JSON."""
    experiment, results = outcome.experiment, outcome.results
    known = {
        "format": FORMAT,
        "language": current_language(),
        "ended": outcome.ended.isoformat(timespec="seconds"),
        "table": of_table(experiment.table),
        "question": of_question(experiment),
        "best": results.best,
        "leaderboard": [of_method(outcome, standing) for standing in results.standings],
        "comparison": of_comparison(results.comparison),
        "pairs": pairs_of(results),
        "failures": results.failures,
        "unfinished": results.unfinished,
        "stopped_early": stopped_methods_of(outcome),
        "folds": {"planned": results.folds, "done_by_all": results.done, "done": folds_done(outcome), **of_splits(experiment)},
        "stopped": results.stopped,
        "seconds": results.seconds,
        "predictions": of_predictions(outcome.evaluation),
        "coverage": coverage_of(outcome.evaluation),
        "wrong_rows": wrong_rows_of(outcome),
        "rare_class": rare_class_of(outcome),
        "transform": transform_of(outcome),
        "order": order_of(outcome),
        "counts": counts_of(outcome),
        "decisions": decisions_of(results.question.decision, outcome.evaluation),
        "theory": theory_of(outcome),
        "selection": selection_of(outcome),
        "support_vectors": support_vectors_of(outcome),
        "learning_curve": of_curve(outcome),
        "no_curve": outcome.no_curve,
        "column_effects": None if outcome.columns is None else of_columns(outcome.columns),
        "bias_variance": None if outcome.parts is None else of_parts(outcome.parts),
        "columns_used": columns_used_of(outcome),
        "alternatives": {one.way: None if one.score is None else of_score(one.score) for one in outcome.alternatives},
        "plane": None if plane is None else {"rows": plane.chosen, "points": plane.points, "shares": plane.shares},
        "map": None if of_rows is None else of_map(of_rows),
        "model": of_model(outcome),
        "paper": methods_paragraph(outcome),
        "findings": [asdict(finding) for finding in findings_of(outcome)],
        "warnings": dict(sum((found.warnings for found in results.evaluations.values()), outcome.warnings)),
        "versions": versions(),
    }
    plain_known: dict[str, Any] = plain(known)
    return plain_known


def of_map(of_rows: MapOfRows) -> dict[str, Any]:
    """Where the rows stand, and what is known of the map."""
    return {
        "method": "t-SNE",
        "rows": of_rows.chosen,
        "points": of_rows.points,
        "perplexity": of_rows.perplexity,
        "kl_divergence": of_rows.divergence,
        "trustworthiness": of_rows.trustworthiness,
    }


def of_table(table: Table) -> dict[str, Any]:
    """What was read, how, and what the columns hold."""
    columns = [
        {
            "name": facts.name,
            "kind": facts.kind,
            "role": role.role,
            "reason": role.reason,
            "missing": facts.missing,
            "distinct": facts.distinct,
            "low": facts.low,
            "high": facts.high,
            "levels": facts.levels,
        }
        for facts, role in zip(table.facts, table.roles, strict=True)
    ]
    return {
        "name": table.name,
        "fingerprint": table.fingerprint,
        "rows": table.rows,
        "sample": None if table.sample is None else table.sample.summary(),
        "bytes": table.size,
        "dialect": {name: value for name, value in asdict(table.dialect).items() if name != "types"},
        "reasons": dict(table.reasons),
        "columns": columns,
        "notes": table.notes,
    }


def of_question(experiment: Experiment) -> dict[str, Any]:
    """What was asked, and why so."""
    question = experiment.question
    by_class = question.task == "classification"
    labels, counts = np.unique(experiment.y if by_class else experiment.y[:0], return_counts=True)
    return {
        "target": question.target,
        "task": question.task,
        "classes": {str(label): count for label, count in zip(labels, counts, strict=True)},
        "metric": question.metric,
        "protocol": repr(question.protocol),
        "protocol_in_words": str(question.protocol),
        "inner_folds": experiment.inner,
        "groups": question.groups,
        "time": question.time,
        "rows": question.rows,
        "features": question.features,
        "left_out": dict(question.left_out),
        "classes_left_out": question.single,
        "leaks": dict(question.leaks),
        "set_aside": question.set_aside,
        "subjects": None if question.subjects is None else asdict(question.subjects),
        "reasons": dict(question.reasons),
    }


# ---- methods ---------------------------------------------------------------------------------------------------------------


def of_method(outcome: Outcome, standing: Standing) -> dict[str, Any]:
    """Scores, standing, time, and what tuning chose in each fold."""
    found = outcome.results.evaluations[standing.name]
    grid, chosen = (
        outcome.experiment.grid(outcome.experiment.method(standing.name)),
        [fold.chosen or {} for fold in found.folds],
    )
    return {
        "method": standing.name,
        "scores": {name: of_score(found.score(name)) for name in found.metrics},
        "difference": standing.difference,
        "p_value": standing.p_value,
        "tied": standing.tied,
        "seconds": found.seconds,
        "grid": grid,
        "chosen": chosen,
        "tuning": tuning_of(grid, chosen),
        "certificates": certificates_of(found),
        "predictions": of_errors(found) if found.task == "regression" else of_table_of_classes(found),
        "warnings": dict(found.warnings),
    }


def certificates_of(found: Evaluation) -> list[dict[str, Any]]:
    """What the fits of the folds claim, and in how many of them it holds."""
    known = [fold.certificate for fold in found.folds if fold.certificate is not None]
    counts = Counter(known)
    return [
        {
            "claim": Certificate(claim, True, {}).claim_in_words(),
            "held": counts[claim, True],
            "folds": counts[claim, True] + counts[claim, False],
        }
        for claim in dict.fromkeys(claim for claim, _holds in known)
    ]


def of_comparison(found: Comparison) -> dict[str, Any]:
    """How the methods were compared with the best one, what the test takes for granted, and what of it does not hold."""
    tests = {"t": "corrected_t", "z": "paired_z"}
    used = {tests[pair.statistic_name]: None for pair in found.pairs if pair.statistic_name}
    assumptions = [
        {"code": one.code, "broken": one.broken, "sentence": sentence}
        for one, sentence in zip(found.assumptions, found.assumptions_in_words, strict=True)
    ]
    return {"tests": list(used), "correction": found.posthoc, "level": found.level, "assumptions": assumptions}


def of_score(score: Score) -> dict[str, Any]:
    return {"value": score.value, "low": score.low, "high": score.high, "folds": score.folds}


def folds_done(outcome: Outcome) -> dict[str, list[int]]:
    """The folds that each method has done."""
    return {name: [fold.number for fold in found.folds] for name, found in outcome.results.evaluations.items()}


def of_splits(experiment: Experiment) -> dict[str, Any]:
    """The rows of each planned fold, and a hash of the test rows: equal for runs whose folds can be paired."""
    digest = hashlib.blake2b(digest_size=16)
    for _train, test in experiment.splits:
        digest.update(len(test).to_bytes(8, "little") + np.asarray(test).astype("<i8").tobytes())
    sizes = np.array([(len(test), len(train)) for train, test in experiment.splits])
    return {"test_rows": sizes[:, 0], "training_rows": sizes[:, 1], "splits": digest.hexdigest()}


# ---- the best method -------------------------------------------------------------------------------------------------------


def of_predictions(found: Evaluation) -> dict[str, Any]:
    """What the best method said of rows it had not seen: tables and curves, or errors."""
    if found.task == "regression":
        return of_errors(found, ROWS)
    return {
        **of_table_of_classes(found),
        "curves": of_curves(found),
    }


def of_errors(found: Evaluation, rows: int = FEW_ROWS) -> dict[str, Any]:
    """The errors of all test rows, and some of the rows."""
    answers, errors = found.pooled, found.errors()
    shown = {"observed": thin(answers.truth, rows), "predicted": thin(answers.prediction, rows)}
    return {"errors": {name: getattr(errors, name) for name in ERRORS}, **shown}


def of_table_of_classes(found: Evaluation) -> dict[str, Any]:
    """The classes of all test rows, true and predicted."""
    table = found.confusion()
    per_class = zip(table.labels, table.support, table.precision, table.recall, table.f1, strict=True)
    names = ("label", "rows", "precision", "recall", "f1")
    return {
        "confusion": {"labels": table.labels, "counts": table.table},
        "calibration": calibration_of(found.pooled),
        "classes": [dict(zip(names, one, strict=True)) for one in per_class],
    }


def of_curves(found: Evaluation) -> dict[str, Any]:
    """ROC and precision–recall of each class that has scores and rows on both sides."""
    answers = found.pooled
    if answers.scores is None or answers.classes is None:
        return {}
    curves: dict[str, Any] = {}
    for column, label in enumerate(answers.classes):
        truth, score = answers.truth == label, answers.scores[:, column]
        if truth.all() or not truth.any():
            continue
        roc, precise = found.roc(label), precision_recall(truth, score, positive=True)
        curves[str(label)] = {
            "auc": found.area(label).value,
            "roc": {"false_positive_rate": thin(roc.fpr), "true_positive_rate": thin(roc.tpr)},
            "average_precision": precise.average_precision,
            "precision_recall": {"precision": thin(precise.precision), "recall": thin(precise.recall)},
        }
    return curves


def of_curve(outcome: Outcome) -> dict[str, Any] | None:
    """The learning curve."""
    curve = outcome.curve
    if curve is None:
        return None
    both = {"unseen": [of_score(one) for one in curve.unseen], "seen": [of_score(one) for one in curve.seen]}
    return {"metric": curve.metric, "protocol": curve.evaluations[0].protocol, "rows": curve.rows, **both}


def of_columns(found: ColumnsOfRun) -> dict[str, Any]:
    """What each column is worth to the best method, the most important first, and the predictions along a few of them."""
    worth = found.importance
    order = np.argsort(-worth.importances_mean, kind="stable")
    listed = [
        {"column": str(worth.names[j]), "loss": worth.importances_mean[j], "error": worth.standard_error[j]} for j in order
    ]
    along = [
        {"column": str(one.names[0]), "values": one.grid_values[0], "classes": one.classes, "average": one.average}
        for one in found.dependence
    ]
    return {"measure": worth.measure, "rows": found.rows, "importances": listed, "dependence": along}


def of_parts(found: BiasVariance) -> dict[str, Any]:
    """The error of the best method in parts; noise cannot be told apart from bias², and stands with it."""
    names = ("bias", "variance", "total")
    parts = {name: {"mean": getattr(found, name), "error": found.standard_error(name)} for name in names}
    return {"loss": found.loss, "replicates": found.replicates, "rows": len(found.numbers), "parts": parts}


def of_model(outcome: Outcome) -> dict[str, Any]:
    """The model that was handed over: its parameters, and what it learned."""
    model = outcome.fitted
    certificate = getattr(model, "certificate_", None)
    return {
        "method": outcome.results.best,
        "rows": outcome.rows_of_model,
        "of_sample": outcome.all_rows if isinstance(outcome.all_rows, str) else None,
        "parameters": model.get_params(deep=False),
        "tuned": outcome.parameters,
        "certificate": None if certificate is None else of_certificate(certificate),
        "coefficients": of_coefficients(outcome),
        "target_scale": scale_of_target(outcome),
        "importances": of_importances(outcome),
        "words": words_of(outcome),
        "learned": fitted_attributes(model),
    }


def of_certificate(certificate: Certificate) -> dict[str, Any]:
    """What the fit proves of itself."""
    shown = {name: value for name, value in certificate.values.items() if not hasattr(value, "__len__")}
    return {"claim": certificate.claim_in_words(), "holds": certificate.holds, "numbers": shown}


def of_coefficients(outcome: Outcome) -> list[dict[str, Any]]:
    """The largest coefficients, for each class or target."""
    model = outcome.fitted
    if not hasattr(model, "coef_"):
        return []
    table, names = np.atleast_2d(model.coef_), list(names_of(outcome.pipeline) or [])
    towards = classes_of(model) or [outcome.results.question.target]
    intercepts = np.broadcast_to(np.ravel(model.intercept_), len(table))
    scale = scale_of_target(outcome)
    by_factors = scale is not None and scale["power"] == 0
    rows = []
    for label, values, intercept in zip(towards, table, intercepts, strict=True):
        largest = np.argsort(-np.abs(values), kind="stable")[:LARGEST]
        listed = [
            {"column": str(names[j]), "value": values[j], **({"relative": np.expm1(values[j])} if by_factors else {})}
            for j in largest
        ]
        rows.append({"towards": str(label), "intercept": intercept, "columns": len(values), "largest": listed})
    return rows


def scale_of_target(outcome: Outcome) -> dict[str, float] | None:
    """The power and the centre of a transformed target (targets/power.py); None where it is as it was."""
    last = outcome.pipeline[-1]
    if not isinstance(last, TransformedTargetRegressor):
        return None
    return {"power": last.transformer_.power_, "centre": last.transformer_.centre_}


def of_importances(outcome: Outcome) -> list[dict[str, Any]]:
    """The most important columns of trees."""
    model = outcome.fitted
    if not hasattr(model, "feature_importances_"):
        return []
    parts, names = model.feature_importances_, list(names_of(outcome.pipeline) or [])
    return [{"column": str(names[j]), "value": parts[j]} for j in np.argsort(-parts, kind="stable")[:LARGEST]]


def fitted_attributes(model: Any) -> dict[str, Any]:
    """Small fitted attributes of a learner, by name; large ones as their shape."""
    found: dict[str, Any] = {}
    for name in sorted(vars(model)):
        value = getattr(model, name)
        if not name.endswith("_") or name.startswith("_") or name in ("feature_names_in_", "coef_", "certificate_"):
            continue
        if isinstance(value, (bool, int, float, str, np.generic)):
            found[name] = value
        elif isinstance(value, np.ndarray):
            found[name] = value if value.size <= LARGEST else {"shape": value.shape}
    return found


# ---- plain data ------------------------------------------------------------------------------------------------------------


def thin(values: Array, most: int = POINTS) -> Array:
    """Some of many values, evenly spread, the first and the last among them."""
    return values if len(values) <= most else values[np.linspace(0, len(values) - 1, most).astype(int)]
