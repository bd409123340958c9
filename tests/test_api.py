"""The public names of `assay` stay callable whatever was imported before."""

from pathlib import Path

import assay


def test_no_package_has_the_name_of_a_public_function():
    """Importing `assay.health` the package would replace `assay.health` the function."""
    home = Path(assay.__file__).parent
    modules = {path.stem for path in home.glob("*.py")} | {path.name for path in home.iterdir()}
    assert set(assay.__all__) & modules == set()
