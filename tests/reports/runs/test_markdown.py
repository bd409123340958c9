"""The page of Markdown tells what to take and do before the verdicts, and each verdict once."""

import re
from dataclasses import replace

import pytest

from assay.records import Candidate, Comparison, Comparisons, Interval, Verdict
from assay.reports.runs.markdown import markdown
from assay.reports.runs.tables.brief import brief
from assay.reports.runs.tables.summary import summary

NAMES = ("words", "dense chunk_size=32 depth=50", "dense chunk_size=64", "both", "both depth=200")
NEEDS = Verdict("needs_queries", 'No difference to "words" is shown.', 40, "More.", 9)


@pytest.fixture
def told(report):
    def make(*names):
        ends = Interval(0.0, 0.2)
        figures = (50, 0.5, 0.6, ends, ends, 0.1, ends, 0.01, 0.01, 1.0, 30, 10, 10, 0.02)
        found = tuple(
            Candidate(name, {"ndcg@10": Comparison("ndcg@10", *figures)}, NEEDS, {}, ())
            for name in names[1:]
        )
        last = replace(found[-1], verdict=Verdict("ship", "It is better."))
        compared = Comparisons(
            *(names[0], "ndcg@10", 50, (*found[:-1], last), (), names, names[-1], 0.1, 0.05, ())
        )
        pick = {"run": names[0], "by": "latency_p50_ms", "reason": "the fastest", "sure": True}
        said = f'"{names[-1]}" scores best, +0.1000 ndcg@10 over "{names[0]}".'
        options = {"comparisons": compared, "winner": {"sentence": said}}
        made = report(*names, recommendations={"pick": pick}, **options)
        about = {**made.benchmark, "description": "Which *search*\nto ship?"}
        return replace(made, benchmark=about, notes=(f'"{names[1]}": slow',))

    return make


def page(report, table=brief, **options):
    return markdown(report, table(report), [], date="today", **options).decode()


def test_the_answer_and_what_to_do_come_before_the_verdicts(told, snapshot):
    found = page(told("words", "both", "deep"), steps=["Type `assay run FILE`."], findings=["x"])
    snapshot(found)
    parts = found.split("\n## ")
    assert len(parts) == 6
    assert parts[0].startswith("# bench\n\nWhich \\*search\\*")
    said = ["| words |", "- Type `assay run FILE`.\n", "SHIP", "- x\n", "- dataset: d", "slow"]
    assert all(one in part for one, part in zip(said, parts, strict=True))
    assert parts[0].index("**words: ") < parts[0].index("the fastest") < parts[0].index("| words |")


def test_runs_of_the_same_verdict_share_a_paragraph(told, snapshot):
    found = page(told("words", "both", "deep", "other"))
    snapshot(found)
    assert found.count(NEEDS.reason) == found.count(NEEDS.change) == 1
    assert re.search(r"^\*\*both, deep: .*40.*" + NEEDS.reason, found, re.M)
    assert re.search(r"^\*\*other: SHIP", found, re.M)


@pytest.mark.parametrize("table", [brief, summary])
def test_the_first_table_has_the_numbers_that_sentences_use(told, table):
    found = page(told(*NAMES), table)
    first = found.partition("## ")[0]
    assert f"| 3 {NAMES[2]} |" in first
    assert "**run 1 (words): " in found
    several = ", ".join(f"run {at} ({NAMES[at - 1]})" for at in (2, 3, 4))
    assert f"**{several}: " in found
    assert NEEDS.reason.replace('"words"', "run 1 (words)") in found


def test_names_are_text_and_only_commands_are_code(told):
    found = page(told("words", "a `b` *c*", "d"), steps=["See `x`: `assay show *`."])
    assert "**a \\`b\\` \\*c\\*: " in found
    assert "- See \\`x\\`: `assay show *`.\n" in found


EVIL = "![i](http://evil.example/x.png)"


def test_no_text_of_others_becomes_a_picture_a_link_or_a_second_line(told):
    made = told(f"words{EVIL}", "two\nlines", "deep\r\n# title")
    notes = (EVIL, "[a][b]", "[b]: http://evil.example", "plain [0.10, 0.20]")
    about = {**made.benchmark, "name": f"b\n# {EVIL}", "description": EVIL}
    made = replace(made, notes=notes, benchmark=about, dataset={"name": "d\n\n# x"})
    found = page(made, steps=[EVIL], findings=[EVIL])
    assert "](" not in found
    assert "][" not in found
    assert "]:" not in found
    assert "- ![i]\\(http://evil.example/x.png)\n" in found
    assert "- plain [0.10, 0.20]" in found
    assert "**two lines: NEEDS" in found
    assert not any(line.startswith(("lines", "# title", "# x")) for line in found.splitlines())
