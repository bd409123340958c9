import json

import pytest

from assay.reports.ancestors.read.read_ancestor import read_ancestor


@pytest.fixture
def read():
    """Read a value as it comes out of a file."""

    def reading(value):
        return read_ancestor(json.loads(json.dumps(value)), where="old.json")

    return reading
