import re
from dataclasses import replace

import pytest

from assay.records import Report
from assay.workflows.report_files.with_analysis import with_analysis

pytestmark = pytest.mark.browser

NASTY = [
    "<script>window.bad = 1</script>",
    "</script><img src=x onerror='window.bad = 1'>",
    '"><svg onload="window.bad = 1">',
    "a & b &lt; 'c' \"d\"",
    "שלום עולם",
    "👩\u200d🔬 emoji",
    "javascript:window.bad=1",
]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


@pytest.fixture(scope="module")
def report(made_report):
    pick = {"run": "both", "by": "ndcg@10", "reason": "it is good"}
    return made_report(
        ("words", "meaning", "both", "beaten early", "broken"),
        60,
        runs={
            2: {"failed": {"q3": "it took too long"}},
            3: {"status": "beaten"},
            4: {"status": "failed", "scores": {}, "per_query": {}, "rankings": {}, "error": "no"},
        },
        recommendations={"pick": pick},
    )


def texts(view, selector):
    return view.locator(selector).all_inner_texts()


def search(view, text, count):
    """Search, and wait until as many rows are left."""
    view.fill("#search", text)
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect(view.locator("#asked tbody tr")).to_have_count(count)


def differences(view):
    shown = texts(view, "#asked tbody tr td:nth-child(5)")
    return [float(one) for one in shown]


def test_nothing_goes_wrong_and_nothing_leaves_the_page(opened, report):
    view = opened(report)
    view.wait_for_timeout(100)
    assert view.trouble == []
    assert view.locator("#asked tbody tr").count() == 20


def test_filters_leave_what_they_say(opened, report):
    view = opened(report, charts={})
    counts = {one.split()[0]: int(one.split()[1]) for one in texts(view, "#filters button")}
    assert counts["All"] == 60
    assert counts["Different"] == counts["Improved"] + counts["Regressed"] > 0
    view.click("[data-filter=improved]")
    assert min(differences(view)) > 0
    view.click("[data-filter=regressed]")
    assert max(differences(view)) < 0
    assert view.inner_text("#counted").startswith(f"{counts['Regressed']} of 60 queries")
    view.click("[data-filter=different]")
    assert 0 not in differences(view)


def test_what_changed_most_is_first(opened, report):
    view = opened(report, charts={})
    view.click("[data-filter=regressed]")
    assert differences(view) == sorted(differences(view))  # the largest loss
    view.click("[data-filter=improved]")
    assert differences(view) == sorted(differences(view), reverse=True)
    view.click("#asked thead th:first-of-type button")  # an order that was asked for stays
    view.click("[data-filter=different]")
    assert view.get_attribute("#asked thead th:first-of-type", "aria-sort") == "ascending"


def test_a_query_without_an_id_is_there_once(opened, made_report):
    asked = {"how do I undo it?": "how do I undo it?", "q2": "why is it slow"}
    view = opened(made_report(texts=asked), charts={})
    said = texts(view, "#asked tbody th button")
    assert sorted(one.split("\n")[0] for one in said) == ["how do I undo it?", "why is it slow"]
    assert view.inner_text("#asked").count("how do I undo it?") == 1
    assert "q2" in view.inner_text("#asked")
    view.click("#asked tbody tr:has-text('undo') th button")
    assert view.inner_text("#detail").count("how do I undo it?") == 1


def test_failed_queries_are_found_and_tell_why(opened, report):
    view = opened(report, charts={})
    assert view.input_value("#compared") == "2"  # the pick
    view.click("[data-filter=failed]")
    assert view.locator("#asked tbody tr").count() == 1
    assert "failed: it took too long" in view.inner_text("#asked tbody")
    view.click("[data-filter=nothing]")
    assert "failed" not in view.inner_text("#asked tbody")
    scores = [texts(view, f"#asked tbody td:nth-child({at})") for at in (3, 4)]
    assert scores[0]
    assert all("0.0000" in pair for pair in zip(*scores, strict=True))


