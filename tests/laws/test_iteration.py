"""An iterative learner is a generator of states: what follows from that, for every one of them."""

import pickle
import warnings
from dataclasses import FrozenInstanceError, fields, replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted
from subjects import (
    ITERATIVE,
    LEARNERS,
    SMALL_NETWORK,
    assert_same_bits,
    every,
    everything,
    fit,
    honour,
    learner,
    of_each_family,
    outputs,
    slow_to_rest,
    spread_out,
    table,
    takes,
    takes_codes,
)

import aprendiz
from aprendiz.core.iteration import Iterative, State
from aprendiz.kernel.shared import kernel_machine
from aprendiz.linear.solvers import working_set

# learners whose states are folds: max_iter is that of the fits inside, and the certificate speaks of the grid of penalties
OF_FOLDS = [cls for cls in ITERATIVE if takes(cls, "cv")]
# learners that should converge before max_iter
UNTIL_RESTED = [cls for cls in ITERATIVE if takes(cls, "max_iter") and cls not in OF_FOLDS and "max_iter" not in cls.exceptions]
SOME = of_each_family(ITERATIVE)  # for what the core does alike for all: files, progress, errors

# ---- subjects: a fixed start; several seeded starts, where the learner has them; many blocks -----------------------------


@pytest.fixture(autouse=True, scope="module")
def little_at_once():
    """Several states on small tables: working sets that begin with a single column, so that four columns take several rounds,
    and a state after each pair of classes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(working_set, "FIRST", 1)
        patch.setattr(kernel_machine, "LEAST_ENTRIES", 0)
        yield


def from_start(cls):
    data = table(cls, 400, 4)
    return learner(cls, data, **small_penalty(cls)), data


def small_penalty(cls):
    """A penalty that leaves all columns, for learners that make zeros."""
    return {"alpha": 0.01} if takes(cls, "alpha") and takes(cls, "selection") else {}


def seeded(cls):
    data = table(cls, 400, 4)
    several = {"n_clusters": 4, "init": "random", "n_init": 3} if takes(cls, "n_clusters") and takes(cls, "n_init") else {}
    several |= {"n_components": 3, "init_params": "random_from_data", "n_init": 3} if takes(cls, "init_params") else {}
    several |= {"n_estimators": 4} if takes(cls, "n_estimators") else {}
    several |= {"n_draws": 4, "sample_size": 60} if takes(cls, "n_draws") else {}
    several |= {"tol": 0.01} if slow_to_rest(cls) else {}
    several |= {**SMALL_NETWORK, "hidden_layer_sizes": (3,), "tol": 0.5} if takes(cls, "nesterovs_momentum") else {}
    several |= small_penalty(cls)
    return cls(**({"random_state": 3} if takes(cls, "random_state") else {}), **several), data


def in_blocks(cls):
    return from_start(cls)


@pytest.fixture(params=[from_start, seeded, in_blocks], ids=lambda kind: kind.__name__)
def kind(request):
    """A kind of fit; the last one with several blocks."""
    if request.param is in_blocks:
        request.getfixturevalue("short_blocks")
    return request.param


few = pytest.mark.parametrize("kind", [from_start, seeded], ids=lambda kind: kind.__name__)


@cache
def numbers_of(cls, kind=from_start):
    """The fitted numbers of a fit that nobody disturbs. To be asked for where `kind` is in force."""
    model, data = kind(cls)
    return everything(fit(model, data))


@cache
def states_of(cls, kind=from_start):
    """The states of that fit: they are frozen."""
    model, data = kind(cls)
    return tuple(model.steps(data.X, data.y))


def as_arrays(state):
    """A state as a dictionary, to compare bits."""
    return {f.name: np.asarray(getattr(state, f.name)) for f in fields(state)}


def numbers_among(attributes):
    """The attributes that hold numbers, as arrays."""
    arrays = {one: array for name, value in attributes.items() for one, array in spread_out(name, value).items()}
    return {name: array for name, array in arrays.items() if array.dtype.kind in "biuf"}


def assert_same_states(a, b):
    a, b = list(a), list(b)
    assert len(a) == len(b)
    for left, right in zip(a, b, strict=True):
        assert_same_bits(as_arrays(left), as_arrays(right))


# ---- who yields states -------------------------------------------------------------------------------------------------


@every([cls for cls in LEARNERS if takes(cls, "max_iter")])
def test_who_can_be_stopped(cls):
    """A learner with `max_iter` yields states, and so can be stopped, watched and resumed; or it says why it does not."""
    assert issubclass(cls, Iterative) != bool(cls.not_iterative)
    assert isinstance(cls.not_iterative, str)


@every([cls for cls in LEARNERS if cls.not_iterative])
def test_reasons_are_needed(cls):
    """Nobody else gives a reason."""
    assert takes(cls, "max_iter")


# ---- states ----------------------------------------------------------------------------------------------------------


@every(ITERATIVE)
def test_states_are_counted(cls, kind):
    """State 0, then consecutive states, each of the learner's own kind, until the last one says that it is settled."""
    states = states_of(cls, kind)
    assert [state.iteration for state in states] == list(range(len(states)))
    assert len(states) >= 3  # or the other laws would be empty
    assert all(type(state) is cls.State and isinstance(state, State) for state in states)
    assert [state.settled for state in states[:-1]] == [False] * (len(states) - 1)
    assert states[-1].settled
    most = kind(cls)[0].most_states()
    assert most is None or len(states) <= most  # a number of batches is not known before the rows are


