"""Networks in files: every dialect, the same bits on the way back, and errors that name the line."""

import gzip
from io import BytesIO, StringIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork, read_bif, read_net, read_xmlbif, write_bif

SPRINKLER = """
network "lawn" { property "author somebody; nobody" ; }
variable rain { type discrete [ 2 ] { no, yes }; property position = (10, 20) ; }
variable wet { type discrete [ 3 ] { dry, damp, wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) { (no) 0.7, 0.2, 0.1; (yes) 0.05, 0.15, 0.8; }
"""
WET = [[0.7, 0.2, 0.1], [0.05, 0.15, 0.8]]


def parsed(text, read=read_bif):
    return read(StringIO(text))


def same_bits(a, b):
    """Two networks have the same nodes, levels (and kinds of levels), arrows and tables, bit by bit."""
    a, b = a.network_, b.network_
    assert a.graph == b.graph
    assert [list(map(repr, own)) for own in a.levels] == [list(map(repr, own)) for own in b.levels]
    for one, other in zip(a.tables, b.tables, strict=True):
        np.testing.assert_array_equal(one.view(np.int64), other.view(np.int64))


def written(model):
    out = StringIO()
    write_bif(model, out)
    return out.getvalue()


# ---- dialects --------------------------------------------------------------------------------------------------------

WET_ROWS = "(no) 0.7, 0.2, 0.1; (yes) 0.05, 0.15, 0.8;"
DIALECTS = {
    "as it stands": SPRINKLER,
    "quoted": SPRINKLER.replace("rain", '"rain"').replace("dry, damp, wet }", '"dry" "damp" "wet" }'),
    "other order of rows": SPRINKLER.replace(WET_ROWS, "(yes) 0.05, 0.15, 0.8; (no) 0.7, 0.2, 0.1;"),
    "blocks in any order": "\n".join(reversed(SPRINKLER.strip().splitlines())),
    "spaces instead of commas": SPRINKLER.replace(", ", " "),
    "no spaces": SPRINKLER.replace(", ", ",").replace(" [ 2 ] ", "[2]").replace("( ", "(").replace(" )", ")"),
    "comments": SPRINKLER.replace("variable wet", "// a comment; with { marks\n/* another\n */ variable wet"),
    "exponents": SPRINKLER.replace("0.05,", "5e-02,").replace("0.8;", "+8.E-1;"),
    "default row": SPRINKLER.replace("(no) 0.7, 0.2, 0.1;", "default 0.7, 0.2, 0.1;"),
    "table, child first": SPRINKLER.replace(WET_ROWS, "table 0.7, 0.05, 0.2, 0.15, 0.1, 0.8;"),
    "table, child last": SPRINKLER.replace(WET_ROWS, "table 0.7, 0.2, 0.1, 0.05, 0.15, 0.8;"),
    "no bar": SPRINKLER.replace("( wet | rain )", "( wet rain )"),
    "line ends of Windows": SPRINKLER.replace("\n", "\r\n"),
    "semicolons after blocks": SPRINKLER.replace("}\n", "};\n"),
    "equals sign before the levels": SPRINKLER.replace(" ] {", " ] = {"),
}


@pytest.mark.parametrize("text", DIALECTS.values(), ids=DIALECTS)
def test_dialects_of_bif(text):
    network = parsed(text)
    assert set(network.graph_.nodes) == {"rain", "wet"}
    assert network.levels_["wet"] == ("dry", "damp", "wet")
    np.testing.assert_array_equal(network.tables_["wet"], WET)
    np.testing.assert_array_equal(network.tables_["rain"], [0.8, 0.2])


def test_two_parents_count_like_digits():
    """In a row and in a list, the last parent is the last digit before the child."""
    head = "".join(f"variable {v} {{ type discrete [ 2 ] {{ a, b }}; }} " for v in "pqx")
    roots = "probability ( p ) { table 1 0; } probability ( q ) { table 1 0; } "
    expected = np.array([[[0.1, 0.9], [0.2, 0.8]], [[0.3, 0.7], [0.4, 0.6]]])
    child_first = ", ".join(map(str, expected.transpose(2, 0, 1).ravel()))
    rows = "(b, a) .3 .7; (a, b) .2 .8; (a, a) .1 .9; (b, b) .4 .6;"
    for entry in (rows, f"table {child_first};"):
        found = parsed(f"{head}{roots}probability ( x | p, q ) {{ {entry} }}")
        np.testing.assert_array_equal(found.tables_["x"], expected)


