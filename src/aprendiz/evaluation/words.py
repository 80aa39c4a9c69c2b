"""The names of the measures, for readers."""

from aprendiz.locale import _


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
