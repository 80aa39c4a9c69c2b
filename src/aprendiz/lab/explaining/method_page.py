"""What the page of a method says: its idea, and when to use it, as plain text.

A page begins with the idea, in paragraphs before the first formula or example; the paragraph that begins with "Use" says when
to use it and when not.
"""

from __future__ import annotations

import re
from pathlib import Path

FENCE = re.compile(r"^```.*?^```\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
MOST_PARAGRAPHS = 2


def paragraphs(page: Path) -> list[str]:
    """The paragraphs of a page without its examples, in their order; formulas and lists among them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]


def plain_text(paragraph: str) -> str:
    """A paragraph in one line, without marks of links, stress and code."""
    line = LINK.sub(r"\1", " ".join(paragraph.split()))
    return re.sub(r"\*\*(.+?)\*\*", r"\1", line).replace("`", "")


def idea(page: Path) -> list[str]:
    """The paragraphs before the first formula or example."""
    head = page.read_text(encoding="utf-8").partition("```")[0]
    found: list[str] = []
    for part in re.split(r"\n\s*\n", head):
        if not part.strip() or part.startswith("#"):
            continue
        if part.startswith(("    ", "|", "- ", "![")):
            break
        found.append(plain_text(part))
    whole = [part for part in found if not part.endswith(":")]  # what only leads to a formula is left out
    return (whole or found)[:MOST_PARAGRAPHS]


def advice(page: Path) -> list[str]:
    """When to use the method, and when not."""
    return [plain_text(part) for part in paragraphs(page) if re.match(r"(\*\*)?Use\b", part)]
