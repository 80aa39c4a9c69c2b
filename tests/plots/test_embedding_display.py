"""Maps of rows: where the marks stand, what their colours say, names of many classes where they lie."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from pictures import CLASSES, X, assert_inside, legend_of

from aprendiz import PCA, TSNE, plots
from aprendiz.plots import EmbeddingDisplay
from aprendiz.plots.shared.points_display import lines_apart

RNG = np.random.default_rng(9)
MAP = RNG.normal(size=(60, 2))


def test_marks_stand_where_the_map_says():
    """By class, with the name of the series; one unit is as long across as upwards; a map has no numbers on its axes."""
    display = plots.embedding(MAP, pd.Series(CLASSES, name="size"))
    for line, name in zip(display.ax_.lines, ["one", "three", "two"], strict=True):
        np.testing.assert_array_equal(line.get_xydata(), MAP[name == CLASSES])
    assert legend_of(display.ax_) == ["one", "three", "two"]
    assert display.ax_.get_legend().get_title().get_text() == "size"
    assert len(display.ax_.get_xticks()) == len(display.ax_.get_yticks()) == 0
    assert display.ax_.get_aspect() == 1.0
    assert display.ax_.get_title(loc="left") == "60 rows"
    assert EmbeddingDisplay(MAP, note="t-SNE").plot().ax_.get_title(loc="left") == "60 rows, t-SNE"


def test_numbers():
    display = plots.embedding(MAP, MAP[:, 0], name="height")
    np.testing.assert_array_equal(display.ax_.collections[0].get_array(), MAP[:, 0])
    assert display.colour_bar_.ax.get_ylabel() == "height"


def test_learners():
    """A learner that keeps the map of its rows is enough; others are given rows. Principal components have names."""
    model = TSNE(perplexity=5, random_state=0).fit(X)
    np.testing.assert_array_equal(plots.embedding(model, CLASSES).points, model.embedding_)
    pca = PCA(3).fit(X)
    display = EmbeddingDisplay.from_estimator(pca, X, columns=(2, 0))
    np.testing.assert_allclose(display.points, pca.transform(X)[:, [2, 0]])
    share = f"{100 * pca.explained_variance_ratio_[2]:.1f}".removesuffix(".0")
    assert display.ax_.get_xlabel() == f"component 3 ({share} % of the variance)"
    assert len(display.ax_.get_xticks()) > 1
    with pytest.raises(ValueError, match=r"PCA keeps no map of the rows of its fit \(embedding_\): give X"):
        plots.embedding(pca)


def test_marks_shrink():
    """The more rows, the smaller and the fainter, and at most 20,000 of them; many are pixels, not shapes."""
    looks = []
    for count in (10, 300, 20_001):
        line = plots.embedding(RNG.normal(size=(count, 2))).ax_.lines[0]
        looks.append((line.get_markersize(), line.get_alpha(), bool(line.get_rasterized())))
        plt.close()
    assert looks == sorted(looks, key=lambda look: -look[0])
    assert len({look[0] for look in looks}) == len({look[1] for look in looks}) == 3
    assert [look[2] for look in looks] == [False, False, True]
    display = EmbeddingDisplay(RNG.normal(size=(20_001, 2)))
    assert len(display.points) == 20_000
    assert display.count_text() == "20,000 of 20,001 rows"


@pytest.mark.parametrize(("count", "named"), [(13, 13), (40, 40), (60, 39)])
def test_many_classes_are_named_where_they_lie(count, named):
    """Up to forty; of more, the smallest are grey together, and counted."""
    kind = np.arange(1200) % count
    places = np.column_stack([kind % 8, kind // 8]) * 10.0 + RNG.normal(size=(1200, 2))
    display = plots.embedding(places, np.array([f"k{k}" for k in range(count)])[kind], name="kind")
    texts = {text.get_text(): text.xy for text in display.ax_.texts}
    assert len(texts) == named
    for word, place in texts.items():
        np.testing.assert_allclose(place, np.median(places[kind == int(word[1:])], axis=0))
    if named < count:
        assert legend_of(display.ax_) == [f"{count - named} others"]
    else:
        assert display.ax_.get_legend() is None
        assert display.ax_.get_xlabel() == "kind"
    assert_inside(display)


def test_names_make_room():
    """Names that would stand on each other move by lines, others stay."""
    middles = np.array([[0.0, 0.0], [1.0, 0.0], [100.0, 0.0], [2.0, 1.0], [0.0, 50.0]])
    lifts = lines_apart(middles, np.full(5, 20.0), 10.0)
    assert lifts.tolist() == [0.0, 10.0, 0.0, 20.0, 0.0]


@pytest.mark.parametrize(
    ("points", "how", "words"),
    [
        (MAP[:, :1], {}, r"points has shape \(60,\): a picture needs rows with two columns"),
        (MAP[:, 0], {}, r"points has shape \(60,\)"),
        (MAP, {"columns": (0, 2)}, r"columns=\(0, 2\): the map has the columns 0 to 1"),
        (np.where(MAP > 2, np.nan, MAP), {}, "points"),
        (MAP, {"y": CLASSES[:-1]}, "y has 59"),
    ],
)
def test_refused(points, how, words):
    with pytest.raises(ValueError, match=words):
        plots.embedding(points, **how)
