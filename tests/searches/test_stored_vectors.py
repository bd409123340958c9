"""The vectors of an index are there also where a store searches them, and where there are none."""

from types import SimpleNamespace

import numpy as np
import pytest

from assay.records import Configuration
from assay.searches.pipeline import Stages


@pytest.mark.parametrize("count", [0, 3])
def test_vectors_of_an_index_that_a_store_searches(count):
    rows = np.arange(count, dtype=np.int64)
    vectors = np.eye(4, dtype=np.float32)[:count]
    packed = vectors.view(np.uint8).reshape(count, 16) if count else np.empty((0, 0), np.uint8)
    stages = SimpleNamespace(
        dense=None,
        snapshot=SimpleNamespace(vectors=lambda: (rows, packed)),
        _dimension=4,
        _configuration=Configuration(name="c", precision="float32"),
    )
    found = Stages.stored.func(stages)
    assert found.vectors(rows).shape == (count, 4)
    assert np.allclose(found.vectors(rows), vectors)
