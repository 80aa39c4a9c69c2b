"""Whether the stored tables of naive Bayes go together: a row for each class, a column for each column or category."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aprendiz.core.stored import Check, has_shape


def gaussians_agree(held: Mapping[str, Any]) -> bool:
    """Means and variances have a row for each class and a column for each column."""
    shape = len(held.get("classes_", ())), held.get("n_features_in_")
    return has_shape(held, "theta_", *shape) and has_shape(held, "var_", *shape) and has_shape(held, "class_prior_", shape[0])


def mixed_agree(held: Mapping[str, Any]) -> bool:
    """Means and variances as of Gaussians, a family for each column, a row for each class in each table."""
    classes, tables = len(held.get("classes_", ())), held.get("category_log_prob_", [])
    families = len(held.get("families_", ())) in (0, held.get("n_features_in_"))
    alike = all(has_shape({"table": table}, "table", classes, None) for table in tables)
    return gaussians_agree(held) and has_shape(held, "strength_", classes, held.get("n_features_in_")) and families and alike


def counts_agree(held: Mapping[str, Any]) -> bool:
    """A table of classes × categories for each column."""
    classes, tables, sizes = len(held.get("classes_", ())), held.get("feature_log_prob_", []), held.get("n_categories_", [])
    alike = all(has_shape({"table": table}, "table", classes, int(size)) for table, size in zip(tables, sizes, strict=True))
    return alike and len(tables) in (0, held.get("n_features_in_")) and has_shape(held, "class_log_prior_", classes)


GAUSSIANS = Check(gaussians_agree, "theta_, var_ and classes_ do not go together; fit it again")
COUNTS = Check(counts_agree, "its tables do not go together; fit it again")
MIXED = Check(mixed_agree, "its tables do not go together; fit it again")
