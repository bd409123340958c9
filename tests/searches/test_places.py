"""Which chunk of a document answers best: the same, whatever documents are beside it."""

from contextlib import closing

import numpy as np
import pytest

from assay.corpora.sources.inline import inline
from assay.records import Document, SearchInput
from assay.searches.build import build
from assay.searches.configuration.configuration import configuration
from assay.searches.open_models import OpenModels
from assay.workspace.locate import model_folder

PARTS = {
    "one.py": ["def sleep(seconds):\n    pause()\n"],
    "two.py": ["def retry(times):\n    again()\n", "def close(file):\n    flush()\n"],
    "three.py": [
        "def open(path):\n    read()\n",
        "x = 1\n",
        "def retry_later(times):\n    wait()\n",
    ],
}
EXPECTED = {"one.py": "sleep", "two.py": "retry(times)", "three.py": "retry_later(times)"}
SETTINGS = {
    "words": {"search": "lexical", "lexical_unit": "document"},
    "both": {"model": "static", "lexical_unit": "document"},
}


def searched(tmp_path, settings):
    texts = {name: "\n\n".join(part + "# " + "=" * 600 for part in PARTS[name]) for name in PARTS}
    documents = [
        Document(id=name, text=text, path=name, language="python", content_hash=name)
        for name, text in texts.items()
    ]
    chosen = configuration({"name": "x", "chunk_size": 60, "chunker": "fixed", **settings})
    return build(
        inline(documents), chosen, folder=tmp_path / "index", models=OpenModels(model_folder())
    )


@pytest.mark.parametrize("name", list(SETTINGS))
def test_by_hand_together_and_alone(tmp_path, name):
    with closing(searched(tmp_path, SETTINGS[name])) as built:
        stages, snapshot = built.searcher.stages, built.searcher.snapshot
        vector = built.searcher.embed("retry times") if name == "both" else None
        asked = SearchInput("retry times", vector, ())
        rows = np.array([snapshot.rows_of(document)[0] for document in PARTS])
        assert len(snapshot.rows_of("three.py")) > 2
        together = stages.places(asked, rows)
        for document, text in zip(PARTS, snapshot.texts(together), strict=True):
            assert EXPECTED[document] in text
        for order in ([2, 0, 1], [1], [0], [1, 2], []):
            assert stages.places(asked, rows[order]).tolist() == together[order].tolist()