@every(ITERATIVE)
def test_steps_do_not_fit(cls):
    """Looking at the states leaves the learner unfitted."""
    model, data = from_start(cls)
    list(model.steps(data.X, data.y))
    with pytest.raises(NotFittedError):
        check_is_fitted(model)


@every(ITERATIVE)
@few
def test_states_are_frozen(cls, kind):
    """No field of a state can be set, no array in it can be written."""
    for state in states_of(cls, kind):
        for f in fields(state):
            with pytest.raises(FrozenInstanceError):
                setattr(state, f.name, None)
            value = getattr(state, f.name)
            assert isinstance(value, (bool, int, float, str, tuple, np.ndarray)), f"{f.name} is a {type(value).__name__}"
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable, f.name


@every(ITERATIVE)
@few
def test_old_states_stay(cls, kind):
    """The loop does not write into states that it has given out."""
    model, data = kind(cls)
    copies, states = [], []
    for state in model.steps(data.X, data.y):
        states.append(state)
        copies.append(pickle.loads(pickle.dumps(state)))
    assert_same_states(states, copies)


@every(ITERATIVE)
def test_since(cls, kind):
    """Continued from any state, even a pickled one, the states that follow have the bits they would have had. Asked of the
    first three states, of the last, and of four in between where there are more."""
    (model, data), states = kind(cls), states_of(cls, kind)
    for number in sorted({0, 1, *np.linspace(2, len(states) - 1, 6).round().astype(int)}):
        since = pickle.loads(pickle.dumps(states[number]))
        assert_same_states(model.steps(data.X, data.y, since=since), states[number + 1 :])


@every(ITERATIVE)
def test_fit_is_the_last_state(cls, kind):
    """`fit` sets the attributes of the last state."""
    model, data = kind(cls)
    last = states_of(cls, kind)[-1]
    expected = fresh(model).attributes(last, model.open(data.X, data.y))
    found = everything(fit(model, data))
    numbers = numbers_among(expected)
    assert numbers
    assert_same_bits({name: found[name] for name in numbers}, numbers)
    assert model.stopped_ == "converged"
    assert model.certificate_.holds or cls in OF_FOLDS, str(model.certificate_)


def fresh(model):
    return type(model)(**model.get_params(deep=False))


@every(ITERATIVE)
def test_objective_never_rises(cls, kind):
    """In each start, the objective of a state is no larger than that of the one before."""
    honour(cls, "monotone")
    model, data = kind(cls)
    states = list(model.steps(data.X, data.y, data.weight if takes(cls.fit, "sample_weight") else None))
    for before, after in pairwise(states):
        starts = getattr(before, "start", 0), getattr(after, "start", 0)
        if np.ndim(starts[0]) or starts[0] == starts[1]:  # of several starts, the number; in a forest, where trees begin
            # rounding: sums of n terms, folded, differ by far less than 1e-12 of their size
            assert after.objective <= before.objective + 1e-12 * abs(after.objective)


