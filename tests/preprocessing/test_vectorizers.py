"""The transformers of text: the answers of scikit-learn's, of single documents analysed plainly, and of parts."""

import inspect
import io
import pickle
import warnings

import numpy as np
import pytest
import sklearn.feature_extraction.text as theirs
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import aprendiz as ours
from aprendiz import persistence
from aprendiz.preprocessing.text.analysis import PATTERN, tokenizer
from aprendiz.preprocessing.text.terms import Terms

NAMES = ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")
TEXTS = [
    "The cat sat on the mat; the cat purred.",
    "",
    "A dog — and A CAT! x y z 12 1 3rd_place",
    "Кошка сидела на ковре, и кошка мурлыкала",
    "ネコがマットの上に座った   \n\t  そして",
    "القط جلس على السجادة، القط",
    "El ñandú no cabía en el salón… ﬁn, café, cafe\u0301",
    "   ",
    "the the the THE",
    "a b",
]
SETTINGS = [
    {},
    {"ngram_range": (1, 2)},
    {"ngram_range": (2, 3)},
    {"ngram_range": (3, 3), "lowercase": False},
    {"stop_words": "english"},
    {"stop_words": ["the", "cat"], "ngram_range": (1, 2)},
    {"analyzer": "char"},
    {"analyzer": "char", "ngram_range": (2, 4)},
    {"analyzer": "char_wb", "ngram_range": (1, 3)},
    {"analyzer": "char_wb", "ngram_range": (3, 5)},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "analyzer": "char_wb", "ngram_range": (2, 2)},
    {"token_pattern": r"(\w)\w*", "binary": True},
    {"token_pattern": r"\S+"},
]
LIMITS = [
    {"min_df": 2},
    {"max_df": 1, "ngram_range": (1, 2)},
    {"max_df": 0.2},
    {"min_df": 0.15, "max_df": 0.5, "binary": True},
    {"max_features": 5},
    {"max_features": 3, "min_df": 2},
    {"vocabulary": ["cat", "the", "the cat", "absent"], "ngram_range": (1, 2)},
    {"vocabulary": {"кошка": 1, "the": 0}},
    {"vocabulary": {"the", "cat"}},
    {"dtype": np.float32},
]
WEIGHTS = [
    {"norm": "l1"},
    {"norm": None, "sublinear_tf": True},
    {"use_idf": False},
    {"smooth_idf": False, "norm": "l1"},
    {"binary": True, "sublinear_tf": True, "dtype": np.float32},
]
HASHES = [{"n_features": 16}, {"n_features": 7, "alternate_sign": False}, {"norm": "l1", "n_features": 5, "binary": True}]


def pairs():
    for name in NAMES:
        for setting in SETTINGS:
            yield pytest.param(name, setting, id=f"{name}-{setting}")
        for number, setting in enumerate(LIMITS if name != "HashingVectorizer" else []):
            yield pytest.param(name, setting, id=f"{name}-limits {number}")  # a set is printed in any order
    for setting in WEIGHTS:
        yield pytest.param("TfidfVectorizer", setting, id=f"TfidfVectorizer-{setting}")
    for setting in HASHES:
        yield pytest.param("HashingVectorizer", setting, id=f"HashingVectorizer-{setting}")


def both(name, setting):
    """Ours and scikit-learn's."""
    return getattr(ours, name)(**setting), getattr(theirs, name)(**setting)


def assert_equal(mine, their, exact):
    assert type(mine) is type(their)
    assert mine.dtype == their.dtype
    assert mine.shape == their.shape
    if exact:
        assert (mine != their).nnz == 0
    else:
        tolerance = 1e-15 if mine.dtype == np.float64 else 3e-7  # two orders of a sum of a few squares
        assert abs(mine - their).max() <= 4 * tolerance * max(1, abs(their).max())


@pytest.mark.parametrize(("name", "setting"), list(pairs()))
def test_same_as_scikit_learn(name, setting):
    """The same table, vocabulary and names, in the fit and for documents that were not in it."""
    mine, their = both(name, setting)
    exact = name == "CountVectorizer"
    assert_equal(mine.fit_transform(TEXTS), their.fit_transform(TEXTS), exact)
    new = ["a new cat on the mat", "der Hund, the кошка sat on the mat", ""]
    assert_equal(mine.transform(new), their.transform(new), exact)
    if name != "HashingVectorizer":
        assert mine.vocabulary_ == their.vocabulary_
        assert mine.fixed_vocabulary_ == their.fixed_vocabulary_
        assert list(mine.get_feature_names_out()) == list(their.get_feature_names_out())
        for a, b in zip(*(one.inverse_transform(one.transform(new)) for one in (mine, their)), strict=True):
            assert sorted(a) == sorted(b)
    if name == "TfidfVectorizer" and setting.get("use_idf", True):
        np.testing.assert_allclose(mine.idf_, their.idf_, rtol=4e-16 if mine.idf_.dtype == np.float64 else 3e-7)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_counts_are_those_of_single_documents(setting):
    """The counts of many documents at once are those of the terms of each, listed plainly; so are scikit-learn's terms."""
    vectorizer = ours.CountVectorizer(**setting)
    X, terms = vectorizer.fit_transform(TEXTS).toarray(), list(vectorizer.get_feature_names_out())
    analyze, analyze_theirs = vectorizer.build_analyzer(), theirs.CountVectorizer(**setting).build_analyzer()
    for row, text in zip(X, TEXTS, strict=True):
        listed = analyze(text)
        assert listed == list(analyze_theirs(text))
        counts = [min(listed.count(term), 1) if setting.get("binary") else listed.count(term) for term in terms]
        assert row.tolist() == counts


