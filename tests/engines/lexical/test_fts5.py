import math

import pytest

from assay.engines.lexical.fts5 import fts5
from assay.engines.words import check_tantivy, tokens
from assay.errors import InputError
from assay.extras import install_command
from assay.records import Chunk


def chunk(text, **given):
    return Chunk("d", 0, len(text), (1, 1), text, **given)


def build(folder, chunks, **settings):
    index = fts5(folder, **settings)
    index.add(range(len(chunks)), chunks)
    index.commit()
    return index


def test_by_hand(tmp_path):
    index = build(tmp_path, [chunk("apple banana"), chunk("apple apple"), chunk("cherry")])

    found = index.search("banana", 5)

    rarity = math.log((3 - 1 + 0.5) / (1 + 0.5))  # of 3 chunks, 1 has the word
    length = 1 - 0.75 + 0.75 * 2 / (5 / 3)  # 2 words, where the mean is 5/3
    assert found.rows.tolist() == [0]
    assert found.scores[0] == pytest.approx(rarity * 2.2 / (1 + 1.2 * length))
    assert found.best == pytest.approx(rarity * 2.2)


def test_a_word_counts_by_the_weight_of_its_field(tmp_path):
    texts = [chunk("", title="apple"), *[chunk("", title="pear")] * 3]
    index = build(tmp_path, texts, fields={"title": 3})

    times = 1 + 3  # once in the body, which has the title too, once in the title
    rarity = math.log(3.5 / 1.5)
    expected = rarity * times * 2.2 / (times + 1.2)  # every chunk is as long as the mean
    assert index.search("apple", 5).scores[0] == pytest.approx(expected)
    assert [(gain["field"], gain["score"]) for gain in index.explain("apple", 0)] == [
        ("title", pytest.approx(expected * 3 / 4)),
        ("body", pytest.approx(expected / 4)),
    ]


def test_a_row_that_is_there_is_not_taken_twice(tmp_path):
    index = build(tmp_path, [chunk("apple")])
    with pytest.raises(InputError, match="SQLite"):
        index.add([0], [chunk("pear")])


def test_a_word_in_most_chunks_still_finds_them(tmp_path):
    index = build(tmp_path, [chunk("apple")] * 5)
    found = index.search("apple", 9)
    assert found.rows.tolist() == [0, 1, 2, 3, 4]
    assert (found.scores > 0).all()


def test_what_is_committed_is_one_plain_file(tmp_path):
    index = build(tmp_path, [chunk("apple")])
    assert {path.name for path in tmp_path.iterdir()} == {"settings.json", "chunks.sqlite"}
    index.close()
    reader = fts5(tmp_path)
    assert reader.search("apple", 1).rows.tolist() == [0]
    assert {path.name for path in tmp_path.iterdir()} == {"settings.json", "chunks.sqlite"}


@pytest.fixture
def no_tantivy(monkeypatch):
    """Forget the stemmer that was opened before, and find no tantivy."""
    remembered = (tokens.tokens_of, tokens._stemmer)
    for one in remembered:
        one.cache_clear()
    monkeypatch.setattr(check_tantivy, "find_spec", lambda name: None)
    yield
    for one in remembered:
        one.cache_clear()


@pytest.mark.usefixtures("no_tantivy")
def test_it_says_why_it_needs_tantivy(tmp_path):
    with pytest.raises(InputError, match="stemmer") as caught:
        build(tmp_path, [chunk("apples")]).search("apples", 5)
    assert caught.value.hint == install_command("search")
