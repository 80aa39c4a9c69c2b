"""Pictures: one Display for each, drawn with matplotlib."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    confusion_display=["ConfusionDisplay"],
    roc_display=["RocDisplay"],
    score_distribution_display=["ScoreDistributionDisplay"],
    residuals_display=["ResidualsDisplay"],
)
