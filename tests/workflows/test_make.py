"""Make: a folder with a dataset that reads back, resolves whole, and says how it was made."""

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay import catalogue
from assay.datasets import families
from assay.datasets.family_settings import family_settings
from assay.errors import InputError, UnknownNameError, UsageError
from assay.workflows.audit import audit
from assay.workflows.load_dataset import load_dataset
from assay.workflows.make import make
from assay.workflows.resolve import resolve

OWN = ("clusters", "cross-domain", "exact-match", "long-documents", "semantic-similarity")
SMALL = {"queries": 4, "documents": 30, "seed": 9}


@pytest.mark.parametrize("family", [*OWN, "short-queries"])
def test_a_folder_reads_back_and_resolves(family, tmp_path):
    made = make(family, tmp_path / "out", **SMALL)

    read = load_dataset(tmp_path / "out" / "dataset.json")
    assert read.queries == made.dataset.queries
    assert read == replace(made.dataset, documents=())
    found = resolve(tmp_path / "out")
    assert (found.status, found.documents) == ("resolved", 30)
    written = (tmp_path / "out" / "corpus.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in written.split("\n") if line]
    kept = [(row["_id"], row["title"], row["text"]) for row in rows]
    assert kept == [(d.id, d.title, d.text) for d in made.dataset.documents]


@pytest.mark.parametrize("family", [*OWN, "short-queries"])
def test_one_seed_writes_the_same_bytes(family, tmp_path):
    for name in ("one", "two"):
        make(family, tmp_path / name, **SMALL)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "two").iterdir())
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_vectors_lie_beside(tmp_path):
    made = make("clusters", tmp_path, dimensions=5, **SMALL)
    for name in ("document_vectors", "query_vectors"):
        vectors = np.load(tmp_path / f"{name}.npy", allow_pickle=False)
        assert vectors.dtype == np.float32
        np.testing.assert_array_equal(vectors, getattr(made, name))


def test_it_says_how_it_was_made(tmp_path):
    make("exact-match", tmp_path, **SMALL)
    metadata = load_dataset(tmp_path / "dataset.json").metadata
    assert (metadata["family"], metadata["settings"]) == ("exact-match", SMALL)


def test_a_full_folder_is_left_alone_unless_forced(tmp_path):
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(InputError, match=f"^{tmp_path}: .*\n.*force"):
        make("exact-match", tmp_path, **SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    make("exact-match", tmp_path, force=True, **SMALL)
    assert (tmp_path / "mine.txt").read_text() == "keep"


def test_force_leaves_nothing_of_another_family(code, tmp_path):
    place = tmp_path / "out"
    make("clusters", place, **SMALL)
    (place / "mine.txt").write_text("keep")
    make("exact-match", place, force=True, **SMALL)
    files = {path.name for path in place.iterdir()}
    assert files == {"dataset.json", "corpus.jsonl", "mine.txt"}
    make("repoeval", place, force=True, corpus=code)
    assert {path.name for path in place.iterdir()} == {"dataset.json", "mine.txt"}


def test_what_cannot_be_made_leaves_what_is_there(tmp_path):
    make("exact-match", tmp_path, **SMALL)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(InputError, match="queries=0"):
        make("exact-match", tmp_path, force=True, queries=0)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ["", "corpus.jsonl"])
@pytest.mark.parametrize("wrap", [str, lambda path: {"path": str(path)}])
def test_force_does_not_overwrite_the_corpus_itself(tmp_path, name, wrap):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "print(1)"}\n')
    with pytest.raises(InputError, match=r"corpus\.jsonl|the corpus"):
        make("repoeval", tmp_path, force=True, corpus=wrap(tmp_path / name))
    assert (tmp_path / "corpus.jsonl").exists()


def test_a_file_is_no_folder(tmp_path, snapshot):
    (tmp_path / "file").write_text("")
    for place in ("file", "file/below"):
        with pytest.raises(InputError, match=place) as caught:
            make("exact-match", tmp_path / place, force=True, **SMALL)
        snapshot(caught.value)


def test_names_may_have_dashes_or_underscores():
    assert make("exact_match", **SMALL) == make("exact-match", **SMALL)


@pytest.mark.parametrize("wrong", ["exactmatch", "", "../exact", None, 3])
def test_a_wrong_name_is_refused(wrong):
    with pytest.raises(UnknownNameError, match=f"family.*{re.escape(str(wrong))}"):
        make(wrong)


