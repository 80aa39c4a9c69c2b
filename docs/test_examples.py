"""The pages of the methods: their examples run, and print what the pages say they print; their pictures are there."""

import contextlib
import io
import re
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

PAGES = sorted(page for page in (Path(__file__).parent / "methods").glob("*.md") if page.stem != "README")
PAGES.append(Path(__file__).parent / "laboratory.md")
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks(page):
    return [(found.group(1), found.group(2)) for found in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def lines(text):
    return [line.rstrip() for line in text.strip().splitlines()]


def test_there_are_pages():
    assert len(PAGES) >= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples(page, monkeypatch, tmp_path):
    """The Python blocks of a page, one after the other in one namespace; each text block is what the block before prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(mpl.rcParams, "backend", "agg")
    found, names, printed = blocks(page), {}, ""
    assert any(kind == "python" for kind, _ in found)
    for kind, text in found:
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, f"{page.name}", "exec"), names)
            printed = out.getvalue()
        elif kind == "text":
            assert lines(printed) == lines(text)
    plt.close("all")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pictures(page):
    """A page links to pictures that exist."""
    for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).is_file(), link


def test_contents():
    """The table of contents names every page, and no other."""
    contents = (PAGES[0].parent / "README.md").read_text(encoding="utf-8")
    pages = {page.stem for page in PAGES if page.parent == PAGES[0].parent}
    assert set(re.findall(r"\((\w+)\.md\)", contents)) == pages
