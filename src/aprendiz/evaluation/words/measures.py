"""The measures, for readers: their names, and their values."""

from aprendiz.evaluation import METRICS
from aprendiz.locale import _, format_fixed, number


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
        "mean_cost": _("mean cost"),
        "r2": _("R²"),
        "mse": _("MSE"),
        "rmse": _("RMSE"),
        "mae": _("MAE"),
        "nmse": _("NMSE"),
        "error": _("error"),
    }
    return words.get(name, name)


def score_in_words(value: float, name: str = "accuracy") -> str:
    """A value of a measure: four decimals if it is about 1, or at most 1 by its nature; else five digits."""
    small = abs(value) < 0.01 and METRICS[name].range[1] > 10 and value != 0
    return number(value, 5) if small or abs(value) >= 10 else format_fixed(value, 4)
