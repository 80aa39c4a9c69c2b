"""Published fits of classic tables: R and the textbooks that print them."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from sklearn.datasets import load_svmlight_file

from aprendiz import PCA, SVC, GaussianNB, KMeans, LinearRegression, LogisticRegression, Ridge, RidgeCV, StandardScaler


def test_logit_saheart(acceptance, expected):
    """Coefficients, standard errors and deviance of the seven-variable model of ESL table 4.2 (R glm)."""
    table = pd.read_csv(acceptance / "tables" / "ESL_SAheart.csv")
    want = expected("logit-SAheart")
    X = table[["sbp", "tobacco", "ldl", "famhist", "obesity", "alcohol", "age"]].copy()
    X["famhist"] = (X["famhist"] == "Present").astype(float)
    model = LogisticRegression(C=np.inf).fit(X, table["chd"])
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], list(want["coef"].values()), rtol=1e-6)
    p = model.predict_proba(X)[:, 1]
    design = np.column_stack([np.ones(len(X)), X])
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))))
    np.testing.assert_allclose(errors, list(want["se"].values()), rtol=1e-6)
    deviance = -2 * model.predict_log_proba(X)[np.arange(len(X)), table["chd"]].sum()
    assert deviance == pytest.approx(want["deviance"], rel=1e-12)
    assert 2 * model.certificate_.objective == pytest.approx(want["deviance"], rel=1e-12)


def test_pca_usarrests(acceptance, expected):
    """Standard deviations of the components of the standardised table (R prcomp)."""
    X = pd.read_csv(acceptance / "tables" / "USArrests.csv", index_col=0)
    n = len(X)
    Z = StandardScaler().fit_transform(X) * np.sqrt((n - 1) / n)  # R divides by n − 1
    deviations = np.sqrt(PCA().fit(Z).explained_variance_)
    np.testing.assert_allclose(deviations, expected("pca-USArrests")["sdev"], rtol=1e-12)


def test_esl_prostate(acceptance, expected):
    """Coefficients, standard errors and test error of ESL tables 3.2 and 3.3."""
    table = pd.read_csv(acceptance / "tables" / "ESL_prostate.csv")
    want = expected("ESL-prostate")
    names = [name for name in want["coef"] if name != "(Intercept)"]
    n, train = len(table), table["train"].to_numpy()
    Z = StandardScaler().fit_transform(table[names]) * np.sqrt((n - 1) / n)  # R divides by n − 1
    y = table["lpsa"].to_numpy()
    model = LinearRegression().fit(Z[train], y[train])
    np.testing.assert_allclose([model.intercept_, *model.coef_], list(want["coef"].values()), rtol=1e-8)
    design = np.column_stack([np.ones(train.sum()), Z[train]])
    residual = y[train] - model.predict(Z[train])
    variance = residual @ residual / (len(design) - design.shape[1])
    errors = np.sqrt(variance * np.diag(np.linalg.inv(design.T @ design)))
    np.testing.assert_allclose(errors, list(want["se"].values()), rtol=1e-8)
    squares = (y[~train] - model.predict(Z[~train])) ** 2
    assert squares.mean() == pytest.approx(want["test_mse"], rel=1e-8)
    assert squares.std(ddof=1) / np.sqrt(len(squares)) == pytest.approx(want["test_se"], rel=1e-8)
    assert np.mean((y[~train] - y[train].mean()) ** 2) == pytest.approx(want["base"], rel=1e-8)


def test_esl_prostate_ridge(acceptance):
    """Ridge with 5.0 degrees of freedom, ESL table 3.3: coefficients and test error."""
    table = pd.read_csv(acceptance / "tables" / "ESL_prostate.csv")
    X, y, train = table.iloc[:, :8], table["lpsa"].to_numpy(), table["train"].to_numpy()
    Z = StandardScaler().fit_transform(X) * np.sqrt(96 / 97)  # R divides by n − 1
    squares = np.linalg.svd(Z[train] - Z[train].mean(axis=0), compute_uv=False) ** 2
    alpha = brentq(lambda a: (squares / (squares + a)).sum() - 5.0, 1e-3, 1e4)
    assert RidgeCV([alpha]).fit(Z[train], y[train]).certificate_.degrees == pytest.approx(5.0, rel=1e-10)
    model = Ridge(alpha).fit(Z[train], y[train])
    book = [0.420, 0.238, -0.046, 0.162, 0.227, 0.000, 0.040, 0.133]
    # the book rounds its degrees of freedom to a tenth, and a coefficient moves by up to 0.08 for each degree
    np.testing.assert_allclose(model.coef_, book, rtol=0, atol=0.08 * 0.05 + 0.0005)
    assert np.mean((y[~train] - model.predict(Z[~train])) ** 2) == pytest.approx(0.492, abs=0.003)
    assert y[train].mean() == pytest.approx(2.452, abs=0.0005)  # the book's intercept: its columns are centred on these rows


def test_gnb_iris(acceptance, expected):
    """The six flowers that Gaussian naive Bayes takes for another species (R e1071)."""
    table = pd.read_csv(acceptance / "tables" / "iris.csv", index_col=0)
    y = table.pop("Species").to_numpy(str)
    wrong = np.flatnonzero(GaussianNB().fit(table, y).predict(table) != y) + 1
    assert wrong.tolist() == expected("gnb-iris")["misclassified_1based"]


def test_ruspini_has_the_four_groups_of_pam(acceptance, expected):
    """k-means finds the four plain groups of the table, with the sizes that R's pam prints."""
    X = pd.read_csv(acceptance / "tables" / "cluster_ruspini.csv", index_col=0).to_numpy(float)
    want = expected("pam-ruspini")
    start = X[np.array(want["medoids_1based"]) - 1]
    assert np.bincount(KMeans(4, init=start).fit(X).labels_).tolist() == want["sizes"]
    found = KMeans(4, n_init=5, random_state=0).fit(X)
    assert sorted(np.bincount(found.labels_)) == sorted(want["sizes"])


@pytest.mark.parametrize("is_sparse", [True, False])
def test_svc_heart_scale(acceptance, expected, is_sparse):
    """Objective, constant, support vectors and right answers of LIBSVM on the table that comes with it."""
    X, y = load_svmlight_file(acceptance / "reference" / "heart_scale")
    want = expected("libsvm-heart -t 2 -c 1 -g 1/13 -e 1e-8")
    X = X if is_sparse else X.toarray()
    model = SVC(C=1.0, gamma=1 / 13, tol=1e-8).fit(X, y)
    assert model.certificate_.holds
    assert -model.certificate_.dual == pytest.approx(want["dual_obj"], rel=1e-8)
    assert abs(model.intercept_[0]) == pytest.approx(abs(want["rho"]), abs=1e-6)  # its sign is that of the first label
    assert (len(model.support_), len(model.error_support_)) == (want["nSV"], want["nBSV"])
    assert np.sum(model.predict(X) == y) == want["train_correct_of_270"]


def test_svc_iris(acceptance, expected):
    """Support vectors of each species, and errors, of the machine that R's e1071 documents."""
    table = pd.read_csv(acceptance / "tables" / "iris.csv", index_col=0)
    y, want = table.pop("Species").to_numpy(str), expected("e1071-iris")
    Z = (table - table.mean()) / table.std()
    model = SVC(C=1.0, gamma=0.25).fit(Z, y)
    assert model.n_support_.tolist() == want["nSV"]
    assert np.sum(model.predict(Z) != y) == want["train_errors"]
