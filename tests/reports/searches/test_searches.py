"""How answers are shown."""

import json as text
import re

from hypothesis import given
from hypothesis import strategies as st

from assay.records import Answer, Hit, Loss, Receipt, ReceiptItem
from assay.reports.searches.excerpt import excerpt
from assay.reports.searches.json import json
from assay.reports.searches.lines import hit_lines
from assay.reports.searches.loss import loss
from assay.reports.searches.names import names
from assay.reports.searches.receipt import receipt
from assay.text.text_width import text_width

HIT = Hit(1, "a.py", "a.py", (3, 9), ("f",), 0.5, stages={"lexical": {"rank": 1, "score": 2.0}})


def test_the_keys_that_programs_rely_on():
    told = json(Answer("q", (HIT,), {"lexical": 1.0, "total": 2.0}))

    assert list(told)[:3] == ["query", "hits", "latency_ms"]
    assert set(told["hits"][0]) >= {
        "rank", "document", "path", "lines", "symbols", "score", "stages",
    }  # fmt: skip
    assert told["hits"][0]["lines"] == [3, 9]
    text.dumps(told, allow_nan=False)


def test_a_loss_stands_in_the_json_only_if_it_was_asked_for():
    assert "why_not" not in json(Answer("q", ()))
    lost = Loss("lexical", "does not match the query", also=(Loss("dense", "far", 9),))
    assert json(Answer("q", (), loss=lost))["why_not"]["also"][0]["rank"] == 9


def test_every_part_that_lost_a_document_is_told(snapshot):
    also = (Loss("dense", "ranked 300, below the cutoff of 200", 300, 0.1, 0.2),)

    lines = loss(Loss("lexical", "does not match the query", also=also), "a.py")

    snapshot(lines)
    assert all(one in line for one, line in zip(("lexical", "dense"), lines, strict=True))
    assert lines[0].startswith("a.py: ")
    assert re.search(r"\b0\.100\b.*\b0\.200\b", lines[1])  # its score, and the one it needed


def test_what_was_found_and_what_is_not_indexed_are_told():
    for lost in (Loss("", "it was found, as number 2", 2), Loss("index", "it is not indexed")):
        assert loss(lost, "a") == [f"a: {lost.reason}"]


def test_an_excerpt_begins_with_a_line_that_matches():
    lines = "import os\n\n\ndef one():\n    pass\n\ndef wait_retry():\n    sleep()\n"

    shown = excerpt(lines, [0, 0, 0, 0, 0, 0, 0.5, 0.25, 0], first_line=10)

    assert shown == [(16, "def wait_retry():"), (17, "    sleep()")]


def test_the_lines_that_match_most_are_shown():
    assert excerpt("a\nb\n\nc\nd", [0.2, 0.1, 0, 0.1, 0.3], most=2) == [(4, "c"), (5, "d")]
    assert excerpt("a\nb\nc", [0.2, 0, 0.2], most=1) == [(1, "a")]


def test_an_excerpt_without_any_match_is_the_beginning():
    assert excerpt("\n\na b\nc d", [0, 0, 0, 0], most=1) == [(3, "a b")]
    assert excerpt("\n\na b\nc d", [], most=1) == [(3, "a b")]


def test_only_line_feeds_end_lines():
    """As chunks count them; form feeds are common in old code."""
    assert excerpt("a\x0c\x1c\u2028b\r\nfound it\r\n", [0, 1, 0], most=1) == [(2, "found it")]


@given(st.text(alphabet="a \n\r\x0c検"), st.integers(1, 5), st.data())
def test_an_excerpt_of_any_text_is_made_of_its_lines_and_matches_if_any_does(body, most, data):
    lines = body.split("\n")
    weights = [data.draw(st.sampled_from([0.0, 0.5])) if line.strip() else 0.0 for line in lines]

    shown = excerpt(body, weights, most=most)

    assert len(shown) <= most
    assert all(lines[number - 1].rstrip() == line for number, line in shown)
    assert any(weights) == any(weights[number - 1] for number, _ in shown)
    assert not any(weights) or weights[shown[0][0] - 1]


def test_names_nearest_to_the_lines_shown_come_first():
    body = "class A:\n    def far(self):\n        pass\n\n    def near(self):\n        pass"

    assert names(["A", "A.far", "A::near", "gone"], body, [4, 5]) == [
        "A::near",
        "A.far",
        "A",
        "gone",
    ]
    assert names(["A", "A.far"], body, [0, 1]) == ["A", "A.far"]
    assert names(["A"], "", []) == ["A"]


def account(document):
    """A receipt of one document, with a gate and MMR: the widest that there is."""
    item = ReceiptItem(document, -0.1, 0.2, -0.3, 0.5, 0.4, 0.9, 0.9, 3, 2, 1)
    return Receipt(
        version=1, delta_h=0.5, terms={"coherence": 0.1, "anchor": 0.2, "ground": 0.2},
        items=(item,), coherence_fraction=0.2, condition_bound=2.0, gate="easy", fallback=None,
        energy_baseline=2.0, energy=1.5, iterations=None, residual=1e-4, candidates=1, edges=(),
        components=1, edge_overlap=None, edge_jaccard=None, graph="exact", redundancy=None,
        diversified=True, settings={}, milliseconds={},
    )  # fmt: skip


def test_a_receipt_fits_a_terminal_and_keeps_the_end_of_a_name(snapshot):
    told = receipt(account("a/folder/of/folders/page.md"), width=80)
    assert max(map(len, told)) <= 80
    snapshot(told)
    assert told[-1].endswith("  …ders/page.md")
    assert len(told[-1]) == 80
    assert receipt(account("a/page.md"), width=80)[-1].endswith("  a/page.md")
    assert "  a/folder/of/folders/page.md" in receipt(account("a/folder/of/folders/page.md"))[-1]


def test_a_hit_has_a_line_of_its_place_and_on_demand_one_per_stage():
    (head,) = hit_lines(HIT, 80, explain=False)
    assert [piece if isinstance(piece, str) else piece[0] for piece in head] == [
        " 1  ", "a.py:3-9", "  ", "f", "  ", "0.500",
    ]  # fmt: skip
    *_, (last,) = hit_lines(HIT, 80, explain=True)
    assert last.split()[0] == "lexical"
    assert re.findall(r"[\d.]+", last) == ["1", "2.0000"]  # its rank and its score


def test_wide_letters_take_two_columns_of_a_line():
    long = "検索エンジンの結果" * 9
    hit = Hit(1, "文書.md", "文書.md", (1, 1), (long,), 0.5, text=long)

    lines = hit_lines(hit, 60, explain=False)

    shown = ["".join(one if isinstance(one, str) else one[0] for one in line) for line in lines]
    assert [text_width(line) <= 60 for line in shown] == [True, True]
    assert all("…" in line for line in shown)


def test_a_receipt_keeps_the_end_of_a_wide_name():
    line = receipt(account("文書" * 30 + "/結果.md"), width=90)[-1]

    assert line.endswith("/結果.md")
    assert text_width(line) <= 90
