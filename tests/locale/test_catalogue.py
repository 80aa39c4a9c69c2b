"""English and Spanish: every message exists in both, with the same placeholders; numbers and dates as they are written."""

import ast
import re
from datetime import date, datetime
from pathlib import Path

import pytest

import aprendiz
from aprendiz.locale import _, current_language, day, fixed, language, moment, ngettext, number, percent, whole
from aprendiz.locale.catalogue import entries, translations

PACKAGE = Path(aprendiz.__file__).parent
SPANISH = entries((PACKAGE / "locale/es/LC_MESSAGES/aprendiz.po").read_text(encoding="utf-8"))


def messages(file):
    """The literal messages of a source file: first argument of `_`, first two of `ngettext`."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
            texts = [a.value for a in node.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if texts:
                yield "\0".join(texts) if node.func.id == "ngettext" else texts[0]


def messages_of_template(file):
    """The same, of a page."""
    text = file.read_text(encoding="utf-8")
    yield from re.findall(r'\b_\("([^"]*)"\)', text)
    yield from (f"{one}\0{many}" for one, many in re.findall(r'\bngettext\("([^"]*)", "([^"]*)"', text))


USED = {message: file for file in PACKAGE.rglob("*.py") for message in messages(file)}
USED |= {message: file for file in PACKAGE.rglob("*.j2") for message in messages_of_template(file)}


def test_there_are_messages():
    assert len(USED) > 40


@pytest.mark.parametrize("message", sorted(USED))
def test_every_message_is_translated(message):
    assert SPANISH.get(message), f"{USED[message].relative_to(PACKAGE)}: no Spanish for {message!r}"


@pytest.mark.parametrize("message", sorted(m for m in SPANISH if m))
def test_placeholders(message):
    """A translation fills in what the message fills in."""
    wanted = set(re.findall(r"{(\w+)}", message))
    assert set(re.findall(r"{(\w+)}", SPANISH[message])) == wanted


def test_language_holds_inside_the_block():
    assert current_language() == "en"
    with language("es"):
        assert ngettext("{rows} row", "{rows} rows", 1500).format(rows=whole(1500)) == "1.500 filas"
        assert ngettext("{rows} row", "{rows} rows", 1).format(rows=1) == "1 fila"
        with language("en"):
            assert whole(1500) == "1,500"
    assert current_language() == "en"
    with pytest.raises(ValueError, match="no language 'fr'"), language("fr"):
        pass


def test_numbers_and_dates():
    when = datetime(2026, 3, 9, 14, 5)
    assert (number(3.14159), fixed(0.5, 2), percent(0.123), day(date(2026, 3, 9)), moment(when)) == (
        "3.142", "0.50", "12.3 %", "2026-03-09", "2026-03-09 14:05",
    )  # fmt: skip
    with language("es"):
        assert (number(3.14159), fixed(1234.5, 1), percent(0.123), day(when), moment(when)) == (
            "3,142", "1.234,5", "12,3 %", "9/3/2026", "9/3/2026 14:05",
        )  # fmt: skip
    assert number(float("nan")) == fixed(float("nan")) == percent(float("nan")) == "–"


def test_a_catalogue():
    """Continued lines, comments, escapes and plural forms are read as gettext reads them."""
    source = """
# a comment
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "a \\"quoted\\" "
"word"
msgstr "una palabra «citada»"

msgid "one"
msgid_plural "many"
msgstr[0] "uno"
msgstr[1] "muchos"
"""
    found = translations(source)
    assert found.gettext('a "quoted" word') == "una palabra «citada»"
    assert [found.ngettext("one", "many", n) for n in (0, 1, 2)] == ["muchos", "uno", "muchos"]
    assert found.gettext("unknown") == "unknown"
    with pytest.raises(ValueError, match="Line 2"):
        entries('msgid "a"\nnonsense')
    with pytest.raises(ValueError, match="twice"):
        entries('msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n')
    assert _("") == ""
