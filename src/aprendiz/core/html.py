"""Results as HTML, as notebooks show them: a box with a title, tables, sentences and parts that open.

    class Relevance(ShortRepr, ShownAsHtml):
        def html_parts(self) -> Iterator[Html]:
            yield title(_("Relevance"))
            yield table([_("column"), _("kind")], rows)

Whatever is not `Html` is escaped when it is put into an element, so a name from a table cannot be markup, and cannot turn the
direction of what follows. Tables show their first rows and say how many follow. There is no script. Colours are those of the
notebook (JupyterLab and VS Code name theirs), else light or dark as the reader's system wants. Numbers are written in the
language that is current when the box is made.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from html import escape
from itertools import islice
from typing import Any

from aprendiz.locale import _, format_whole

MOST_ROWS = 20  # of a table
LONGEST = 200  # letters of a cell
STYLE = """
.aprendiz-box{--paper:var(--jp-layout-color0,var(--vscode-editor-background,#fff));
--ink:var(--jp-content-font-color1,var(--vscode-editor-foreground,#1c1f24));
--line:color-mix(in srgb,var(--ink) 18%,transparent);--faint:color-mix(in srgb,var(--ink) 68%,transparent);
--good:color-mix(in srgb,#12833f 72%,var(--ink));--bad:color-mix(in srgb,#c9302c 72%,var(--ink));
background:var(--paper);color:var(--ink);border:1px solid var(--line);border-radius:6px;padding:.7em .9em;margin:.3em 0;
max-width:100%;box-sizing:border-box;width:fit-content;
font:13px/1.45 system-ui,sans-serif;text-align:left;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){.aprendiz-box{--paper:var(--jp-layout-color0,var(--vscode-editor-background,#16181c));
--ink:var(--jp-content-font-color1,var(--vscode-editor-foreground,#e4e6ea))}}
.aprendiz-box p{margin:.35em 0;max-width:72ch;color:inherit}
.aprendiz-box .title{font-weight:600;font-size:1.08em;margin-top:0}
.aprendiz-box .title span,.aprendiz-box .faint{font-weight:400;color:var(--faint)}
.aprendiz-box .good{color:var(--good)}.aprendiz-box .bad{color:var(--bad)}
.aprendiz-box .wide{overflow:auto;max-height:46em;max-width:100%;margin:.4em 0}
.aprendiz-box table{border-collapse:collapse;margin:0;font:inherit;color:inherit;border:0}
.aprendiz-box th,.aprendiz-box td{padding:.18em .7em;text-align:left;vertical-align:top;border:0;
border-top:1px solid var(--line);
background:none;color:inherit;font-weight:400;unicode-bidi:isolate;max-width:34em;white-space:normal;overflow-wrap:break-word}
.aprendiz-box thead th{border-top:0;color:var(--faint);font-size:.92em;position:sticky;top:0;background:var(--paper)}
.aprendiz-box .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.aprendiz-box details{margin:.4em 0}.aprendiz-box summary{cursor:pointer;color:var(--faint)}
.aprendiz-box pre{margin:.4em 0;overflow:auto;max-height:32em;max-width:100%;font:12px/1.4 ui-monospace,monospace;
background:none;color:inherit;white-space:pre;border:0;padding:0}
.aprendiz-box .drawing{background:#fff;border-radius:4px;overflow:auto;max-width:100%;max-height:40em}
""".replace("\n", "")


class Html(str):
    """Markup. Any other text is escaped before it becomes part of some."""

    __slots__ = ()


class ShownAsHtml:
    """The base of results that notebooks show."""

    @abstractmethod
    def html_parts(self) -> Iterable[Html]:
        """What stands in the box, from its title on."""

    def _repr_html_(self) -> str:
        return str(box(*self.html_parts()))


# ---- elements ------------------------------------------------------------------------------------------------------------


def escaped(value: Any) -> Html:
    """Markup as it is, anything else as text."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def element(tag: str, *content: Any, kind: str = "") -> Html:
    """An element with its class and content."""
    attribute = f' class="{escape(kind)}"' if kind else ""
    return Html(f"<{tag}{attribute}>{''.join(map(escaped, content))}</{tag}>")


def box(*parts: Html) -> Html:
    """The frame of a result."""
    return Html(f'<div class="aprendiz-box"><style>{STYLE}</style>{"".join(map(escaped, parts))}</div>')


def title(words: str, detail: str = "") -> Html:
    """The first line: what it is, and something about it."""
    return element("p", words, *([" ", element("span", detail)] if detail else []), kind="title")


def sentence(words: str, kind: str = "") -> Html:
    """A paragraph; of the kind "good", "bad" or "faint", in another colour."""
    return element("p", words, kind=kind)


def sentences(lines: Sequence[str], kind: str = "") -> Html:
    """A paragraph for each of the first lines, and how many follow."""
    some = [sentence(line, kind) for line in lines[:MOST_ROWS]]
    return Html("".join([*some, *([sentence(more(len(lines) - MOST_ROWS), "faint")] if len(lines) > MOST_ROWS else [])]))


def more(count: int) -> str:
    """How much is not shown."""
    return _("… and {count} more").format(count=format_whole(count))


def table(
    head: Sequence[Any], rows: Iterable[Sequence[Any]], *, count: int | None = None, numbers: Collection[int] = ()
) -> Html:
    """A table of the first rows, and how many of the `count` rows follow; `numbers` are columns that stand to the right. With
    rows that are not counted (an iterator), give `count`."""
    if count is None:
        rows = list(rows)
        count = len(rows)
    sides = ["number" if j in numbers else "" for j in range(len(head))]
    top = element("thead", line("th", head, sides)) if any(head) else Html("")
    body = element("tbody", *(line("td", row, sides) for row in islice(rows, MOST_ROWS)))
    rest = [sentence(more(count - MOST_ROWS), "faint")] if count > MOST_ROWS else []
    return Html("".join([element("div", element("table", top, body), kind="wide"), *rest]))


def line(tag: str, cells: Sequence[Any], sides: Sequence[str]) -> Html:
    """A row of a table."""
    return element("tr", *(element(tag, abridged(cell), kind=side) for cell, side in zip(cells, sides, strict=True)))


def abridged(cell: Any) -> Any:
    """A cell without the end of a very long text."""
    if isinstance(cell, Html) or len(text := str(cell)) <= LONGEST:
        return cell
    return f"{text[: LONGEST - 1]}…"


def opening(words: str, *parts: Html) -> Html:
    """A part that opens when it is asked for."""
    return element("details", element("summary", words), *parts)


def verbatim(text: str) -> Html:
    """Lines of text, as they are."""
    return element("pre", text)
