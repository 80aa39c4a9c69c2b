"""The measures, for readers: their names, and their values."""

from aprendiz.evaluation.metrics import METRICS
from aprendiz.locale import _, fixed, number


def measure_in_words(name: str) -> str:
    """The name of a measure in the current language."""
    words = {
        "accuracy": _("accuracy"),
        "balanced_accuracy": _("balanced accuracy"),
        "f1": _("F1"),
        "matthews": _("Matthews correlation"),
        "auc": _("AUC"),
        "log_loss": _("log loss"),
        "brier": _("Brier score"),
        "r2": _("R²"),
        "mse": _("MSE"),
        "rmse": _("RMSE"),
        "mae": _("MAE"),
        "nmse": _("NMSE"),
    }
    return words.get(name, name)


def score_in_words(value: float, name: str = "accuracy") -> str:
    """A value of a measure: four decimals if it is at most about 1 by its nature, else five digits."""
    bounded = METRICS[name].range[1] < 10 and abs(value) < 10
    return fixed(value, 4) if bounded or value == 0 else number(value, 5)
