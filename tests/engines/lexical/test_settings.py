"""Settings of lexical indexes: their names in stored work, and what a folder remembers."""

import json

import pytest

from assay.engines.lexical._fields import WEIGHTS
from assay.engines.lexical._settings import LexicalSettings
from assay.engines.lexical.fts5 import fts5
from assay.engines.lexical.postings import postings
from assay.engines.lexical.tantivy import tantivy
from assay.errors import InputError
from assay.records.configuration import UNSAID


@pytest.mark.parametrize(
    ("make", "name"), [(tantivy, "d48bf04c16d8c58d"), (fts5, "c0bf46b72a461030")]
)
def test_default_settings_keep_the_name_that_stored_work_has(tmp_path, make, name):
    assert make(tmp_path).fingerprint == name
    kept = json.loads((tmp_path / "settings.json").read_text())
    assert kept == {"engine": make.__name__, "stem": True, "tokens": 3}


@pytest.mark.parametrize("make", [tantivy, fts5, postings])
def test_the_default_may_be_said(tmp_path, make):
    said = {"language": "english", "stop_words": "english", "fields": WEIGHTS}
    assert make(tmp_path, **said).fingerprint == make(tmp_path).fingerprint


def test_each_setting_gives_another_name(tmp_path):
    given = [
        *({}, {"k1": 1.3}, {"b": 0.7}, {"fields": {"title": 1}}, {"stop_words": "none"}),
        *({"stop_words": ["the"]}, {"synonyms": ["a, b"]}, {"synonyms": ["a, b", "c, d"]}),
    ]
    assert len({postings(tmp_path, **one).fingerprint for one in given}) == len(given)


def test_a_folder_knows_its_language(tmp_path):
    assert tantivy(tmp_path, language="german").fingerprint != tantivy(tmp_path / "x").fingerprint
    assert json.loads((tmp_path / "settings.json").read_text())["language"] == "german"
    for other in ("english", "french", "none"):
        with pytest.raises(InputError, match="german"):
            tantivy(tmp_path, language=other)


def test_reports_fill_in_what_engines_do():
    usual = LexicalSettings("x", WEIGHTS, WEIGHTS, query_counts=True, max_terms=1, code_terms=1)
    told = {name: getattr(usual, name) for name in ("k1", "b", "language", "stop_words")}
    told |= {f"fields.{name}": weight for name, weight in WEIGHTS.items()}
    assert told | {"synonyms": "none"} == UNSAID
