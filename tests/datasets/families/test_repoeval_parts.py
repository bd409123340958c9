"""The parts of RepoEval: windows that are cut out, and what a call can mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpora.sources.inline import inline
from assay.datasets.families._meant import Defined, imported_names, meant, parts
from assay.datasets.families._windows import Masked, survives, without
from assay.records import Document


def test_windows_are_cut_out_even_when_they_overlap():
    lines = ["a", "b", "c", "d", "e"]
    assert without(lines, [(2, 3)]) == ["a", "d", "e"]
    assert without(lines, [(2, 3), (3, 4)]) == ["a", "e"]
    assert without(lines, [(1, 9)]) == []
    assert without(lines, []) == lines


def test_three_lines_in_a_row_survive():
    window = ["x = 1", "", "y = 2", "z = 3", "w = 4"]
    assert survives(window, ["q", "    y = 2", "z  = 3".replace("  ", " "), "\tw = 4", "q"])
    assert not survives(window, ["y = 2", "z = 3", "q", "w = 4"])
    assert survives(["only one"], ["  only one"])  # of a short window all
    assert not survives(["one", "two"], ["two", "one"])


lines = st.lists(st.sampled_from(["a", "b", "", " c", "d"]), max_size=12)


@given(before=lines, window=lines, after=lines)
def test_what_stands_elsewhere_survives_and_nothing_else(before, window, after):
    bare = [line.strip() for line in window if line.strip()]
    rest = [line.strip() for line in before + after if line.strip()]
    length = min(3, len(bare))
    joined = "|".join(["", *rest, ""])
    runs = ["|".join(["", *bare[at : at + length], ""]) for at in range(len(bare) - length + 1)]
    assert survives(window, before + after) == any(run in joined for run in runs)


def test_a_masked_corpus_lacks_the_lines_and_keeps_the_rest():
    text = "one\r\ntwo\r\nthree\x0cthree\r\nfour"
    corpus = inline([Document("a.py", text=text, path="a.py"), Document("b.py", text="x")])
    first, second = Masked(corpus, {"a.py": [(2, 2)]}).documents()
    assert first.text == "one\r\nthree\x0cthree\r\nfour"
    assert first.size_bytes == len(first.text)
    assert second.text == "x"


@pytest.mark.parametrize(
    ("called", "taken_apart"),
    [
        ("loads", ["loads"]),
        ("json.loads", ["json", "loads"]),
        ("Vec::<u8>::new", ["Vec", "u8", "new"]),
        ("self.queue.put", ["self", "queue", "put"]),
        ("a?.b!.c", ["a", "b", "c"]),
        ("", [""]),
        ("()", ["()"]),
    ],
)
def test_called_names_are_taken_apart(called, taken_apart):
    assert parts(called) == taken_apart


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from a.b import c, d as e\n", {"c", "d", "e"}),
        ("from a import (\n    c,\n    d,\n)\n", {"c", "d"}),
        ("    from . import c\n", {"c"}),
        ("import { c, d } from './a'\n", {"c", "d"}),
        ("import type { C } from './a'\n", {"C"}),
        ("import c from './a'\n", {"c"}),
        ("const { c } = require('./a')\n", {"c"}),
        ("use crate::a::{c, d};\n", {"c", "d"}),
        ("pub use a::c;\n", {"c"}),
        ("import com.a.C;\n", {"C"}),
        ("import static com.a.C.d;\n", {"d"}),
    ],
)
def test_imports_are_read(text, names):
    assert names <= imported_names(text)


def test_text_that_imports_nothing():
    assert imported_names("# from here we import nothing\nx = 'from a import b'\n") == set()


HELP = Defined("src/help.py", "assist", 1, 2)
METHOD = Defined("src/desk.py", "Desk.assist", 1, 2)


def mean(called, definitions, *, imported=(), language="python", path="src/main.py"):
    return meant(called, path, language, set(imported), definitions)


def test_a_bare_name_must_be_imported():
    assert mean("assist", [HELP, METHOD], imported={"assist"}) == [HELP]
    assert mean("assist", [HELP]) == []


def test_a_bare_name_of_the_same_package_is_seen_in_go_and_java():
    defined = [Defined("a/help.go", "assist", 1, 2), Defined("b/help.go", "assist", 1, 2)]
    assert mean("assist", defined, language="go", path="a/main.go") == defined[:1]
    assert mean("assist", defined, language="typescript", path="a/main.ts") == []


def test_a_name_behind_a_module_or_a_class_is_of_that_one():
    assert mean("help.assist", [HELP, METHOD]) == [HELP]
    assert mean("src.help.assist", [HELP, METHOD]) == [HELP]
    assert mean("Desk.assist", [HELP, METHOD]) == [METHOD]
    assert mean("other.assist", [HELP, METHOD], imported={"other"}) == []


def test_a_method_of_an_unknown_object_counts_if_its_name_is_distinctive():
    rare = Defined("src/desk.py", "Desk.assist_politely", 1, 2)
    assert mean("desk.assist_politely", [rare]) == [rare]
    assert mean("it.assist", [METHOD]) == []  # any class could have it
    assert mean("it.assist_politely", [rare, Defined("b.py", "B.assist_politely", 1, 2)]) == []
