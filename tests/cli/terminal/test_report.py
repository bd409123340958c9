"""What ends a benchmark fits on a screen; `assay show` has the rest."""

import re
from dataclasses import replace

import pytest

from assay.cli.terminal.report import show_more, show_report, show_short, write_report
from assay.records import (
    Candidate,
    Comparison,
    Comparisons,
    Interval,
    Report,
    Run,
    Structure,
    Verdict,
)

REASON = "It is better: ndcg@10 +0.1000."
STUDIED = "Coherence loses against cosine."


def candidate(name, reason=REASON):
    found = Comparison(
        "ndcg@10", 90, 0.1, 0.2, Interval(0, 1), Interval(0, 1), 0.1, Interval(0.05, 0.15),
        0.01, 0.02, 0.5, 3, 2, 1, 0.04,
    )  # fmt: skip
    return Candidate(name, {"ndcg@10": found}, Verdict("ship", reason, None, "More."), {}, ())


def compared(names, **options):
    candidates = tuple(candidate(name, **options) for name in names)
    settings = {"correction": "holm", "alpha": 0.05}
    return Comparisons(
        "base", "ndcg@10", 90, candidates, (), (), names[0], 0.1, 0.05, (), settings
    )  # fmt: skip


def report(count, *, more="", **options):
    names = ["base", *(f"run chunk_size={at}{more}" for at in range(count - 1))]
    runs = tuple(
        Run(name, f"{name}-f", {"search": "dense", "chunk_size": at}, scores={"ndcg@10": 0.5})
        for at, name in enumerate(names)
    )
    pick = {"run": names[min(1, count - 1)], "by": "x", "value": 1.0, "reason": "the cheapest of 2"}
    best = {"run": "base", "by": "ndcg@10", "value": 0.5}
    return Report(
        **{"benchmark": {"name": "bench", "metrics": ["ndcg@10"], "primary": "ndcg@10"}}
        | {"dataset": {"name": "d", "queries": 12}, "corpus": {"name": "c", "documents": 9}}
        | {"environment": {}, "runs": runs, "id": "0123456789abcdef", "notes": ("a note",)}
        | {"comparisons": compared(names[1:]), "winner": {"sentence": "base wins."}}
        | {"recommendations": {"best_quality": best, "pick": pick}}
        | options
    )


def test_the_answer_comes_first_and_a_plain_ship_needs_no_reason(capsys, snapshot):
    told = report(6)
    show_short(told)
    show_more(told)

    out, err = capsys.readouterr()
    assert out.splitlines()[0].startswith("run chunk_size=0: SHIP ")
    assert out.index("Why: ") < out.index("verdict\n") < out.index("12 queries, 9 documents")
    assert REASON not in out  # the table says it
    assert "assay report 01234567" in err
    assert "assay show 01234567" in err
    snapshot(out)
    snapshot(err)


@pytest.mark.parametrize(("runs", "explained"), [(6, 5), (7, 0)])
def test_few_open_verdicts_are_explained_and_many_are_left_to_the_table(capsys, runs, explained):
    told = report(runs)
    candidates = tuple(
        replace(one, verdict=Verdict("hold", f"Reason {at}: {REASON}", change="More."))
        for at, one in enumerate(told.comparisons.candidates)
    )
    show_short(replace(told, comparisons=replace(told.comparisons, candidates=candidates)))

    out, _ = capsys.readouterr()
    assert out.count(": HOLD. Reason ") == explained
    assert "More." not in out  # `assay show` says what would change it


def test_verdicts_with_the_same_reason_share_a_sentence(capsys):
    told = report(7)
    candidates = tuple(
        replace(one, verdict=Verdict("hold", f"No gain: ndcg@10 +0.{at}.", rule="no_gain"))
        for at, one in enumerate(told.comparisons.candidates)
    )
    show_short(replace(told, comparisons=replace(told.comparisons, candidates=candidates)))

    out, _ = capsys.readouterr()
    assert out.count(": HOLD. No gain.") == 1
    assert "+0.3" not in out.partition(": HOLD. ")[2]  # the table has the figures


def test_many_runs_are_told_in_few_lines(capsys):
    """A row each of scores and verdicts, and nothing that stands in their names already."""
    show_short(report(16))

    assert len(capsys.readouterr().out.splitlines()) < 16 + 15 + 12


def test_structure_is_one_sentence(capsys):
    studied = Structure(
        "ndcg@10", 9, 9, (), {}, {}, {}, {}, {}, {}, None, 0, {}, None, {}, STUDIED
    )  # fmt: skip
    told = report(2)
    runs = (told.runs[0], replace(told.runs[1], structure=studied))
    show_short(replace(told, runs=runs))

    assert capsys.readouterr().out.splitlines().count(f"run chunk_size=0: {STUDIED}") == 1


