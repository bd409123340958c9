import json
import math
import random
import sys

import pytest

from assay.engines.lexical.tantivy import tantivy
from assay.engines.words import check_tantivy
from assay.errors import InputError
from assay.extras import install_command
from assay.records import Chunk


def chunk(text):
    return Chunk("d", 0, len(text), (1, 1), text)


def build(folder, texts, **settings):
    index = tantivy(folder, **settings)
    index.add(range(len(texts)), [chunk(text) for text in texts])
    index.commit()
    return index


def test_by_hand(tmp_path):
    index = build(tmp_path, ["apple banana", "apple apple", "cherry"])

    found = index.search("banana", 5)

    rarity = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))  # of 3 chunks, 1 has the word
    length = 1 - 0.75 + 0.75 * 2 / (5 / 3)  # 2 words, where the mean is 5/3
    assert found.rows.tolist() == [0]
    assert found.scores[0] == pytest.approx(rarity * 2.2 * 1 / (1 + 1.2 * length), rel=1e-6)
    assert found.scores[0] == pytest.approx(0.906649, abs=1e-6)
    assert found.best == pytest.approx(rarity * 2.2)


def test_coverage_is_the_same_to_the_bit_however_it_is_looked_up(tmp_path, monkeypatch):
    draw = random.Random(4)
    words = [f"w{number}" for number in range(60)]
    texts = [" ".join(draw.choices(words, k=draw.randint(1, 30))) for _ in range(500)]
    index = build(tmp_path, texts)
    index.add(range(900, 910), [chunk(text) for text in texts[:10]])  # another segment
    index.remove(range(0, 500, 7))
    index.commit()
    rows = [*range(905, 895, -1), 3, 7, 3, *range(500), 10**9]
    for size in (1, 2, 9, 40):
        query, found = " ".join(draw.sample(words, size)), []
        for often in (-1, 10**9):  # row by row, and all that the words meet
            monkeypatch.setattr(sys.modules[tantivy.__module__], "OFTEN", often)
            found.append(index.coverage(query, rows).tolist())
        assert found[0] == found[1]
        assert 0 < sum(map(bool, found[0])) < len(rows)


def test_fields_add_up_by_weight(tmp_path):
    index = tantivy(tmp_path, fields={"title": 3})
    both = Chunk("d", 0, 5, (1, 1), "", title="apple")  # a title is part of the body too
    index.add([0, 1], [both, Chunk("e", 0, 5, (1, 1), "", title="pear")])
    index.commit()

    one = math.log(2) * 2.2 / (1 + 1.2)  # each field of each chunk has one word
    assert index.search("apple", 5).scores[0] == pytest.approx(one + 3 * one)


def test_in_code_rarity_counts_by_a_power(tmp_path):
    names = [f"n{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(32)]
    index = build(tmp_path, ["naa nab", "naa", "other"])

    code = " ".join(names) + "\n=====()"
    power = 1.5 * math.log2(32 / 16)
    (twice, once) = (math.log(1 + (3 - n + 0.5) / (n + 0.5)) for n in (2, 1))
    long, short = (2.2 / (1 + 1.2 * (0.25 + 0.75 * n / (4 / 3))) for n in (2, 1))
    found = index.search(code, 5)

    assert found.rows.tolist() == [0, 1]
    assert found.scores == pytest.approx(
        [long * (twice ** (1 + power) + once ** (1 + power)), short * twice ** (1 + power)],
        rel=1e-5,
    )
    assert found.best == pytest.approx(2.2 * (twice ** (1 + power) + once ** (1 + power)))
    assert index.search("naa nab", 1).scores == pytest.approx([long * (twice + once)], rel=1e-5)


def segments(folder):
    return len(json.loads((folder / "meta.json").read_bytes())["segments"])


def test_a_build_that_overflows_its_memory_ranks_the_same_to_the_bit(tmp_path):
    rng = random.Random(3)
    words = ["".join(rng.choices("bcdfgh", k=12)) for _ in range(60_000)]
    common = ["alpha", "beta", "gamma"]
    texts = [" ".join([*rng.choices(words, k=150), *rng.choices(common, k=3)]) for _ in range(600)]
    one, two, whole = (
        build(tmp_path / name, texts, heap_bytes=heap)
        for name, heap in (("one", 15_000_000), ("two", 15_000_000), ("whole", 400_000_000))
    )

    assert segments(tmp_path / "one") > 1
    assert segments(tmp_path / "whole") == 1
    for query in ["alpha", "alpha beta", "gamma alpha beta", texts[5], texts[599]]:
        first, second, third = (index.search(query, 40) for index in (one, two, whole))
        assert first.rows.tolist() == second.rows.tolist() == third.rows.tolist()
        assert first.scores.tolist() == second.scores.tolist()
        assert first.scores == pytest.approx(third.scores)


def test_removed_chunks_weigh_until_they_are_merged(tmp_path):
    index = build(tmp_path, ["apple"] * 8)
    index.remove([1, 2])
    index.commit()
    assert (index.documents, index.deleted) == (6, 2)
    assert tantivy(tmp_path).deleted == 2


def test_a_missing_library_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(check_tantivy, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"tantivy.* stemmer") as caught:
        tantivy(tmp_path)
    assert caught.value.hint == install_command("search")
