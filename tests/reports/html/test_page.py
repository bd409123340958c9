import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from itertools import combinations
from math import dist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.records import Report, Run, Verdict
from assay.records.command import asked_as
from assay.reports.html._data import ALPHABET, data, escaped
from assay.reports.html._glossary import glossary
from assay.reports.html._readable import readable
from assay.reports.html._repeats import drop_repeats
from assay.reports.html._run_sentences import run_sentences
from assay.reports.html._scale import Scale
from assay.reports.html.page import page
from assay.reports.shorten_names import shorten_names
from assay.text import sanitize
from assay.text.figures import difference_text, interval_text

NASTY = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "a & b < c > \"d\" 'e'",
    "{{ 7 * 7 }} {% raw %}",
    "שלום עולם",
    "👩\u200d🔬 emoji",
    "bell\x07 and \x1b[31m red",
    "right\u202eto left",
    "]]><!-- -->",
    "half \ud800 a character",
)


def test_it_is_one_whole_document(made_report, written):
    found = written(made_report())
    assert found.source.startswith("<!doctype html>")
    assert found.wrong == []
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))


def test_links_within_the_page_lead_somewhere(made_report, written):
    found = written(made_report())
    links = [told["href"] for tag, told in found.tags if tag == "a"]
    assert len(links) > 8
    assert {link.removeprefix("#") for link in links} <= set(found.ids)


def test_what_can_be_read(made_report, written, snapshot):
    found = written(made_report())
    snapshot(found.lines)
    assert re.search(r"^both HOLD [+-]0\.\d{3} ndcg@10, 95% CI .*, over words", found.card[1])
    verdicts = found.part('<ol class="verdicts">', "</ol>")
    assert [line for line in verdicts if line.isupper()] == ["SHIP", "HOLD"]
    assert ["The reason of meaning." in line for line in verdicts].count(True) == 1
    for fact in ("28", "75.0%", "depth", "numpy 2.0", "assay show 0123456789ab", "0" * 64):
        assert fact in found.text
    assert "A note on the whole." in found.lines


def test_a_pick_that_is_not_proven_says_what_to_ship_meanwhile(made_report, written, snapshot):
    next_ = {"run": "meaning", "difference": -0.01, "ci": [-0.03, 0.01]}
    pick = {"run": "both", "by": "ndcg@10", "reason": "it leads", "sure": False}
    pick |= {"meanwhile": "words", "runner_up": next_}
    card = written(made_report(recommendations={"pick": pick})).card
    snapshot(card)
    assert card[1].startswith("both ")
    said = " ".join(card)
    assert said.index("It leads") < said.rindex("words") < said.index("meaning runner-up")
    assert re.search(r"meaning runner-up 0\.\d{3} -0\.010", said)
    assert "Ship words meanwhile." in said


def rows_of(source):
    body = re.search(r'<table class="board".*?<tbody>(.*?)</tbody>', source, re.S)[1]
    return re.findall(r'<tr id="run-(\d+)".*?</tr>', body, re.S)


def test_the_leaderboard_has_the_best_run_first_and_failed_ones_last(made_report, written):
    report = made_report(runs={1: {"status": "failed", "scores": {}, "error": "it broke"}})
    found = written(report)
    first, second = sorted((0, 2), key=lambda at: -report.runs[at].scores["ndcg@10"])
    assert rows_of(found.source) == [str(first + 1), str(second + 1), "2"]
    assert "it broke" in found.text


def test_weights_and_filters_of_queries_are_shown(made_report, written):
    plain = made_report()
    assert not {"weight", "filters"} & {*written(plain).data["facts"]}
    assert ">unweighted" not in written(plain).source
    told = {key: {**one, "weight": 2.5} for key, one in plain.queries.items()}
    told["q0"]["filters"] = "year>=2022"
    runs = {at: {"scores_unweighted": {"ndcg@10": 0.1235}} for at in range(3)}

    found = written(replace(made_report(runs=runs), queries=told))

    assert found.data["facts"]["weight"] == [2.5] * 12
    assert found.data["facts"]["filters"][:2] == ["year>=2022", None]
    board = re.search(r'<table class="board".*?</table>', found.source, re.S)[0]
    assert board.count(">unweighted</th>") == 1
    assert board.count('data-value="0.1235"') == 3


def test_the_best_of_each_column_is_marked(made_report, written):
    report = made_report()
    best = max(report.runs, key=lambda run: run.scores["ndcg@10"])
    found = re.findall(r'<mark title="best">(.*?)</mark>', written(report).source)
    assert f"{best.scores['ndcg@10']:.3f}" in found
    fast = min(report.runs, key=lambda run: run.latency_ms["p50"])
    assert f"{fast.latency_ms['p50']:,.2f}" in found


