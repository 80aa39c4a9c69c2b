"""What theory promises about errors: intervals of the error on held-out rows, bounds over classes of rules, and their inverses.

    hoeffding(1000, delta=0.05)             the ε within which the error on 1000 held-out rows is, but for 5 %
    hoeffding(1000, eps=0.05)               the δ
    hoeffding(eps=0.05, delta=0.05)         the rows
    wilson(1000, errors=80, delta=0.05)     the interval of the error after 80 errors

Held-out rows judge one rule, that was chosen without them: `hoeffding`, `clopper_pearson`, `wilson`, `empirical_bernstein`. The
training rows chose the rule, so their bounds hold for all rules of a class at once: `finite_class`, `vc_bound`, and for the
excess over the best rule of the class `stoller_erm`, `hyperplane_erm`.
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    {"aprendiz.linear": ["stoller_bound", "stoller_erm", "hyperplane_erm"]},
    hoeffding=["hoeffding"],
    clopper_pearson=["clopper_pearson"],
    wilson=["wilson"],
    empirical_bernstein=["empirical_bernstein"],
    finite_class=["finite_class"],
    vc_bound=["vc_bound"],
    vc_dimension=["vc_dimension"],
    shatters=["shatters", "Shattering"],
    cover_count=["cover_count"],
    structural_risk=["structural_risk", "StructuralRisk"],
)
