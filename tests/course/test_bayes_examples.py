"""The worked examples of the course about naive Bayes; numbers as the course prints them."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from aprendiz import BernoulliNB, CategoricalNB, GaussianNB, NaiveBayes
from aprendiz.datasets import load

pytestmark = pytest.mark.filterwarnings("ignore:.*never occurs in class")  # what zeros do is asked for here

TUMOUR, DIAGNOSIS = load("tumour", return_X_y=True, as_frame=True)


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


def malignant(model, *row):
    """P(malignant | row)."""
    P = model.predict_proba(pd.DataFrame([row], columns=TUMOUR.columns))
    return P[0, list(model.classes_).index("malignant")]


@pytest.fixture
def counted():
    """Naive Bayes without smoothing, straight from the words of the table."""
    return CategoricalNB(alpha=0).fit(TUMOUR, DIAGNOSIS)


def test_a_10_the_factors(counted):
    """5 of 14 rows are malignant; large 4/5 and 1/9, medium smoothness 1/5 and 5/9, symmetric 1/5 and 5/9."""
    counts = dict(zip(counted.classes_, counted.class_count_, strict=True))
    assert counts == {"benign": 9, "malignant": 5}
    for name, word, shares in [
        ("size", "large", (4 / 5, 1 / 9)),
        ("smoothness", "medium", (1 / 5, 5 / 9)),
        ("symmetry", "yes", (1 / 5, 5 / 9)),
    ]:
        j, level = list(TUMOUR.columns).index(name), counted.columns_[name].levels.index(word)
        theta = dict(zip(counted.classes_, np.exp(counted.feature_log_prob_[j][:, level]), strict=True))
        assert (theta["malignant"], theta["benign"]) == pytest.approx(shares, rel=1e-14)


def test_a_10_a_large_medium_symmetric_tumour(counted):
    """P(malignant | large, medium, yes) = 0.341412; the text rounds its factors and prints .35."""
    assert malignant(counted, "large", "medium", "yes") == printed(0.341412, 6)
    joint = [
        Fraction(5, 14) * Fraction(4, 5) * Fraction(1, 5) * Fraction(1, 5),
        Fraction(9, 14) * Fraction(1, 9) * Fraction(5, 9) ** 2,
    ]
    assert joint[0] / sum(joint) == Fraction(324, 949)
    assert malignant(counted, "large", "medium", "yes") == pytest.approx(324 / 949, rel=1e-13)


def test_a_27_a_zero_count_decides(counted):
    """(small, high, no): no malignant tumour is small, so 0 without smoothing and 0.343750 with α = 1; with α = 1 the
    tumour of A-10 has 0.353017."""
    assert malignant(counted, "small", "high", "no") == 0
    assert not counted.certificate_.holds
    smooth = CategoricalNB(alpha=1).fit(TUMOUR, DIAGNOSIS)
    assert malignant(smooth, "small", "high", "no") == printed(0.343750, 6)
    assert malignant(smooth, "large", "medium", "yes") == printed(0.353017, 6)
    assert smooth.certificate_.holds


def test_a_27_a_missing_cell_is_left_out(counted):
    """P(malignant | large, yes) by the factors that are left: 36/61."""
    joint = [Fraction(5, 14) * Fraction(4, 5) * Fraction(1, 5), Fraction(9, 14) * Fraction(1, 9) * Fraction(5, 9)]
    assert joint[0] / sum(joint) == Fraction(36, 61)
    assert malignant(counted, "large", None, "yes") == pytest.approx(36 / 61, rel=1e-13)


def test_a_31_parameters_of_a_class():
    """2 real columns, a binary one, a 3- and a 4-valued one: 4 + 1 + 2 + 3 = 10 parameters in each class."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    real = GaussianNB().fit(rng.normal(size=(40, 2)), y)
    codes = np.column_stack([np.arange(40) // 2 % levels for levels in (2, 3, 4)]).astype(float)
    coded = CategoricalNB().fit(codes, y)
    of_real = real.theta_[0].size + real.var_[0].size
    of_codes = coded.n_categories_ - 1  # the shares of a column sum to 1
    assert of_real == 4
    assert of_codes.tolist() == [1, 2, 3]
    assert of_real + of_codes.sum() == 10
    for table in coded.feature_log_prob_:
        np.testing.assert_allclose(np.exp(table).sum(axis=1), 1, rtol=1e-14)


# ---- the same by the learner of mixed columns --------------------------------------------------------------------------


@pytest.fixture
def mixed():
    """Maximum likelihood: a zero count is warned of, with the way out."""
    with pytest.warns(UserWarning, match="Column 'size': 'small' never occurs in class 'malignant'.*estimate=\"map\""):
        return NaiveBayes(estimate="ml").fit(TUMOUR, DIAGNOSIS)


def test_a_10_the_table_of_factors(mixed):
    """5/14, 4/5, 1/5, 1/5 and 9/14, 1/9, 5/9, 5/9; 324/949 for malignant."""
    frame = mixed.explain({"size": "large", "smoothness": "medium", "symmetry": "yes"}).frame()
    assert list(frame.index) == ["prior", "size = large", "smoothness = medium", "symmetry = yes", "product", "posterior"]
    assert frame["malignant"].tolist() == pytest.approx([5 / 14, 4 / 5, 1 / 5, 1 / 5, 4 / 350, 324 / 949], rel=1e-13)
    assert frame["benign"].tolist() == pytest.approx([9 / 14, 1 / 9, 5 / 9, 5 / 9, 25 / 1134, 625 / 949], rel=1e-13)
    assert malignant(mixed, "large", "medium", "yes") == printed(0.341412, 6)


def test_a_27_by_the_mixed_learner(mixed):
    """0 without smoothing, 0.343750 with α = 1, and 0.353017 for the tumour of A-10."""
    assert malignant(mixed, "small", "high", "no") == 0
    smooth = NaiveBayes(alpha=1).fit(TUMOUR, DIAGNOSIS)
    assert malignant(smooth, "small", "high", "no") == printed(0.343750, 6)
    assert malignant(smooth, "large", "medium", "yes") == printed(0.353017, 6)
    assert smooth.explain(["small", "high", "no"]).posterior[1] == printed(0.343750, 6)


def test_a_27_a_missing_cell_has_no_line(mixed):
    """P(malignant | large, yes) = 36/61, and the table has no factor for the smoothness."""
    table = mixed.explain({"size": "large", "smoothness": None, "symmetry": "yes"})
    assert table.cells == (("size", "large"), ("symmetry", "yes"))
    assert table.posterior[1] == pytest.approx(36 / 61, rel=1e-13)


def test_a_31_parameters_of_mixed_columns():
    """2 real columns, a binary one, a 3- and a 4-valued one in one table: 10 parameters in each class."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(48, 2)), columns=["height", "weight"])
    for name, words in (("sex", "fm"), ("size", "SML"), ("blood", ["A", "B", "AB", "0"])):
        frame[name] = [words[i // 2 % len(words)] for i in range(48)]
    model = NaiveBayes().fit(frame, np.arange(48) % 2)
    assert model.n_parameters_ == 4 + 1 + 2 + 3
    assert model.families_ == ["gaussian"] * 2 + ["categorical"] * 3


# ---- yes and no as a linear function ---------------------------------------------------------------------------------


def test_yes_and_no_as_a_linear_function():
    """G(x) = Σ_j [x_j ln p_j + (1 − x_j) ln(1 − p_j)] + ln P(C) is wᵀx + w₀ with w = ln p/(1 − p): for each class and row."""
    tumour = load("tumour").frame
    X = np.column_stack([tumour["size"] == "large", tumour["smoothness"] == "medium", tumour["symmetry"] == "yes"]).astype(
        float
    )
    y = tumour["diagnosis"].to_numpy()
    model = BernoulliNB(alpha=1e-12).fit(X, y)
    p = np.array([[1 / 9, 5 / 9, 5 / 9], [4 / 5, 1 / 5, 1 / 5]])  # benign, malignant
    np.testing.assert_allclose(model.coef_, np.log(p / (1 - p)), rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, np.log([9 / 14, 5 / 14]) + np.log(1 - p).sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(X @ model.coef_.T + model.intercept_, model.predict_joint_log_proba(X), rtol=1e-9)
    odds = np.diff(model.coef_.sum(axis=1) + model.intercept_)[0]
    assert 1 / (1 + np.exp(-odds)) == printed(0.341412, 6)  # large, medium and symmetric


@pytest.mark.filterwarnings("ignore:.*never occurs in class")
def test_a_zero_count_has_no_linear_function():
    """ln p/(1 − p) is infinite where p is 0 or 1."""
    with pytest.raises(AttributeError, match=r"a 1 in column 1 is 0 in class 'b'. Give alpha > 0"):
        BernoulliNB(alpha=0).fit([[1, 1], [0, 0], [1, 0], [0, 0]], list("aabb")).coef_  # noqa: B018
