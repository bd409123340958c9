"""No banned phrase in anything that a user can read.

Checked are the strings of the source, the templates and scripts of the page, all help texts and
lists, the descriptions of Python functions and records, README.md, docs/verdicts.md, and the stored
outputs of commands, where sentences are put together.
"""

import ast
import inspect
import json
import re
from pathlib import Path

import click
import pytest
from tests.language.banned import ALLOWED, BANNED

import assay
from assay.cli import command_line, start

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "assay"
PATTERNS = {re.compile(phrase, re.IGNORECASE): instead for phrase, instead in BANNED.items()}
SQL = re.compile(r"\s*(SELECT|FROM|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|DROP|PRAGMA|VACUUM)\b")
OUTPUTS = sorted(ROOT.glob("tests/**/expected/**/*.txt"))


KEYS = re.compile(r'"\w+":|`[a-z_]+`')  # of JSON, and names in the documentation
TEMPLATE = re.compile(r"\{[%{#].*?[%}#]\}", re.DOTALL)
MARKUP = re.compile(r"<(style|script)\b.*?</\1>|<[^<>]*>", re.DOTALL)
QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'|`[^`]*`")


def wrong(text):
    """Return each banned phrase of a text, with what to write instead."""
    plain = " ".join(KEYS.sub("", text).split())
    for allowed in ALLOWED:
        plain = plain.replace(allowed, "")
    found = ((pattern.search(plain), instead) for pattern, instead in PATTERNS.items())
    return [(match[0], instead, plain[:120]) for match, instead in found if match]


def strings(path):
    """Yield the line and the text of every string of a module, but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = {id(part) for node in ast.walk(tree) for part in _parts(node)}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(_piece(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _parts(node):
    """Return the docstring of a node, or the parts of an f-string, which are read as a whole."""
    if isinstance(node, ast.JoinedStr):
        return node.values
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return [first.value] if isinstance(first, ast.Expr) else []


def _piece(part):
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def test_strings_of_the_source():
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {one}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in strings(path)
        if " " in text and not SQL.match(text)
        for one in wrong(text)
    ]
    assert not found, "\n".join(found)


def shown(path):
    """Return what people can read of a template, a script or another file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".j2":
        return MARKUP.sub(" ", TEMPLATE.sub("", text)).splitlines()
    if path.suffix == ".json":
        return re.findall(r'"description": "(.*)"', text)
    return QUOTED.findall(text) if path.suffix == ".js" else text.splitlines()


@pytest.mark.parametrize("pattern", ["*.j2", "*.js", "demo.yaml", "*.schema.json"])
def test_pages_and_files_that_come_along(pattern):
    paths = sorted(SOURCE.rglob(pattern))
    assert paths
    found = [f"{path.name}: {one}" for path in paths for line in shown(path) for one in wrong(line)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", ["README.md", "docs/verdicts.md"])
def test_pages_that_people_read_first(page):
    lines = (ROOT / page).read_text(encoding="utf-8").split("\n\n")
    found = [one for line in lines for one in wrong(line)]
    assert not found, "\n".join(map(str, found))


def commands(group, name="assay"):
    context = click.Context(group)
    for key in group.list_commands(context):
        command = group.get_command(context, key)
        yield f"{name} {key}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {key}")


def test_help_of_every_command():
    every = dict(commands(command_line))
    assert len(every) > 20
    # Commands keep their option --help: it must have the names that it has on the command line.
    home = click.Context(command_line, **command_line.context_settings)
    found = {
        name: wrong(command.get_help(click.Context(command, home, info_name=name)))
        for name, command in every.items()
    }
    assert not {name: one for name, one in found.items() if one}


def test_lists_of_members(capsys):
    assert start(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    found = {
        f"{kind} {name}": wrong(text)
        for kind, members in listed.items()
        for name, text in members.items()
    }
    assert len(found) > 100
    assert not {name: one for name, one in found.items() if one}


def test_descriptions_of_the_python_functions_and_records():
    found = {name: wrong(inspect.getdoc(getattr(assay, name)) or "") for name in assay.__all__}
    assert len(found) > 20
    assert not {name: one for name, one in found.items() if one}


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: str(path.relative_to(ROOT / "tests")))
def test_stored_outputs_of_commands(path):
    text = path.read_text(encoding="utf-8")
    found = [one for line in _sentences(text) for one in wrong(line)]
    assert not found, "\n".join(map(str, found))


def _sentences(text):
    """Join wrapped lines; names of tests, which head each text, and markup are left out."""
    lines = (line for line in text.splitlines() if not line.startswith("# test_"))
    return MARKUP.sub(" ", "\n".join(lines)).split("\n\n")


def test_the_phrases_are_found():
    """Pin that the check can fail: the wording that this list replaced."""
    for text in (
        'the name "x" stands twice',
        "is no setting of a configuration",
        "the two cannot be told apart",
        "which may be chance",
        "95 % interval",
        "it was begun anew",
    ):
        assert wrong(text), text
    assert not wrong("Not significantly different from the best: dense, hybrid (95% CI).")
