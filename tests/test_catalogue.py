import importlib
import sys

import pytest

from assay import catalogue
from assay.errors import InputError, UnknownNameError
from assay.rankings import formats


class Plugin:
    """Stands in for an installed package's entry point."""

    def __init__(self, name):
        self.name = name

    def load(self):
        return f"the plugin's {self.name}"


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "made_up_room"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A package."""\n')
    (folder / "lexical.py").write_text('__all__ = ["lexical"]\nlexical = "our lexical"\n')
    (folder / "broken.py").write_text("raise RuntimeError\n")
    (folder / "_private.py").write_text("raise RuntimeError\n")
    (folder / "notes.txt").write_text("no member\n")
    (folder / "__pycache__").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("made_up_room")
    for name in [name for name in sys.modules if name.startswith("made_up_room")]:
        del sys.modules[name]


@pytest.fixture
def plugins(monkeypatch):
    asked = []

    def entry_points(*, group):
        asked.append(group)
        return [Plugin("lexical"), Plugin("colbert")]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    return asked


def test_names_are_listed_without_importing_anything(package, plugins):
    assert catalogue.files(package) == ["broken", "lexical"]
    assert plugins == []
    assert catalogue.names(package) == ["broken", "colbert", "lexical"]
    assert plugins == ["made_up_room"]
    assert "made_up_room.lexical" not in sys.modules


def test_our_own_file_wins_over_a_plugin(package, plugins):
    """A measuring tool must not be re-calibrated silently."""
    assert catalogue.find(package, "lexical") == "our lexical"
    assert plugins == []
    assert catalogue.find(package, "colbert") == "the plugin's colbert"


@pytest.mark.parametrize("name", ["_private", "__init__", "notes", "", "../package", "lexical.py"])
def test_what_is_no_member_is_not_found(package, name):
    with pytest.raises(UnknownNameError, match="hint: "):
        catalogue.find(package, name)


def test_near_misses_are_suggested(package, plugins):
    with pytest.raises(InputError, match=r'"lexcal"\n  hint: .* "lexical"\?$'):
        catalogue.find(package, "lexcal")
    with pytest.raises(UnknownNameError, match=r'hint: did you mean "colbert"\?'):
        catalogue.find(package, "colbrt")
    with pytest.raises(UnknownNameError, match="hint: available: broken, colbert, lexical"):
        catalogue.find(package, "zzz")


def test_a_real_room():
    assert {"csv", "json_map", "parquet", "trec", "tsv"} <= set(catalogue.files(formats))
    with pytest.raises(UnknownNameError, match=r'^unknown run format "trecc"'):
        catalogue.find(formats, "trecc")