def test_search_order_and_pages(opened, report):
    view = opened(report, charts={})
    assert differences(view) == sorted(differences(view), reverse=True)
    view.click("#asked thead th:last-of-type button")
    assert differences(view) == sorted(differences(view))
    first = view.inner_text("#asked tbody tr:first-child th")
    view.click("#pager button:last-child")
    assert view.inner_text("#pager span") == "Page 2 of 3"
    view.keyboard.press("Enter")  # the focus stays on what was pressed
    assert view.inner_text("#pager span") == "Page 3 of 3"
    view.keyboard.press("Enter")  # there is none after it
    assert view.inner_text("#pager span") == "Page 2 of 3"
    assert view.inner_text("#asked tbody tr:first-child th") != first
    search(view, "NUMBER 41", 1)
    assert "what is number 41" in view.inner_text("#asked tbody")
    search(view, "nobody asked this", 0)
    assert "No matching queries" in view.inner_text("#counted")


def test_the_two_runs_can_be_chosen_and_swapped(opened, report):
    view = opened(report, charts={})
    before = differences(view)
    view.click("#swap")
    view.click("#asked thead th:last-of-type button")
    assert differences(view) == [-one for one in before]
    last = texts(view, "#baseline option")[-1]
    assert last == "beaten early (stopped early)"  # the fifth has no scores
    view.select_option("#metric", "1")
    assert "recall@5" in view.inner_text("#skyline-said")


def test_a_comparison_with_a_run_that_was_stopped_says_of_how_many_queries(opened, made_report):
    few = made_report(("words",), 12).runs[0]
    some = {key: few.per_query[key] for key in [*few.per_query][:5]}
    report = made_report(runs={1: {"status": "beaten", "per_query": some}})
    view = opened(report, charts={})
    assert "queries)" not in view.inner_text("#skyline-said")
    view.select_option("#compared", "1")
    said = " ".join(view.inner_text("#skyline-said").split())
    assert "(5 of 12 queries)" in said
    assert said.endswith("; meaning was stopped early after 5")


def test_a_query_opens_with_two_rankings_side_by_side(opened, report):
    view = opened(report, charts={})
    search(view, "q7", 1)
    view.click("#asked tbody th button")
    assert view.inner_text("#detail-title") == "what is number 7"
    assert view.evaluate("location.hash") == "#query=q7"
    sides = [texts(view, f".side:nth-child({at}) .doc") for at in (1, 2)]
    assert sides == [list(report.runs[at].rankings["q7"]) for at in (0, 2)]
    judged = report.queries["q7"]["judged"]
    grades = [one.split()[0] for one in texts(view, ".side:nth-child(1) .grade")]
    assert grades == [str(judged.get(name, "?")) for name in sides[0]]
    moved = [one.split()[0] for one in texts(view, ".side:nth-child(2) .moved")]
    for at, (name, said) in enumerate(zip(sides[1], moved, strict=True)):
        before = sides[0].index(name) if name in sides[0] else None
        way = "only" if before is None else "=" if before == at else "↑" if before > at else "↓"
        assert said == (way if way in ("only", "=") else f"{way}{abs(before - at)}")
    alone = [name for name in sides[0] if name not in sides[1]]
    assert texts(view, ".side:nth-child(1) .moved").count("only here") == len(alone) > 0
    assert "Loss of nDCG by stage: lexical 0.2500, order 0.1250" in view.inner_text("#detail")


def test_missed_documents_name_the_stage_that_lost_them(opened, report):
    view = opened(report, "#query=q1", charts={})
    said = view.inner_text(".side:nth-child(1) .lost")
    assert "Relevant but missed: 1" in said
    assert "doc-0.py lost by lexical" in said


def test_missed_documents_that_are_not_named_are_counted(opened, made_report):
    many = made_report(runs={0: {"missed_more": {"q1": 1180}}})
    view = opened(many, "#query=q1", charts={})
    said = view.inner_text(".side:nth-child(1) .lost")
    assert "Relevant but missed: 1,181" in said
    assert "and 1,180 more" in said
    assert "more" not in view.inner_text(".side:nth-child(2) .lost")


def test_keys_turn_and_close_a_query_and_focus_returns(opened, report):
    view = opened(report, charts={})
    button = view.locator("#asked tbody tr:nth-child(2) th button")
    button.focus()
    view.keyboard.press("Enter")
    assert view.locator("#detail[open]").count() == 1
    second = view.inner_text("#detail-title")
    view.keyboard.press("ArrowRight")
    third = view.inner_text("#detail-title")
    assert third != second
    view.keyboard.press("ArrowLeft")
    assert view.inner_text("#detail-title") == second
    view.keyboard.press("Escape")
    assert view.locator("#detail[open]").count() == 0
    assert button.evaluate("one => one === document.activeElement")
    assert view.evaluate("location.hash") == "#queries"