def test_quick_tokens():
    """Without the words of one letter, the quick tokens are those of the usual pattern, whatever the characters; also those of
    documents whose letters are changed together, unless one has what stands between them."""
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.integers(0, 0x250, 6000), rng.integers(0, 0x3000, 6000), rng.integers(0, 0x11000, 6000)])
    text = "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)
    documents = [text.replace("\0", " "), "ΟΔΟΣ", "", "ΣΑΣ Σ", "a_b  c,d"]
    analysis = ours.CountVectorizer(lowercase=False).analysis()
    for block in (documents, [*documents, "zero\0byte"]):
        found = analysis.tokens_of_several(block)
        assert [[word for word in tokens if len(word) > 1] for tokens in found] == [*map(tokenizer(PATTERN), block)]
    terms = [ours.CountVectorizer().fit(some).vocabulary_ for some in (documents, [*documents, "\0"])]
    assert terms[0] == terms[1] == theirs.CountVectorizer().fit(documents).vocabulary_


@pytest.mark.parametrize("name", [*NAMES, "TfidfTransformer"])
def test_parameters(name):
    """The parameters of scikit-learn's, in their order, with their defaults."""
    mine, their = inspect.signature(getattr(ours, name)).parameters, inspect.signature(getattr(theirs, name)).parameters
    assert list(mine) == list(their)
    for one, other in zip(mine.values(), their.values(), strict=True):
        assert (one.default, one.kind) == (other.default, other.kind)
    assert {m for m in vars(getattr(theirs, name)) if not m.startswith("_")} <= {*dir(getattr(ours, name))}


@pytest.mark.parametrize("norm", ["l1", "l2", None])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array])
def test_weights_of_counts(norm, form):
    """Counts that are there already, dense or sparse."""
    X = form(np.random.default_rng(0).poisson(0.7, (30, 8)) * 1.0)
    for setting in ({}, {"smooth_idf": False}, {"use_idf": False}):
        mine, their = ours.TfidfTransformer(norm=norm, **setting), theirs.TfidfTransformer(norm=norm, **setting)
        assert_equal(mine.fit(X).transform(X), their.fit(X).transform(X), False)
    assert mine.n_features_in_ == 8


# ---- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [{}, {"ngram_range": (1, 3)}, {"analyzer": "char_wb", "ngram_range": (2, 4)}], ids=str)
def test_order_and_parts(setting):
    """Rows in another order give the same rows; parts below each other give the whole; document frequencies of parts add."""
    words = ours.CountVectorizer(**setting)
    X = words.fit_transform(TEXTS)
    order = np.random.default_rng(0).permutation(len(TEXTS))
    again = ours.CountVectorizer(**setting)
    assert (again.fit_transform([TEXTS[i] for i in order]) != X[order]).nnz == 0
    assert again.vocabulary_ == words.vocabulary_
    parts = sparse.vstack([words.transform(TEXTS[:4]), words.transform(TEXTS[4:])])
    assert (parts != X).nnz == 0
    n, idf = len(TEXTS), ours.TfidfVectorizer(**setting).fit(TEXTS).idf_
    halves = [(words.transform(part).toarray() > 0).sum(axis=0) for part in (TEXTS[:4], TEXTS[4:])]
    np.testing.assert_allclose(idf, np.log((n + 1) / (sum(halves) + 1)) + 1, rtol=1e-15)


def test_streams_are_read_once():
    """Documents may come from a generator, more than are read at a time; a data frame of one column will do, too."""
    pandas = pytest.importorskip("pandas")
    many = [f"word{i % 7} word{i % 5}" for i in range(3000)]
    X = ours.CountVectorizer(ngram_range=(1, 2)).fit_transform(iter(many))
    assert (theirs.CountVectorizer(ngram_range=(1, 2)).fit_transform(many) != X).nnz == 0
    for form in (pandas.Series(many), pandas.DataFrame({"text": many}), np.array(many)):
        assert (ours.CountVectorizer(ngram_range=(1, 2)).fit_transform(form) != X).nnz == 0
    with pytest.raises(ValueError, match="2 columns: choose one"):
        ours.CountVectorizer().fit(pandas.DataFrame({"a": many, "b": many}))


