"""An attack is a call with something bad in it. What may come of it:

    an answer     finite, of the right shape, and the one of the plain table where the table is one in disguise
    a refusal     a ValueError or TypeError that says what is wrong in words of its own

Anything else is a fault: another exception, a message of NumPy's, NaN or infinity, a call that does not end. Either way the
input is as it was, byte for byte, and a learner whose call was refused is as it was.

Every public learner is attacked, a new one as soon as it is public. A test is one learner with many attacks: it lists all the
faults together (`report`), and those that are known stand in `known.py`.
"""

from __future__ import annotations

import inspect
import re
import signal
import time
import warnings
from contextlib import contextmanager
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from laws.subjects import OUTPUTS, as_array
from made_around import made_around
from scipy import sparse
from sklearn.exceptions import FitFailedWarning
from ways import distinct

import aprendiz
from hostile.known import KNOWN, NOT_RUN

LEARNERS = dict(aprendiz.all_learners())
LEARNERS |= {cls.__name__: cls for cls in distinct(made_around(), "open", "fit")}  # a learner for each way
N = 60
NAMES = ["height", "weight", "age"]
GOOD = np.round(np.random.default_rng(0).normal(size=(N, 3)) * 1024) / 1024  # dyadic: an offset of 1e8 loses no digit
CODES = np.clip(np.round(GOOD + 2), 0, 4)  # for learners of categories
NOISE = np.random.default_rng(1).normal(size=N)
LOGARITHMS = ("predict_log_proba", "predict_joint_log_proba", "score_samples")  # where −∞ is the logarithm of 0
PATIENCE = 4.0  # seconds of processor
LONGEST = 120  # seconds, whatever else the machine does
NOT_OURS = re.compile(  # what NumPy, SciPy, Numba and Python say when nobody asked first
    r"could not be broadcast|setting an array element|inhomogeneous|truth value of an array|is out of bounds|not iterable"
    r"|has no attribute|unsupported operand|unhashable|not subscriptable|cannot unpack|matmul|not aligned|cannot reshape"
    r"|zero-size array|must be real number|could not convert|Cannot cast|cannot convert|np\.|numpy\.|nopython|ufunc"
    r"|object of type|arg must|argument must be a string|not supported between|slice indices|out of bounds for axis|math domain"
)

every_learner = pytest.mark.parametrize("cls", LEARNERS.values(), ids=list(LEARNERS))


def learners(wanted):
    """Parametrize a test over the learners that a condition picks."""
    chosen = [cls for cls in LEARNERS.values() if wanted(cls)]
    return pytest.mark.parametrize("cls", chosen, ids=lambda cls: cls.__name__)


# ---- a learner and its rows ------------------------------------------------------------------------------------------


@cache
def tags(cls):
    """What the learner says of itself to scikit-learn."""
    return cls().__sklearn_tags__()


def takes_words(cls):
    """Does the learner know what to do with words?"""
    return tags(cls).input_tags.string


@cache
def takes_weights(cls):
    """Do rows have weights?"""
    return "sample_weight" in inspect.signature(cls.fit).parameters


def good(cls):
    """Rows that the learner takes: measurements, or categories and counts."""
    return CODES if tags(cls).input_tags.positive_only else GOOD


def framed(cls):
    """The same with names."""
    return pd.DataFrame(good(cls), columns=NAMES)


@cache
def usual(cls):
    """Small, fixed choices."""
    small = {"n_clusters": 3, "random_state": 0, "n_estimators": 3, "n_init": 1, "Cs": 3, "n_candidates": 20}
    small |= {"fit_inverse_transform": True}
    known = cls().get_params()
    small |= {"max_iter": 4} if "max_leaf_nodes" in known else {}  # trees
    small |= {"n_components": 3} if "retry" in known else {}  # fewer coordinates than rows would ask for
    if "score_func" in known:  # two of three columns, also where they hardly say anything
        small |= {
            "k": 2,
            "percentile": 60,
            "alpha": {"SelectFwe": 0.9, "SelectFdr": 0.5}.get(cls.__name__, 0.2),
            "mode": "k_best",
            "param": 2,
        }
    small |= {"keep": 0.5} if "permutations" in known else {}
    small |= {"n_features_to_select": 0.7} if known.get("n_features_to_select", "best") != "best" else {}  # two of three
    small |= {"prior": "k2"} if "hidden" in known else {}  # no row has probability 0, of which it would warn
    if "nesterovs_momentum" in known:  # few neurons, and few epochs
        small |= {"hidden_layer_sizes": (3,), "tol": 0.05, "n_iter_no_change": 2, "learning_rate_init": 0.02}
    return {name: value for name, value in small.items() if name in known}


def make(cls, **parameters):
    """A learner with them."""
    return cls(**{**usual(cls), **parameters})


@cache
def target(cls):
    """What the learner has to learn about the rows."""
    score = 2 * GOOD[:, 0] - GOOD[:, 1] + NOISE
    return {"none": None, "numbers": score, "classes": np.where(score > 0, "yes", "no")}[cls.target]