@every(ITERATIVE)
def test_log_never_rises(cls):
    """A log of the objective, where the fit keeps one, never rises and ends at the certificate's value."""
    model, data = from_start(cls)
    fit(model, data)
    log = model.certificate_.values.get("log")
    if log is None:
        values = model.certificate_.values
        assert np.isfinite(next(values[name] for name in ("score", "objective", "difference") if name in values))
        return
    assert (np.diff(log) <= 1e-12 * np.abs(log[1:])).all()
    assert log[-1] == pytest.approx(model.certificate_.cost, rel=1e-12)  # a cost that follows from sums is rounded elsewhere


# ---- checkpoints -----------------------------------------------------------------------------------------------------


def interrupted(model, data, folder, **options):
    """Fit with no time at all: one state, a warning, a checkpoint."""
    with aprendiz.training(checkpoint=folder, budget=0, **options), pytest.warns(ConvergenceWarning, match="time budget"):
        fit(model, data)
    return model


@every(ITERATIVE)
def test_resumed(cls, kind, tmp_path):
    """A fit that ran out of time goes on where it stopped, and ends with the bits of one that did not."""
    (model, data), expected = kind(cls), numbers_of(cls, kind)
    stopped = interrupted(fresh(model), data, tmp_path)
    assert stopped.stopped_ == "the time budget is spent"
    outputs(stopped, data.X)  # a valid model
    seen = []
    with aprendiz.training(checkpoint=tmp_path, progress=lambda _, state: seen.append(state.iteration)):
        resumed = fit(fresh(model), data)
    assert seen[0] == 1  # not from the start
    assert_same_bits(everything(resumed), expected)


@every(ITERATIVE)
def test_many_rows(cls):
    """So it is with many rows, where some learners begin with a sample of them: continued after its first state and before its
    last one, a fit ends with the state and the numbers that it would have had."""
    data = table(cls, 20_000, 4)
    model = learner(cls, data)
    states = list(model.steps(data.X, data.y))
    assert [state.settled for state in states] == [False] * (len(states) - 1) + [True]
    assert_same_states(model.steps(data.X, data.y, since=states[0]), states[1:])
    assert_same_states(model.steps(data.X, data.y, since=states[-2]), states[-1:])
    expected, found = model.attributes(states[-1], model.open(data.X, data.y)), everything(fit(fresh(model), data))
    numbers = numbers_among(expected)
    assert_same_bits({name: found[name] for name in numbers}, numbers)


@every(ITERATIVE)
@few
def test_resumed_again_and_again(cls, kind, tmp_path):
    """Stopped after every single state, a fit still ends with the same bits."""
    (model, data), expected = kind(cls), numbers_of(cls, kind)
    for _ in states_of(cls, kind)[1:]:
        interrupted(fresh(model), data, tmp_path)
    with aprendiz.training(checkpoint=tmp_path, budget=0):
        assert_same_bits(everything(fit(fresh(model), data)), expected)


@every(SOME)
def test_finished_checkpoint(cls, tmp_path):
    """A finished fit is read from its checkpoint: no state is computed again."""
    model, data = from_start(cls)
    with aprendiz.training(checkpoint=tmp_path):
        expected = everything(fit(fresh(model), data))
    seen = []
    with aprendiz.training(checkpoint=tmp_path, progress=lambda _, state: seen.append(state)):
        assert_same_bits(everything(fit(fresh(model), data)), expected)
    assert seen == []


def another_parameter(model):
    """One of which the states depend, slightly other than the model has it."""
    if takes(type(model), "tol") and model.tol is not None:
        return {"tol": model.tol + 1e-12}
    if takes(type(model), "first_cut"):
        return {"n_bins": 9}
    if takes(type(model), "estimator") and takes(type(model), "cv"):
        return {"cv": 4}
    if takes(type(model), "step"):
        return {"step": 2}
    return {"random_state": 9} if takes(type(model), "random_state") else {"alpha": model.alpha / 2}