def test_the_leaderboard_sorts_by_any_column(opened, report):
    view = opened(report, charts={})
    column = "#leaderboard tbody tr td:nth-child(2) .score"
    scores = [float(one.split()[0]) for one in texts(view, column)[:3]]
    assert scores == sorted(scores, reverse=True)
    view.click("#leaderboard thead th:nth-child(2) button")
    assert view.get_attribute("#leaderboard thead th:nth-child(2)", "aria-sort") == "ascending"
    shown = [one.split()[0] for one in texts(view, column)]
    known = [float(one.rstrip("†")) for one in shown if one != "–"]
    assert known == sorted(known)
    assert shown[-1] == "–"  # what has no value stays last
    view.click("#leaderboard thead th:nth-child(1) button")
    named = texts(view, "#leaderboard tbody .run")
    assert named == sorted(named)


def test_a_run_lights_up_in_charts_and_tables(opened, report):
    view = opened(report)
    mark = "#chart-quality svg [data-run='2']"
    other = "#chart-quality svg [data-run='1']"
    assert view.locator(mark).count()
    view.hover("#run-2 th")
    assert "lit" in view.get_attribute("#run-2", "class")
    assert view.locator(f"{mark}.dim").count() == 0
    assert view.locator(f"{other}.dim").count() == view.locator(other).count() > 0
    view.locator(f"{mark}:is(path)").first.hover(force=True)
    assert view.inner_text("#tip").startswith("meaning: ndcg@10")
    view.locator(f"{mark}:is(path)").first.click(force=True)
    assert view.evaluate("location.hash") == "#run-2"
    view.mouse.move(2, 2)
    assert "lit" in view.get_attribute("#run-2", "class")
    view.keyboard.press("Escape")
    assert view.locator(".lit").count() == 0


def test_the_theme_can_be_chosen_and_is_remembered(opened, report):
    view = opened(report, charts={}, color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = view.evaluate(ground)
    view.click("[data-theme-choice=dark]")
    dark = view.evaluate(ground)
    assert dark != light
    view.reload()
    assert view.evaluate(ground) == dark
    assert view.get_attribute("[data-theme-choice=dark]", "aria-pressed") == "true"
    view.click("[data-theme-choice=system]")
    assert view.evaluate(ground) == light


def test_without_a_script_all_but_the_queries_is_there(opened, report):
    view = opened(report, java_script_enabled=False)
    for part in ("#summary .answer", "#leaderboard table", "#chart-quality svg", "#truth"):
        assert view.locator(part).is_visible(), part
    assert view.locator("#chart-differences svg").is_visible()
    assert not view.locator("#explorer").is_visible()
    assert not view.locator(".themes").is_visible()
    assert "need JavaScript" in view.inner_text("#queries")


def test_what_others_wrote_is_shown_as_text(opened, made_report):
    failed = {"failed": {one: one for one in NASTY}}
    answers = {"rankings": {one: (one, "doc-1.py") for one in NASTY}}
    report = made_report(
        ("words", *NASTY),
        texts={one: one for one in NASTY},
        runs={at: failed | answers for at in range(1, len(NASTY) + 1)},
        benchmark={"name": " ".join(NASTY), "metrics": ["ndcg@10"], "primary": "ndcg@10"},
        notes=tuple(NASTY),
    )
    view = opened(report, charts={})
    assert view.inner_text("h1") == " ".join(NASTY)
    assert set(NASTY) <= set(texts(view, "#leaderboard .run bdi"))
    for nasty in NASTY:
        view.evaluate("name => { location.hash = 'query=' + encodeURIComponent(name); }", nasty)
        view.wait_for_function(
            "name => document.getElementById('detail-title')?.textContent === name", arg=nasty
        )
        assert nasty in texts(view, ".side .doc")
    assert view.evaluate("window.bad") is None
    assert view.trouble == []


def violations(view, part=None):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="is not installed")
    found = axe.Axe().run(view, context=part, options=RULES).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]


