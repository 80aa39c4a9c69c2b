"""Models on disk: `save(model, "m.apz")`, `load("m.apz")`. The format is described in docs/model-format.md."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(__name__, files=["load", "save"], archive=["ModelFileError"])
