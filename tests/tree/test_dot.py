"""Graphviz text: every node and edge once, and names that would break out of their quotes do not."""

import re
from dataclasses import replace

import pytest
from random_trees import SCHEMA, random_labelled

from aprendiz.core.columns import Columns
from aprendiz.tree.reading.dot import escape, to_dot

HOSTILE = ['say "hi"', "back\\slash", "end\\", "<b>bold</b>", "line\nbreak", "a & b; &lt;", '"]; evil [label="', "{}|→"]
TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(->)|([A-Za-z0-9_]+)|([\[\]{};,=]))', re.DOTALL)


def tokens(text):
    """The tokens of a text in the language of Graphviz; nothing may be left over."""
    at, found = 0, []
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at : at + 40]
        found.append(match.group().strip())
        at = match.end()
    return found


def shown(label):
    """A label as Graphviz shows it."""
    plain = re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match.group(1), match.group(1)), label[1:-1])
    return plain.replace("&lt;", "<").replace("&amp;", "&")


@pytest.mark.parametrize("classes", [("a", "b", "c"), None])
@pytest.mark.parametrize("seed", range(4))
def test_every_node_and_edge(seed, classes):
    """As many boxes as nodes, and an edge from each parent to its children."""
    labelled = random_labelled(seed, classes=classes, missing="own")
    text = to_dot(labelled)
    found = tokens(text)
    assert found[:3] == ["digraph", "Tree", "{"]
    assert found[-1] == "}"
    assert found.count("[") == found.count("]")
    edges = {(int(a), int(b)) for a, b in re.findall(r"^    (\d+) -> (\d+) ", text, re.MULTILINE)}
    assert edges == {(int(p), child) for child, p in enumerate(labelled.tree.parent) if p >= 0}
    boxes = re.findall(r"^    (\d+) \[", text, re.MULTILINE)
    assert list(map(int, boxes)) == list(range(labelled.tree.node_count))


def test_hostile_names():
    """Names of columns, levels and classes with every sign that has a meaning."""
    columns = tuple(
        replace(column, name=name, levels=tuple(f"{level}{name}" for level in column.levels))
        for column, name in zip(SCHEMA.columns, HOSTILE, strict=False)
    )
    for seed in range(4):
        labelled = random_labelled(seed, schema=Columns(columns), classes=tuple(HOSTILE), missing="own")
        found = tokens(to_dot(labelled))
        labels = [found[i + 2] for i, token in enumerate(found) if token == "label" and found[i + 1] == "="]
        assert len(labels) == 2 * labelled.tree.node_count - 1
        for node, answer in enumerate(labelled.answers):
            assert any(" ".join(answer.split()) in shown(label) for label in labels), node


def test_escapes():
    """What is shown is what was given."""
    for name in HOSTILE:
        assert shown(f'"{escape(name)}"') == name
