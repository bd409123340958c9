"""Figures about a source tree, counted by hand on a tree of a few lines."""

import pytest
from performance.structure.__main__ import main, table
from performance.structure.execution import with_members
from performance.structure.folders import is_catalogue, members, step_sizes
from performance.structure.graph import cycles, graph_of, longest_chain, reached
from performance.structure.loaded import loaded_by_import
from performance.structure.names import class_names_twice, private_imports
from performance.structure.source import read_source

FILES = {
    "__init__.py": "",
    "flow/__init__.py": "",
    "flow/first.py": "from assay.flow import second\nfrom assay.flow._own import x\nclass One: ...",
    "flow/second.py": "import assay.flow.third\nfrom ._box.inner import y\nclass One: ...",
    "flow/third.py": "def later():\n    from assay.flow import first\nclass _One: ...",
    "flow/_own.py": "x = 1",
    "flow/_box/__init__.py": "",
    "flow/_box/inner.py": "from . import other\ny = 1",
    "flow/_box/other.py": "",
    "flow/sub/__init__.py": "",
    "flow/sub/deep.py": "from .._own import x\nfrom assay.flow._box import inner\nclass Two: ...",
    "metrics/__init__.py": "from typing import TYPE_CHECKING",
    "metrics/recall.py": "if TYPE_CHECKING:\n    from assay.flow._own import x\nclass One: ...",
    "metrics/_rank.py": "",
    "commands/__init__.py": "",
    "commands/run.py": "from assay.commands._options import x\nimport assay.flow.first",
    "commands/_options.py": "x = 1",
    "holder/__init__.py": "",
    "holder/three.py": "from assay import metrics\nA, B, NO = 'flow.sub', 'beside', 'commands'",
    "holder/beside/__init__.py": "",
    "holder/beside/one.py": "",
}


@pytest.fixture
def source(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "assay" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    return read_source(tmp_path / "assay")


def test_steps_are_counted_without_init_and_catalogues(source):
    assert step_sizes(source) == {
        "assay": 0,
        "assay.flow": 4,
        "assay.flow._box": 2,
        "assay.flow.sub": 1,
        "assay.holder": 1,
        "assay.holder.beside": 1,
        "assay.commands": 1,  # its commands are members of a catalogue
    }
    assert is_catalogue("assay.metrics")
    assert [member.name for member in members(source, "assay.metrics")] == ["assay.metrics.recall"]


def test_private_modules_belong_to_their_folder_and_private_folders_to_the_one_above(source):
    found = [(one.importer, target) for one, target in private_imports(source)]
    assert found == [
        ("assay.flow.sub.deep", "assay.flow._own"),
        ("assay.flow.sub.deep", "assay.flow._box.inner"),
        ("assay.metrics.recall", "assay.flow._own"),
    ]


def test_public_class_names_are_counted_within_a_package(source):
    assert class_names_twice(source) == {"assay.flow": ["One"]}


def test_the_longest_chain_takes_only_what_runs_at_import(source):
    graph = graph_of(source, ["flow"], when=["start"])
    assert longest_chain(graph) == [
        "assay.flow.first",
        "assay.flow.second",
        "assay.flow._box.inner",
        "assay.flow._box.other",
    ]
    assert cycles(graph) == []


def test_lazy_imports_can_close_a_cycle_which_counts_as_all_its_modules(source):
    graph = graph_of(source, ["flow"])
    assert cycles(graph) == [["assay.flow.first", "assay.flow.second", "assay.flow.third"]]
    assert len(longest_chain(graph)) == 5


def test_what_is_reached_includes_the_packages_above(source):
    graph = graph_of(source, when=["start"])
    assert reached(graph, "assay.flow._box.inner") == {
        "assay",
        "assay.flow",
        "assay.flow._box",
        "assay.flow._box.inner",
        "assay.flow._box.other",
    }


def test_who_holds_a_package_reaches_its_members(source):
    graph = with_members(graph_of(source, when=["start", "call"]), source)
    found = reached(graph, "assay.holder.three")
    assert found >= {"assay.metrics.recall", "assay.holder.beside.one", "assay.flow.sub.deep"}
    assert not found & {"assay.metrics._rank", "assay.commands.run"}


def test_modules_are_counted_in_a_process_of_the_measured_tree(source):
    assert loaded_by_import(source.root, "assay.flow.third") == 3


def test_a_table_has_a_column_per_tree():
    assert table(["a", "b"], [{"lines": "1"}, {"lines": "2"}]).splitlines() == [
        "|  | a | b |",
        "| --- | ---: | ---: |",
        "| lines | 1 | 2 |",
    ]


def test_what_is_neither_a_folder_nor_a_revision_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["no-such-revision"])
    assert ended.value.code == 2
    assert "no-such-revision: neither a checkout nor a git revision" in capsys.readouterr().err