@every(ITERATIVE)
def test_checkpoints_are_not_shared(cls, tmp_path):
    """Other rows, another order, other weights, another target, other parameters: another fit, from its own start."""
    model, data = from_start(cls)
    interrupted(fresh(model), data, tmp_path)
    others = [
        (fresh(model), replace(data, X=data.X + (1 if takes_codes(cls) else 2.0**-40))),
        (fresh(model), data.take(np.arange(len(data))[::-1])),
        (fresh(model), data.take(slice(len(data) - 1))),
        (fresh(model).set_params(**another_parameter(model)), data),
    ]
    if data.y is not None:
        others.append((fresh(model), replace(data, y=np.roll(data.y, 1))))
    for number, (other, rows) in enumerate(others):
        seen = []
        with aprendiz.training(checkpoint=tmp_path, progress=lambda _, state, seen=seen: seen.append(state.iteration)):
            fit(other, rows)
        assert seen[0] == 0, f"other fit {number} went on from a checkpoint that is not its own"
    seen = []
    with aprendiz.training(checkpoint=tmp_path, progress=lambda _, state: seen.append(state.iteration)):
        fit(fresh(model), data, weighted=True)
    assert seen[0] == 0


@every([cls for cls in ITERATIVE if takes(cls, "init") and takes(cls, "n_init") and takes(cls, "n_clusters")])
@pytest.mark.parametrize("change", ["last digits", "middle"])
@pytest.mark.filterwarnings("ignore:Only .* clusters have rows:sklearn.exceptions.ConvergenceWarning")
def test_checkpoints_of_other_starts(cls, change, tmp_path):
    """Starts that differ in their last digits, or in the middle of a long array, are different parameters.

    With 250 starts for 400 rows, one that is moved may end without rows, which is said in a warning."""
    data = table(cls, 400, 5)
    start = data.X[:250].copy()
    other = start * (1 + 1e-12)
    if change == "middle":
        other = start.copy()
        other[125] += 1.0
    interrupted(cls(250, init=start, n_init=1, random_state=0), data, tmp_path)
    seen = []
    with aprendiz.training(checkpoint=tmp_path, progress=lambda _, state: seen.append(state.iteration)):
        fit(cls(250, init=other, n_init=1, random_state=0), data)
    assert seen[0] == 0


@every(UNTIL_RESTED)
@few
def test_max_iter_raised(cls, kind, tmp_path):
    """The remedy works: a fit that reached max_iter goes on from its checkpoint when max_iter is raised."""
    model, data = kind(cls)
    if takes(cls, "n_init"):
        model.set_params(n_init=1)
    expected = everything(fit(fresh(model), data))
    with aprendiz.training(checkpoint=tmp_path), pytest.warns(ConvergenceWarning, match="max_iter"):
        fit(fresh(model).set_params(max_iter=2), data)
    with aprendiz.training(checkpoint=tmp_path):
        resumed = fit(fresh(model), data)
    assert_same_bits(everything(resumed), expected)


def truncated(content):
    return content[: len(content) // 2]


def flipped(content):
    """The last number of the first array turned into another."""
    at = content.index(b"PK", content.index(b"array.")) - 1
    return content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]


damages = [truncated, flipped, lambda content: b"", lambda content: b"not a checkpoint"]


