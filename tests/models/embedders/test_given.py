import numpy as np
import pytest

from assay.errors import InputError
from assay.models.embedders.given import given
from assay.models.given.location import VectorLocation
from assay.models.given.vector_file import open_vectors
from assay.models.open_embedder import open_embedder
from assay.records.model import embedder_input, is_given


@pytest.fixture
def files(tmp_path):
    def make(rows, noun):
        np.save(tmp_path / f"{noun}.npy", np.array(rows, np.float32))
        ids = {f"{noun}{at}": True for at in range(len(rows))}
        return open_vectors(VectorLocation(tmp_path / f"{noun}.npy"), ids, noun=noun)

    return make


def test_by_hand(files):
    documents, queries = files([[1, 0], [0, 1]], "document"), files([[0, -1]], "query")
    model = given(documents=documents, queries=queries)

    assert (model.name, model.dimension, model.has("document1")) == ("given", 2, True)
    assert model.embed(["document1", "document0"]).tolist() == [[0, 1], [1, 0]]
    assert model.embed(["query0"], query=True).tolist() == [[0, -1]]
    assert (model.fingerprint, model.query_fingerprint) == (
        documents.fingerprint,
        queries.fingerprint,
    )
    assert embedder_input(model, name="document1", text="a text") == "document1"
    assert is_given(model)


def test_queries_for_somebody_elses_documents_keep_their_lengths(files):
    """Where that system compares by distance, another length is another ranking."""
    long, documents = files([[3, 4], [0, 2]], "query"), files([[5, 0]], "document")
    asked = given(queries=long).embed(["query1", "query0"], query=True)
    assert asked.dtype == np.float32
    assert asked.tolist() == [[0, 2], [3, 4]]
    own = given(documents=documents, queries=long)
    assert own.embed(["query0"], query=True)[0] == pytest.approx([0.6, 0.8])
    longer = files([[6, 8], [0, 2]], "query")
    assert longer.fingerprint != long.fingerprint
    assert files([[9, 0]], "document").fingerprint == documents.fingerprint  # only directions


def test_what_is_missing_is_named(files, cache):
    with pytest.raises(InputError, match="the corpus brings no vectors of its documents"):
        open_embedder("given", folder=cache)
    model = given(documents=files([[1, 0]], "document"))
    with pytest.raises(InputError, match="the dataset brings no vectors of its queries") as caught:
        model.embed(["q"], query=True)
    assert "query_vectors.npy" in caught.value.hint
    with pytest.raises(InputError, match=r'1 of 2 documents has no vector, .* "x"'):
        model.embed(["document0", "x"])


def test_documents_and_queries_have_one_dimension(files):
    with pytest.raises(InputError, match=r"3 dimensions.*2 \(.*document\.npy\)") as caught:
        given(documents=files([[1, 0]], "document"), queries=files([[1, 0, 0]], "query"))
    assert caught.value.where.endswith("query.npy")
