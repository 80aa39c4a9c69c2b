"""How rows are divided into those that teach and those that test: the protocols that `evaluate` takes, in one place.

    Holdout(0.3)       some rows are set apart and tested once
    KFolds(10)         each of k parts is tested by a learner of the others
    Repeated(10, 5)    that, several times
    LeaveOneOut()      each row is tested by a learner of all the others
    ExpandingWindows(5)  rows in order of time: each part is tested by a learner of those before it
    Bootstrap(200)     learners of rows drawn with replacement are tested on those that were not drawn

Training, validation and test rows: `evaluate(learner, X, y, protocol=Holdout(0.2), grid=…, inner=Holdout(0.25))`. Nested
cross-validation: `evaluate(learner, X, y, protocol=KFolds(10), grid=…, inner=5)`.
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    {"aprendiz.evaluation": ["Holdout", "KFolds", "Repeated", "LeaveOneOut", "ExpandingWindows", "Bootstrap", "evaluate"]},
    bootstrap=["bootstrap"],
)