def test_axe_finds_no_violation(opened, report):
    view = opened(report, color_scheme="light")
    assert violations(view) == []
    view.click("#asked tbody tr:first-child th button")
    assert violations(view, "#detail") == []


def busied(report):
    """Let other work have made all latencies longer."""
    busy = {"busy": True, "cpu": {"cores": 0.4}}
    runs = [replace(run, latency_ms=run.latency_ms | busy) for run in report.runs]
    return replace(report, runs=tuple(runs))


def warning(report):
    """Return a report of a race on a busy machine, whose runs need queries."""
    told = {"run": "beaten early", "after": 5, "by": "both", "score": 0.1, "leader_score": 0.2}
    race = {"queries": 60, "beaten": [told], "alpha": 0.05, "survivors": ["words", "both"]}
    asked = {"outcome": "needs_queries", "queries_needed": 10392, "queries_to_show": 60}
    candidates = [
        replace(
            one,
            verdict=replace(one.verdict, **asked),
            metrics={k: replace(m, difference=0.1) for k, m in one.metrics.items()},
        )
        for one in report.comparisons.candidates
    ]
    return replace(
        busied(report),
        race=race,
        comparisons=replace(report.comparisons, candidates=tuple(candidates)),
    )


def boxes(view, selector):
    return [one.bounding_box() for one in view.locator(selector).all()]


def test_on_a_phone_all_tabs_are_in_sight_and_the_theme_switch_is_small(opened, report):
    view = opened(report, charts={})
    view.set_viewport_size({"width": 390, "height": 844})
    tabs = boxes(view, ".bar a")
    assert len(tabs) >= 7
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= 390 for one in tabs)
    (switch,) = boxes(view, ".themes")
    assert switch["width"] < 90
    assert switch["x"] + switch["width"] <= 390
    rows = [*tabs, switch]
    assert max(one["y"] + one["height"] for one in rows) - min(one["y"] for one in rows) < 110
    view.click("[data-theme-choice=dark]")
    assert view.evaluate("document.documentElement.dataset.theme") == "dark"
    for at in range(len(tabs)):
        view.locator(".bar a").nth(at).click()  # nothing covers it


def measured(report, metrics):
    """Return a report with these metrics in its leaderboard."""
    runs = [
        replace(run, scores=run.scores and dict.fromkeys(metrics, 0.5) | run.scores)
        for run in report.runs
    ]
    told = {**report.benchmark, "metrics": list(metrics)}
    return replace(report, runs=tuple(runs), benchmark=told)


SIX = ("ndcg@10", "recall@5", "recall@10", "mrr@10", "precision@5", "ap")
CUT = """() => [...document.querySelectorAll('.board :is(.badge, th, td)')].filter((one) =>
  one.getBoundingClientRect().right > one.closest('.scroll').getBoundingClientRect().right + 1)
  .map((one) => one.textContent)"""


def test_a_leaderboard_of_six_metrics_fits_a_laptop(opened, made_report):
    names = ("bm25", "dense", "hybrid", "hybrid-fixed-chunks", "hybrid-chunks chunk_size=384")
    view = opened(measured(busied(made_report(names)), SIX), charts={})
    board = view.locator("#leaderboard .scroll")
    assert view.evaluate(CUT) == []
    assert board.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert "hinted" not in board.get_attribute("class")


# Scrolled again until the page has its new width, which a resize only asks for.
SCROLLED = """() => {
  const board = document.querySelector('#leaderboard .scroll');
  board.scrollLeft = board.scrollWidth;
  return !board.matches('.more-right');
}"""


def test_on_a_phone_run_score_and_verdict_are_in_sight_and_more_is_hinted(opened, made_report):
    names = ("bm25", "hybrid-fixed-chunks", "hybrid-chunks chunk_size=384")
    view = opened(measured(made_report(names), SIX), charts={})
    board = view.locator("#leaderboard .scroll")
    for width in (390, 320):
        view.set_viewport_size({"width": width, "height": 844})
        view.wait_for_function(f"innerWidth === {width}")
        row = "#leaderboard tbody tr:nth-child(2)"
        seen = boxes(view, f"{row} .run, {row} .score, {row} .badge")
        assert len(seen) == 3
        assert max(one["x"] + one["width"] for one in seen) <= width - 16
        view.wait_for_function("document.querySelector('#leaderboard .more-right')")
        mask = board.evaluate("one => getComputedStyle(one).maskImage")
        assert "linear-gradient" in mask
    view.wait_for_function(SCROLLED)
    (name,) = boxes(view, f"{row} .run")
    assert 0 <= name["x"] < 40  # it stays