def test_times_of_a_busy_machine_have_no_best(made_report, written):
    report = made_report()
    runs = [replace(run, latency_ms={**run.latency_ms, "busy": True}) for run in report.runs]
    found = re.findall(
        r'<mark title="best">(.*?)</mark>', written(replace(report, runs=runs)).source
    )
    fast = min(report.runs, key=lambda run: run.latency_ms["p50"])
    assert f"{fast.latency_ms['p50']:,.2f}" not in found


def test_a_beaten_run_is_never_the_best(made_report, written):
    report = made_report(runs={1: {"status": "beaten", "scores": {"ndcg@10": 0.99}}})
    found = written(report)
    assert "0.990" in found.text
    assert "0.990" not in re.findall(r'<mark title="best">(.*?)</mark>', found.source)
    assert re.search(r'class="badge beaten">[^<]* 12<', found.source)
    hold = {report.runs[1].name: Verdict("hold", "Stopped.", rule="raced")}
    found = written(replace(report, uncompared=hold))
    assert re.search(r'class="badge hold">HOLD [^<]* 12\)<', found.source)


def test_scores_of_a_beaten_run_are_those_of_fewer_queries(made_report, written, snapshot):
    few = {"status": "beaten", "scores": {"ndcg@10": 0.99}, "per_query": {"q1": {"ndcg@10": 0.99}}}
    found = written(made_report(runs={1: few}, race={"queries": 12}))
    marked = [line for line in found.lines if "†" in line]
    snapshot(marked)
    assert any("0.990†" in line for line in marked)
    assert any("1 of 12 queries" in line for line in marked)
    assert "†" not in written(made_report()).text


def test_a_race_with_one_survivor_ends_with_the_pick(made_report, written, snapshot):
    lost = {at: {"status": "beaten"} for at in (0, 1)}
    race = {"alpha": 0.05, "metric": "ndcg@10", "survivors": ["both", "meaning"]}
    calm = written(made_report(runs=lost, race=race | {"beaten": []}, comparisons=None)).card
    assert calm[1].startswith("both ")
    told = {"run": "words", "after": 5, "by": "both", "score": 0.1, "leader_score": 0.2}
    race |= {"beaten": [told], "queries": 12}
    raced = written(made_report(runs=lost, race=race, comparisons=None)).card
    assert raced == calm
    told = written(made_report(runs=lost, race=race, comparisons=None))
    said = " ".join(told.part('class="doubts">', "</div>"))
    assert "1 of 3" in said
    assert "0.05" in said
    alone = written(made_report(runs=lost, race=race, comparisons=None, recommendations={})).card
    assert alone[1].startswith("both ")
    snapshot([*raced, "", *alone])


def test_a_note_begins_with_a_capital_unless_a_metric_is_first(made_report, written):
    low = "is below the minimum of 0.9"
    made = made_report(notes=(f"mrr 0.350 {low}", "errors 3 exceeds the budget of 0", "the rest"))
    about = {**made.benchmark, "metrics": ["ndcg@10", "mrr"], "budgets": {"errors": 0}}
    text = written(replace(made, benchmark=about)).text
    assert f"mrr 0.350 {low}." in text
    assert "errors 3 exceeds the budget of 0." in text
    assert "The rest." in text


def test_no_pick_is_called_so(made_report, written, snapshot):
    none = {"pick_within_budgets": {"run": None, "reason": "none keeps the budgets"}}
    nothing = written(made_report(recommendations=none)).card
    pick = {"run": "both", "sure": False, "meanwhile": "both", "reason": "it costs less"}
    card = written(made_report(recommendations=none | {"pick": pick})).card
    snapshot([*nothing, "", *card])
    assert "None keeps the budgets." in nothing
    assert card[1].startswith("both ")
    assert "budgets" not in " ".join(card)
    assert "meanwhile" not in " ".join(card)  # it is not to be shipped itself


BEST = {1: {"scores": {"ndcg@10": 0.99, "recall@5": 0.5}}}


@pytest.mark.parametrize(
    ("options", "compared"),
    [
        ({}, 2),
        ({"names": ("one",)}, 0),
        ({"runs": BEST}, 2),
        ({"runs": BEST, "recommendations": {}}, 1),
        ({"runs": BEST, "recommendations": {"pick": {"run": "words", "reason": "cheap"}}}, 1),
        (
            {"runs": {at: {"status": "beaten"} for at in (1, 2)}}
            | {"comparisons": None, "recommendations": {}},
            1,
        ),
        (
            {
                "recommendations": {
                    "pick_within_budgets": {"run": "meaning"},
                    "pick": {"run": "both"},
                }
            },
            1,
        ),
    ],
    ids=["pick", "alone", "better", "none", "baseline", "raced", "budgets"],
)
def test_the_queries_open_on_the_pick(made_report, options, compared):
    told = json.loads(data(made_report(**options)))
    assert (told["baseline"], told["compared"]) == (0, compared)


