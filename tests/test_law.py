"""The law itself is checked by `lint-imports` in `make check`; this says that it covers all."""

import tomllib
from pathlib import Path

import assay

HOUSE = Path(assay.__file__).parent
LAW = tomllib.loads((HOUSE.parents[1] / "pyproject.toml").read_text())["tool"]["importlinter"]


def layers():
    contract = LAW["contracts"][0]
    assert contract["type"] == "layers"
    return [name.strip(" ()") for layer in contract["layers"] for name in layer.split("|")]


def test_every_part_of_the_house_has_its_layer():
    folders = {path.parent.name for path in HOUSE.glob("*/__init__.py")}
    modules = {path.stem for path in HOUSE.glob("*.py")} - {"__init__"}
    assert folders | modules <= set(layers())
    assert LAW["contracts"][0]["exhaustive"]


def test_no_layer_stands_twice():
    assert len(layers()) == len(set(layers()))


def test_every_folder_with_code_is_a_package_with_a_sentence():
    for folder in {path.parent for path in HOUSE.rglob("*.py")}:
        text = (folder / "__init__.py").read_text()
        assert text.startswith('"""'), folder


def test_every_module_says_what_it_means():
    for path in HOUSE.rglob("*.py"):
        assert path.read_text().startswith(('"""', 'r"""')), path