def test_on_a_phone_captions_wrap_and_charts_hint_at_what_is_beside(opened, report):
    view = opened(report)
    view.set_viewport_size({"width": 390, "height": 844})
    view.wait_for_function("document.querySelector('#chart-quality .more-right')")
    wide = """() => [...document.querySelectorAll('figure.chart figcaption')].filter((one) =>
        one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)"""
    assert view.evaluate(f"({wide})().length") == 0
    assert "Pareto front" in view.inner_text("#chart-quality figcaption")
    letters = "one => 11 * one.getScreenCTM().a"
    assert view.locator("#chart-quality svg").evaluate(letters) >= 9  # pixels


def test_the_theme_that_is_chosen_is_the_lightest_in_the_dark(opened, report):
    view = opened(report, color_scheme="dark", charts={})
    light = """one => { const rgb = getComputedStyle(one).backgroundColor.match(/[\\d.]+/g);
        return rgb.slice(0, 3).reduce((sum, part) => sum + Number(part), 0); }"""
    chosen = view.locator(".themes [aria-pressed=true]").evaluate(light)
    assert chosen > view.locator(".themes").evaluate(light)


def repeated(view):
    """Return the sentences of more than eight words that can be read twice."""
    view.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    lines = [" ".join(line.split()) for line in view.inner_text("main").splitlines()]
    said = [one for line in lines for one in re.split(r"(?<=[.!?]) (?=[^a-z])", line)]
    return {one for one in said if len(one.split()) > 8 and said.count(one) > 1}


def test_no_sentence_is_said_twice(opened, report):
    candidates = report.comparisons.candidates
    change = "Other queries, or a broken budget, would change this verdict."
    told = [replace(one, verdict=replace(one.verdict, change=change)) for one in candidates]
    compared = replace(report.comparisons, candidates=tuple(told))
    whole = with_analysis(replace(busied(rivalled(report)), comparisons=compared, analysis={}))
    assert {"load", "pareto"} <= {*whole.analysis}
    view = opened(whole)
    assert "busy machine" in view.inner_text(".answer")
    assert change in view.inner_text("#summary")
    assert repeated(view) == set()


def rivalled(report):
    """Return a report whose pick has a runner-up."""
    next_ = {"run": "words", "difference": -0.05, "ci": [-0.1, 0.0]}
    unsure = {"runner_up": "words", "told_apart": False}
    pick = {**report.recommendations["pick"], "by": "ndcg@10"}
    pick |= {"runner_up": next_, "uncertainty": unsure}
    return replace(report, recommendations={**report.recommendations, "pick": pick})


