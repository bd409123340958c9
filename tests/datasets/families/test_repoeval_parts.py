"""The parts of RepoEval: windows that are cut out, and what a call can mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpora.sources.inline import inline
from assay.datasets.families._call_sites import CallSite
from assay.datasets.families._called_files import RepositoryDefinition, called_definitions, parts
from assay.datasets.families._imports import imports, last_part, levels_up
from assay.datasets.families._prompts import USED_UP, Shape, prompt_of, prompt_refusal
from assay.datasets.families._windows import MaskedCorpus, elsewhere, survives, without_windows
from assay.records import Document


def test_windows_are_cut_out_even_when_they_overlap():
    lines = ["a", "b", "c", "d", "e"]
    assert without_windows(lines, [(2, 3)]) == ["a", "d", "e"]
    assert without_windows(lines, [(2, 3), (3, 4)]) == ["a", "e"]
    assert without_windows(lines, [(1, 9)]) == []
    assert without_windows(lines, []) == lines


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


def test_windows_that_stand_elsewhere_are_found():
    first, second = ["x = 1", "", "y = 2", "z = 3", "w = 4"], ["x = 1", "y = 2", "z = 3", "v = 5"]
    windows = [("a.py", first), ("b.py", second)]
    own = Document("a.py", path="a.py", text="\n".join(first))
    assert elsewhere(windows, [own]) == set()
    other = Document("c.py", path="c.py", text="q\n\tx = 1\n\ty = 2\n\tz = 3\n\tw = 4\nq")
    assert elsewhere(windows, [own, other]) == {0}


TEN = [f"line_{number} = {number}" for number in range(1, 11)]


def refused(*places, shape, text=TEN):
    """Say why the last of some calls, each at its lines, does not serve."""
    sites = [CallSite("a.py", "python", "call", first, last, ()) for first, last in places]
    *beside, prompt = (prompt_of(site, text, shape) for site in sites)
    return prompt_refusal(prompt, text, beside, shape, 9)


def test_prompts_take_no_more_than_half_of_their_file():
    shape = Shape(3, 0, "kept", apart=True)
    assert refused((3, 3), shape=shape) == ""
    assert refused((3, 3), (7, 7), shape=shape) == USED_UP
    assert refused((3, 3), (7, 7), shape=shape, text=[*TEN, "line_11 = 11", "end = 0"]) == ""
    assert refused((3, 3), (7, 7), shape=Shape(3, 0, "kept", apart=False)) == ""


def test_a_call_that_is_longer_than_its_prompt_does_not_serve():
    reason = "calls that span too many lines"
    assert refused((2, 8), shape=Shape(0, 40, "kept", apart=True)) == reason
    assert refused((5, 8), shape=Shape(3, 0, "kept", apart=True)) == reason
    assert refused((6, 8), shape=Shape(3, 0, "kept", apart=True)) == ""
    assert refused((5, 8), shape=Shape(3, 0, "cut", apart=True)) == ""


def test_a_masked_corpus_lacks_the_lines_and_keeps_the_rest():
    text = "one\r\ntwo\r\nthree\x0cthree\r\nfour"
    corpus = inline([Document("a.py", text=text, path="a.py"), Document("b.py", text="x")])
    first, second = MaskedCorpus(corpus, {"a.py": [(2, 2)]}).documents()
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
    ("language", "text", "names", "modules"),
    [
        ("python", "from a.b import c, d as e\n", {"c": "a.b"}, {"c": "c", "e": "d"}),
        ("python", "from a import (\n  c,  # not x\n  d,\n)\n", {"c": "a", "d": "a"}, None),
        ("python", "    from . import c\n", {"c": "."}, {"c": "c"}),
        ("python", "from ..b import c\n", {"c": "..b"}, None),
        ("python", "import a.b as c\nimport d\n", {}, {"c": "b", "d": "d"}),
        ("python", "# from a import b\nx = 'from a import b'\n", {}, {}),
        ("typescript", "import { c, d } from './a/b'\n", {"c": "./a/b", "d": "./a/b"}, None),
        ("typescript", "import type { C } from '../b.ts'\n", {"C": "../b.ts"}, None),
        ("typescript", "import * as c from './b'\n", {}, {"c": "b"}),
        ("javascript", "const { c } = require('./a/b')\n", {"c": "./a/b"}, None),
        ("javascript", "const c = require('./a/b.js')\n", {}, {"c": "b"}),
        ("go", 'import "example.org/a/b"\n', {}, {"b": "b"}),
        ("go", 'import (\n\t"fmt"\n\tc "a/b"\n)\n', {}, {"fmt": "fmt", "c": "b"}),
        ("rust", "use crate::a::{c, d};\n", {"c": "crate::a", "d": "crate::a"}, None),
        ("rust", "pub use a::b::c;\nuse a::d as e;\n", {"c": "a::b"}, {"c": "c", "e": "d"}),
        ("java", "import com.a.C;\n", {"C": "com.a"}, {"C": "C"}),
        ("java", "import static com.a.C.d;\n", {"d": "com.a.C"}, None),
        ("cobol", "import x", {}, {}),
    ],
)
def test_imports_are_read(language, text, names, modules):
    found = imports(text, language)
    assert found.names == names
    assert modules is None or found.modules == modules


@pytest.mark.parametrize(
    ("module", "last", "up"),
    [
        ("a.b", "b", None),
        (".b", "b", 0),
        (".", "", 0),
        ("..a.b", "b", 1),
        ("./a/b", "b", 0),
        ("../../b.ts", "b", 2),
        ("@scope/b", "b", None),
        ("crate::a", "a", None),
    ],
)
def test_modules_have_a_last_part_and_a_start(module, last, up):
    assert (last_part(module), levels_up(module)) == (last, up)


HELP = RepositoryDefinition("src/help.py", "assist", 1, 2)
METHOD = RepositoryDefinition("src/desk.py", "Desk.assist", 1, 2)


def mean(called, definitions, text="", *, language="python", path="src/main.py"):
    return called_definitions(called, path, language, imports(text, language), definitions)


def test_a_bare_name_must_be_imported_from_where_it_is_defined():
    assert mean("assist", [HELP, METHOD], "from help import assist\n") == [HELP]
    assert mean("assist", [HELP], "from other import assist\n") == []
    assert mean("assist", [HELP], "from other import x as assist\n") == []
    assert mean("assist", [HELP]) == []


def test_a_relative_import_stays_in_its_folder():
    far = RepositoryDefinition("other/help.py", "assist", 1, 2)
    assert mean("assist", [far], "from .help import assist\n") == []
    assert mean("assist", [far, HELP], "from .help import assist\n") == [HELP]
    assert mean("assist", [far], "from ..help import assist\n") == [far]
    assert mean("assist", [far], "from .....help import assist\n") == [far]


def test_a_folder_stands_for_its_files_unless_one_stands_for_it():
    hub = RepositoryDefinition("desk/__init__.py", "assist", 1, 2)
    inner = RepositoryDefinition("desk/inner.py", "assist", 1, 2)
    assert mean("assist", [hub, inner], "from desk import assist\n") == [hub]
    assert mean("assist", [inner], "from desk import assist\n") == [inner]


def test_a_bare_name_of_the_same_package_is_seen_in_go_and_java():
    defined = [
        RepositoryDefinition("a/help.go", "assist", 1, 2),
        RepositoryDefinition("b/help.go", "assist", 1, 2),
    ]
    assert mean("assist", defined, language="go", path="a/main.go") == defined[:1]
    assert mean("assist", defined, language="typescript", path="a/main.ts") == []


def test_a_name_behind_a_module_or_a_class_is_of_that_one():
    assert mean("help.assist", [HELP, METHOD]) == [HELP]
    assert mean("src.help.assist", [HELP, METHOD]) == [HELP]
    assert mean("h.assist", [HELP, METHOD], "import src.help as h\n") == [HELP]
    assert mean("Desk.assist", [HELP, METHOD]) == [METHOD]
    assert mean("other.assist", [HELP, METHOD], "import other\n") == []
    deep = RepositoryDefinition("src/desk.py", "Desk.iterate.assist", 1, 2)
    assert mean("iterate.assist", [deep]) == []  # a function's inner one is nobody else's


def test_of_several_the_one_beside_is_meant():
    far = RepositoryDefinition("b/help.py", "assist", 1, 2)
    assert mean("help.assist", [far, HELP]) == [HELP]
    assert mean("help.assist", [far, HELP], path="c/main.py") == [far, HELP]


def test_of_several_the_one_whose_path_agrees_most_is_meant():
    far = RepositoryDefinition("b/help.py", "assist", 1, 2)
    imported = "from b.help import assist\n"
    assert mean("assist", [far, HELP], imported, path="c/main.py") == [far]
    assert mean("b.help.assist", [far, HELP], path="c/main.py") == [far]
    hub = RepositoryDefinition("x/b/help/__init__.py", "assist", 1, 2)
    assert mean("assist", [far, hub], "from x.b.help import assist\n", path="c/m.py") == [hub]


def test_a_method_of_an_unknown_object_counts_if_its_name_is_distinctive():
    rare = RepositoryDefinition("src/desk.py", "Desk.assist_politely", 1, 2)
    assert mean("desk.assist_politely", [rare]) == [rare]
    assert mean("it.assist", [METHOD]) == []  # any class could have it
    assert (
        mean("it.assist_politely", [rare, RepositoryDefinition("b.py", "B.assist_politely", 1, 2)])
        == []
    )
    assert (
        mean("it.to_bytes", [RepositoryDefinition("b.py", "B.to_bytes", 1, 2)]) == []
    )  # an int's, perhaps
    assert mean("it.assist_politely", [RepositoryDefinition("b.py", "assist_politely", 1, 2)]) == []


def test_in_java_the_object_must_be_called_after_the_class():
    rare = RepositoryDefinition("src/HelpDesk.java", "HelpDesk.assistPolitely", 1, 2)
    assert mean("desk.assistPolitely", [rare], language="java") == [rare]
    assert mean("it.assistPolitely", [rare], language="java") == []
