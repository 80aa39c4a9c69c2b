"""Whether stored centres go together with the columns of their table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aprendiz.core.stored import Check, has_shape


def centres_agree(held: Mapping[str, Any]) -> bool:
    """A centre has a coordinate for each column."""
    return has_shape(held, "cluster_centers_", None, held.get("n_features_in_"))


CENTRES = Check(centres_agree, "cluster_centers_ and n_features_in_ do not go together; fit it again")