def answers(model, X):
    """All that a fitted learner says of some rows, by method; if only of the rows of its fit, their labels
    or their places."""
    found = {name: dense(getattr(model, name)(X)) for name in OUTPUTS if hasattr(model, name)}
    if not found and hasattr(model, "kneighbors"):
        found = {"kneighbors": model.kneighbors(X)[0]}
    return found or {name: getattr(model, name) for name in ("labels_", "embedding_") if hasattr(model, name)}


def dense(said):
    """What a method said as one array."""
    return said.toarray() if sparse.issparse(said) else as_array(said)


# ---- what comes of an attack -----------------------------------------------------------------------------------------


class TooLong(BaseException):
    """A call that does not end. Not an Exception: nothing on its way out may catch it."""


@contextmanager
def limited():
    """Stop what does not end."""

    def stop(number, frame):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def attack(call, *, words=()):
    """What a call gives: (answer, refusal, fault). Warnings for users are fine, those of NumPy are faults. A call that was slow
    is tried again: by then its kernels are compiled."""
    begin = time.process_time()
    outcome = attack_once(call, words)
    if time.process_time() - begin > PATIENCE:
        begin = time.process_time()
        outcome = attack_once(call, words)
    spent = time.process_time() - begin
    return outcome if spent <= PATIENCE else (*outcome[:2], outcome[2] or f"took {spent:.1f} s")


def attack_once(call, words):
    try:
        with warnings.catch_warnings(), limited():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("ignore", FitFailedWarning)  # of wrappers: which of their fits were refused, and why
            answer = call()
    except TooLong:
        return None, None, f"did not end in {LONGEST} s"
    except (ValueError, TypeError, NotImplementedError) as error:
        message = str(error)
        return None, message, unclear(message, words)
    except Exception as error:
        return None, None, f"{type(error).__name__}: {error}"[:200]
    return answer, None, None


def unclear(message, words=()):
    """What is wrong with a message, if something is: no words of its own, a whole table, or a part that should be there."""
    if not message.strip():
        return "refused without a word"
    if NOT_OURS.search(message):
        return f"refused in words that are not ours: {message[:200]}"
    if len(message) > 1500:
        return "refused with a whole table in the message"
    missing = [word for word in words if not re.search(rf"\b{word}\b" if len(word) == 1 else re.escape(word), message, re.I)]
    return f"{missing} not in: {message[:300]}" if missing else None


def unsound(found, rows=None):
    """What is wrong with answers, if something is: NaN, infinity, another number of rows, no probabilities."""
    for name, said in found.items():
        if rows is not None and len(said) != rows:
            return f"{name}: {len(said)} answers for {rows} rows"
        if said.dtype.kind == "f":
            bad = np.isnan(said) | (said == np.inf) if name in LOGARITHMS else ~np.isfinite(said)
            if bad.any():
                return f"{name} has {said[bad][0]}"
        if name == "predict_proba" and not ((said >= 0).all() and np.allclose(said.sum(axis=1), 1.0, atol=1e-6)):
            return "predict_proba: no probabilities"
    return None


def differs(found, expected, tolerance=1e-6):
    """Where two sets of answers differ: sums in another order, and iterations to 1e-8, are the same."""
    for name, one in found.items():
        other = expected[name]
        if one.shape != other.shape:
            return f"{name}: shape {one.shape}, not {other.shape}"
        if one.dtype.kind != "f":
            if not np.array_equal(one, other):
                return f"{name} differs in {np.count_nonzero(one != other)} cells"
            continue
        finite = np.isfinite(other)
        size = np.abs(other[finite]).max(initial=1e-300)
        near = np.abs(one[finite] - other[finite]) <= tolerance * size
        if not near.all() or not np.array_equal(one[~finite], other[~finite], equal_nan=True):
            return f"{name} differs"
    return None


def changed(model, before):
    """Attributes that are not the very same objects as before."""
    now = vars(model)
    return sorted(
        {*(now.keys() ^ before.keys()), *(name for name in now.keys() & before.keys() if now[name] is not before[name])}
    )


def fingerprint(value):
    """The bytes of an input."""
    if sparse.issparse(value):
        return type(value), value.shape, *(fingerprint(v) for v in vars(value).values() if isinstance(v, np.ndarray))
    if isinstance(value, np.ma.MaskedArray):
        return fingerprint(value.data), fingerprint(np.ma.getmaskarray(value))
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, (pl.DataFrame, pa.Table)):
        return fingerprint(value.to_pandas())
    if isinstance(value, (pd.DataFrame, pd.Series)):
        return str(getattr(value, "columns", "")), fingerprint(value.to_numpy())
    return repr(value)


def to_run(cases):
    """The cases that end, with or without a fault."""
    return ((name, case) for name, case in cases.items() if name not in NOT_RUN)


def report(cls, faults):
    """Fail with all faults that are not known, and with all that are known and did not happen."""
    name = cls.__name__
    known = {case for learner, case in KNOWN if learner == name}
    new = [f"{case}: {fault}" for case, fault in faults.items() if fault and case not in known]
    gone = [f"{case}: mended, take it out of known.py" for case, fault in faults.items() if not fault and case in known]
    assert not new + gone, f"{name}\n" + "\n".join(new + gone)
