"""Every learner, and every part of scikit-learn that can be stored, comes back from disk bit by bit."""

import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from laws.subjects import LEARNERS, ONE_PASS, assert_same_bits, every, everything, fitted, outputs, table
from sklearn import (
    calibration,
    compose,
    decomposition,
    discriminant_analysis,
    dummy,
    ensemble,
    feature_selection,
    impute,
    isotonic,
    linear_model,
    model_selection,
    multiclass,
    multioutput,
    naive_bayes,
    pipeline,
)
from sklearn import preprocessing as prep
from sklearn.feature_extraction import text
from sklearn.frozen import FrozenEstimator
from sklearn.svm import LinearSVC

import aprendiz
from aprendiz import KMeans, LogisticRegression, StandardScaler
from aprendiz.core.columns import Columns
from aprendiz.core.sums import Sums
from aprendiz.persistence import save
from aprendiz.persistence.storable import RECORDS, SCIKIT_LEARN, kinds_of_sums, listed

from .model_files import NOTHING, described, returned, said, same

RNG = np.random.default_rng(5)
X = RNG.normal(size=(48, 4)) + np.array([0, 1, 2, -3])
CLASSES = np.array(["ash", "birch", "cedar"])[np.arange(48) % 3]
NUMBERS = X @ [1.0, -2.0, 0.5, 0.0] + RNG.normal(size=48)
FRAME = pd.DataFrame({"age": X[:, 0], "tree": CLASSES, "size": X[:, 2], "leaf": np.where(np.arange(48) % 2, "flat", "round")})
BINARY = np.arange(48) % 2
TEXTS = ["red cat and dog", "blue cat", "a dog and a bird", "red bird", "blue bird and cat", "dog"] * 8
HOLES = np.where(RNG.uniform(size=X.shape) < 0.1, np.nan, X)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.apz"


# ---- learners --------------------------------------------------------------------------------------------------------


@every(LEARNERS)
def test_every_learner_comes_back(cls, path):
    """Attributes and outputs have the same bits, and the loaded model is saved to the same bytes."""
    data = table(cls)
    model = fitted(cls, data)
    loaded = returned(model, path)
    assert type(loaded) is type(model)
    assert same(model, loaded)
    assert_same_bits(everything(model), everything(loaded))
    assert_same_bits(outputs(model, data.X), outputs(loaded, data.X))
    assert ("outputs" in described(path)["check"]) == bool(outputs(model, data.X))
    before = path.read_bytes()
    save(loaded, path)
    assert path.read_bytes() == before


@every(LEARNERS)
def test_every_learner_unfitted(cls, path):
    """Parameters alone are a model too; its file says that there was nothing to check."""
    loaded = returned(cls(), path)
    assert vars(loaded).keys() == vars(cls()).keys()
    assert described(path)["check"] == NOTHING


@every(ONE_PASS)
def test_learning_goes_on(cls, path):
    """`partial_fit` after loading gives the bits that it gives without."""
    if not hasattr(cls, "partial_fit"):
        pytest.skip(f"{cls.__name__} does not learn in pieces")
    data = table(cls)
    first, second = data.take(slice(0, 200)), data.take(slice(200, None))
    stayed = fitted(cls, first)
    went = returned(stayed, path)
    for model in (stayed, went):
        model.partial_fit(second.X, second.y)
    assert_same_bits(everything(stayed), everything(went))


def test_records_have_one_name_each():
    """A record is found by its name, wherever its module is."""
    names = [cls.__name__ for cls in kinds_of_sums(Sums)] + [name for names in RECORDS.values() for name in names]
    assert len(names) == len(set(names))


def test_schema_comes_back(path):
    """The schema of a mixed table is a record like others."""
    schema = Columns.of(FRAME)
    assert same(schema, returned(KMeans(init=schema), path).init)


def test_words_come_back(path):
    """A learner of words is asked about rows of the words it knows."""
    words = FRAME[["tree", "leaf"]]
    model = aprendiz.CategoricalNB().fit(words, CLASSES)
    loaded = returned(model, path)
    assert same(model, loaded)
    assert same(said(model, words), said(loaded, words))
    assert "outputs" in described(path)["check"]


# ---- scikit-learn ----------------------------------------------------------------------------------------------------


def columns(**options):
    numeric = pipeline.make_pipeline(impute.SimpleImputer(), prep.StandardScaler())
    by_type = compose.make_column_selector(dtype_include=np.number)
    return compose.ColumnTransformer([("n", numeric, by_type), ("w", prep.OneHotEncoder(), ["tree", "leaf"])], **options)


