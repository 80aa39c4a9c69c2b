"""Selection of columns: scores of single columns, information, wrappers, embedded methods, and the trust in a choice."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    cmim=["CMIM"],
    disr=["DISR"],
    jmi=["JMI"],
    mrmr=["MRMR"],
    sequential_feature_selector=["SequentialFeatureSelector"],
    sequential_selection=["SequentialSelection"],
)