def test_the_way_to_the_rest_names_the_workspace(capsys):
    show_more(report(2), workspace="my place")

    assert "show 01234567 --workspace 'my place'" in capsys.readouterr().err


def test_the_long_form_has_all_and_names_its_report(capsys, snapshot):
    show_report(report(7), place="r.json")

    out, _ = capsys.readouterr()
    assert "assay show r.json --run" in out
    assert "base (ndcg@10 0.5000)" in out
    snapshot(out)
    show_report(report(7))
    assert capsys.readouterr().out == out.replace("r.json", "01234567")


def test_the_long_form_calls_runs_as_its_tables_do(capsys, snapshot):
    names = [f"run chunk_size={at} depth=100" for at in range(2)]
    wins = {"sentence": f'"{names[1]}" wins over "base".'}
    show_report(report(6, more=" depth=100", comparisons=compared(names), winner=wins))

    out, _ = capsys.readouterr()
    assert not any(f'"{name}"' in out for name in (*names, "base"))
    snapshot(out)


def test_two_picks_of_one_run_are_one_line(capsys, snapshot):
    pick = {"run": "base", "by": "x", "value": 1.0, "reason": "the cheapest of 2"}
    within = {**pick, "reason": "the cheapest of 2 (of 2 that keep all budgets)"}
    both = {"pick": pick, "pick_within_budgets": within}
    show_short(report(2, recommendations=both))
    out, _ = capsys.readouterr()
    assert out.lower().count(pick["reason"]) == 1
    snapshot(out.splitlines()[-1])
    other = {"pick": pick, "pick_within_budgets": {**within, "run": "run chunk_size=0"}}
    show_short(report(2, recommendations=other))
    snapshot(capsys.readouterr().out.splitlines()[-2:])


def test_many_that_were_beaten_are_left_to_the_table(capsys, snapshot):
    told = report(8)
    runs = (told.runs[0], *(replace(run, status="beaten") for run in told.runs[1:]))
    names = [run.name for run in runs[1:]]
    one = {"after": 5, "by": "base", "score": 0.2, "leader_score": 0.5}
    race = {"beaten": [{"run": name, **one} for name in names], "queries": 8, "survivors": ["base"]}
    raced = replace(told, runs=runs, race=race | {"alpha": 0.05, "metric": "ndcg@10"})
    show_short(raced)
    out, _ = capsys.readouterr()
    assert out.count("†") == 8  # and in the legend
    snapshot(out)
    show_report(raced)
    snapshot(capsys.readouterr().out)


def test_a_pick_that_is_not_proven_is_only_leading(capsys, snapshot):
    pick = {"run": "base", "by": "x", "value": 1.0, "reason": "it leads", "sure": False}
    show_short(report(2, recommendations={"pick": pick}))

    snapshot(capsys.readouterr().out.splitlines()[-1])


def test_a_page_has_all_that_one_would_paste(tmp_path, snapshot):
    path = tmp_path / "r.md"
    write_report([str(path)], report(3, truth={"total": 9, "resolved": 8, "judged@10": 0.5}))
    text = path.read_text()
    order = [
        "# bench\n", "**run chunk_size=0: SHIP", "the cheapest of 2", "| base | run chunk_size=0 |",
        REASON, "More.", "12 queries", "9 documents", "8 of 9", "50.0%", "0123456789abcdef",
        "- a note\n", "| 95% CI |",
    ]  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    snapshot(undated(text))


def undated(page):
    """Leave out when it was written, which is now."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.+Z]+", "DATE", page)


def test_a_page_of_a_bare_report_with_odd_names(tmp_path, snapshot):
    path = tmp_path / "r.md"
    lost = Run("<b>*x*", "", {}, "failed", error="no `model`")
    told = Report({"name": "*", "metrics": [], "primary": "ndcg@10"}, {}, {}, {}, (lost,))
    write_report([str(path)], told)
    text = path.read_text()
    assert text.startswith("# \\*\n")
    assert "\\<b>\\*x\\*" in text
    assert "\\`model\\`" in text
    snapshot(undated(text))


def test_a_page_has_findings_with_the_numbers_of_runs(tmp_path, snapshot):
    told = report(6, more=" depth=100")
    scored = tuple(
        replace(run, per_query={f"q{q}": {"ndcg@10": 0.1 * at + 0.02 * q} for q in range(6)})
        for at, run in enumerate(told.runs)
    )
    queries = {f"q{q}": {"text": "?", "category": "ab"[q % 2]} for q in range(6)}
    path = tmp_path / "r.md"
    write_report([str(path)], replace(told, runs=scored, queries=queries))
    text = path.read_text()
    assert "| 1 base |" in text
    snapshot(undated(text))
