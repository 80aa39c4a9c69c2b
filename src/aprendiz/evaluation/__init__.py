"""How good predictions are."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    confusion_table=["ConfusionTable", "confusion"],
    outcomes=["Outcomes"],
    roc_curve=["RocCurve", "roc"],
    operating_point=["OperatingPoint"],
    precision_recall_curve=["PrecisionRecallCurve", "precision_recall"],
    reliability=["Calibration", "calibration"],
    errors=["RegressionErrors", "regression_errors"],
    metrics=["METRICS", "Metric"],
    splits=["Holdout", "KFolds", "LeaveOneOut", "Repeated"],
    protocol=["evaluate"],
    tuning=["Tuned"],
    comparison=["Standing", "compare"],
    evaluation=["Evaluation", "Fold", "Score"],
    learning_curves=["LearningCurve", "learning_curve"],
)