def test_one_order_of_lists_for_a_whole_file():
    """A list that fits both orders is read like those that fit one only."""
    head = "".join(f"variable {v} {{ type discrete [ 2 ] {{ a, b }}; }} " for v in "pxy")
    root = "probability ( p ) { table 0.5, 0.5; } "
    both = "probability ( x | p ) { table 0.3, 0.7, 0.7, 0.3; } "  # symmetric: any order
    last = "probability ( y | p ) { table 0.9, 0.1, 0.8, 0.2; }"
    assert parsed(head + root + both + last).tables_["y"].tolist() == [[0.9, 0.1], [0.8, 0.2]]
    neither = "probability ( y | p ) { table 0.9, 0.1, 0.8, 0.3; }"
    with pytest.raises(ValueError, match=r"line 1: .*'y'.*sum to one"):
        parsed(head + root + both + neither)


def test_rounded_rows_are_divided_by_their_sum():
    table = parsed(SPRINKLER.replace("0.7, 0.2, 0.1", "0.333333, 0.333333, 0.333333")).tables_["wet"]
    np.testing.assert_allclose(table[0], 1 / 3, rtol=1e-15)


HUGIN = """
% a comment with { marks
net { node_size = (80 40); }
node rain { label = "It rains; it's wet"; position = (10 20); states = ("no" "yes"); }
node wet { states = ("dry" "damp" "wet"); }
potential ( rain ) { data = ( 0.8 0.2 ); }
potential ( wet | rain ) { data = (( 0.7 0.2 0.1 ) % rain = no
                                   ( 0.05 0.15 0.8 )); }
"""
XML = """<?xml version="1.0" encoding="US-ASCII"?>
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
<BIF VERSION="0.3"><NETWORK><NAME>lawn</NAME><!-- a comment -->
<VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME><PROPERTY>a = (1,2)</PROPERTY></VARIABLE>
<VARIABLE TYPE="nature"><NAME>wet</NAME><OUTCOME>dry</OUTCOME><OUTCOME>damp</OUTCOME><OUTCOME>wet</OUTCOME></VARIABLE>
<DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>
<DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>
  0.7 0.2 0.1 <!-- no -->
  0.05 0.15 0.8
</TABLE></DEFINITION></NETWORK></BIF>"""


@pytest.mark.parametrize(("text", "read"), [(HUGIN, read_net), (XML, read_xmlbif)], ids=["HUGIN", "XMLBIF"])
def test_other_formats(text, read):
    same_bits(parsed(text, read), parsed(SPRINKLER))


def test_class_of_hugin_and_old_xml():
    """A network inside of a class, and definitions and outcomes by their older names."""
    same_bits(parsed(f"class lawn {{ inputs = (); {HUGIN[26:].replace('net {', 'net {')} }}", read_net), parsed(SPRINKLER))
    old = XML.replace("DEFINITION", "PROBABILITY").replace("OUTCOME", "VALUE")
    same_bits(parsed(old, read_xmlbif), parsed(SPRINKLER))


def test_files_bytes_and_gzip(tmp_path):
    """Paths, open files, compressed ones and bytes of older encodings."""
    plain, packed = tmp_path / "a.bif", tmp_path / "b.bif.gz"
    model = parsed(SPRINKLER)
    write_bif(model, plain)
    write_bif(model, packed, name="a lawn")
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    marked = BytesIO(SPRINKLER.encode("utf-8-sig")), StringIO(f"\ufeff{SPRINKLER}")  # as editors of Windows write
    for source in (plain, str(packed), BytesIO(SPRINKLER.encode()), BytesIO(gzip.compress(SPRINKLER.encode())), *marked):
        same_bits(read_bif(source), model)
    old = SPRINKLER.replace("damp", "húmedo").encode("latin-1")
    assert read_bif(BytesIO(old)).levels_["wet"][1] == "húmedo"
    with pytest.raises(ValueError, match="damaged gzip"):
        read_bif(BytesIO(gzip.compress(SPRINKLER.encode())[:-30]))
    with pytest.raises(ValueError, match="StringIO"):
        read_bif(SPRINKLER)


# ---- there and back --------------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.sampled_from(
    ["a b", "a, b", "Transp.", '"', "\\", "a//b", "/*", "{", "|", ";", " x", "", "table", "property", "<b>", "ñ", "1e5", "a\nb"]
)
LEVELS = st.lists(NAMES, min_size=1, max_size=3, unique=True) | st.lists(
    st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=3, unique_by=(str, float)
)