def linear():
    return linear_model.LogisticRegression(max_iter=20)


def search(**options):
    return model_selection.GridSearchCV(linear(), {"C": [0.1, 1.0]}, **options)


def drawn_search():
    return model_selection.RandomizedSearchCV(linear_model.Ridge(), {"alpha": [1, np.float64(3)]}, n_iter=2, cv=2)


SPLITS = [
    *(model_selection.KFold(3), model_selection.GroupKFold(3), model_selection.LeaveOneOut()),
    *(model_selection.RepeatedKFold(n_splits=3), model_selection.RepeatedStratifiedKFold(n_splits=3)),
    *(model_selection.ShuffleSplit(3), model_selection.StratifiedShuffleSplit(3), model_selection.TimeSeriesSplit(3)),
]
OF_CLASSES = [
    *(
        prep.StandardScaler(),
        prep.MinMaxScaler(),
        prep.RobustScaler(),
        prep.MaxAbsScaler(),
        prep.Normalizer(),
        prep.Binarizer(),
    ),
    *(prep.QuantileTransformer(n_quantiles=9), prep.PowerTransformer(), prep.PolynomialFeatures(), prep.SplineTransformer()),
    *(prep.SplineTransformer(sparse_output=True), prep.KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf")),
    *(prep.KBinsDiscretizer(3, encode="ordinal", quantile_method="linear"), prep.FunctionTransformer()),
    *(prep.FunctionTransformer(np.square), decomposition.PCA(2), decomposition.TruncatedSVD(2, random_state=0)),
    *(feature_selection.VarianceThreshold(), feature_selection.SelectKBest(k=2), feature_selection.SelectPercentile()),
    *(feature_selection.SelectKBest(feature_selection.mutual_info_classif, k=1), feature_selection.SelectFromModel(linear())),
    *(linear(), linear_model.RidgeClassifier(), LinearSVC(), discriminant_analysis.LinearDiscriminantAnalysis()),
    *(naive_bayes.GaussianNB(), dummy.DummyClassifier(), FrozenEstimator(naive_bayes.GaussianNB())),
    *(multiclass.OneVsRestClassifier(linear()), multiclass.OneVsOneClassifier(linear())),
    *(calibration.CalibratedClassifierCV(linear(), method=method, cv=2) for method in ("sigmoid", "isotonic", "temperature")),
    *(aprendiz.CalibratedClassifierCV(linear(), method=method, cv=2) for method in ("sigmoid", "isotonic", "temperature")),
    aprendiz.ConformalClassifier(linear(), method="plus", cv=2, random_state=0),
    ensemble.VotingClassifier([("a", linear()), ("b", naive_bayes.GaussianNB())], voting="soft"),
    ensemble.StackingClassifier([("a", linear()), ("b", naive_bayes.GaussianNB())], cv=2),
    ensemble.BaggingClassifier(linear(), n_estimators=2, max_features=0.5, random_state=np.random.RandomState(0)),
    pipeline.make_pipeline(StandardScaler(), LogisticRegression()),
    pipeline.Pipeline([("none", "passthrough"), ("scale", prep.StandardScaler()), ("model", linear())]),
    pipeline.FeatureUnion([("a", prep.StandardScaler()), ("b", decomposition.PCA(1)), ("c", "drop")]),
    *(search(scoring="accuracy", cv=2), search(scoring=["accuracy", "f1_macro"], refit="accuracy", cv=2), search(cv=SPLITS[0])),
    model_selection.GridSearchCV(LogisticRegression(), [{"C": [1.0]}, {"tol": [1e-3]}], cv=2),
]
OF_NUMBERS = [
    *(linear_model.LinearRegression(), linear_model.Ridge(), linear_model.RidgeCV(), linear_model.Lasso(), drawn_search()),
    *(linear_model.ElasticNet(), dummy.DummyRegressor(), ensemble.VotingRegressor([("a", linear_model.Ridge())])),
    *(ensemble.StackingRegressor([("a", linear_model.Ridge())], cv=2), ensemble.BaggingRegressor(linear_model.Ridge(), 2)),
    compose.TransformedTargetRegressor(linear_model.Ridge(), func=np.cbrt, inverse_func=np.square, check_inverse=False),
    compose.TransformedTargetRegressor(aprendiz.LinearRegression(), transformer=prep.StandardScaler()),
]
OF_NUMBERS += [
    *(
        aprendiz.ConformalRegressor(linear_model.Ridge(), conformity_score=score, random_state=0)
        for score in ("absolute", "normalized")
    ),
]
OF_WORDS = [
    *(prep.OneHotEncoder(), prep.OneHotEncoder(drop="if_binary", sparse_output=False), prep.OrdinalEncoder()),
    *(prep.OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=2), prep.TargetEncoder(cv=2)),
    impute.SimpleImputer(strategy="most_frequent"),
]
OF_FRAMES = [
    *(columns(), columns(remainder="passthrough"), pipeline.make_pipeline(columns(), LogisticRegression())),
    columns().set_params(w__sparse_output=False).set_output(transform="pandas"),
]
OF_TEXTS = [
    *(text.CountVectorizer(stop_words=["a"]), text.TfidfVectorizer()),
    pipeline.make_pipeline(text.CountVectorizer(), text.TfidfTransformer(), linear()),
]
OF_TWO = [model(linear_model.Ridge()) for model in (multioutput.MultiOutputRegressor, multioutput.RegressorChain)]
OF_TWO_CLASSES = [model(linear()) for model in (multioutput.MultiOutputClassifier, multioutput.ClassifierChain)]
EXAMPLES = [  # models, and what they are fitted to
    *((model, X, CLASSES) for model in OF_CLASSES),
    *((model, X, NUMBERS) for model in OF_NUMBERS),
    *((model, X, np.column_stack([NUMBERS, -NUMBERS])) for model in OF_TWO),
    *((model, X, np.column_stack([BINARY, X[:, 0] > 0]).astype(int)) for model in OF_TWO_CLASSES),
    (multiclass.OneVsRestClassifier(linear()), X, np.column_stack([BINARY, np.ones(48, int)])),
    *(
        (model, HOLES, None)
        for model in (impute.SimpleImputer(add_indicator=True), impute.KNNImputer(), impute.MissingIndicator())
    ),
    *((model, np.abs(X), CLASSES) for model in (naive_bayes.MultinomialNB(), naive_bayes.BernoulliNB())),
    *((model, (X[:, :2] > 0).astype(int), CLASSES) for model in (naive_bayes.CategoricalNB(),)),
    *((model, np.abs(X), None) for model in (prep.PowerTransformer(method="box-cox"), prep.FunctionTransformer(np.log))),
    (isotonic.IsotonicRegression(), X[:, 0], NUMBERS),
    *(
        (model, CLASSES, None)
        for model in (prep.LabelEncoder(), prep.LabelBinarizer(), prep.LabelBinarizer(sparse_output=True))
    ),
    *((model, FRAME[["tree", "leaf"]], NUMBERS) for model in OF_WORDS),
    *((model, FRAME, CLASSES) for model in OF_FRAMES),
    *((model, TEXTS, CLASSES) for model in OF_TEXTS),
]
NAMES = [f"{type(model).__name__}-{i}" for i, (model, _, _) in enumerate(EXAMPLES)]


