"""The measures, for readers: their names, and their values."""

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


def score_in_words(value: float) -> str:
    """A value of a measure: four decimals if it is about 1, else five digits."""
    return fixed(value, 4) if 0.01 <= abs(value) < 10 or value == 0 else number(value, 5)
