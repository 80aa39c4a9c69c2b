"""Selection of columns: scores of single columns, information, wrappers, embedded methods, and the trust in a choice."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
)
