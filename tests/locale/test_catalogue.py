"""English and Spanish: every message exists in both, with the same placeholders; numbers and dates as they are written."""

import ast
import inspect
import re
import sys
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from sklearn.base import MetaEstimatorMixin

import aprendiz
from aprendiz.cli.listing import summary
from aprendiz.conformal.shared.calibration import CLAIM, ELSEWHERE
from aprendiz.core.iteration import REMEDIES
from aprendiz.core.learner import Learner
from aprendiz.evaluation.measures.answers import Task
from aprendiz.lab.methods import learners
from aprendiz.linear.solvers.error_bounds import DIGITS, STATIONARY
from aprendiz.locale import _, current_language, day, format_fixed, format_whole, language, moment, ngettext, number, percent
from aprendiz.locale.catalogue import entries, translations
from aprendiz.plots.confusion_display import SHADE

PACKAGE = Path(aprendiz.__file__).parent
SPANISH = entries((PACKAGE / "locale/es/LC_MESSAGES/aprendiz.po").read_text(encoding="utf-8"))


# ---- the messages of the sources ---------------------------------------------------------------------------------------


def calls(file):
    """The calls of `_` and `ngettext` in a source file: their first one or two arguments."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
            yield node.args[: 1 if node.func.id == "_" else 2]


def literal(argument):
    return isinstance(argument, ast.Constant) and isinstance(argument.value, str)


@cache
def calls_of_the_sources():
    """The calls of each source file."""
    return {file: list(calls(file)) for file in PACKAGE.rglob("*.py")}


PAGES = list(PACKAGE.rglob("*.j2"))


def messages(found):
    """The literal messages among some calls, those that depend on a number as gettext keeps them."""
    yield from ("\0".join(one.value for one in arguments) for arguments in found if all(map(literal, arguments)))


def messages_of_template(file):
    """The same, of a page."""
    text = file.read_text(encoding="utf-8")
    yield from re.findall(r'\b_\("([^"]*)"\)', text)
    yield from (f"{one}\0{many}" for one, many in re.findall(r'\bngettext\("([^"]*)", "([^"]*)"', text))


def variables():
    """The messages that are not literals, as the sources and pages write them."""
    found = [one for calls in calls_of_the_sources().values() for arguments in calls for one in arguments]
    yield from (ast.unparse(one) for one in found if not literal(one))
    for file in PAGES:
        yield from re.findall(r"\b(?:_|ngettext)\(([^\")][^)]*)\)", file.read_text(encoding="utf-8"))


def with_claims():
    """Our learners among those of the laboratory, and the public ones that are made around another one."""
    public = (getattr(aprendiz.selection, name) for name in aprendiz.selection.__all__)
    classes = (cls for cls in public if isinstance(cls, type) and issubclass(cls, Learner))
    around = [cls for cls in classes if issubclass(cls, MetaEstimatorMixin)]
    return [*(cls for cls in LEARNERS.values() if issubclass(cls, Learner)), *around]


def claims(cls):
    """The sentences of the certificates of a learner, from the source files of its class and those it is made of."""
    modules = {base.__module__ for base in cls.__mro__ if base.__module__.startswith("aprendiz.")}
    for node in (node for name in modules for node in ast.walk(ast.parse(inspect.getsource(sys.modules[name])))):
        if isinstance(node, ast.Assign):
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(node.targets[0].elts, node.value.elts, strict=True))
            yield from (value.value for name, value in pairs if getattr(name, "id", "") == "claim" and literal(value))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Certificate" and literal(node.args[0]):
            yield node.args[0].value


REASONS = (  # why a fit stops, beside those of REMEDIES
    "max_iter reached",
    "max_fun reached",
    "max_iter reached, and the classes are not separated",
    "the squared error does not fall",
    "a hyperplane separates classes, or the rows of one from the rest of another",
    "rounding hides any further descent",
)
SHARED = (
    DIGITS,
    STATIONARY,
    CLAIM,
    ELSEWHERE,
    "means and variances keep at least eight digits",
    "the leaves of every tree hold all rows of its bag",
    "the base value and the values of the columns add up to the prediction of every row",
)  # claims that functions make for learners
TASKS = get_args(Task)
LEARNERS = {name: cls for task in TASKS for name, cls in learners(task).items()}


@pytest.fixture(scope="module")
def values():
    """What each variable message can be."""
    first = "(cls.__doc__ or '').strip().splitlines()[0].partition(' (')[0].rstrip('.')"
    return {
        "task": TASKS,
        "self.task": [*TASKS, "clustering"],
        "question.task": TASKS,
        "found.task": TASKS,
        "one.task": TASKS,
        "SHADE[whole]": SHADE.values(),
        "why": [*REMEDIES, *REASONS],
        "REMEDIES[why]": REMEDIES.values(),
        "claim": {*SHARED, *(c for cls in with_claims() for c in claims(cls))},
        first: [summary(cls) for cls in LEARNERS.values()],
    }


@pytest.fixture(scope="module")
def used(values):
    """Every message, and where it stands."""
    files = {message: file for file, found in calls_of_the_sources().items() for message in messages(found)}
    files |= {message: file for file in PAGES for message in messages_of_template(file)}
    places = {message: str(file.relative_to(PACKAGE)) for message, file in files.items()}
    return places | {message: f"_({variable})" for variable, found in values.items() for message in found}


def test_there_are_messages(used):
    assert len(used) > 700


def test_messages_that_are_variables(values):
    """Each of them is listed above, so that what it can be is translated too."""
    assert set(variables()) == set(values)


def test_every_message_is_translated(used):
    """One form, or two for messages that depend on a number."""
    forms = {message: SPANISH.get(message, "").split("\0") for message in used}
    assert {message: used[message] for message, found in forms.items() if not all(found)} == {}
    assert [message for message, found in forms.items() if len(found) != len(message.split("\0"))] == []


def test_every_entry_is_used(used):
    assert set(SPANISH) - set(used) == {""}  # the header


def differing(parts):
    """The entries of which not the same parts are found in both languages."""
    return {message: spanish for message, spanish in SPANISH.items() if message and parts(message) != parts(spanish)}


def test_placeholders():
    """A translation fills in what the message fills in."""
    assert differing(lambda text: set(re.findall(r"{(\w+)}", text))) == {}


def test_what_is_typed_stays():
    """Options, files and commands have one name in all languages."""
    typed = re.compile(r"--[a-z-]+|Ctrl-C|\b\w+\.(?:py|json|apz)\b|\baprendiz (?:run|predict|show|methods)\b|\b\w+=…|@\w+")
    assert differing(lambda text: set(typed.findall(text))) == {}


def test_ends():
    """Messages are put together: a sentence stays a sentence, a part of one stays a part, spaces stay."""
    ends = re.compile(r"^(\s*).*?([.:…?]?\s*)$", re.DOTALL)
    assert differing(lambda text: [ends.match(form).groups() for form in text.split("\0")]) == {}


def test_learners_in_spanish():
    """`aprendiz methods` says in Spanish what a learner is."""
    english = {name: summary(cls) for name, cls in LEARNERS.items()}
    with language("es"):
        assert [name for name, cls in LEARNERS.items() if summary(cls) == english[name]] == []


X, Y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 2.0]], [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("learner", "warning"),
    [
        (aprendiz.CategoricalNB(alpha=0), r"Columna 0: 2 no aparece nunca en la clase 0.*Use alpha > 0\."),
        (aprendiz.LinearRegression(solver="gd", max_iter=1), r"queda .* del gradiente y se pedía .*Aumente max_iter"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_warnings_of_learners(learner, warning):
    """A report shows them, so they are in its language."""
    with language("es"), pytest.warns(UserWarning, match=warning):
        learner.fit(X, Y)


# ---- the languages -----------------------------------------------------------------------------------------------------


def test_language_holds_inside_the_block():
    assert current_language() == "en"
    with language("es"):
        assert ngettext("{rows} row", "{rows} rows", 1500).format(rows=format_whole(1500)) == "1.500 filas"
        assert ngettext("{rows} row", "{rows} rows", 1).format(rows=1) == "1 fila"
        with language("en"):
            assert format_whole(1500) == "1,500"
    assert current_language() == "en"
    with pytest.raises(ValueError, match="no language 'fr'"), language("fr"):
        pass


def test_numbers_and_dates():
    when = datetime(2026, 3, 9, 14, 5)
    assert (number(3.14159), format_fixed(0.5, 2), percent(0.123), day(date(2026, 3, 9)), moment(when)) == (
        "3.142", "0.50", "12.3 %", "2026-03-09", "2026-03-09 14:05",
    )  # fmt: skip
    with language("es"):
        assert (number(3.14159), format_fixed(1234.5, 1), percent(0.123), day(when), moment(when)) == (
            "3,142", "1.234,5", "12,3 %", "9/3/2026", "9/3/2026 14:05",
        )  # fmt: skip
    assert number(float("nan")) == format_fixed(float("nan")) == percent(float("nan")) == "–"


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
