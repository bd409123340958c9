"""What holds for every file of the room."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import assay.statistics

FILES = sorted(path.stem for path in Path(assay.statistics.__file__).parent.glob("[!_]*.py"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_one_public_name_and_it_is_the_files(name):
    module = import_module(f"assay.statistics.{name}")
    assert module.__all__ == [name]
    assert module.__doc__.strip().endswith(".")
    assert "\n" not in module.__doc__


def test_importing_the_room_does_not_import_scipy():
    program = ";".join(f"import assay.statistics.{name}" for name in FILES)
    program += ";import sys;sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
