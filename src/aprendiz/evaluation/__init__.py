"""Evaluation of predictions: measures, protocols, intervals, comparisons."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    confusion=["confusion", "ConfusionTable"],
    outcomes=["Outcomes"],
    roc=["roc", "RocCurve"],
    operating_point=["OperatingPoint"],
    precision_recall=["precision_recall", "PrecisionRecallCurve"],
    calibration=["calibration", "Calibration"],
    regression_errors=["regression_errors", "RegressionErrors"],
    metrics=["METRICS", "Metric"],
    holdout=["Holdout"],
    k_folds=["KFolds"],
    repeated=["Repeated"],
    leave_one_out=["LeaveOneOut"],
    evaluate=["evaluate"],
    evaluation=["Evaluation", "Fold", "Score"],
    tuned=["Tuned"],
    compare=["compare", "Standing"],
    learning_curve=["learning_curve", "LearningCurve"],
)