def test_a_near_miss_is_suggested():
    with pytest.raises(UnknownNameError, match='"exact-match"'):
        make("exactmatch")
    with pytest.raises(InputError, match='"queries"'):
        make("exact-match", querys=3)


@pytest.mark.parametrize("value", ["3", 2.5, None, True, [3]])
def test_a_setting_of_the_wrong_type_is_refused(value):
    with pytest.raises(InputError, match=rf"queries: .*{re.escape(json.dumps(value))}"):
        make("exact-match", queries=value)


def test_a_whole_number_is_a_number():
    assert make("clusters", noise=0, spread=1).query_vectors is not None


def test_code_is_asked_for_where_it_is_needed_only(tmp_path, snapshot):
    with pytest.raises(UsageError) as caught:
        make("git-history")
    snapshot(caught.value)
    with pytest.raises(UsageError) as caught:
        make("exact-match", corpus=tmp_path)
    snapshot(caught.value)


def test_every_setting_of_every_family_has_a_default_and_a_meaning():
    for name in catalogue.files(families):
        settings = family_settings(catalogue.find(families, name))
        assert {"seed", "queries"} <= settings.keys()
        for setting in settings.values():
            assert setting.meaning.endswith(".")
            assert setting.takes(setting.default)


NUMBERS = [
    (name, setting.name)
    for name in catalogue.files(families)
    for setting in family_settings(catalogue.find(families, name)).values()
    if setting.type in (int, float)
]


@pytest.mark.parametrize(("family", "setting"), NUMBERS)
@pytest.mark.parametrize("digits", [20, 5000])
def test_no_number_is_without_bound(family, setting, digits, code):
    corpus = {"corpus": code} if family in ("git_history", "repoeval") else {}
    with pytest.raises(InputError, match=rf"{setting}=\S+ .*(large|small)"):
        make(family, **{setting: 10**digits}, **corpus)


@pytest.mark.parametrize("setting", ["noise", "spread"])
def test_nan_is_not_a_number(setting):
    with pytest.raises(InputError, match=rf"{setting} .*\(nan\)") as caught:
        make("clusters", **{setting: float("nan")})
    assert caught.value.hint


CODE = {
    "prices.py": "def round_half_up(value):\n    return int(value + 0.5)\n",
    "till.py": "from prices import round_half_up\n\n\ndef total(items):\n    amount = 0\n"
    "    for item in items:\n        amount += item.price\n    return round_half_up(amount)\n",
}


@pytest.fixture
def code(tmp_path):
    (tmp_path / "code").mkdir()
    for name, text in CODE.items():
        (tmp_path / "code" / name).write_text(text)
    return tmp_path / "code"


@pytest.mark.parametrize("task", ["verbatim", "masked", "definition"])
@pytest.mark.parametrize("inside", [True, False])
def test_code_is_found_from_where_the_dataset_lies(code, task, inside, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = Path("code/made") if inside else Path("made/there")
    made = make("repoeval", output, corpus="code", task=task)
    assert len(made.dataset.queries) == 1
    monkeypatch.chdir("/")
    found = resolve(tmp_path / output)
    assert (found.status, found.documents) == ("resolved", 2)
    assert (tmp_path / output / "corpus.jsonl").exists() == (task == "masked")


def test_masked_code_is_saved_without_the_lines(code, tmp_path):
    made = make("repoeval", tmp_path / "made", corpus=code, task="masked")
    rows = (tmp_path / "made" / "corpus.jsonl").read_text().splitlines()
    texts = {row["path"]: row["text"] for row in map(json.loads, rows)}
    assert texts["prices.py"] == CODE["prices.py"]
    assert made.dataset.queries[0].text not in texts["till.py"]
    assert "round_half_up(amount)" not in texts["till.py"]


def leaked(path):
    return audit(path).findings["leaked"].figures["share"]


def test_the_x_ray_sees_through_verbatim_queries_and_finds_masked_ones_clean(tmp_path):
    corpus = Path(asyncio.__file__).parent
    for task in ("verbatim", "masked"):
        make("repoeval", tmp_path / task, corpus=corpus, task=task, queries=30)
    assert leaked(tmp_path / "verbatim") == 1
    assert leaked(tmp_path / "masked") == 0


@pytest.mark.parametrize("family", ["semantic-similarity", "cross-domain", "long-documents"])
def test_the_x_ray_finds_nothing_wrong(family, tmp_path):
    make(family, tmp_path)
    found = audit(tmp_path / "dataset.json").findings
    assert {name: finding.defects for name, finding in found.items() if finding.defects} == {}
    assert not found["duplicates"].rows