@cache
def example(number):
    """A fitted model, and its rows."""
    model, rows, target = EXAMPLES[number]
    if isinstance(model, FrozenEstimator):
        model.estimator.fit(rows, target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # these fits need not be good
        return (
            model.fit(rows) if isinstance(model, (prep.LabelEncoder, prep.LabelBinarizer)) else model.fit(rows, target)
        ), rows


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_scikit_learn_comes_back(number, path):
    """Every attribute and every output of a listed class, bit by bit."""
    model, rows = example(number)
    loaded = returned(model, path)
    assert same(model, loaded)
    before, after = said(model, rows), said(loaded, rows)
    assert before
    assert all(same(value, after[name]) for name, value in before.items())
    assert described(path)["check"].get("outputs", {}).keys() == before.keys()


@pytest.mark.parametrize("split", SPLITS, ids=lambda split: type(split).__name__)
def test_ways_to_split_come_back(split, path):
    assert same(returned(search(cv=split), path).cv, split)


def test_every_listed_class_has_an_example(path):
    """A class is on the list because its round trip is tested."""
    found = {f"sklearn.model_selection.{type(split).__name__}" for split in SPLITS}
    for number in range(len(EXAMPLES)):
        save(example(number)[0], path)
        found |= {node["name"] for node in described(path)["nodes"] if node["kind"] == "model"}
    assert {name for name in found if name.startswith("sklearn.")} == listed(SCIKIT_LEARN)
