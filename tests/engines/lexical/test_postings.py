import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.engines.lexical import _postings
from assay.engines.lexical._fields import CODE_WEIGHTS, FIELDS, WEIGHTS, written
from assay.engines.lexical.postings import postings
from assay.engines.lexical.tantivy import tantivy
from assay.engines.words.tokens import Tokens
from assay.errors import InputError
from assay.records import Chunk

TOKENS = Tokens()
WORDS = ["alpha", "beta", "gamma", "delta", "retry_count", "parseHTTP", "検索", "café", "the"]
CODE = "for alpha in beta:\n    parseHTTP(retry_count)[gamma]\n"
KNOBS = [(1.2, 0.75), (0.9, 0.4), (0.0, 0.75), (2.0, 0.0), (1.2, 1.0), (100.0, 0.3)]


def chunk(text, **given):
    return Chunk("d", 0, len(text), (1, 1), text, **given)


def build(folder, chunks, make=postings, **settings):
    index = make(folder, **settings)
    index.add(range(len(chunks)), [chunk(one) if isinstance(one, str) else one for one in chunks])
    index.commit()
    return index


def mixture(count, seed=0):
    """Chunks of one to ninety words, some with names, paths and titles."""
    draw = random.Random(seed)

    def words(most):
        return " ".join(draw.choices(WORDS, k=draw.randint(1, most)))

    def one():
        given = {"path": "src/alpha.py"} if draw.random() < 0.3 else {}
        given |= {"title": words(5)} if draw.random() < 0.3 else {}
        given |= {"symbols": ("parseHTTP.send",)} if draw.random() < 0.2 else {}
        return chunk(words(90), **given)

    return [one() for _ in range(count)]


def bm25(chunks, query, *, k1, b, weights=WEIGHTS, rounded=int):
    """Score every chunk for the words of a question, by the book and by nothing of ours."""
    fields = [{field: words.split() for field, words in written(c, TOKENS).items()} for c in chunks]
    scores = [0.0] * len(chunks)
    for field in FIELDS:
        texts = [one.get(field, []) for one in fields]
        mean = sum(map(len, texts)) / len(texts)
        for word, times in Counter(TOKENS(query).split()).items():
            held = sum(word in text for text in texts)
            rare = math.log(1 + (len(texts) - held + 0.5) / (held + 0.5))
            for at, text in enumerate(texts):
                if tf := text.count(word):
                    norm = k1 * (1 - b + b * rounded(len(text)) / mean)
                    scores[at] += weights[field] * times * rare * tf * (k1 + 1) / (tf + norm)
    return scores


def in_a_byte(length):
    """Round a length as tantivy and Lucene store it: 24, and four binary digits of the rest."""
    rest = max(0, length - 24)
    digits = max(0, rest.bit_length() - 4)
    return length if length < 24 else 24 + (rest >> digits << digits)


def test_by_hand(tmp_path):
    index = build(tmp_path, ["apple banana", "apple apple", "cherry"], k1=0.9, b=0.4)

    found = index.search("banana", 5)

    rarity = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))  # of 3 chunks, 1 has the word
    length = 1 - 0.4 + 0.4 * 2 / (5 / 3)  # 2 words, where the mean is 5/3
    assert found.rows.tolist() == [0]
    assert found.scores[0] == pytest.approx(rarity * 1.9 * 1 / (1 + 0.9 * length), rel=1e-12)
    assert found.scores[0] == pytest.approx(0.945018, abs=1e-6)
    assert found.best == pytest.approx(rarity * 1.9)


@pytest.mark.parametrize(("k1", "b"), KNOBS)
@pytest.mark.parametrize("query", ["alpha", "alpha beta beta", "retry_count 検索 café unheard"])
def test_scores_are_those_of_the_book(tmp_path, k1, b, query):
    chunks = mixture(120)
    index = build(tmp_path, chunks, k1=k1, b=b)

    expected = bm25(chunks, query, k1=k1, b=b)

    assert index.scores(query, range(120)) == pytest.approx(expected, rel=1e-12)
    found = index.search(query, 120)
    assert found.scores == pytest.approx([expected[row] for row in found.rows], rel=1e-11)
    assert sorted(found.rows) == [row for row, score in enumerate(expected) if score]