def test_the_first_view_has_the_answer_its_runner_up_and_the_chart(opened, report):
    view = opened(rivalled(report), charts={})
    view.set_viewport_size({"width": 1280, "height": 800})
    for part in (".answer .taken", ".answer .gain", ".rivals", ".sketch svg", ".facts"):
        (box,) = boxes(view, part)
        assert box["y"] + box["height"] <= 800, part
    (words,), (chart,) = boxes(view, ".answer .words"), boxes(view, ".sketch")
    assert words["x"] + words["width"] <= chart["x"]  # beside each other
    assert view.locator(".sketch .point").count() >= 2
    assert view.locator(".sketch .point.pick").count() == 1
    assert texts(view, ".sketch figcaption .pick") == ["both"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_what_warns(opened, report, scheme):
    view = opened(warning(rivalled(report)), color_scheme=scheme, charts={})
    for part in (".answer .caution", ".raced", ".warned h3", ".steps code", ".rivals small"):
        assert view.locator(part).first.is_visible(), part
    assert violations(view) == []
    view.set_viewport_size({"width": 320, "height": 800})
    assert view.evaluate("document.documentElement.scrollWidth") <= 320
    view.click("#asked tbody tr:first-child th button")
    assert violations(view, "#detail") == []


def test_the_page_is_never_wider_than_the_screen(opened, made_report):
    long = "hybrid, chunker=code, chunk_size=1024, model=minilm, rerank=maxsim, fusion=rrf"
    report = made_report(
        [f"{long} {at}" for at in range(16)], texts={"q0": "x" * 5000, "w" * 300: "short"}
    )
    view = opened(report)
    sticking = """() => [...document.querySelectorAll('body *')].filter((one) =>
        one.getBoundingClientRect().right > innerWidth + 1
        && !one.closest('.scroll, .drawn, .bar ul, dialog')
        && getComputedStyle(one).clipPath === 'none').map((one) => one.outerHTML.slice(0, 120))"""
    for width in (1280, 768, 400, 320):
        view.set_viewport_size({"width": width, "height": 800})
        assert view.evaluate(sticking) == [], width
    covered = """() => [...asked.tHead.rows[0].cells].filter((one) => one.offsetWidth &&
        one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
    assert view.evaluate(covered) == []
    view.set_viewport_size({"width": 1280, "height": 800})
    assert view.evaluate(covered) == []
    view.click("#asked tbody tr:first-child th button")
    for width in (1280, 768, 400, 320):
        view.set_viewport_size({"width": width, "height": 800})
        assert view.evaluate("detail.scrollWidth <= detail.clientWidth"), width
    view.set_viewport_size({"width": 700, "height": 1000})
    view.emulate_media(media="print")
    scales = "[...document.querySelectorAll('.drawn svg')].map((one) => one.getScreenCTM().a)"
    assert min(view.evaluate(scales)) > 0.6  # also of tall charts words can be read on paper


def test_paper_has_no_controls_and_is_light(opened, report):
    view = opened(report, color_scheme="dark")
    view.emulate_media(media="print")
    for part in (".bar", "#explorer", ".themes", "#tip"):
        assert not view.locator(part).is_visible(), part
    assert view.locator("#chart-differences svg").is_visible()
    assert view.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    ink = view.evaluate("getComputedStyle(document.body).color")
    assert sum(map(int, re.findall(r"\d+", ink))) < 150


def test_paper_has_all_reasons_and_settings(opened, report):
    view = opened(report, charts={})
    assert view.locator("details:not([open])").count() > 0
    view.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert view.locator("main details:not([open])").count() == 0
    view.emulate_media(media="print")
    assert view.locator("#settings .more").first.is_visible()
    view.evaluate("dispatchEvent(new Event('afterprint'))")
    assert view.locator("details:not([open])").count() > 0


def test_odd_reports_open_too(opened, made_report):
    empty = Report({"name": "n", "metrics": [], "primary": "ndcg@10"}, {}, {}, {}, ())
    alone = made_report(("one",), recommendations={})
    stopped = replace(made_report(runs={1: {"status": "cancelled", "scores": {}}}))
    for report in (empty, alone, stopped, made_report([f"run {at}" for at in range(200)], 3)):
        view = opened(report, charts={})
        assert view.trouble == []
        assert view.locator("html.scripted").count() == 1
    assert view.evaluate("document.documentElement.scrollHeight") < 12_000  # 200 runs are folded
    assert "No queries were recorded." in opened(empty, charts={}).inner_text("#counted")
    view = opened(alone, "#query=q0", charts={})
    assert view.locator(".side").count() == 1


def test_an_address_that_means_nothing_is_passed_over(opened, report):
    view = opened(report, "#query=%E0%A4%A", charts={})
    assert view.locator("#asked tbody tr").count() == 20
    assert view.locator("#detail[open]").count() == 0
    assert view.trouble == []


def test_less_can_be_better(opened, report):
    compared = report.comparisons
    turned = [
        replace(
            one, metrics={k: replace(m, higher_is_better=False) for k, m in one.metrics.items()}
        )
        for one in compared.candidates
    ]
    view = opened(
        replace(report, comparisons=replace(compared, candidates=tuple(turned))), charts={}
    )
    view.click("[data-filter=improved]")
    assert max(differences(view)) < 0
    assert differences(view) == sorted(differences(view))  # the largest gain first
    assert view.locator("#asked tbody .down-text").count() == 0
    assert view.locator("#asked tbody .up-text").count() > 0
