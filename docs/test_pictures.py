"""The pictures of the pages: each is drawn again without a warning, as large as the one that is kept, and a page shows it."""

import runpy
from functools import partialmethod
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from PIL import Image

DOCS = Path(__file__).parent
SCRIPTS = sorted((DOCS / "pictures").glob("*.py"))
each = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)


def test_there_are_pictures():
    assert len(SCRIPTS) >= 20


def save(figure, savefig, path, *, pil_kwargs=None, **options):
    """Save a figure without looking for the shortest file."""
    savefig(figure, path, **options)


@each
def test_it_draws(script, tmp_path, monkeypatch):
    """Without a screen, whatever the settings of the reader are, and with the size of the picture that is kept; with fewer
    members, where the script says how many."""
    before, drawn = plt.get_fignums(), tmp_path / "picture.png"
    draw = runpy.run_path(str(script))["draw"]
    if "MEMBERS" in draw.__globals__:
        draw.__globals__["MEMBERS"] = 20
    monkeypatch.setattr(Figure, "savefig", partialmethod(save, Figure.savefig))
    with mpl.rc_context({"backend": "agg"}):
        draw(drawn)
    assert plt.get_fignums() == before
    with Image.open(drawn) as new, Image.open(DOCS / "methods" / "pictures" / f"{script.stem}.png") as kept:
        assert new.size == kept.size


@each
def test_a_page_shows_it(script):
    """Some page links to it."""
    assert any(f"(pictures/{script.stem}.png)" in page.read_text(encoding="utf-8") for page in (DOCS / "methods").glob("*.md"))
