"""Pictures: one Display for each, drawn with matplotlib."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    confusion_display=["ConfusionDisplay"],
    roc_display=["RocDisplay"],
    score_distribution_display=["ScoreDistributionDisplay"],
    precision_recall_display=["PrecisionRecallDisplay"],
    calibration_display=["CalibrationDisplay"],
    residuals_display=["ResidualsDisplay"],
    quantile_display=["QuantileDisplay"],
    influence_display=["InfluenceDisplay"],
    learning_curve_display=["LearningCurveDisplay"],
    rows_display=["RowsDisplay"],
    coefficients_display=["CoefficientsDisplay"],
    coefficient_path_display=["CoefficientPathDisplay"],
    penalty_display=["PenaltyDisplay", "penalty"],
    training_curve_display=["TrainingCurveDisplay"],
    descent_display=["DescentPathDisplay"],
    regions_display=["RegionsDisplay"],
    posterior_display=["PosteriorDisplay"],
    ambiguous_regions_display=["AmbiguousRegionsDisplay"],
    hypotheses_display=["HypothesesDisplay", "hypotheses"],
    evidence_display=["EvidenceDisplay"],
    distribution_display=["DistributionDisplay"],
    ellipse_display=["EllipseDisplay", "ellipse"],
    risk_coverage_display=["RiskCoverageDisplay"],
    decision_areas_display=["DecisionAreasDisplay", "decision_areas"],
    threshold_curve_display=["ThresholdCurveDisplay"],
    shrunken_centroids_display=["ShrunkenCentroidsDisplay"],
)
