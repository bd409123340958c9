"""The aims of the source's structure; pyproject.toml, [tool.assay.structure], has the numbers."""

import ast
from pathlib import Path

import pytest
from performance.structure.execution import execution_reaches
from performance.structure.folders import RULES, is_catalogue, members, step_sizes
from performance.structure.graph import cycles, graph_of, longest_chain
from performance.structure.names import class_names_twice, exported, private_imports
from performance.structure.source import read_source

import assay
from assay.searches import environment

HOME = Path(assay.__file__).parent


@pytest.fixture(scope="module")
def source():
    return read_source(HOME)


@pytest.fixture(scope="module")
def reached(source):
    return execution_reaches(source)


@pytest.fixture(scope="module")
def hashed(source):
    """The files whose content is part of the names of stage outputs."""
    return set(environment._sources(HOME))


def test_every_catalogue_of_the_list_exists(source):
    names = {folder.rpartition(".")[2] for folder in source.folders}
    assert set(RULES["catalogues"]) <= names
    assert set(RULES["commands"] + RULES["several_names"]) <= set(RULES["catalogues"])


def test_steps_are_small(source):
    most = RULES["largest_step"]
    assert {step: size for step, size in step_sizes(source).items() if size > most} == {}


def test_a_member_of_a_catalogue_exports_one_name(source):
    several = {
        member.name: exported(member)
        for folder in filter(is_catalogue, source.folders)
        if folder.rpartition(".")[2] not in RULES["several_names"]
        for member in members(source, folder)
        if len(exported(member)) != 1
    }
    assert several == {}


@pytest.mark.parametrize("name", RULES["several_names"])
def test_a_catalogue_is_exempt_only_while_it_must_be(source, name):
    """Who makes the last of its modules export one name takes it off the list."""
    folders = [folder for folder in source.folders if folder.rpartition(".")[2] == name]
    found = [member for folder in folders for member in members(source, folder)]
    assert any(len(exported(member)) != 1 for member in found)


def test_no_private_module_is_imported_from_another_folder(source):
    assert [f"{one.importer}: {target}" for one, target in private_imports(source)] == []


def test_no_public_class_name_exists_twice_in_a_package(source):
    assert class_names_twice(source) == {}


@pytest.mark.parametrize("package", RULES["chain_packages"])
def test_the_longest_import_chain_of_a_package_is_short(source, package):
    chain = longest_chain(graph_of(source, [package], when=["start"]))
    assert len(chain) <= RULES["longest_chain"], chain


def test_no_modules_import_each_other_in_a_circle(source):
    assert cycles(graph_of(source, when=["start"])) == []


def test_who_records_stage_outputs_is_part_of_execution(source, reached):
    """The list of entries is written by hand: a new kind of execution must join it."""
    tape = "assay.benchmarks.work.worker"
    recording = {
        module.name
        for module in source.modules.values()
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.ImportFrom) and node.module == tape
        if any(alias.name == "LedgerTape" for alias in node.names)
    }
    assert recording
    assert recording - reached == set()


def test_all_that_execution_can_reach_is_hashed_into_the_names_of_stage_outputs(
    source, reached, hashed
):
    """Otherwise outputs of older code would be used as if they were of today's."""
    reached = reached - {"assay"}  # of which the version is hashed
    missing = {name for name in reached if source.modules[name].path not in hashed}
    assert {name for name in missing if has_code(source.modules[name])} == set()


def test_no_folder_is_hashed_that_execution_cannot_reach(source, reached, hashed):
    """Otherwise an edit of a sentence in a report would throw away all stage outputs."""
    needed = {source.modules[name].folder for name in reached}
    folders = {module.folder for module in source.modules.values() if module.path in hashed}
    assert folders - needed == set()


def has_code(module):
    """Whether there is more in a module than its docstring."""
    return any(not isinstance(node, ast.Expr) for node in module.syntax.body)
