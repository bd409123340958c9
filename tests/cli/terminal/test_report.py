"""What ends a benchmark fits on a screen; `assay show` has the rest."""

from dataclasses import replace

from assay.cli.terminal.report import show_report, show_short, write_report
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


def report(count, **options):
    names = ["base", *(f"run chunk_size={at}" for at in range(count - 1))]
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


def test_few_candidates_have_a_line_with_their_reason(capsys):
    show_short(report(6))

    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines.count(f"run 2 (run chunk_size=0): SHIP. {REASON}") == 1
    assert out.count(REASON) == 5
    assert "More." not in out  # what would change it is told by `assay show`
    assert lines[-2:] == ["base wins.", "Pick: run 2 (run chunk_size=0). The cheapest of 2"]
    rest = "\nall of it: assay show 01234567 [--run NAME | --query KEY]\n"
    assert err == rest + "to learn from it: assay report 01234567 [-o report.html]\n"


def test_many_candidates_have_a_row_each(capsys):
    show_short(report(7))

    out, _ = capsys.readouterr()
    assert REASON not in out
    assert out.count("SHIP") == 6


def test_many_runs_are_told_in_few_lines(capsys):
    """A row each of scores and verdicts, and nothing that stands in their names already."""
    show_short(report(16))

    assert len(capsys.readouterr().out.splitlines()) < 16 + 15 + 12


def test_a_reason_without_the_change_has_it_before(capsys):
    names = ["run chunk_size=0"]
    show_short(report(2, comparisons=compared(names, reason="It is.")))

    assert "run chunk_size=0: SHIP, +0.1000 [+0.050, +0.150]. It is." in capsys.readouterr().out


def test_structure_is_one_sentence(capsys):
    studied = Structure(
        "ndcg@10", 9, 9, (), {}, {}, {}, {}, {}, {}, None, 0, {}, None, {}, STUDIED
    )  # fmt: skip
    told = report(2)
    runs = (told.runs[0], replace(told.runs[1], structure=studied))
    show_short(replace(told, runs=runs))

    assert capsys.readouterr().out.splitlines().count(f"run chunk_size=0: {STUDIED}") == 1


def test_the_way_to_the_rest_names_the_workspace(capsys):
    show_short(report(2), workspace="my place")

    assert "assay show 01234567 --workspace 'my place' [" in capsys.readouterr().err


def test_the_long_form_has_all_and_names_its_report(capsys):
    show_report(report(7), place="r.json")

    out, _ = capsys.readouterr()
    assert "assay show r.json --run NAME" in out
    assert "best quality: run 1 (base; ndcg@10 0.5000)" in out
    show_report(report(7))
    assert "assay show 01234567 --run NAME" in capsys.readouterr().out


def test_the_long_form_calls_runs_as_its_tables_do(capsys):
    names = [f"run chunk_size={at}" for at in range(2)]
    wins = {"sentence": f'"{names[1]}" wins over "base".'}
    show_report(report(6, comparisons=compared(names), winner=wins))

    out, _ = capsys.readouterr()
    assert "\nrun 2 (run chunk_size=0): SHIP\n" in out
    assert "\n  run 3 (run chunk_size=1) wins over run 1 (base).\n" in out


def test_two_picks_of_one_run_are_one_line(capsys):
    pick = {"run": "base", "by": "x", "value": 1.0, "reason": "the cheapest of 2"}
    within = {**pick, "reason": "the cheapest of 2 (of 2 that keep all budgets)"}
    both = {"pick": pick, "pick_within_budgets": within}
    show_short(report(2, recommendations=both))
    out, _ = capsys.readouterr()
    assert "\nPick, also within the budgets: base. The cheapest of 2\n" in out
    assert out.lower().count("the cheapest of 2") == 1
    other = {"pick": pick, "pick_within_budgets": {**within, "run": "run chunk_size=0"}}
    show_short(report(2, recommendations=other))
    assert "Pick within the budgets: run chunk_size=0. " in capsys.readouterr().out


def test_many_that_were_beaten_are_left_to_the_table(capsys):
    told = report(8)
    runs = (told.runs[0], *(replace(run, status="beaten") for run in told.runs[1:]))
    names = [run.name for run in runs[1:]]
    one = {"after": 5, "by": "base", "score": 0.2, "leader_score": 0.5}
    race = {"beaten": [{"run": name, **one} for name in names], "queries": 8, "survivors": ["base"]}
    raced = replace(told, runs=runs, race=race | {"alpha": 0.05, "metric": "ndcg@10"})
    show_short(raced)
    out, _ = capsys.readouterr()
    assert out.count("†") == 8  # and in the legend
    assert "beaten after" not in out
    show_report(raced)
    assert "beaten after 5" in capsys.readouterr().out


def test_a_pick_that_is_not_proven_is_only_leading(capsys):
    pick = {"run": "base", "by": "x", "value": 1.0, "reason": "it leads", "sure": False}
    show_short(report(2, recommendations={"pick": pick}))

    assert "Leading: base, not yet proven. It leads" in capsys.readouterr().out


def test_a_page_has_all_that_one_would_paste(tmp_path):
    path = tmp_path / "r.md"
    write_report([str(path)], report(3, truth={"total": 9, "resolved": 8, "judged@10": 0.5}))
    text = path.read_text()
    order = [
        "# bench\n", "- dataset: d, 12 queries\n", "- corpus: c, 9 documents\n",
        "- judgments: 8 of 9 resolved\n", "- judged@10: 50.0%\n", "- written: 2",
        "- id: 0123456789abcdef\n", "| metric | base | run chunk_size=0 |",
        "## Which to take\n\n- base wins.\n- Pick: run chunk_size=0. The cheapest of 2\n",
        "- best quality: base", "## What to do next\n\n- 50% of the first 10 results",
        '## Verdicts, against "base" by ndcg@10\n',
        f"run chunk_size=1: SHIP.** {REASON} What would change it: More.\n",
        "## Notes\n\n- a note\n", "## Details", "95 % interval",
    ]  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert text.count("best quality") == text.count("Pick: ") == 1


def test_a_page_of_a_bare_report_with_odd_names(tmp_path):
    path = tmp_path / "r.md"
    lost = Run("<b>*x*", "", {}, "failed", error="no `model`")
    told = Report({"name": "*", "metrics": [], "primary": "ndcg@10"}, {}, {}, {}, (lost,))
    write_report([str(path)], told)
    text = path.read_text()
    assert text.startswith("# \\*\n\n- dataset: queries not counted\n")
    assert '- "\\<b>\\*x\\*": failed: no \\`model\\`' in text
    assert "## Notes" not in text
    assert "id:" not in text


def test_a_page_tells_what_is_to_be_learnt_with_the_numbers_of_runs(tmp_path):
    told = report(6)
    scored = tuple(
        replace(run, per_query={f"q{q}": {"ndcg@10": 0.1 * at + 0.02 * q} for q in range(6)})
        for at, run in enumerate(told.runs)
    )
    queries = {f"q{q}": {"text": "?", "category": "ab"[q % 2]} for q in range(6)}
    path = tmp_path / "r.md"
    write_report([str(path)], replace(told, runs=scored, queries=queries))
    text = path.read_text()
    order = ["| 1 base |", "## What is to be learnt\n", "No parameter is shown", "## Notes"]
    order += ["## Analysis\n", "| category | queries |", "## Details"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
