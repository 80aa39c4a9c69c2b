"""The bounds of errors, for readers: their names, and what is to be said of some."""

from aprendiz.locale import _


def bound_in_words(name: str) -> str:
    """The name of a bound in the current language."""
    return {
        "wilson": _("Wilson"),
        "clopper_pearson": _("Clopper–Pearson"),
        "hoeffding": _("Hoeffding"),
        "empirical_bernstein": _("empirical Bernstein"),
        "finite_class": _("finite class"),
        "finite_class, consistent": _("finite class, no training errors"),
        "vc_bound": _("Vapnik–Chervonenkis"),
        "vc_bound, consistent": _("Vapnik–Chervonenkis, no training errors"),
    }[name]


def verdict_in_words(verdict: str) -> str:
    """Why a bound says nothing new; nothing for one that does."""
    words = {"vacuous": _("vacuous: it reaches 1"), "baseline": _("no better than the most frequent class")}
    return words.get(verdict, "")
