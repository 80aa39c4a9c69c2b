"""Multilayer perceptron for classes: layers of neurons whose last outputs are the probabilities of the classes.

Two classes have one logistic output, more a softmax; several targets of two classes have one logistic output each. All
are trained with cross entropy, whose errors are δ = o − y (losses/classes.py). How they are trained is in
shared/multilayer_perceptron.py, the passes through the layers in network/passes.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from aprendiz.core.class_weights import reweight
from aprendiz.core.inputs import open_rows
from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import (
    ArrayLike,
    Count,
    Factor,
    Fraction,
    NonNegative,
    PositiveFactor,
    Seed,
    Whole,
    check_parameters,
)
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import refuse_one_class
from aprendiz.neural.losses.loss import LogisticLoss, Loss, SoftmaxLoss
from aprendiz.neural.shared.multilayer_perceptron import (
    DIFFERENCES,
    EXCEPTIONS,
    Activation,
    MultilayerPerceptron,
    ProperFraction,
    Schedule,
    goes_by_epochs,
)
from aprendiz.neural.shared.network_state import NetworkState


class MLPClassifier(Classifier, MultilayerPerceptron):
    """Multilayer perceptron for classes (drop-in for scikit-learn's; dropout, masks, temperatures, files).

    Parameters
    ----------
    hidden_layer_sizes : int or sequence of int, default=(100,)
        Neurons of each hidden layer.
    activation : str or sequence of str, default="relu"
        "identity", "logistic" (or "sigmoid"), "tanh", "relu", "softplus" or "cos" (or "cosine"); one for all hidden layers, or
        one for each. "step" is not trained; a network that is fitted predicts with it after `set_params(activation="step")`.
    solver : {"adam", "sgd", "lbfgs"}, default="adam"
    alpha : float, default=0.0001
        Strength of the penalty α/2·‖W‖².
    batch_size : int or "auto", default="auto"
        Rows of a batch; "auto" is 200, or all rows if there are fewer.
    learning_rate : {"constant", "invscaling", "adaptive", "decreasing"}, default="constant"
        For "sgd": constant; η₀/t^`power_t` with t the rows visited; divided by 5 whenever `n_iter_no_change` epochs have
        brought no improvement; or η₀·1000/(1000 + t) with t the steps made.
    learning_rate_init : float, default=0.001
        η₀.
    power_t : float, default=0.5
    max_iter : int, default=200
        Epochs, or steps of "lbfgs".
    shuffle : bool, default=True
    random_state : int, RandomState or None
        Seed of the first weights, of the order of the rows, of dropout and of the rows set aside.
    tol : float, default=1e-4
        Stop when the loss has not fallen (or the score on rows set aside has not risen) by `tol` for `n_iter_no_change` epochs;
        "lbfgs" stops when no entry of the gradient is larger.
    verbose : bool or int
        No effect.
    warm_start : bool, default=False
        Whether to start from the weights of the previous fit.
    momentum, nesterovs_momentum : float and bool, default=0.9 and True
        Of "sgd".
    early_stopping : bool, default=False
        Whether to set rows of each class aside and stop when the accuracy on them no longer rises; the best epoch is kept.
    validation_fraction : float, default=0.1
    beta_1, beta_2, epsilon : float, default=0.9, 0.999 and 1e-8
        Of "adam".
    n_iter_no_change : int, default=10
    max_fun : int, default=15000
        Evaluations of the loss by "lbfgs".
    temperature : float or sequence of float, default=1.0
        t of σ(z/t); one for all hidden layers, or one for each.
    dropout : float, default=0.0
        Probability that a hidden neuron is silent during a step.
    masks : list of boolean arrays, optional
        Which weights of each layer may be other than zero.
    max_nonzero : int, optional
        How many weights may be other than zero: after each epoch the largest are kept.
    class_weight : dict, "balanced" or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coefs_, intercepts_ : list of ndarray
        W_l and b_l of each layer.
    loss_ : float
        The loss of the last epoch, as met along the way (of "lbfgs", the objective).
    loss_curve_ : list of float
        The loss of each epoch, or after each step of "lbfgs".
    best_loss_, best_validation_score_ : float or None
    validation_scores_ : list of float or None
        Accuracy on the rows set aside, after each epoch.
    n_iter_ : int
        Epochs, or steps of "lbfgs".
    n_layers_, n_outputs_, n_parameters_ : int
        Layers with the input, outputs, and numbers in all weights and intercepts.
    out_activation_ : {"logistic", "softmax"}
    t_, updates_ : int
        Rows visited, and steps made.
    certificate_ : Certificate
        The gradient beside a complex step, its largest entry, and the objective beside that of constant outputs.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> MLPClassifier((4,), activation="tanh", solver="lbfgs", random_state=0).fit(X, y).predict(X)
    array([0, 1, 1, 0])
    """

    several_targets = True
    announced = True  # does the first `partial_fit` list all classes?
    differences = {**DIFFERENCES, "classes_": "another form: at least two; of a single class nothing is learned"}
    exceptions = EXCEPTIONS
    tuning = {"hidden_layer_sizes": ((20,), (100,), (100, 50)), "alpha": (1e-4, 1e-2, 1.0)}

    def __init__(
        self,
        hidden_layer_sizes: Count | tuple[int, ...] | ArrayLike = (100,),
        activation: Activation | ArrayLike = "relu",
        *,
        solver: Literal["lbfgs", "sgd", "adam"] = "adam",
        alpha: Factor = 0.0001,
        batch_size: Count | Literal["auto"] = "auto",
        learning_rate: Schedule = "constant",
        learning_rate_init: PositiveFactor = 0.001,
        power_t: NonNegative = 0.5,
        max_iter: Count = 200,
        shuffle: bool = True,
        random_state: Seed = None,
        tol: NonNegative = 1e-4,
        verbose: Whole | bool = False,
        warm_start: bool = False,
        momentum: Fraction = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: Fraction = 0.1,
        beta_1: ProperFraction = 0.9,
        beta_2: ProperFraction = 0.999,
        epsilon: PositiveFactor = 1e-8,
        n_iter_no_change: NonNegative = 10,
        max_fun: Count = 15000,
        temperature: PositiveFactor | ArrayLike = 1.0,
        dropout: ProperFraction = 0.0,
        masks: list[Any] | tuple[Any, ...] | None = None,
        max_nonzero: Count | None = None,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.temperature = temperature
        self.dropout = dropout
        self.masks = masks
        self.max_nonzero = max_nonzero
        self.class_weight = class_weight

    # ---- classes -----------------------------------------------------------------------------------------------------

    def prepare(self, rows: Rows) -> Rows:
        if rows.several is not None and self.class_weight is not None:
            raise ValueError("class_weight is for one target: of several, give sample_weight.")
        if rows.several is not None:
            return labels_of(rows)
        return rows if self.class_weight is None else reweight(rows, self.class_weight)

    def outputs(self, rows: Rows) -> int:
        if rows.several is not None:
            return len(rows.several)
        assert rows.labels is not None
        return 1 if len(rows.labels) == 2 else len(rows.labels)

    def loss_function(self, rows: Rows) -> Loss:
        return LogisticLoss() if rows.several is not None or self.outputs(rows) == 1 else SoftmaxLoss()

    def score_of(self, V: Array, rows: Rows) -> float:
        right = decided(V, rows.several is not None) == rows.each(lambda block: block.y)
        right = right.all(axis=1) if right.ndim == 2 else right
        return float(np.average(right, weights=rows.each(lambda block: block.weights)))

    def best_constant(self, rows: Rows) -> float:
        """The cross entropy of the shares of the classes."""
        totals = rows.sum(class_totals, 0 if rows.labels is None else len(rows.labels))
        p = totals / totals.sum(axis=-1, keepdims=True)
        return float(-(p * np.log(np.where(p > 0, p, 1.0))).sum())

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        classes = rows.labels if rows.several is None else np.arange(len(rows.several))
        return {**super().attributes(state, rows), "classes_": classes, "several_": rows.several is not None}

    several_: bool

    def begin(self, rows: Rows, seed: int) -> NetworkState:
        before = getattr(self, "classes_", None) if self.warm_start else None
        now = np.arange(self.outputs(rows)) if rows.labels is None else rows.labels
        if before is not None and not np.array_equal(before, now):
            raise ValueError(
                "warm_start can only be used where `y` has the same classes as in the previous call to fit. "
                f"Previously got {before}, `y` has {now}."
            )
        return super().begin(rows, seed)

    # ---- more rows ---------------------------------------------------------------------------------------------------

    @available_if(goes_by_epochs)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, classes: Any = None) -> Self:
        """One epoch over the given rows. The first call lists all `classes`."""
        check_parameters(self)
        if self.class_weight == "balanced":
            raise ValueError("class_weight='balanced' needs all rows at once: give partial_fit the weights of the classes.")
        known = getattr(self, "classes_", None)
        if known is None and classes is None and np.ndim(y) < 2:
            raise ValueError("classes must be passed on the first call to partial_fit: all the labels that may come.")
        among = known
        if classes is not None and np.ndim(y) < 2:
            among = np.unique(np.asarray(classes))
            if known is not None and not np.array_equal(among, known):
                raise ValueError(f"`classes={among}` is not the same as on last call to partial_fit, was: {known}.")
        rows = open_rows(self, X, y, sample_weight, target="classes", reset=known is None, among=among)
        if rows.labels is not None:
            refuse_one_class(rows.labels)
        return self.went_on(self.ready(rows), first=known is None)

    # ---- predictions -------------------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class; of several targets, of each."""
        V = self.outputs_for(X)
        if self.out_activation_ == "softmax":
            return SoftmaxLoss().predictions(V)
        p = LogisticLoss().predictions(V)
        return p if self.several_ else np.hstack([1 - p, p])

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def predict(self, X: Any) -> Array:
        """The class of each row; of several targets, zeros and ones."""
        codes = decided(self.outputs_for(X), self.several_)
        return codes if self.several_ else self.classes_[codes]


def decided(V: Array, several: bool) -> Array:
    """The number of the class of each row, or whether each label is there."""
    if several:
        return (V > 0).astype(np.int64)
    return (V[:, 0] > 0).astype(np.int64) if V.shape[1] == 1 else V.argmax(axis=1)


def class_totals(classes: int, block: Block) -> Array:
    """Weight of each class; of several labels, of those that are not there and of those that are."""
    if block.y.ndim == 1:
        return np.bincount(block.y, block.weights, classes)
    there = block.weights @ block.y
    return np.column_stack([block.weights.sum() - there, there])


def labels_of(rows: Rows) -> Rows:
    """Rows of several targets, each of which is there or not, with a column of zeros and ones for each."""
    assert rows.several is not None
    for number, labels in enumerate(rows.several):
        if strange := [label for label in labels.tolist() if label not in (0, 1)]:
            raise ValueError(
                f"Target {number} of y holds {strange[0]!r}: several targets must be zeros and ones here (a label is there or "
                "not). For several targets of more classes, fit a classifier for each."
            )
    ends = np.cumsum([len(labels) for labels in rows.several])

    def there(block: Block) -> Block:
        parts = zip(rows.several or [], ends, strict=True)
        columns = [block.y[:, end - 1] * float(labels[-1] == 1) for labels, end in parts]
        return replace(block, y=read_only(np.column_stack(columns)))

    if in_memory(rows):
        return rows.like(y=there(Block(rows.X, rows.y, rows.weight, 0)).y)
    return rows.changed(there)
