"""Autoencoder: a network whose outputs are to be its inputs, with a narrow layer in between.

    z = h_c(x),     x̂ = o(z),     min 1/Σω·(Σ ω ½‖x − x̂‖² + α/2·Σ_l ‖W_l‖²)                                    (1)

The narrowest hidden layer c (the first one, if several are) holds the code z: coordinates of the row on a curved surface
of as many dimensions. With activation="identity" and alpha=0 it is flat, and the best one is that of the first principal
components. How the network is trained is in shared/multilayer_perceptron.py.

Reference: Hinton & Salakhutdinov, "Reducing the dimensionality of data with neural networks", Science 313, 2006.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.inputs import features
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import ArrayLike, Count, Factor, Fraction, NonNegative, PositiveFactor, Seed, Whole
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.linear.shared.early_stopping import determination
from aprendiz.neural.losses.constant import loss_of_means
from aprendiz.neural.losses.loss import Loss, NumberLoss
from aprendiz.neural.network.passes import through_layers
from aprendiz.neural.shared.multilayer_perceptron import (
    EXCEPTIONS,
    Activation,
    MultilayerPerceptron,
    ProperFraction,
    Schedule,
    goes_by_epochs,
)


class Autoencoder(ClassNamePrefixFeaturesOutMixin, Transformer, MultilayerPerceptron):
    """Coordinates of the rows in the narrowest layer of a network that is trained to give its inputs back.

    Parameters
    ----------
    hidden_layer_sizes : int or sequence of int, default=(2,)
        Neurons of each hidden layer; the narrowest is the code. (50, 2, 50) can follow a curved surface.
    activation : str or sequence of str, default="tanh"
        One for all hidden layers, or one for each: ("tanh", "identity", "tanh") leaves the code without bounds.

    solver : {"adam", "sgd", "lbfgs"}, default="adam"
        "lbfgs" for tables of a few thousand rows.

    The other parameters are those of MLPRegressor, without `loss` and what belongs to targets.

    Attributes
    ----------
    code_layer_ : int
        Which hidden layer holds the code, from 1.
    validation_scores_ : list of float or None
        R² on the rows set aside, after each epoch.
    certificate_ : Certificate
        The gradient beside a complex step, its largest entry, and the objective beside that of constant outputs.

    The other attributes are those of MLPRegressor.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 1, 50)
    >>> X = np.column_stack([t, 2 * t, -t])
    >>> model = Autoencoder((1,), activation="identity", solver="lbfgs", alpha=0.0, tol=1e-8, random_state=0).fit(X)
    >>> model.transform(X).shape, bool(np.abs(model.inverse_transform(model.transform(X)) - X).max() < 1e-3)
    ((50, 1), True)
    """

    allows = frozenset()
    exceptions = EXCEPTIONS

    def __init__(
        self,
        hidden_layer_sizes: Count | tuple[int, ...] | ArrayLike = (2,),
        activation: Activation | ArrayLike = "tanh",
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

    # ---- the rows are their own targets ----------------------------------------------------------------------------------

    def prepare(self, rows: Rows) -> Rows:
        if not np.size(self.hidden_layer_sizes):
            raise ValueError("hidden_layer_sizes is empty: the code is a hidden layer, give at least one, such as (2,).")
        return rows.like(y=rows.X) if in_memory(rows) else rows.changed(itself)

    def outputs(self, rows: Rows) -> int:
        return rows.columns

    def loss_function(self, rows: Rows) -> Loss:
        return NumberLoss("squared_error")

    def score_of(self, V: Array, rows: Rows) -> float:
        return float(determination(V, rows.each(lambda block: block.X), rows.each(lambda block: block.weights)).mean())

    def best_constant(self, rows: Rows) -> float:
        """The loss of the means."""
        return loss_of_means(rows, self.loss_function(rows))

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        found = super().attributes(state, rows)
        widths = [W.shape[1] for W in found["coefs_"][:-1]]
        return {**found, "code_layer_": 1 + widths.index(min(widths))}

    code_layer_: int

    @available_if(goes_by_epochs)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """One epoch over the given rows."""
        first = not hasattr(self, "coefs_")
        return self.went_on(self.open(X, None, sample_weight, reset=first), first)

    # ---- there and back ----------------------------------------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return int(self.coefs_[self.code_layer_ - 1].shape[1])

    def change(self, X: Array) -> Array:
        network, theta = self.fitted_network()
        return through_layers(network, theta, X, 0, self.code_layer_)

    def inverse_transform(self, X: Any) -> Array:
        """The rows that the network makes of codes."""
        check_is_fitted(self)
        Z, _noted = features(self, X, reset=True)
        if Z.shape[1] != self._n_features_out:
            raise ValueError(f"X has {Z.shape[1]} features, but codes have {self._n_features_out}: give what transform gives.")
        network, theta = self.fitted_network()
        with single_blas(float(len(Z)) * network.n_weights):
            return through_layers(network, theta, Z, self.code_layer_, len(network.shapes))


def itself(block: Block) -> Block:
    """The block with its features as targets."""
    return replace(block, y=block.X)
