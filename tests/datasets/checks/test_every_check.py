"""What holds for each check, and that a clean dataset raises no alarm."""

import json
import random
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.datasets.checks.given import dataset, document, judged, query
from tests.datasets.strategies import datasets

from assay import catalogue
from assay.datasets import checks
from assay.datasets.checks import Check, Evidence, _words, examine
from assay.datasets.resolve.resolve import resolve
from assay.records import AuditSettings, Document, Judgment, Query, Reference

NAMES = catalogue.names(checks)
COUNTED = {"grades", "categories", "difficulty"}  # they tell, and accuse of nothing


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_looks_for(name):
    check = catalogue.find(checks, name)
    assert isinstance(check, Check)
    assert check.summary.endswith(".")


def test_all_of_them_are_told_of_in_a_fixed_order():
    found = examine(Evidence(dataset()))
    assert set(found) == set(NAMES)
    assert list(found)[:2] == ["leaked", "contradictions"]


@settings(max_examples=40)
@given(datasets(least=0), st.booleans())
def test_any_dataset_can_be_examined(asked, with_corpus):
    documents = [replace(one, text=f"{one.text} {asked.description}") for one in asked.documents]
    if with_corpus:
        evidence = Evidence(asked, resolve(asked, documents))
        found = examine(evidence, documents, define=lambda one: one.text.split())
    else:
        found = examine(Evidence(asked))
    for finding in found.values():
        json.dumps([finding.rows, finding.figures], allow_nan=False)
        assert finding.defects <= len(finding.rows)
        assert all(set(finding.shown) <= set(row) for row in finding.rows)
        assert not (finding.undone and finding.rows)
        if finding.rows and not finding.undone:
            assert finding.said


VOWELS, CONSONANTS = "aeiou", "bdfgklmnprtvz"


def made_up(number, *, length=3):
    """Make a word of a number: no two numbers have one word."""
    letters = []
    for _ in range(length):
        number, at = divmod(number, len(CONSONANTS) * len(VOWELS))
        letters.append(CONSONANTS[at // len(VOWELS)] + VOWELS[at % len(VOWELS)])
    return "".join(letters)


@st.composite
def clean_sets(draw):
    """Draw queries of words of their own, whose documents tell it in another order."""
    number = draw(st.integers(1, 30))
    queries, documents = [], []
    for at in range(number):
        words = [made_up(20 * at + word) for word in range(draw(st.integers(2, 12)))]
        text = " ".join(words)
        shuffled = words[::-1]
        between = [made_up(100_000 + 7 * at + word) for word in range(len(words))]
        held = " ".join(f"{one} {other}" for one, other in zip(shuffled, between, strict=True))
        path = f"{made_up(200_000 + at)}/{made_up(300_000 + at)}.md"
        documents.append(Document(path, held, path=path, file_name=path.split("/")[1]))
        grade = draw(st.integers(1, 3))
        judgments = [Judgment(Reference(path=path), grade)]
        if at:
            judgments.append(Judgment(Reference(path=documents[0].path), 0))
        queries.append(Query(f"q{at}", text, tuple(judgments)))
    return dataset(*queries), documents


@given(clean_sets())
def test_a_clean_dataset_raises_no_alarm(made):
    asked, documents = made
    for given_documents in (None, documents):
        evidence = Evidence(asked, resolve(asked, documents) if given_documents else None)
        for name, finding in examine(evidence, given_documents).items():
            assert finding.defects == 0, name
            assert not finding.brief, name
            assert name in COUNTED or not finding.rows, name
            assert not finding.figures.get("words"), name


@settings(max_examples=30)
@given(clean_sets(), st.integers(0, 10**6))
def test_a_planted_defect_is_found_in_a_clean_dataset_and_nothing_else(made, seed):
    asked, documents = made
    draw = random.Random(seed)
    victim = draw.choice(asked.queries)
    plants = {
        "duplicates": replace(victim, key="planted", text=victim.text.upper() + "?"),
        "without_relevant": query("planted", "wholly unheard of", judged(documents[0].path, 0)),
        "unresolved": query(
            "planted", "wholly unheard of", judged("gone.md"), judged(documents[0].path)
        ),
        "identifiers": query(
            "planted", f"open {documents[0].path} please", judged(documents[0].path)
        ),
        "contradictions": query(
            "planted",
            "wholly unheard of",
            judged(documents[0].path, 1),
            judged(documents[0].path, 2),
        ),
        "hygiene": query("planted", "", judged(documents[0].path)),
    }
    for name, plant in plants.items():
        spoilt = replace(asked, queries=(*asked.queries, plant))
        found = examine(Evidence(spoilt, resolve(spoilt, documents)), documents)
        accused = {other for other, finding in found.items() if finding.brief}
        assert accused == {name}
        assert any("planted" in row.values() for row in found[name].rows)


def test_memory_does_not_grow_with_the_corpus(monkeypatch):
    # The cache of stems is bounded, but it grows until it is full.
    monkeypatch.setattr(_words, "_stems", _words._stems.__wrapped__)
    asked = dataset(query("q", "the needle in it", judged("d7")))

    def corpus(number):
        for at in range(number):
            yield document(f"d{at}", " ".join(f"the w{at}x{word} in it" for word in range(200)))

    def peak(number):
        resolution = resolve(asked, [Document("d7")])
        tracemalloc.start()
        examine(Evidence(asked, resolution), corpus(number))
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(20)  # what is imported and compiled once
    assert peak(200) < peak(20) + 200_000


def test_documents_are_read_once_in_a_stream():
    asked = dataset(*(query(f"q{at}", f"ask {at}", judged("d")) for at in range(3)))
    passes = iter([document("d", "text"), document("e", "text")])
    found = examine(Evidence(asked, resolve(asked, [Document("d")])), passes)
    assert found["leaked"].figures["looked_at"] == 3
    assert next(passes, None) is None


def test_settings_reach_the_checks():
    asked = dataset(query("a", "one two three"), query("b", "one two four"))
    loose = examine(Evidence(asked, settings=AuditSettings(near=0.5)))
    assert len(loose["duplicates"].rows) == 1