@pytest.mark.parametrize("query", ["alpha", "alpha beta beta", "parseHTTP.send café", CODE])
def test_with_lengths_in_a_byte_it_is_tantivy(tmp_path, query):
    chunks = mixture(400, seed=1)
    theirs = build(tmp_path / "theirs", chunks, tantivy)
    ours = build(tmp_path / "ours", chunks)
    exact = ours.scores(query, range(400))
    for field in ours._files.fields.values():
        field.lengths = np.array([in_a_byte(int(one)) for one in field.lengths])

    scores = theirs.scores(query, range(400))

    assert ours.scores(query, range(400)) == pytest.approx(scores, rel=2e-6)
    assert ours.search(query, 50).rows.tolist() == theirs.search(query, 50).rows.tolist()
    assert ours.search(query, 50).best == pytest.approx(theirs.search(query, 50).best)
    assert exact != pytest.approx(scores, rel=1e-4)  # some lengths are no such numbers
    assert exact == pytest.approx(scores, rel=0.05)


def test_one_index_serves_all_settings(tmp_path):
    chunks = mixture(60, seed=2)
    build(tmp_path, chunks).close()
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    names = set()

    for k1, b in KNOBS:
        for fields in (None, {"title": 2, "path": 0}):
            index = postings(tmp_path, k1=k1, b=b, fields=fields, code_fields=fields)
            weights = {**WEIGHTS, **(fields or {})}
            expected = bm25(chunks, "alpha beta", k1=k1, b=b, weights=weights)
            assert index.scores("alpha beta", range(60)) == pytest.approx(expected)
            names.add(index.fingerprint)

    assert len(names) == 2 * len(KNOBS)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_what_k1_and_b_mean(tmp_path):
    texts = ["apple", "apple apple apple", "apple " + "pear " * 30, *["plum"] * 20]
    once = build(tmp_path, texts, k1=0)
    assert len(set(once.search("apple", 3).scores.tolist())) == 1  # once is as good as thrice
    unfair = postings(tmp_path, b=0).search("apple", 3)
    assert unfair.rows.tolist() == [1, 0, 2]
    assert unfair.scores[1] == unfair.scores[2]  # the length does not matter
    fair = postings(tmp_path, b=1).search("apple", 3)
    assert fair.rows.tolist() == [0, 1, 2]
    assert fair.scores[0] == pytest.approx(fair.scores[1])  # thrice as often, thrice as long
    assert fair.scores[1] > 2 * fair.scores[2]


@pytest.mark.parametrize("wrong", [{"k1": -0.1}, {"k1": math.nan}, {"k1": 1001}, {"b": 1.01}])
def test_settings_out_of_range(tmp_path, wrong):
    with pytest.raises(InputError, match="invalid value") as caught:
        postings(tmp_path, **wrong)
    assert caught.value.where in wrong


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.booleans(), st.sets(st.integers(0, 30), max_size=12)), max_size=5))
def test_changed_it_is_as_if_built_anew_to_the_bit(tmp_path_factory, steps):
    chunks = mixture(31, seed=3)
    index, there = postings(tmp_path_factory.mktemp("changed")), set()
    for adds, some in steps:
        changed = sorted(row for row in some if (row in there) != adds)
        if adds:
            index.add(changed, [chunks[row] for row in changed])
        else:
            index.remove(changed)
        there ^= {*changed}
        index.commit()
    rows = sorted(there)
    new = postings(tmp_path_factory.mktemp("new"))
    new.add(rows, [chunks[row] for row in rows])
    new.remove([])
    index.remove([])
    new.commit()
    index.commit()

    assert content(index) == content(new)


def content(index):
    """Return the bytes of the files: there is one of them."""
    return [path.read_bytes() for path in index._folder.glob("*.bin")]


def test_rows_that_come_and_go_before_they_are_committed(tmp_path):
    index = build(tmp_path, ["apple"])
    index.add([5, 3, 7], [chunk("apple"), chunk("pear"), chunk("pear")])
    index.remove([5, 0, 7])
    index.add([5], [chunk("plum")])
    index.commit()

    assert index.search("apple", 9).rows.tolist() == []
    assert index.search("pear plum", 9).rows.tolist() == [3, 5]
    assert b"appl" not in content(index)[0]  # nobody holds it any more


@pytest.mark.parametrize(("times", "kind"), [(3, "u1"), (256, "u2"), (65_536, "u4")])
def test_counts_take_as_many_bytes_as_they_need(tmp_path, times, kind):
    index = build(tmp_path, ["apple " * times, "apple pear"])

    assert index._files.fields["body"].counts.dtype == np.dtype(kind)
    expected = bm25([chunk("apple " * times), chunk("apple pear")], "apple", k1=1.2, b=0.75)
    assert index.scores("apple", [0, 1]) == pytest.approx(expected)


