"""The methods of a run that could not win any more: their folds, and why they were stopped (lab/race.py)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aprendiz.lab.outcome import Outcome


def stopped_methods_of(outcome: Outcome) -> list[dict[str, Any]]:
    """An entry for each, in the order in which they were stopped."""
    results, entries = outcome.results, []
    for loser in results.raced:
        found = outcome.experiment.evaluation(loser.method)
        scores = {name: asdict(found.score(name)) for name in found.metrics}
        for score in scores.values():
            del score["name"]
        entries.append(
            {
                **asdict(loser),
                "sentence": loser.in_words(results.question.metric, results.folds),
                "scores": scores,
                "seconds": found.seconds,
                "warnings": dict(found.warnings),
            }
        )
    return entries