def test_files_and_bytes(tmp_path):
    """Documents as names of files, open files, and bytes of another encoding."""
    file = tmp_path / "a.txt"
    file.write_bytes("año nuevo".encode("latin-1"))
    for source, document in (("filename", file), ("file", io.BytesIO(file.read_bytes())), ("content", file.read_bytes())):
        words = ours.CountVectorizer(input=source, encoding="latin-1").fit([document])
        assert list(words.get_feature_names_out()) == ["año", "nuevo"]


def test_functions_of_the_user():
    """Preprocessor, tokenizer and analyser of the user's own, with terms that are no strings."""
    for setting in (
        {"preprocessor": lambda text: text.replace("a", "b")},
        {"tokenizer": str.split, "token_pattern": None, "ngram_range": (1, 2)},
        {"analyzer": lambda text: [len(word) for word in text.split()]},
        {"strip_accents": str.swapcase},
    ):
        mine, their = both("CountVectorizer", setting)
        assert (mine.fit_transform(TEXTS) != their.fit_transform(TEXTS)).nnz == 0
        assert mine.vocabulary_ == their.vocabulary_


# ---- files of models, copies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_stored(name, tmp_path):
    """A model file keeps the vocabulary as two arrays, and gives the same table; so do copies."""
    model = getattr(ours, name)(ngram_range=(1, 2)).fit(TEXTS)
    persistence.save(model, tmp_path / "model.apz")
    for again in (persistence.load(tmp_path / "model.apz"), pickle.loads(pickle.dumps(model))):
        assert_equal(again.transform(TEXTS), model.transform(TEXTS), True)
        if name != "HashingVectorizer":
            assert again.vocabulary_ == model.vocabulary_
    assert not hasattr(clone(model), "terms_")


def test_functions_are_not_stored(tmp_path):
    """What cannot be stored is named."""
    model = ours.CountVectorizer(tokenizer=lambda text: text.split(), token_pattern=None).fit(TEXTS)
    with pytest.raises(TypeError, match=r"tokenizer: a function .* cannot be stored"):
        persistence.save(model, tmp_path / "model.apz")


def test_terms():
    """Terms come back from letters and ends, empty ones and lone surrogates too."""
    words = ["", "a", "ñandú", "\ud800", "ネコ", "a b"]
    terms = Terms.of(words)
    assert (terms.words, len(terms)) == (words, 6)
    assert terms.numbers == {word: j for j, word in enumerate(words)}
    assert terms.letters.dtype == np.uint8
    assert Terms.of([3, 1]).words == [3, 1]


# ---- what is refused -------------------------------------------------------------------------------------------------


def test_refusals():
    """Each with what to do."""
    for name in NAMES:
        model = getattr(ours, name)()
        with pytest.raises(ValueError, match=r"give a list of documents, such as \[text\]"):
            model.fit("one text")
        with pytest.raises(ValueError, match="lower boundary larger than the upper"):
            clone(model).set_params(ngram_range=(2, 1)).fit(TEXTS)
        with pytest.raises(ValueError, match="at least 1, such as"):
            clone(model).set_params(ngram_range=(0, 1)).fit(TEXTS)
        with pytest.raises(ValueError, match="analyzer of"):
            clone(model).set_params(analyzer="words").fit(TEXTS)
        with pytest.raises(ValueError, match="a document is missing"):
            model.fit_transform(["a text", np.nan])
    with pytest.raises(NotFittedError, match="call fit with some documents"):
        ours.CountVectorizer().transform(TEXTS)
    with pytest.raises(NotFittedError, match="call fit with some documents"):
        ours.TfidfVectorizer().transform(TEXTS)
    count = ours.CountVectorizer
    for setting, words in (
        ({"stop_words": "spanish"}, "give 'english' or a list"),
        ({"vocabulary": ["a", "a"]}, "Duplicate term"),
        ({"vocabulary": {"a": 0, "b": 0}}, "repeated indices"),
        ({"vocabulary": {"a": 0, "b": 2}}, "doesn't contain index 1"),
        ({"vocabulary": []}, "empty vocabulary"),
        ({"min_df": 2, "max_df": 1}, "max_df corresponds to <"),
        ({"min_df": 9}, "no terms remain"),
        ({"token_pattern": r"(a)(b)"}, "Only a single group"),
    ):
        with pytest.raises(ValueError, match=words):
            count(**setting).fit(TEXTS)
    with pytest.raises(ValueError, match="only contain stop words"):
        count().fit(["a", "b c"])


def test_warnings():
    """Parameters without effect, and stop words of which a part would stay, are told as scikit-learn tells them."""
    settings = (
        {"tokenizer": str.split},
        {"analyzer": "char", "stop_words": ["a"]},
        {"analyzer": str.split, "ngram_range": (1, 2)},
        {"stop_words": ["isn't", "the"]},
        {"vocabulary": ["Cat"]},
    )
    for setting in settings:
        for one in both("CountVectorizer", setting):
            with pytest.warns(UserWarning, match="not be used|inconsistent|Upper case"):
                one.fit(TEXTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.CountVectorizer(stop_words=["the"]).fit(TEXTS)
