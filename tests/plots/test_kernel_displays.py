"""Pictures of kernels and support vector machines: lines where f is 0 and ±1, support vectors of both kinds, the best cell."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pictures import CLASSES, FITTED, RNG, TWO, X, assert_inside, legend_of
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aprendiz import LinearMachine
from aprendiz.evaluation import KFolds, evaluate
from aprendiz.kernel import SVC, SVR, NuSVC, NuSVR, OneClassSVM
from aprendiz.kernel.kernels import RBF, Linear, Polynomial
from aprendiz.plots import (
    GramDisplay,
    KernelSurfacesDisplay,
    LiftedCircleDisplay,
    MarginDisplay,
    OneClassDisplay,
    ScoreGridDisplay,
    TubeDisplay,
)

FLAT, LABELS = X[TWO][:, :2], CLASSES[TWO]
LINE, TARGET = X[:, :1], X[:, 1]


# ---- margins ---------------------------------------------------------------------------------------------------------


def contour_points(ax):
    """The points of each set of lines that is drawn by levels."""
    return {
        tuple(lines.levels): np.vstack([path.vertices for path in lines.get_paths() if len(path.vertices)])
        for lines in ax.collections
        if hasattr(lines, "levels") and len(lines.levels) <= 2
    }


@pytest.mark.parametrize("model", [SVC(kernel="linear"), SVC(gamma=0.5, C=3.0), NuSVC(nu=0.4, gamma=0.3)])
def test_lines_are_levels_of_the_decision_function(model):
    """f is 0 along the boundary and ±1 along the margins; regions are the predictions."""
    model.fit(FLAT, LABELS)
    display = MarginDisplay.from_estimator(model, FLAT, LABELS)
    lines = contour_points(display.ax_)
    spread = np.ptp(display.values)
    assert np.abs(model.decision_function(lines[0.0,])).max() < 1e-3 * spread
    assert np.abs(np.abs(model.decision_function(lines[-1.0, 1.0])) - 1).max() < 1e-3 * spread
    rows = np.stack(np.meshgrid(display.grid.x, display.grid.y), axis=-1).reshape(-1, 2)
    assert np.array_equal(display.classes[display.regions].ravel(), model.predict(rows))


def test_support_vectors_are_told_apart():
    """Rings on the margin, crosses inside it or beyond; in all they are the support vectors."""
    model = FITTED.between_two
    display = MarginDisplay(model, FLAT, LABELS).plot()
    assert len(display.margin_support) > 0
    assert len(display.error_support) > 0
    side = np.where(model.classes_[1] == LABELS, 1, -1) * model.decision_function(FLAT)
    np.testing.assert_allclose(side[display.margin_support], 1, atol=2e-3)
    assert (side[display.error_support] < 1 + 2e-3).all()
    assert np.array_equal(np.union1d(display.margin_support, display.error_support), np.sort(model.support_))
    rings, crosses = display.ax_.lines[-2:]
    np.testing.assert_array_equal(rings.get_xydata(), FLAT[display.margin_support])
    np.testing.assert_array_equal(crosses.get_xydata(), FLAT[display.error_support])
    assert legend_of(display.ax_)[-2:] == [
        f"support vector on its margin: {len(display.margin_support)}",
        f"inside the margin or beyond: {len(display.error_support)}",
    ]
    assert display.ax_.get_title(loc="left") == f"margin {1 / np.linalg.norm(model.coef_):.3g} on each side"


def test_squared_slacks_have_one_kind():
    """No row lies on its margin exactly: the legend does not say so."""
    display = MarginDisplay(SVC(loss="squared_hinge").fit(FLAT, LABELS), FLAT, LABELS).plot()
    assert legend_of(display.ax_)[2:] == [f"support vector, inside its margin: {len(display.margin_support)}"]


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_margins_of_pipelines_and_frames(library):
    """Columns by name, in the units of the table, of which the others are at their medians."""
    table = library.DataFrame({name: X[TWO][:, j] * 10.0**j for j, name in enumerate("abc")})
    model = make_pipeline(StandardScaler(), SVC(kernel="linear")).fit(table, LABELS)
    display = MarginDisplay(model, table, LABELS, columns=("c", "a")).plot()
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("c", "a")
    assert display.ax_.get_title(loc="left") == "other columns at their medians"
    np.testing.assert_array_equal(display.ax_.lines[-2].get_xdata(), X[TWO][display.margin_support, 2] * 100.0)


def test_three_classes_have_regions():
    """Without margins, which are those of pairs."""
    display = MarginDisplay(SVC().fit(X, CLASSES), X, CLASSES).plot()
    assert display.values is None
    assert set(np.unique(display.regions)) == {0, 1, 2}
    assert_inside(display)


def test_support_vectors_are_drawn_among_many_rows():
    """More rows than are drawn: all support vectors are."""
    table = RNG.normal(size=(2600, 2))
    model = SVC(kernel="linear").fit(table, table[:, 0] > 0)
    display = MarginDisplay(model, table, table[:, 0] > 0)
    assert 2000 <= len(display.chosen) < 2600
    assert np.isin(model.support_, display.chosen).all()


def test_machines_draw_themselves():
    """`plot` of a machine is the picture of its display."""
    drawn = FITTED.between_two.plot(FLAT, LABELS, columns=(1, 0))
    assert isinstance(drawn, MarginDisplay)
    assert drawn.ax_.get_xlabel() == "x1"
    assert isinstance(FITTED.tube.plot(LINE, TARGET), TubeDisplay)


def test_bad_input_of_margins():
    with pytest.raises(TypeError, match="LinearMachine has no margin: give SVC or NuSVC"):
        MarginDisplay(LinearMachine().fit(FLAT, LABELS), FLAT)
    with pytest.raises(ValueError, match="X has 39 rows, SVC was fitted to 40: give the training rows"):
        MarginDisplay(FITTED.between_two, FLAT[1:])


# ---- surfaces --------------------------------------------------------------------------------------------------------


def test_surfaces_are_those_of_the_kernels():
    """Each panel has the values of a machine with its kernel, and how many support vectors it has."""
    kernels = {"one": Linear(), "two": Polynomial(2, c=1.0), "three": "rbf", "four": RBF(gamma=2.0)}
    display = KernelSurfacesDisplay.from_kernels(kernels, FLAT, LABELS, model=SVC(C=5.0))
    rows = np.stack(np.meshgrid(display.grid.x, display.grid.y), axis=-1).reshape(-1, 2)
    for ax, (name, kernel) in zip(display.ax_, kernels.items(), strict=True):
        model = SVC(C=5.0, kernel=kernel).fit(FLAT, LABELS)
        np.testing.assert_allclose(display.values[name].ravel(), model.decision_function(rows), rtol=1e-6, atol=1e-9)
        assert ax.get_title(loc="left") == f"{name}\nsupport vectors: {len(model.support_)}"
    strongest = display.ax_[3].images[0].get_array()[..., 3]
    assert strongest.ravel()[np.abs(display.values["four"]).argmax()] == strongest.max()


def test_bad_input_of_surfaces():
    with pytest.raises(ValueError, match="models is empty"):
        KernelSurfacesDisplay({}, FLAT)
    with pytest.raises(ValueError, match=r"a has the classes .*: every model must have the same two"):
        KernelSurfacesDisplay({"a": SVC().fit(X[:, :2], CLASSES)}, FLAT)


# ---- grids of scores -------------------------------------------------------------------------------------------------


def test_cells_are_the_scores_of_evaluate():
    """Each cell is judged on the same folds; the best one is framed and named."""
    grid = {"C": [0.01, 1.0, 100.0], "gamma": [0.01, 0.5]}
    display = ScoreGridDisplay.from_estimator(SVC(), FLAT, LABELS, grid=grid, protocol=KFolds(4))
    for i, C in enumerate(grid["C"]):
        for j, gamma in enumerate(grid["gamma"]):
            found = evaluate(SVC(C=C, gamma=gamma), FLAT, LABELS, protocol=KFolds(4)).score("accuracy")
            assert display.scores[i, j] == found.value
    i, j = display.best
    assert display.scores[i, j] == display.scores.max()
    assert display.best_values == {"C": grid["C"][i], "gamma": grid["gamma"][j]}
    assert display.ax_.patches[-1].get_xy() == (j - 0.5, i - 0.5)
    assert "best accuracy" in display.ax_.get_title(loc="left")


def test_grids_of_searches():
    """The means of GridSearchCV at their places, for the best values of what is not drawn."""
    grid = {"gamma": [0.5, 0.01], "C": [10.0, 1.0, 0.1], "shrinking": [True]}
    search = GridSearchCV(SVC(), grid, cv=3).fit(FLAT, LABELS)
    display = ScoreGridDisplay.from_search(search)
    assert (display.down, display.down_values, display.across_values) == ("C", [0.1, 1.0, 10.0], [0.01, 0.5])
    for one, score in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True):
        place = display.down_values.index(one["C"]), display.across_values.index(one["gamma"])
        assert display.scores[place] == score
    assert display.scores[display.best] == search.best_score_
    wide = GridSearchCV(SVC(), {**grid, "kernel": ["linear", "rbf"]}, cv=3).fit(FLAT, LABELS)
    with pytest.raises(ValueError, match=r"3 parameters with several values \(C, gamma, kernel\): name two"):
        ScoreGridDisplay.from_search(wide)
    part = ScoreGridDisplay.from_search(wide, across="gamma", down="C")
    assert np.nanmax(part.scores) == wide.best_score_


def test_errors_are_best_where_they_are_small():
    display = ScoreGridDisplay([[3.0, 1.0], [np.nan, 2.0]], ("a", [1, 2]), ("b", ["u", "v"]), more_is_better=False).plot()
    assert display.best == (0, 1)
    assert display.ax_.get_title(loc="left") == "best 1 for b = u, a = 2"
    shades = display.colours()
    assert shades[0, 0].sum() > shades[1, 1].sum() > shades[0, 1].sum()


def test_bad_input_of_grids():
    with pytest.raises(ValueError, match="grid has 1 parameters: give two"):
        ScoreGridDisplay.from_estimator(SVC(), FLAT, LABELS, grid={"C": [1]})
    with pytest.raises(ValueError, match=r"scores has shape \(1, 2\): b and a have \(2, 1\) values"):
        ScoreGridDisplay([[1, 2]], ("a", [1]), ("b", [1, 2]))
    with pytest.raises(ValueError, match="scores holds no number"):
        ScoreGridDisplay([[np.nan]], ("a", [1]), ("b", [1]))


# ---- the Gram matrix -------------------------------------------------------------------------------------------------


def test_rows_are_sorted_by_class():
    """The image is the matrix in the order of the classes; the means are those of all pairs of different rows."""
    K = RBF(sigma=1.0)(X)
    display = GramDisplay(K, CLASSES).plot()
    assert list(CLASSES[display.order]) == sorted(CLASSES)
    np.testing.assert_array_equal(display.ax_.images[0].get_array(), K[np.ix_(display.order, display.order)])
    pairs = [(i, j) for i in range(60) for j in range(60) if i != j]
    for same, found in ((True, display.within), (False, display.between)):
        assert found == pytest.approx(np.mean([K[i, j] for i, j in pairs if (CLASSES[i] == CLASSES[j]) == same]))
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["one", "three", "two"]


def test_matrices_of_all_kinds():
    """Negative entries have a colour of their own, with white for 0; many rows are drawn in part."""
    signed = GramDisplay.from_kernel(Linear(), X - X.mean(axis=0))
    image = signed.ax_.images[0]
    assert image.norm.vmin == -image.norm.vmax
    assert image.cmap(0.5)[:3] == pytest.approx((1, 1, 1), abs=0.01)
    large = GramDisplay(np.eye(1200), np.arange(1200) % 2)
    assert large.K.shape == (1000, 1000)
    assert GramDisplay(np.eye(3), ["a", "a", "a"]).plot().ax_.get_title(loc="left") == ""
    with pytest.raises(ValueError, match="square"):
        GramDisplay(np.zeros((2, 3)))


# ---- the region of one class -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("nu", [0.1, 0.5])
def test_rows_and_the_region(nu):
    """f is 0 along the boundary; rows inside carry nothing, at most ν of them all are outside."""
    model = OneClassSVM(nu=nu, gamma=0.5).fit(FLAT)
    drawn = model.plot(FLAT)
    assert isinstance(drawn, OneClassDisplay)
    f = model.decision_function(FLAT)
    assert (f[drawn.inside] >= -2e-3).all()
    np.testing.assert_allclose(f[drawn.edge], 0.0, atol=2e-3)
    assert (f[drawn.outside] < 0).all()
    assert len(drawn.outside) <= nu * len(FLAT)
    assert np.array_equal(np.union1d(drawn.edge, drawn.outside), model.support_)
    line = contour_points(drawn.ax_)[(0.0,)]
    np.testing.assert_allclose(model.decision_function(line), 0.0, atol=0.02 * np.abs(f).max())
    assert drawn.ax_.get_title(loc="left") == f"at most {100 * nu:.1f} % of the rows outside"
    assert f"inside: {len(drawn.inside)}" in legend_of(drawn.ax_)


def test_regions_of_pipelines_frames_and_other_columns():
    """Columns keep their names; others are at their medians."""
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": 50 * X[:, 0] + 7})
    model = make_pipeline(StandardScaler(), OneClassSVM(nu=0.2)).fit(table)
    display = OneClassDisplay.from_estimator(model, table, columns=("c", "b"))
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("c", "b")
    assert "medians" in display.ax_.get_title(loc="left")


def test_bad_input_of_regions():
    with pytest.raises(TypeError, match="SVR has no region: give OneClassSVM"):
        OneClassDisplay(FITTED.tube, FLAT)
    with pytest.raises(ValueError, match="X has 59 rows, OneClassSVM was fitted to 60"):
        OneClassDisplay(FITTED.region, X[1:, :2])


# ---- the tube --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [SVR(C=10.0, epsilon=0.5), NuSVR(nu=0.4, C=5.0), SVR(kernel="linear", epsilon=0.2)])
def test_rows_and_the_tube(model):
    """The tube is f ± ε; rows inside are no support vectors, those on the edge are at ε, others farther away."""
    model.fit(LINE, TARGET)
    display = TubeDisplay.from_estimator(model, LINE, TARGET)
    error = np.abs(TARGET - model.predict(LINE))
    np.testing.assert_allclose(error[display.edge], display.epsilon, atol=3e-3)
    assert (error[display.inside] <= display.epsilon + 2e-3).all()
    assert (error[display.outside] > display.epsilon).all()
    assert np.array_equal(np.union1d(display.edge, display.outside), model.support_)
    below, above, middle = (line.get_ydata() for line in display.ax_.lines[:3])
    np.testing.assert_allclose(above - below, 2 * display.epsilon)
    np.testing.assert_allclose(middle, model.predict(display.x[:, None]))


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_tubes_of_pipelines_and_frames(library):
    """The column keeps its name and its units."""
    table = library.DataFrame({"height": 100 * LINE[:, 0]})
    model = make_pipeline(StandardScaler(), SVR()).fit(table, TARGET)
    display = TubeDisplay(model, table, TARGET).plot()
    assert display.ax_.get_xlabel() == "height"
    np.testing.assert_allclose(display.f, model.predict(library.DataFrame({"height": display.x})))


def test_bad_input_of_tubes():
    with pytest.raises(TypeError, match="LinearRegression has no tube: give SVR or NuSVR"):
        TubeDisplay(LinearRegression().fit(LINE, TARGET), LINE, TARGET)
    with pytest.raises(ValueError, match=r"X has shape \(60, 2\): a picture of the tube needs exactly 1 column"):
        TubeDisplay(FITTED.tube, X[:, :2], TARGET)
    with pytest.raises(ValueError, match="X has 59 rows, SVR was fitted to 60"):
        TubeDisplay(FITTED.tube, LINE[1:], TARGET[1:])


# ---- the lifted circle -----------------------------------------------------------------------------------------------


def test_the_circle_becomes_a_plane():
    """Inner products of the lifted rows are squares of those of the rows; the plane divides them where the circle does."""
    display = LiftedCircleDisplay().plot()
    np.testing.assert_allclose(display.lifted @ display.lifted.T, (display.points @ display.points.T) ** 2, atol=1e-12)
    above = display.lifted[:, 0] + display.lifted[:, 1] > display.radius**2
    assert np.array_equal(above, display.y == "ring")
    edges = [np.linalg.norm(display.points[display.y == label], axis=1) for label in display.classes]
    assert display.radius**2 == pytest.approx((edges[0].max() ** 2 + edges[1].min() ** 2) / 2)


def test_the_eye_turns():
    """Looking along z₃, one sees x₁² and x₂²: rows above the plane are right of a straight line."""
    display = LiftedCircleDisplay().plot(azimuth=-90.0, elevation=90.0)
    drawn = np.vstack([line.get_xydata() for line in display.ax_[1].lines[-2:]])
    expected = np.vstack([display.lifted[display.y == label][:, :2] for label in display.classes])
    np.testing.assert_allclose(drawn, expected, atol=1e-12)


def test_bad_input_of_the_circle():
    with pytest.raises(ValueError, match="X and y belong together"):
        LiftedCircleDisplay(FLAT)
    with pytest.raises(ValueError, match=r"X has shape \(60, 5\): the lifted circle needs exactly 2 columns"):
        LiftedCircleDisplay(X, CLASSES)
    with pytest.raises(ValueError, match="y has 3 classes: the circle divides two"):
        LiftedCircleDisplay(X[:, :2], CLASSES)
    with pytest.raises(ValueError, match="No circle around zero has one class inside and the other outside: give a radius"):
        LiftedCircleDisplay(FLAT, LABELS)
    with pytest.raises(ValueError, match=r"radius = -1 must be above 0"):
        LiftedCircleDisplay(FLAT, LABELS, radius=-1)