@settings(max_examples=60)
@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), st.data())
def test_what_is_written_reads_back_with_the_same_bits(names, data):
    """Any names and levels, words or numbers, and any tables."""
    levels = {name: tuple(data.draw(LEVELS)) for name in names}
    parents = {
        name: data.draw(st.lists(st.sampled_from(names[:i]), max_size=2, unique=True)) if i else []
        for i, name in enumerate(names)
    }
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    tables = {}
    for name in names:
        raw = rng.exponential(size=[len(levels[v]) for v in (*parents[name], name)]) ** rng.integers(1, 9)
        tables[name] = raw / raw.sum(axis=-1, keepdims=True)
    model = BayesianNetwork.from_tables(tables, parents=parents, levels=levels)
    same_bits(parsed(written(model)), model)


@pytest.mark.parametrize("name", ["student", "asia", "alarm"])
def test_data_sets_there_and_back(name):
    model = BayesianNetwork.from_tables(load(name))
    again = parsed(written(model))
    same_bits(again, model)
    assert written(again) == written(model)


def test_codes_there_and_back():
    """Columns without names: numbers as names and levels stay numbers."""
    model = BayesianNetwork([(0, 1)]).fit(np.array([[0, 1], [1, 2], [1, 0]]))
    again = parsed(written(model))
    same_bits(again, model)
    assert again.graph_.nodes == (0, 1)


def test_what_cannot_be_written_is_said():
    one = {"parents": {"x": []}, "tables": {"x": [0.5, 0.5]}}
    with pytest.raises(ValueError, match="written '1'"):
        written(BayesianNetwork.from_tables(**one, levels={"x": ["1", 1]}))
    with pytest.raises(TypeError, match="no word and no number"):
        written(BayesianNetwork.from_tables(**one, levels={"x": [(1, 2), "a"]}))
    with pytest.raises(TypeError, match="fit it"):
        write_bif(BayesianNetwork(), StringIO())
    for file in (None, 3, BytesIO()):
        with pytest.raises(TypeError, match="A path or an open text file is needed"):
            write_bif(parsed(SPRINKLER), file)


# ---- errors ----------------------------------------------------------------------------------------------------------

WRONG = {  # what is changed, what it becomes, and what is said
    "cut short": (SPRINKLER[90:], "", r"cut short"),
    "unknown parent": ("| rain", "| snow", r"line 6: 'wet' has the parent 'snow'"),
    "unknown child": ("( rain ) {", "( snow ) {", r"line 5: .*'snow', which is not declared"),
    "unknown level": ("(yes)", "(maybe)", r"line 6: 'rain' has no level 'maybe'; its levels are 'no', 'yes'"),
    "row missing": ("(yes) 0.05, 0.15, 0.8;", "", r"line 6: the row \(yes\) of 'wet' is missing: 1 rows are given, 2"),
    "row twice": ("(yes)", "(no)", r"line 6: the row \(no\) of 'wet' is given twice"),
    "row too short": ("0.05, 0.15, 0.8", "0.05, 0.95", r"line 6: a row of 'wet' holds 2 numbers, .* 3 levels"),
    "table too short": ("table 0.8, 0.2", "table 1", r"line 5: the table of 'rain' holds 1 numbers, 2 are needed"),
    "sum": ("0.05, 0.15, 0.8", "0.05, 0.15, 0.9", r"line 6: the row \(yes\) of 'wet' must .* sum to one; .*\(sum 1.1\)"),
    "negative": ("0.05, 0.15, 0.8", "-0.05, 0.25, 0.8", r"line 6: the row \(yes\) of 'wet'"),
    "no number": ("0.05", "0.05x", r"line 6: '0.05x' is not a number"),
    "nan": ("0.05", "nan", r"line 6: 'nan' is not a number"),
    "infinite": ("0.05", "1e999", r"line 6: .*sum inf"),
    "underscore": ("0.05", "0.0_5", r"line 6: '0.0_5' is not a number"),
    "billion levels": ("[ 3 ]", "[ 1000000000 ]", r"line 4: the variable 'wet' declares 1000000000 levels but lists 3"),
    "endless number": ("[ 3 ]", f"[ {'9' * 5000} ]", r"line 4: type discrete"),
    "level twice": ("dry, damp", "dry, dry", r"line 4: the variable 'wet' has the level 'dry' twice"),
    "continuous": ("type discrete [ 3 ] { dry, damp, wet }", "type continuous", r"line 4: .*other types are not supported"),
    "variable twice": ("variable wet", "variable rain", r"line 4: the variable 'rain' is declared twice"),
    "probabilities twice": ("( wet | rain )", "( rain )", r"line 6: the probabilities of 'rain' are given twice"),
    "none": ("probability ( rain ) { table 0.8, 0.2; }", "", r"line 3: the variable 'rain' has no probabilities"),
    "parent of itself": ("| rain", "| wet", r"line \d: .*'wet' is given as its own parent"),
    "cycle": ("( rain ) { table", "( rain | wet ) { default", r"line \d: The edges form a cycle"),
    "parent twice": ("| rain", "| rain, rain", r"line 6: 'wet' has the parent 'rain' twice"),
    "stray words": ("variable wet", "once variable wet", r"line 4: A block .* is expected here, not 'once"),
    "both": ("(no) 0.7", "table 1; (no) 0.7", r"line 6: 'wet' has both a table and rows"),
}


