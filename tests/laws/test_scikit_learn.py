"""Every public learner passes scikit-learn's own estimator checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from aprendiz import all_learners


def expected_failures(learner):
    """Exceptions are declared beside the learner, with their reason."""
    return {name: why for name, why in learner.exceptions.items() if name.startswith("check_")}


# some checks ask k-means for more clusters than there are distinct rows, which rightly warns
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([cls() for _, cls in all_learners()], expected_failed_checks=expected_failures)
def test_check(estimator, check):
    check(estimator)