@every(SOME)
def test_damaged_checkpoint(cls, tmp_path):
    """A damaged checkpoint is refused by name, and left alone."""
    model, data = from_start(cls)
    interrupted(fresh(model), data, tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damage in damages:
        file.write_bytes(damaged := damage(whole))
        with aprendiz.training(checkpoint=tmp_path), pytest.raises(ValueError, match="remove it") as error:
            fit(fresh(model), data)
        assert str(file) in str(error.value)
        assert file.read_bytes() == damaged


def test_checkpoint_that_is_a_file(tmp_path):
    """The checkpoint is a folder: the name of a file is refused before any work."""
    file = tmp_path / "model.npz"
    file.write_text("mine")
    with pytest.raises(ValueError, match=r"model\.npz.* is a file"), aprendiz.training(checkpoint=file):
        pass
    assert file.read_text() == "mine"


@pytest.mark.parametrize("budget", [-1, float("nan")])
def test_bad_budget(budget):
    """A budget is a number of seconds of at least 0."""
    with pytest.raises(ValueError, match="budget"), aprendiz.training(budget=budget):
        pass


# ---- who may stop a fit ----------------------------------------------------------------------------------------------


@every(ITERATIVE)
def test_budget(cls):
    """Without time, the fit stops at its first state, says so, and leaves a valid model."""
    model, data = from_start(cls)
    with aprendiz.training(budget=0), pytest.warns(ConvergenceWarning, match="time budget is spent") as caught:
        fit(model, data)
    assert len(caught) == 1
    check_is_fitted(model)
    first = states_of(cls)[0]
    for name, value in model.attributes(first, model.open(data.X, data.y)).items():
        if name in everything(model):
            assert np.array_equal(everything(model)[name], value, equal_nan=np.asarray(value).dtype.kind == "f"), name


@every(SOME)
def test_plenty_of_time(cls):
    """A budget that is not spent changes nothing."""
    (model, data), expected = from_start(cls), numbers_of(cls)
    with aprendiz.training(budget=600, progress=lambda *_: None):
        assert_same_bits(everything(fit(model, data)), expected)


@every(ITERATIVE)
def test_interrupted_in_training(cls):
    """Ctrl-C inside `training` returns the model of the last state, with a warning."""
    model, data = from_start(cls)

    def impatient(_, state):
        if state.iteration == 2:
            raise KeyboardInterrupt

    with aprendiz.training(progress=impatient), pytest.warns(ConvergenceWarning, match="interrupted"):
        returned = fit(model, data)
    assert returned is model
    assert_state_set(cls, model, data, 2)


@every(SOME)
def test_interrupted_alone(cls):
    """Ctrl-C elsewhere leaves the model of the last state and goes on."""
    model, data = from_start(cls)
    model.set_callbacks(Recorder(interrupt_at=2))
    with pytest.raises(KeyboardInterrupt):
        fit(model, data)
    assert_state_set(cls, model, data, 2)


def assert_state_set(cls, model, data, number):
    """The model is that of one of its states."""
    check_is_fitted(model)
    state = states_of(cls)[number]
    expected = fresh(model).attributes(state, model.open(data.X, data.y))
    numbers = numbers_among(expected)
    assert_same_bits({name: everything(model)[name] for name in numbers}, numbers)
    outputs(model, data.X)


@every(SOME)
def test_interrupt_is_checkpointed(cls, tmp_path):
    """Ctrl-C costs nothing where there is a checkpoint."""
    (model, data), expected = from_start(cls), numbers_of(cls)

    def impatient(_, state):
        if state.iteration == 2:
            raise KeyboardInterrupt

    with aprendiz.training(progress=impatient, checkpoint=tmp_path), pytest.warns(ConvergenceWarning, match="interrupted"):
        fit(fresh(model), data)
    seen = []
    with aprendiz.training(progress=lambda _, state: seen.append(state.iteration), checkpoint=tmp_path):
        assert_same_bits(everything(fit(fresh(model), data)), expected)
    assert seen[0] == 3


@every(SOME)
def test_errors_go_through(cls):
    """An error in a progress function is not swallowed, and the next fit is whole again."""
    model, data = from_start(cls)

    def broken(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), aprendiz.training(progress=broken):
        fit(model, data)
    assert fit(model, data).stopped_ == "converged"


@every(UNTIL_RESTED)
def test_max_iter(cls):
    """A fit that merely stopped says so, and names the remedy."""
    model, data = from_start(cls)
    with pytest.warns(ConvergenceWarning, match=r"max_iter reached.*[Rr]aise max_iter"):
        fit(model.set_params(max_iter=1), data)
    outputs(model, data.X)


# ---- who is told -----------------------------------------------------------------------------------------------------


class Recorder:
    """A callback that follows scikit-learn's protocol: it writes down what it is told, and may stop the fit."""

    def __init__(self, stop_at=None, interrupt_at=None):
        self.stop_at, self.interrupt_at = stop_at, interrupt_at
        self.begun, self.ended, self.models, self.calls = [], [], [], []

    def setup(self, estimator, context):
        self.calls.append("setup")

    def teardown(self, estimator, context):
        self.calls.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.begun.append((context.parent is None, context.task_id))

    def on_fit_task_end(self, estimator, context, *, X, y, fitted_estimator):
        self.ended.append((context.parent is None, context.task_id))
        if context.parent is None:
            return False
        self.models.append(fitted_estimator)
        if context.task_id == self.interrupt_at:
            raise KeyboardInterrupt
        return context.task_id == self.stop_at


@every(ITERATIVE)
@few
def test_callback_is_told_of_each_state(cls, kind):
    """One task for each state, inside one task for the fit, between setup and teardown; the bits stay the same."""
    (model, data), expected, states = kind(cls), numbers_of(cls, kind), states_of(cls, kind)
    recorder = Recorder()
    assert_same_bits(everything(fit(fresh(model).set_callbacks(recorder), data)), expected)
    assert recorder.calls == ["setup", "teardown"]
    tasks = [(False, state.iteration) for state in states]
    assert recorder.begun == [(True, 0), *tasks]
    assert recorder.ended == [*tasks, (True, 0)]


def answers_of(model, new):
    """What a model says of new rows; of selectors their numbers too, since equal columns may be chosen in several states."""
    said = outputs(model, new)
    return {**said, **everything(model)} if isinstance(model, SelectorMixin) else said or everything(model)


@every(ITERATIVE)
def test_callback_sees_a_fitted_model(cls):
    """At each state a callback can have the model as it would be if the fit ended there."""
    model, data = from_start(cls)
    recorder = Recorder()
    fit(fresh(model).set_callbacks(recorder), data)
    new = table(cls, 400, 4, seed=1).X
    said = [answers_of(one, new) for one in recorder.models]
    last = fit(fresh(model), data)
    assert_same_bits(said[-1], answers_of(last, new))
    assert any(not np.array_equal(said[0][name], said[-1][name]) for name in said[0])


@every(SOME)
def test_callback_stops_the_fit(cls):
    """A callback that answers True ends the fit at that state; the fit warns that it has not converged."""
    model, data = from_start(cls)
    recorder = Recorder(stop_at=1)
    with pytest.warns(ConvergenceWarning, match="callback"):
        fit(model.set_callbacks(recorder), data)
    assert recorder.ended == [(False, 0), (False, 1), (True, 0)]
    assert recorder.calls == ["setup", "teardown"]
    assert_state_set(cls, model.set_callbacks(), data, 1)


@every(SOME)
def test_scikit_learn_progress_bar(cls):
    """scikit-learn's own progress bar can watch a fit."""
    pytest.importorskip("rich")
    from sklearn.callback import ProgressBar

    (model, data), expected = from_start(cls), numbers_of(cls)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same_bits(everything(fit(fresh(model).set_callbacks(ProgressBar()), data)), expected)


@every(SOME)
def test_own_progress_bar(cls, capsys):
    """`training(progress=True)` shows the name of the learner."""
    pytest.importorskip("rich")
    model, data = from_start(cls)
    with aprendiz.training(progress=True):
        fit(model, data)
    assert cls.__name__ in capsys.readouterr().out


@every(SOME)
def test_progress_function(cls):
    """A progress function is called with the learner and each state, and only inside its `with` block."""
    model, data = from_start(cls)
    seen = []
    with aprendiz.training(progress=lambda who, state: seen.append((who, state))):
        fit(model, data)
    assert all(who is model for who, _ in seen)
    assert_same_states([state for _, state in seen], states_of(cls))
    before = len(seen)
    fit(model, data)
    assert len(seen) == before


def test_checkpoints_know_their_generators(tmp_path):
    """Generators in different states make different fits; what cannot be recognised later has no checkpoint."""
    X = np.random.default_rng(0).normal(size=(200, 2))
    plain = [aprendiz.KMeans(6, random_state=np.random.RandomState(s)).fit(X).inertia_ for s in range(4)]
    with aprendiz.training(checkpoint=tmp_path):
        kept = [aprendiz.KMeans(6, random_state=np.random.RandomState(s)).fit(X).inertia_ for s in range(4)]
        with pytest.raises(ValueError, match="has no stable fingerprint"):
            aprendiz.KMeans(2, init=lambda X, k, random_state: X[:k]).fit(X)
    assert kept == plain
    assert len(list(tmp_path.iterdir())) == 4


def test_blas_is_free_between_steps():
    """Steps are computed as in a fit, and leave BLAS alone while the user looks at them."""
    from threadpoolctl import threadpool_info

    def threads():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    X = np.random.default_rng(0).normal(size=(1000, 300))
    before = threads()
    for _ in aprendiz.LogisticRegression().steps(X, (X[:, 0] > 0).astype(int)):
        assert threads() == before