@pytest.mark.parametrize(("old", "new", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_line(old, new, said):
    assert old in SPRINKLER
    with pytest.raises(ValueError, match=said):
        parsed(SPRINKLER.replace(old, new))


def test_a_table_that_is_merely_claimed_is_not_made():
    """A default row for 2⁶⁰ configurations is refused before anything is allocated."""
    head = "".join(f"variable v{i} {{ type discrete [ 2 ] {{ a, b }}; }} " for i in range(61))
    roots = "".join(f"probability ( v{i} ) {{ table .5 .5; }} " for i in range(60))
    family = f"probability ( v60 | {', '.join(f'v{i}' for i in range(60))} )"
    with pytest.raises(ValueError, match="cells; 67108864 are the limit"):
        parsed(f"{head}{roots}{family} {{ default .5 .5; }}")
    with pytest.raises(ValueError, match=r"is missing: 0 rows are given"):
        parsed(f"{head}{roots}{family} {{ }}")
    ones = "".join(f"variable u{i} {{ type discrete [ 1 ] {{ a }}; }} probability ( u{i} ) {{ table 1; }} " for i in range(70))
    child, above = "variable x { type discrete [ 2 ] { a, b }; }", ", ".join(f"u{i}" for i in range(70))
    with pytest.raises(ValueError, match="line 1: 'x' has 70 parents; 63 are the limit"):
        parsed(f"{ones}{child} probability ( x | {above} ) {{ ({', '.join('a' * 70)}) .5 .5; }}")


BOMB = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><BIF><NETWORK><NAME>&b;</NAME></NETWORK></BIF>'
OF_OTHER_FORMATS = [
    (read_xmlbif, BOMB, "line 1: entities are not allowed"),
    (read_xmlbif, '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]><BIF>&a;</BIF>', "entities are not allowed"),
    (read_xmlbif, "<a>" * 30, "nested too deeply"),
    (read_xmlbif, XML[:-60], "line 8: this is not XML"),
    (read_xmlbif, XML.replace("0.15", "many"), "line 7: 'many' is not a number"),
    (read_xmlbif, XML.replace("<FOR>wet</FOR>", ""), "line 7|line 8: a definition should have one FOR, not 0"),
    (read_xmlbif, XML.replace('TYPE="nature"><NAME>wet', 'TYPE="decision"><NAME>wet'), "line 5: .*'decision'"),
    (read_net, HUGIN.replace("node wet", "continuous node wet"), "line 5: 'continuous node' is not supported"),
    (read_net, HUGIN.replace("node wet", "utility wet"), "line 5: 'utility' is not supported"),
    (read_net, HUGIN[:-10], "cut short"),
    (read_net, HUGIN.replace("0.15", "0.25"), r"line 7: the row \(yes\) of 'wet' .*\(sum 1.1\)"),
    (read_net, HUGIN.replace('states = ("dry" "damp" "wet");', ""), "line 5: the node 'wet' has no states"),
    (read_net, HUGIN.replace("( wet | rain )", "( wet rain )"), "line 7: a potential is of one child"),
]


@pytest.mark.parametrize(("read", "text", "said"), OF_OTHER_FORMATS)
def test_errors_of_other_formats(read, text, said):
    with pytest.raises(ValueError, match=said):
        parsed(text, read)


@settings(max_examples=150)
@given(st.sampled_from([(SPRINKLER, read_bif), (HUGIN, read_net), (XML, read_xmlbif)]), st.data())
def test_damaged_files_are_networks_or_errors_with_a_line(case, data):
    """A few characters removed, added or turned: never another exception."""
    text, read = case
    for _ in range(data.draw(st.integers(1, 3))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.sampled_from([0, 0, 1, 3, 40]))
        put = data.draw(
            st.sampled_from(["", '"', "\\", "(", ")", "{", "}", ";", "|", ",", "//", "/*", "%", "&a;", "<", "7", "\x00", "-"])
        )
        text = text[:at] + put + text[at + length :]
    said = "line "
    try:
        parsed(text, read)
    except ValueError as error:
        said = str(error)
    assert "line " in said