def test_blocks_are_only_a_matter_of_memory(tmp_path, monkeypatch):
    chunks = mixture(40, seed=4)
    whole = build(tmp_path / "whole", chunks)
    monkeypatch.setattr(_postings, "BLOCK", 7)  # in the midst of chunks
    assert content(build(tmp_path / "blocks", chunks)) == content(whole)


def test_one_file_and_an_empty_lock_are_left(tmp_path):
    index = build(tmp_path, ["apple"])
    index.add([1], [chunk("pear")])
    index.commit()
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {"settings.json", "postings-000002.bin", "writer.lock"}
    assert sizes["writer.lock"] == 0


def test_who_reads_keeps_what_was_there(tmp_path):
    build(tmp_path, ["apple"])
    reader, writer = postings(tmp_path), postings(tmp_path)
    writer.remove([0])
    writer.add([1], [chunk("apple apple")])
    writer.commit()

    assert reader.search("apple", 9).rows.tolist() == [0]
    assert postings(tmp_path).search("apple", 9).rows.tolist() == [1]


@pytest.mark.parametrize("left", [0, 5, 40, 0.5, -1])
def test_a_file_that_was_cut_is_refused(tmp_path, left):
    build(tmp_path, ["apple pear"] * 20)
    (file,) = tmp_path.glob("*.bin")
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * left) if isinstance(left, float) else left])

    with pytest.raises(InputError, match="cannot be read") as caught:
        postings(tmp_path)
    assert caught.value.where == str(file)
    assert "build the index again" in caught.value.hint


def test_a_writer_that_finds_damage_lets_others_write(tmp_path):
    index = build(tmp_path, ["apple"])
    (file,) = tmp_path.glob("*.bin")
    data = file.read_bytes()
    file.unlink()  # not in place: who reads it would see it change
    file.write_bytes(b"damaged")
    for _ in range(2):
        with pytest.raises(InputError, match="cannot be read"):
            index.add([1], [chunk("pear")])
    file.write_bytes(data)
    other = postings(tmp_path)
    other.add([1], [chunk("pear")])
    other.commit()
    assert other.documents == 2


def test_a_file_with_more_than_its_arrays_is_refused(tmp_path):
    build(tmp_path, ["apple pear"] * 20)
    (file,) = tmp_path.glob("*.bin")
    file.write_bytes(file.read_bytes() + b"12345678")
    with pytest.raises(InputError, match="cannot be read"):
        postings(tmp_path)


def test_a_writer_that_was_killed_while_it_wrote_leaves_nothing_to_read(tmp_path):
    build(tmp_path, ["apple"])
    (tmp_path / "postings-000002.bin.part").write_bytes(b"half")

    index = postings(tmp_path)
    assert index.search("apple", 9).rows.tolist() == [0]
    index.add([1], [chunk("apple")])
    index.commit()
    assert index.documents == 2
    assert not [*tmp_path.glob("*.part")]


def test_a_folder_that_only_links_to_the_files_can_be_read(tmp_path):
    build(tmp_path / "files", ["apple"])
    (tmp_path / "links").mkdir()
    for path in (tmp_path / "files").iterdir():
        (tmp_path / "links" / path.name).symlink_to(path)
    assert postings(tmp_path / "links").search("apple", 9).rows.tolist() == [0]


def test_synonyms_score_as_in_tantivy(tmp_path):
    rules = ["alpha, beta", "gamma => delta, parseHTTP", "café, alpha delta"]
    chunks = mixture(400, seed=7)
    theirs = build(tmp_path / "theirs", chunks, tantivy, synonyms=rules)
    ours = build(tmp_path / "ours", chunks, synonyms=rules)
    for field in ours._files.fields.values():
        field.lengths = np.array([in_a_byte(int(one)) for one in field.lengths])

    for query in ("alpha", "gamma delta", "café retry_count", "beta alpha delta"):
        scores = theirs.scores(query, range(400))
        assert ours.scores(query, range(400)) == pytest.approx(scores, rel=2e-6)
        assert ours.search(query, 50).rows.tolist() == theirs.search(query, 50).rows.tolist()


def test_code_has_its_own_weights(tmp_path):
    chunks = mixture(50, seed=6)
    index = build(tmp_path, chunks, code_fields={"names": 0, "path": 0, "title": 0})
    (first, *_) = index.search(CODE, 1).rows
    assert {one["field"] for one in index.explain(CODE, int(first))} == {"body"}
    assert CODE_WEIGHTS["names"] != WEIGHTS["names"]
