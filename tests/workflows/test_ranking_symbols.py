"""A report keeps the symbols of the chunks that were found, however the search was measured."""

import pytest
import yaml

import assay
from assay.benchmarks.open_report import open_report
from assay.reports.ancestors.akashic import akashic
from assay.workflows.report_files.content import content

TOPICS = ["river", "stone", "cloud", "bridge", "harvest", "lantern"]
NEAR = {"model": "static", "chunk_size": 48}
SEARCHES = [
    {"name": "words", "search": "lexical", "chunk_size": 48},
    {"name": "chunks", "search": "lexical", "lexical_unit": "chunk", "chunk_size": 48, "top_k": 5},
    {"name": "near", "search": "dense", **NEAR},
    {"name": "both", "fusion": "rrf", **NEAR},
    {"name": "mixed", "fusion": "rrf", "lexical_unit": "chunk", "threshold": 0.01, **NEAR},
    {"name": "tied", "search": "dense", "coherence": True, **NEAR},
]
WAYS = {"staged": {"asks": 1}, "live": {"asks": 1, "live": True}, "swept": {"untimed": True}}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Six files of a note and of three functions, each of which is a chunk of its own."""
    home = tmp_path_factory.mktemp("symbols")
    (home / "src").mkdir()
    for at, topic in enumerate(TOPICS):
        others = [TOPICS[(at + step) % 6] for step in (1, 2)]
        lines = [f"# Notes on {topic}, {topic} and nothing else in this world.\n\n"]
        for verb, other in zip(("open", "close", "paint"), (topic, *others), strict=True):
            lines.append(
                f"def {verb}_{topic}(name):\n    '''{verb.title()} the {other} of a {topic}.'''\n"
                f"    value = {verb}(name, '{other}')\n    return value or {topic}_{verb}\n\n\n"
            )
        (home / "src" / f"{topic}.py").write_text("".join(lines))
    asked = [f"{verb} the {topic}" for topic in TOPICS for verb in ("open", "close", "paint")]
    queries = [
        {"id": f"q{at}", "query": text, "expected_files": [f"{text.split()[-1]}.py"]}
        for at, text in enumerate(asked)
    ]
    (home / "queries.yaml").write_text(yaml.safe_dump({"queries": queries}))
    return home


def ran(place, searches=SEARCHES, corpus="src", **how):
    given = {
        "dataset": str(place / "queries.yaml"),
        "corpus": str(place / corpus),
        "metrics": ["ndcg@5"],
        "primary": "ndcg@5",
        "configurations": searches,
    }
    return assay.run(given, workspace=place / "workspace", **how)


@pytest.fixture(scope="module")
def reports(place):
    return {name: ran(place, **how) for name, how in WAYS.items()}


@pytest.mark.parametrize("at", range(len(SEARCHES)))
def test_symbols_are_those_that_a_search_shows_however_it_was_measured(at, place, reports):
    staged, live, swept = (reports[name].runs[at] for name in WAYS)
    assert staged.ranking_symbols == live.ranking_symbols == swept.ranking_symbols
    assert staged.rankings == live.rankings == swept.rankings
    told = reports["staged"].queries
    settings = {key: value for key, value in SEARCHES[at].items() if key != "name"}
    top = settings.pop("top_k", 10)
    for key in ("q0", "q4", "q17"):
        how = {"workspace": place / "workspace", "configuration": settings, "top": top}
        answer = assay.search(place / "src", told[key]["text"], **how)
        shown = [list(hit.symbols) for hit in answer.hits]
        assert [list(one) for one in staged.ranking_symbols[key]] == shown
        assert len(shown) == len(staged.rankings[key])
    assert any(len(each) > 1 and each[0] for each in staged.ranking_symbols.values())


def test_akashics_results_have_the_symbol_also_after_reading(place, reports, tmp_path):
    path = tmp_path / "r.json"
    path.write_bytes(content(reports["staged"], str(path)))
    for report in (reports["staged"], open_report(str(path), workspace=None)):
        told = akashic(report, date="2026-01-30T12:00:00", run="near")
        first = told["query_results"][0]["results"][0]
        assert first["file_path"] == "river.py"
        assert first["symbol_name"] == "open_river"
        assert "open_river" in first["symbols"]
        assert "query_results.results.symbol_name" not in told["notes"]


def test_prose_and_systems_of_others_have_none_and_say_so(place, tmp_path):
    (place / "docs").mkdir()
    for topic in TOPICS:
        (place / "docs" / f"{topic}.py.md").write_text(f"# {topic}\n\nOpen the {topic}.\n")
    run = "\n".join(f"q{at} Q0 river.py 1 1.5 x" for at in range(18))
    (tmp_path / "x.run").write_text(run + "\n")
    other = {"name": "other", "system": {"kind": "run_file", "path": str(tmp_path / "x.run")}}
    for report in (
        ran(place, [{"name": "words", "search": "lexical"}], "docs"),
        ran(place, [other]),
    ):
        assert report.runs[0].rankings
        assert report.runs[0].ranking_symbols == {}
        told = akashic(report, date="2026-01-30T12:00:00")
        shown = [one for query in told["query_results"] for one in query["results"]]
        assert shown
        assert {one["symbol_name"] for one in shown} == {None}
        assert "symbol" in told["notes"]["query_results.results.symbol_name"]
