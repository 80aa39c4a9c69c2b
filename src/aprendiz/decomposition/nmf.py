"""Non-negative matrix factorisation: rows as sums of parts, none of which takes anything away.

    X ≈ W H,     W ≥ 0, H ≥ 0                                                                                 (1)

A row of H is a part, in the columns of X; a row of W says how much of each part a row of X has. What is minimised is

    J = Σ D(x | (WH)_ij) + α_W·d·(ρ ΣW + ½(1 − ρ) ΣW²) + α_H·n·(ρ ΣH + ½(1 − ρ) ΣH²)                          (2)

with D half the squared error, or another β-divergence. J is convex in W for fixed H, and in H for fixed W, not in both: where
a fit ends depends on where it begins (nonnegative/starts.py). Inside, U = W and V = Hᵀ. There are two ways down:

    solver="cd"    coordinate descent, extrapolated (nonnegative/least_squares.py, kullback_leibler.py): fast  (3)
    solver="mu"    multiplication (nonnegative/divergences.py): the rule of the lecture, for any D            (4)

For given H each row of W has a best answer of its own, which `transform` finds (nonnegative/active_set.py); the rows of the fit
get theirs from `fit_transform` in the same way. For the Kullback–Leibler divergence Newton's steps find it (newton_sweeps.py).

Cost: 4·k operations a cell and pass for (3). Memory: the table, and some numbers for each row, column and component.
Reference: Lee & Seung, "Learning the parts of objects by non-negative matrix factorization", Nature 401, 1999.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from aprendiz.core.parameters import Count, Factor, Fraction, NonNegative, ParameterError, Seed, Whole
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.decomposition.nonnegative.divergences import Beta, Multiplicative
from aprendiz.decomposition.nonnegative.factors import FIRST_BETWEEN, Factors
from aprendiz.decomposition.nonnegative.kullback_leibler import KullbackLeibler
from aprendiz.decomposition.nonnegative.least_squares import LeastSquares
from aprendiz.decomposition.nonnegative.parts import Parts
from aprendiz.decomposition.nonnegative.singular_part import SingularPart, saves_time, takes_little
from aprendiz.decomposition.nonnegative.starts import start, starts_from_singular_vectors
from aprendiz.decomposition.nonnegative.table_facts import TableFacts
from aprendiz.locale import _


class NMF(Parts):
    """Non-negative matrix factorisation (drop-in for scikit-learn's; faster, and with a certificate).

    Parameters
    ----------
    n_components : int, "auto" or None, default="auto"
        Number of parts k; the number of columns for "auto" and None, unless H is given.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar", "custom"}, tuple (W, H) or None, default=None
        The start; None is "nndsvda", or "random" for more parts than rows or columns. "custom" takes W and H of `fit`.
    solver : {"cd", "mu"}, default="cd"
        (3), for the squared error and the Kullback–Leibler divergence, or (4).
    beta_loss : {"frobenius", "kullback-leibler", "itakura-saito"} or float, default="frobenius"
        D by its name or by β (2, 1 and 0).
    tol : float, default=1e-4
        (3) ends when a pass could lower J by less than about tol²/10 of the squares of X (of the sum of X, for β = 1); (4) when
        the root of J falls by less than `tol` of its first value in ten passes.
    max_iter : int, default=200
        Maximum number of passes.
    random_state : int, RandomState or None
        The seed of the start.
    alpha_W, alpha_H : default=0.0, "same"
        α of the penalties in (2).
    l1_ratio : float, default=0.0
        ρ of the penalties in (2).
    verbose, shuffle
        No effect.
    missing : {"refuse", "unobserved"}, default="refuse"
        What a missing cell is: an error, or a cell that is not part of J (for solver="cd").

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        H.
    n_components_ : int
        k.
    reconstruction_err_ : float
        ‖X − WH‖, or √(2ΣD), for the rows of the fit.
    n_iter_ : int
        Number of passes.
    certificate_ : Certificate
        J of every pass, which never rises, and how much any component alone could still lower it.

    Examples
    --------
    >>> X = [[1.0, 1, 0, 0], [2, 2, 0, 0], [0, 0, 3, 1], [1, 1, 3, 1]]
    >>> model = NMF(2).fit(X)
    >>> print(model.transform(X).dot(model.components_).round(3)[3], model.certificate_.holds)
    [1. 1. 3. 1.] True
    """

    State = Factors
    differences = {
        "beta_loss": "another form: β between −100 and 100, since powers of cells must be numbers",
        "solver": "another form: 'cd' also for beta_loss='kullback-leibler'",
        "init": "another form: singular vectors from a few passes, filled in the units of the largest cell; also (W, H)",
        "tol": "another form: for solver='cd', of the squares of X, not of the first step",
        "n_iter_": "another form: passes of our solvers, of which fewer are needed",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "shuffle": "no effect: the order of the coordinates is fixed",
    }
    exceptions = {
        "shift": "parts add up from 0",
        "scaling": "W and H share the units of the table",
        "same answer": "there are many local minima, and equal ones up to the order and size of the parts",
    }

    def __init__(
        self,
        n_components: Count | Literal["auto"] | None = "auto",
        *,
        init: Literal["random", "nndsvd", "nndsvda", "nndsvdar", "custom"] | tuple[Any, ...] | None = None,
        solver: Literal["cd", "mu"] = "cd",
        beta_loss: Beta | Literal["frobenius", "kullback-leibler", "itakura-saito"] = "frobenius",
        tol: NonNegative = 1e-4,
        max_iter: Count = 200,
        random_state: Seed = None,
        alpha_W: Factor = 0.0,
        alpha_H: Factor | Literal["same"] = "same",
        l1_ratio: Fraction = 0.0,
        verbose: Whole | bool = 0,
        shuffle: bool = False,
        missing: Literal["refuse", "unobserved"] = "refuse",
    ):
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle
        self.missing = missing

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Factors | None = None) -> Iterator[Factors]:
        facts = self.facts(rows)
        seed = draw_seed(self.random_state) if since is None else since.seed
        state, seldom = since, self.reads_seldom(rows, facts) if since is None else since.between > 0
        part = SingularPart.of(rows, self.number_of_parts(facts), seed) if seldom else None
        if state is None:
            factors = self.begin(rows, facts, seed, part)
            between = FIRST_BETWEEN if seldom else 0
            state = Factors.first(*factors, seed, extrapolated=self.solver == "cd", between=between)
            yield state
        problem = self.problem(rows, facts, part)
        while not state.settled and state.iteration < self.max_iter:
            state = problem.next_state(state)
            yield state

    def begin(self, rows: Rows, facts: TableFacts, seed: int, part: SingularPart | None) -> tuple[Array, Array]:
        """U and V of state 0."""
        if self.starts_as_given():
            return self.given_factors(facts)
        return start(rows, facts, self.number_of_parts(facts), self.init, seed, part)

    def problem(
        self, rows: Rows, facts: TableFacts, part: SingularPart | None
    ) -> LeastSquares | KullbackLeibler | Multiplicative:
        """What each pass lowers, and how."""
        penalties = self.penalties(facts)
        if self.solver == "cd" and not self.squared:
            return KullbackLeibler.of(rows, *penalties, float(self.tol))
        if self.solver == "cd":
            return LeastSquares(rows, facts, *penalties, float(self.tol), part)
        return Multiplicative(rows, self.divergence, *penalties, float(self.tol))

    def reads_seldom(self, rows: Rows, facts: TableFacts) -> bool:
        """May there be passes between two readings of the table (between_readings.py)?"""
        if self.solver != "cd" or not self.squared or facts.has_gaps or (in_memory(rows) and rows.sparse):
            return False
        k = self.number_of_parts(facts)
        begins = not self.starts_as_given() and starts_from_singular_vectors(self.init, facts, k)
        return begins and saves_time(facts.rows, facts.columns, k) and (in_memory(rows) or takes_little(k))

    def stays_thin(self) -> bool:
        return self.solver == "cd" and self.missing == "refuse"

    def refuse_loss(self) -> None:
        """(3) is for the squared error and the Kullback–Leibler divergence."""
        loss = self.beta_loss
        if self.missing == "unobserved" and not self.squared:
            raise ParameterError("missing='unobserved' needs the squared error: beta_loss='frobenius'.")
        if self.missing == "unobserved" and self.solver == "mu":
            raise ParameterError("missing='unobserved' needs solver='cd': its passes know which cells there are.")
        if self.solver == "cd" and self.divergence.beta not in (1, 2):
            raise ParameterError(
                f"Invalid beta_loss parameter: solver 'cd' does not handle beta_loss = {loss!r}. Use solver='mu', or the "
                "squared error, or 'kullback-leibler'."
            )

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: Factors, rows: Rows) -> dict[str, Any]:
        H = state.V.T.copy()
        return {"components_": H, "n_components_": len(H), "n_iter_": state.iteration}

    def row_attributes(self, state: Factors, rows: Rows) -> dict[str, Any]:
        return self.known_of(state.V, state.log, rows)

    def remedy(self) -> str:
        return _("Raise max_iter (it is {max_iter}) or tol.").format(max_iter=self.max_iter)

    def most_states(self) -> int:
        return self.max_iter + 1
