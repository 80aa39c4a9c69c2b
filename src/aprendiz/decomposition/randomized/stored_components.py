"""Components of a file: as many columns as the rows that they are multiplied with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scipy import sparse

from aprendiz.core.stored import Check, has_shape


def components_agree(held: Mapping[str, Any]) -> bool:
    """A column for each column of the table; sparse ones with places inside their shape."""
    components: Any = held.get("components_")
    columns = held.get("n_features_in_")
    if not sparse.issparse(components):
        return has_shape(held, "components_", None, columns)
    inside = components.nnz == 0 or (components.indices.min() >= 0 and components.indices.max() < columns)
    return bool(components.format == "csr" and components.shape[1] == columns and components.data.dtype.kind == "f" and inside)


COMPONENTS = Check(components_agree, "components_ and n_features_in_ do not go together; fit it again")
