"""`make check` checks the import rules; here is checked that they cover every folder."""

import tomllib
from pathlib import Path

import pytest

import assay

SOURCE = Path(assay.__file__).parent
RULES = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERS = [rule for rule in RULES["contracts"] if rule["type"] == "layers"]


def names(contract):
    """The packages of all layers; those in brackets need not exist."""
    return [name.strip(" ()") for layer in contract["layers"] for name in layer.split("|")]


def folder(contract):
    (container,) = contract["containers"]
    return SOURCE.joinpath(*container.split(".")[1:])


@pytest.mark.parametrize("contract", LAYERS, ids=lambda contract: contract["containers"][0])
def test_every_package_has_one_layer(contract):
    folders = {path.parent.name for path in folder(contract).glob("*/__init__.py")}
    modules = {path.stem for path in folder(contract).glob("*.py")} - {"__init__"}
    assert folders | modules <= set(names(contract))
    assert contract["exhaustive"]
    assert len(names(contract)) == len(set(names(contract)))


def test_every_folder_with_code_is_a_package_with_a_sentence():
    for code in {path.parent for path in SOURCE.rglob("*.py")}:
        text = (code / "__init__.py").read_text()
        assert text.startswith('"""'), code


def test_every_module_says_what_it_means():
    for path in SOURCE.rglob("*.py"):
        assert path.read_text().startswith(('"""', 'r"""')), path