def test_what_is_marked_is_the_best_or_says_what_else(made_report, written):
    effect = {"from": "a", "to": "b", "difference": -0.2, "ci": [-0.3, -0.1], "p": 0.001}
    told = {"parameter": "model", "effects": [effect | {"pairs": 1, "p_holm": 0.001}]}
    found = written(made_report(analysis={"main_effects": [told]}))
    blocks = re.findall(
        r'<div class="block[^"]*" id="analysis-(\w+)">(.*?)</table>', found.source, re.S
    )
    for name, block in blocks:
        if name in ("waterfall", "main_effects"):
            assert "<strong title=" in block, name
            assert "<mark" not in block, name
    assert {"waterfall", "main_effects"} <= {name for name, _ in blocks}
    assert "a → b" in found.text
    assert " -> " not in found.text


def test_how_to_do_it_again_names_what_it_was_made_of(made_report, written):
    known = {"name": "bench", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    told = known | {"dataset": "/somewhere/questions.yaml", "corpus": "pages"}
    found = written(made_report(benchmark=told))
    (said,) = [line for line in found.lines if line.startswith("assay run FILE Repeats")]
    assert re.search(r"bench\b.*\bquestions.yaml\b.*\bpages\b", said)
    assert "/somewhere" not in found.source


def test_how_to_do_it_again_names_the_command_that_is_known(made_report):
    known = {"name": "demo", "dataset": "stdlib", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    assert b"<code>assay demo</code>" in page(made_report(benchmark=known), date="", charts={})
    known |= {"dataset": "/a/q.yaml", "command": asked_as("matrix.yaml", suite="small")}
    source = page(made_report(benchmark=known), date="", charts={})
    assert b"<code>assay run matrix.yaml --suite small</code>" in source
    assert b"FILE" not in source


def test_a_run_whose_queries_failed_is_not_the_fastest(made_report, written):
    slow = {"latency_ms": {"p50": 50.0, "p95": 60.0}}
    quick = {"latency_ms": {"p50": 0.01, "p95": 0.02}, "failed": {"q1": "no answer"}}
    found = written(made_report(runs={0: slow, 1: slow, 2: quick}))
    marked = re.findall(r'<mark title="best">(.*?)</mark>', found.source)
    assert "0.01" in found.text
    assert "0.01" not in marked
    assert "50.00" in marked


def test_notes_are_told_once(made_report, written):
    runs = {0: {"notes": ("results with equal scores keep their order: 4 results",)}}
    merged = 'results with equal scores keep their order: 4 in "words"'
    assert written(made_report(runs=runs, notes=(merged,))).text.count("equal scores") == 1
    alone = written(made_report(runs=runs, notes=())).text
    assert "results with equal scores keep their order: 4 results." in alone


def only_in(found, other):
    """Return the lines that another page does not have."""
    return [line for line in found.lines if line not in other.lines]


def test_scores_without_what_may_be_doubted(made_report, written, snapshot):
    found = written(made_report(runs={0: {"scores_unleaked": {"ndcg@10": 0.1234}}}))
    more = only_in(found, written(made_report()))
    snapshot(more)
    assert any("0.1234" in line for line in more)


def test_the_data_are_what_the_report_has(made_report, written):
    report = made_report()
    told = written(report).data
    assert told["runs"] == ["words", "meaning", "both"]
    assert told["keys"] == [*report.queries]
    for at, run in enumerate(report.runs):
        for q, key in enumerate(told["keys"]):
            assert told["scores"][at][0][q] == round(run.per_query[key]["ndcg@10"] * 10_000)
            places = [ALPHABET.index(letter) for letter in told["rankings"][at][q]]
            names = [told["documents"][told["pools"][q][place]] for place in places]
            assert names == list(run.rankings[key])
            judged = report.queries[key]["judged"]
            grades = [told["grades"][q][place] for place in places]
            assert grades == [judged.get(name) for name in names]
    assert told["took"][0][0] == 9.88
    assert [told["stages"][at] for at in told["losses"][0]["0"][::2]] == ["lexical", "order"]
    assert told["losses"][0]["0"][1::2] == [2500, 1250]
    document, stage = told["missed"][2]["1"]
    assert (told["documents"][document], told["stages"][stage]) == ("doc-0.py", "lexical")
    assert told["more"] == [{}, {}, {}]
    many = written(made_report(runs={1: {"missed_more": {"q2": 1180}}})).data
    assert many["more"] == [{}, {"2": 1180}, {}]


def test_rankings_over_many_documents_take_two_letters(made_report):
    names = [f"run-{at}" for at in range(12)]
    report = made_report(names, 1)
    rankings = {at: {"rankings": {"q0": tuple(f"{at}/{n}" for n in range(10))}} for at in range(12)}
    told = json.loads(data(made_report(names, 1, runs=rankings)))
    assert len(told["pools"][0]) > len(ALPHABET)
    coded = told["rankings"][11][0]
    pairs = [coded[at : at + 2] for at in range(0, len(coded), 2)]
    places = [ALPHABET.index(a) * 62 + ALPHABET.index(b) for a, b in pairs]
    found = [told["documents"][told["pools"][0][place]] for place in places]
    assert found == [f"11/{n}" for n in range(10)]
    assert report.runs[0].rankings["q0"]


@pytest.mark.parametrize("nasty", NASTY)
def test_names_of_others_are_text(made_report, written, nasty):
    report = made_report(
        ("words", nasty),
        texts={"q0": nasty, nasty: "a question"},
        runs={0: {"notes": (nasty,), "failed": {"q0": nasty}, "rankings": {"q0": (nasty,)}}},
        notes=(nasty,),
        benchmark={
            "name": nasty,
            "description": nasty,
            "metrics": ["ndcg@10"],
            "primary": "ndcg@10",
        },
    )
    found = written(report)
    assert found.wrong == []
    assert {tag for tag, _ in found.tags} & {"img", "iframe", "object", "link"} == set()
    assert sum(tag == "script" for tag, _ in found.tags) == 2
    shown = readable(nasty).encode("utf-8", "replace").decode()
    assert " ".join(shown.split()) in found.text
    assert shown in found.data["keys"]
    assert not any(character in found.source for character in "\x07\x1b\u202e")


@given(st.recursive(st.text() | st.none() | st.integers(), st.lists))
@settings(max_examples=60)
def test_json_in_the_page_is_never_markup(value):
    text = escaped(value)
    assert not set("<>&") & set(text)
    assert json.loads(text) == value


@given(st.text())
@settings(max_examples=80)
def test_readable_texts_have_nothing_that_steers(text):
    shown = readable(text)
    assert all(c in "\n\t" or sanitize(c) == c for c in shown)
    assert readable(shown) == shown


@pytest.fixture(scope="module")
def drawn_page(made_report):
    return page(made_report(), date="2026-01-02")


def test_nothing_is_loaded_from_elsewhere(drawn_page):
    text = drawn_page.decode()
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}[^\s\"'<)]*", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"@import|url\((?!#)|src=", text)


def test_the_policy_lets_only_our_script_run(made_report, written):
    found = written(made_report())
    policy = next(told for tag, told in found.tags if told.get("http-equiv"))["content"]
    script = re.search(r"<script>(.*?)</script>", found.source, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_charts_are_drawn_with_colours_that_follow_the_scheme(drawn_page):
    text = drawn_page.decode()
    assert 'id="chart-quality"' in text
    drawn = text.split('id="chart-quality"')[1].split("</figure>")[0]
    assert "var(--run-2)" in drawn
    used = set(re.findall(r"var\((--[\w-]+)", text))
    assert used - set(re.findall(r"(--[\w-]+) ?:", text)) == {
        "--run-"
    }  # of the script, with a number


def test_all_signs_are_the_same(drawn_page):
    assert "\u2212" not in drawn_page.decode()


def test_a_chart_has_its_caption_beside_it(drawn_page):
    figure = drawn_page.decode().split('id="chart-quality"')[1].split("</figure>")[0]
    caption, _, drawing = figure.partition("</figcaption>")
    assert "The stepped line is the Pareto front" in caption
    assert "The stepped line is the Pareto front" not in drawing.partition("</desc>")[2]
    assert ">p50 latency, ms<" in drawing


def test_charts_can_be_given(made_report, written):
    found = written(made_report(), {"quality": "<svg id='mine'></svg>", "scores": ""})
    assert "mine" in found.ids
    assert "chart-scores" not in found.ids


def test_the_same_report_is_the_same_page(made_report):
    """That of the same charts is so, too: test_every_chart.py."""
    first, again, later = (
        page(made_report(), date=f"2026-01-0{day}", charts={}) for day in (2, 2, 3)
    )
    assert first == again != later


def test_an_empty_report_is_a_page(written, snapshot):
    named = {"name": "nothing", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    found = written(Report(named, {}, {}, {}, ()))
    snapshot(found.lines)
    assert found.wrong == []
    assert "<tr id=" not in found.source


SUMMARY = '<section id="summary"', "</section>"


@pytest.mark.parametrize("status", ["failed", "cancelled", "beaten"])
def test_a_report_of_one_run_that_came_to_nothing(made_report, written, status, snapshot):
    found = written(made_report(("one",), runs={0: {"status": status, "scores": {}}}))
    snapshot(found.part(*SUMMARY))
    assert 'class="verdict"' not in found.source


def test_a_single_run(made_report, written, snapshot):
    found = written(made_report(("alone",), recommendations={}))
    snapshot(found.part(*SUMMARY))
    assert found.card[1].startswith("alone ")
    assert 'class="verdict"' not in found.source


def test_a_benchmark_that_was_stopped_says_so(made_report, written, snapshot):
    stopped = written(replace(made_report(), status="cancelled"))
    more = only_in(stopped, written(made_report()))
    snapshot(more)
    assert more


def test_many_runs_and_long_texts(made_report, written):
    texts = {"q0": "word " * 1000, "q1": "x" * 5000}
    found = written(made_report([f"run {at}, depth={at}" for at in range(200)], texts=texts))
    assert len(rows_of(found.source)) == 200
    assert found.data["facts"]["text"][1] == "x" * 5000


def test_what_is_not_known_is_no_number(made_report, written):
    odd = {
        "per_query": {"q0": {"ndcg@10": float("nan"), "recall@5": 1.0}},
        "latency_ms": {},
        "storage": {},
    }
    told = written(made_report(queries=1, runs={1: odd})).data
    assert told["scores"][1][0] == [None]
    assert told["took"][1] == []


def test_the_scale_leaves_air():
    scale = Scale.of([0.2, 0.4])
    assert 0 < scale.at(0.2) < scale.at(0.3) == 50 < scale.at(0.4) < 100
    assert Scale.of([]).at(0.0) == 50


def test_all_parts_are_files_of_the_package():
    for folder, ending in (("templates", "j2"), ("style", "css"), ("script", "js")):
        found = [one.name for one in files("assay.reports.html").joinpath(folder).iterdir()]
        assert [name for name in found if name.endswith(ending)], folder


def test_who_writes_no_page_imports_no_templates():
    code = "import sys, assay.reports.html.page; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_where_nothing_is_recommended_the_best_is_told(made_report, written, snapshot):
    report = made_report(recommendations={})
    score = report.runs[1].scores["ndcg@10"]
    card = written(report).card
    snapshot(card)
    assert "meaning has" in " ".join(card)
    assert f"({score:.3f})" in " ".join(card)


def test_quality_without_latency_is_not_called_against_it(made_report, written, snapshot):
    bare = made_report(runs={at: {"latency_ms": {}} for at in range(3)})
    timed, untimed = (
        written(report, {"quality": "<svg></svg>"}).part('id="chart-quality"', "</figure>")
        for report in (made_report(), bare)
    )
    snapshot([*timed, "", *untimed])
    assert timed != untimed


LONG = "a run, depth=100, with a name that nobody reads twice"


def cut_of(report, text, **options):
    """Cut a sentence, and show runs in angle brackets and commands in square ones."""
    shown = [
        f"<{one['run']} {one['text']}>" if one["run"] else f"[{one['text']}]" * one["code"]
        for one in run_sentences(report)(text, **options)
    ]
    plain = [one["text"] for one in run_sentences(report)(text, **options)]
    return "".join(a or b for a, b in zip(shown, plain, strict=True))


MANY = ("words", "both", "k=5", LONG, "both k=5")


@pytest.mark.parametrize(
    ("names", "text", "cut"),
    [
        ("0 10 256", '"0" is +0.1 over "10", 10 of 256', "<1 0> is +0.1 over <2 10>, 10 of 256"),
        ("words both", '"both" scores best of both', "<2 both> scores best of both"),
        ("words both", "words (0.5; runs 1, 2 follow)", "<1 words> (0.5; runs 1, 2 follow)"),
        (MANY, "run 9 (both k=5), runs 7", "run 9 (<5 both k=5>), runs 7"),
        (MANY, '"k=5", "both k=5" and both, not k=50', "<3 k=5>, <5 both k=5> and both, not k=50"),
        ("words both", "type `assay run both`, not `this`", "Type [assay run both], not `this`"),
        ("words both", "ndcg@10 0.5", "ndcg@10 0.5"),
    ],
)
def test_runs_and_commands_in_a_sentence_are_marked(made_report, names, text, cut):
    report = made_report(names.split() if isinstance(names, str) else names)
    assert cut_of(report, text) == cut


def test_long_names_in_a_sentence_are_shortened(made_report):
    many = made_report(MANY)
    called = shorten_names([run.name for run in many.runs], 34)[4]
    said = f'"{LONG}" beats k=5, "both k=5" and both, not k=50.'
    assert LONG not in cut_of(many, said)
    assert re.findall(r"<(\d) ", cut_of(many, said)) == ["4", "3", "5"]
    said = cut_of(many, f"Run 5 ({called}) and runs 1, 2")
    assert said == "<5 both k=5> and <1 words> and <2 both>"
    said = cut_of(many, "Runs 1, 2, 3 failed, runs 1, 2, 3, 4, 5 did not")
    assert said.startswith("<1 words>, <2 both> and <3 k=5> failed, runs <1 words>, <2 both>, ")


@pytest.mark.parametrize(
    ("sentence", "text", "cut"),
    [
        ("both is best", "both is best", "<3 both> is best"),
        ("both is best", "words, not both; of 12 words", "<1 words>, not <3 both>; of 12 words"),
        ("both is best", "words; recall@5 is both", "<1 words>; recall@5 is both"),
        ('"both" is best, and both are cheap', "and both are cheap", "And both are cheap"),
    ],
)
def test_sentences_of_older_reports_have_bare_names(made_report, sentence, text, cut):
    report = made_report(winner={"sentence": sentence})
    assert cut_of(report, text, stored=True) == cut
    assert cut_of(report, "both is best") == "Both is best"


def test_numbers_of_older_reports_are_no_runs(made_report):
    report = made_report(("0", "10", "256"))
    assert cut_of(report, '"0" over "10", 10 of 256', stored=True).endswith(" 10 of 256")


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6, unique=True), st.text())
@settings(max_examples=60)
def test_nothing_of_a_sentence_is_lost(names, text):
    runs = tuple(Run(name=name, fingerprint="", configuration={}) for name in names)
    cut = run_sentences(Report({"name": "n"}, {}, {}, {}, runs))
    told = "".join(one["text"] for one in cut(text) if not one["run"])
    if not any(name in text for name in names) and "`" not in text:
        assert told[1:] == text[1:]
    for name in names:
        found = cut(f'so is "{name}" the best')
        assert (name, names.index(name) + 1) in [(one["name"], one["run"]) for one in found]


def test_the_card_never_shows_a_number_alone(made_report, written):
    names = ("words", LONG, f"{LONG} again", "both", "k=5")
    pick = {"run": LONG, "reason": f'"{LONG}" is cheap, yet "{LONG} again" scores higher'}
    source = written(made_report(names, recommendations={"pick": pick})).source
    card = source.split('class="answer"')[1].split("</div>")[0]
    assert card.count('class="run named"') > 2
    assert "unseen" not in card
    shown = re.findall(r"<bdi>(.*?)</bdi>", card)
    assert all(shown)
    assert max(map(len, shown[1:])) <= 34


def busy_report(made_report, **options):
    report = made_report(**options)
    busy = {"busy": True, "cpu": {"cores": 0.4}}
    return replace(
        report, runs=tuple(replace(run, latency_ms=run.latency_ms | busy) for run in report.runs)
    )


BOARD = '<section id="leaderboard"', "</section>"
STEPS = '<ol class="steps">', "</ol>"


def test_times_of_a_busy_machine_are_told_where_one_decides(made_report, written, snapshot):
    found = written(busy_report(made_report))
    doubts = found.part('class="doubts">', "</div>")
    board = found.part(*BOARD)
    snapshot([*doubts, "", *(line for line in board if "‡" in line)])
    assert "40%" in " ".join(doubts)
    assert "assay run FILE" in " ".join(doubts)
    assert "<code>assay run FILE</code>" in found.source
    assert [line.split()[0] for line in board if line.endswith(" ‡")] == ["p50", "p95"]
    assert found.text.count("busy machine") == 2  # the other one explains the sign
    calm = written(made_report())
    assert "busy" not in calm.text
    assert "‡" not in calm.text


def test_a_long_sentence_is_said_where_it_is_read_first():
    once = drop_repeats()
    told = "Latencies were measured on a busy machine: `assay run a.yaml` measures them again."
    assert once(f"It is good. {told}") == f"It is good. {told}"
    assert once(f"It is good. {told.replace('`', '')} It is cheap.") == "It is good. It is cheap."
    assert once(told) == ""


def test_what_would_change_several_verdicts_is_there_once(made_report, written, snapshot):
    report = made_report(("words", "meaning", "both", "more"))
    told = [
        "Other queries. Grades of the unjudged documents cannot (+0.1 to +0.2 over all grades).",
        "Other queries. Grades of the unjudged documents cannot (+0.3 to +0.4 over all grades).",
        "More queries.",
    ]
    ranges = ((0.1, 0.2), (0.3, 0.4), None)
    candidates = [
        replace(
            one,
            verdict=replace(one.verdict, change=change),
            metrics={"ndcg@10": replace(one.metrics["ndcg@10"], holes=ends)},
        )
        for one, change, ends in zip(report.comparisons.candidates, told, ranges, strict=True)
    ]
    compared = replace(report.comparisons, candidates=tuple(candidates))
    found = written(replace(report, comparisons=compared))
    said = found.part('<ol class="verdicts">', "</section>")
    snapshot([line for line in said if "would change" in line or "unjudged" in line])
    text = " ".join(said)
    assert text.count("Other queries.") == text.count("cannot") == 1
    assert "for meaning, both: Other queries." in text
    assert re.search(r"unjudged documents: \+0\.100 to \+0\.200", text)
    assert "What would change it: More queries." in text


def test_a_reason_leaves_out_the_figures_beside_it(made_report, written):
    report = made_report(("words", "meaning"))
    (one,) = report.comparisons.candidates
    found = one.metrics["ndcg@10"]
    ends = interval_text(found.interval.low, found.interval.high)
    figures = f"ndcg@10 {difference_text(found.difference)} (95% CI {ends}, p = 0.04)"
    told = {
        f"Significantly worse: {figures}.": "Significantly worse (p = 0.04).",
        "In api: ndcg@10 -0.9 (95% CI -1.0 to -0.8, p = 0.04).": "In api: ndcg@10 -0.9 (95% CI",
    }
    for reason, shown in told.items():
        verdict = replace(one.verdict, reason=reason)
        compared = replace(report.comparisons, candidates=(replace(one, verdict=verdict),))
        page_of = written(replace(report, comparisons=compared))
        assert shown in " ".join(page_of.part('class="why">', "</div>"))


def test_a_sentence_reads_as_one_where_it_names_runs(made_report, written):
    found = written(made_report())
    (said,) = [line for line in found.part('<ul class="lessons">', "</ul>") if "lost by" in line]
    assert "lost by both: try" in said
    assert not [line for line in found.lines if re.search(r"\d (words|meaning|both)\b", line)]


def test_runs_with_long_names_have_numbers_in_tables_which_are_explained(made_report, written):
    names = [f"hybrid chunk_size={size} rerank=maxsim" for size in range(5)]
    found = written(made_report(names))
    board = found.source.split('<table class="board')[1].split("</table>")[0]
    assert re.findall(r'data-number="(\d)"', board).count("3") == 1
    assert any("not a rank" in line for line in found.part(*BOARD))
    short = written(made_report())
    assert 'data-number="' not in short.source
    assert "not a rank" not in short.text


def test_no_label_is_an_id(made_report, written):
    report = made_report(runs={0: {"scores_unleaked": {"ndcg@10": 0.1234}}})
    found = written(report)
    labels = [told["aria-label"] for _, told in found.tags if "aria-label" in told]
    assert labels
    assert not {*labels} & {*found.ids}
    assert not [label for label in labels if not label[0].isupper() and "@" not in label]


def test_the_card_names_costs_as_the_leaderboard_does(made_report, written):
    next_ = {"run": "meaning", "difference": -0.01, "ci": [-0.03, 0.01]}
    pick = {"run": "both", "by": "ndcg@10", "reason": "it leads", "runner_up": next_}
    found = written(made_report(recommendations={"pick": pick}))
    heads = re.search(r'<table class="rivals">.*?</thead>', found.source, re.S)[0]
    assert re.findall(r">([^<>\n]+)</th>", heads) == ["run", "ndcg@10", "p95 ms", "KB/doc"]
    assert 'title="index size per document"' in heads
    shown = [line for line in found.card if line.startswith("both ") and "12.6" in line]
    assert shown == ["both 0.606 12.6 4.6"]


@pytest.mark.parametrize(
    ("pick", "label"),
    [
        ({"run": "words"}, "Recommended within the budgets: keep the baseline"),
        ({"run": "both", "sure": False}, "Leading within the budgets, not yet proven"),
        ({"run": None}, "No pick within the budgets"),
    ],
)
def test_a_label_says_where_the_budgets_count(made_report, written, pick, label):
    told = {"pick_within_budgets": pick | {"by": "ndcg@10", "reason": "it keeps them"}}
    assert written(made_report(recommendations=told)).card[0] == label


def test_marks_of_the_sketch_do_not_cover_each_other(made_report, written):
    same = {"scores": {"ndcg@10": 0.5, "recall@5": 0.2}, "latency_ms": {"p50": 3.0, "p95": 7.0}}
    far = {"latency_ms": {"p50": 30.0, "p95": 70.0}}
    names = ("one", "two", "three", "four")
    source = written(made_report(names, runs={0: same, 1: same, 2: same, 3: far})).source
    sketch = source.split('<figure class="sketch">')[1].split("</figure>")[0]
    spots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', sketch)
    places = [(float(x), float(y)) for x, y in spots]
    assert len(places) == 4
    for one, other in combinations(places, 2):
        assert dist(one, other) >= 7.9
    assert re.findall(r"<bdi>(\w+)</bdi>", sketch) == [*names]
    assert "p95 latency, ms" in sketch


def test_units_and_truths_read_as_words(made_report, written):
    told = {"memory_mb": 24105, "virtual": True}
    settings = {"search": "lexical", "greedy": False}
    found = written(made_report(environment=told, runs={0: {"configuration": settings}}))
    text = " ".join(found.lines)
    assert "memory 24.1 GB" in text
    assert "virtual yes" in text
    assert "greedy no" in text


def test_what_difficulty_means_is_said(made_report, written):
    scores = {"words": 0.5, "meaning": 0.4, "both": 0.6}
    level = [{"level": one, "queries": 6, "scores": scores} for one in ("easy", "hard")]
    told = {"given": level, "measured": level, "predicted": {"levels": level}}
    found = written(made_report(analysis={"difficulty": told}))
    said = " ".join(found.part('id="analysis-difficulty"', "<table>"))
    for term in ("Given:", "Measured:", "Predicted:"):
        assert said.count(term) == 1


def test_terms_of_receipts_are_defined_where_they_occur():
    found = dict(glossary("90 queries: easy gate 53.3%; receipts: coherence fraction 1.416"))
    assert [*found] == ["easy gate", "coherence fraction"]
    assert "exceed 1" in found["coherence fraction"]
    assert all(meaning.endswith(".") for meaning in found.values())


def test_a_finding_leads_to_its_table_which_does_not_say_it_again(made_report, written):
    found = written(made_report())
    (link,) = re.findall(r'<a class="onward" href="#(.*?)">', found.source)
    assert link in found.ids
    assert found.text.count("accounts for") == 1


def test_what_to_do_next_stands_after_the_answer(made_report, written):
    source = written(made_report()).source
    assert source.index('class="answer"') < source.index('class="steps"')
    steps = source.split('<ol class="steps">')[1].split("</ol>")[0]
    assert "<code>assay judge FILE</code>" in steps
    assert 'class="steps"' not in written(made_report(("one",), truth={})).source


def needing(made_report, count):
    """Return a report whose pick needs many queries for the margin, and some for its gain."""
    report = made_report()
    told = {"outcome": "needs_queries", "queries_needed": 2392, "queries_to_show": count}
    last = report.comparisons.candidates[-1]
    gain = {"ndcg@10": replace(last.metrics["ndcg@10"], difference=0.1)}
    last = replace(last, verdict=replace(last.verdict, **told), metrics=last.metrics | gain)
    compared = replace(report.comparisons, candidates=(last,))
    return replace(report, comparisons=compared)


def test_the_queries_that_a_verdict_needs_are_named_once_in_each_place(
    made_report, written, snapshot
):
    found = written(needing(made_report, 60))
    card, board = " ".join(found.card), found.part(*BOARD)
    summary = found.part("<details", "</summary>")
    snapshot([*found.card, "", board[-1], "", *summary])
    assert card.count("2,392") == " ".join(summary).count("2,392") == 1
    assert "n more queries" in board[-1]
    assert "n more queries" not in " ".join(written(made_report()).part(*BOARD))


def test_a_race_that_went_well_is_no_warning(made_report, written, snapshot):
    told = {"run": "words", "after": 5, "by": "both", "score": 0.1, "leader_score": 0.2}
    race = {"queries": 12, "beaten": [told], "alpha": 0.05, "survivors": ["meaning", "both"]}
    report = made_report(runs={0: {"status": "beaten"}}, race=race)
    calm = written(report)
    raced = calm.part('class="raced">', "</div>")
    assert 'href="#run-1"' in calm.source.split('class="raced">')[1].split("</div>")[0]
    assert "5 of 12 queries" in " ".join(raced)
    assert 'div class="warned">' not in calm.source
    failed = {1: {"status": "failed", "error": "it broke"}, 0: {"status": "beaten"}}
    warned = written(made_report(runs=failed, race=race)).part('div class="warned">', "</div>")
    assert "it broke" in " ".join(warned)
    assert "5 of" not in " ".join(warned)
    snapshot([*raced, "", *warned])


def test_nothing_is_said_to_be_marked_where_nothing_is(made_report, written, snapshot):
    lost = {at: {"status": "beaten"} for at in (0, 1)}
    alone = written(made_report(runs=lost, comparisons=None, benchmark=BASED))
    assert "<mark" not in alone.source
    abouts = [found.part(*BOARD)[1] for found in (alone, written(made_report()))]
    snapshot(abouts)
    assert all("95%" in about for about in abouts)


BASED = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10", "baseline": "both"}


def test_the_baseline_that_a_race_leaves_alone_is_called_so(made_report, written):
    lost = {at: {"status": "beaten"} for at in (0, 1)}
    found = written(made_report(runs=lost, comparisons=None, benchmark=BASED))
    row = re.search(r'<tr id="run-3".*?</tr>', found.source, re.S)[0]
    assert '<span class="badge baseline">baseline</span>' in row
    assert found.card[1].startswith("both baseline")
    alone = written(made_report(("both",), benchmark=BASED)).source
    assert "badge baseline" not in alone


@pytest.mark.parametrize(("some", "shown"), [(1991, "1,991 of 2,000"), (2000, "100%")])
def test_judgments_are_all_resolved_only_where_all_are(made_report, written, some, shown):
    found = written(made_report(truth={"total": 2000, "resolved": some}))
    assert found.part('<dl class="facts">', "</dl>")[-1].endswith(f" {shown}")


def test_a_pick_that_is_the_baseline_says_so(made_report, written):
    told = {"pick": {"run": "words", "reason": "it is cheap"}}
    card = written(made_report(recommendations=told)).card
    assert card[1].startswith("words baseline")
    assert any("It is cheap" in line for line in card)
