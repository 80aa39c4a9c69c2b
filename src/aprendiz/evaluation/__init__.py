"""How good predictions are."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    confusion_table=["ConfusionTable", "confusion"],
    outcomes=["Outcomes"],
    roc_curve=["RocCurve", "roc"],
    operating_point=["OperatingPoint"],
    errors=["RegressionErrors", "regression_errors"],
    metrics=["METRICS", "Metric"],
    protocol=["Holdout", "KFolds", "LeaveOneOut", "Repeated", "evaluate"],
    evaluation=["Evaluation", "Fold", "Score"],
)
