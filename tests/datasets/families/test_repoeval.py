"""RepoEval: calls across files become queries, in five languages and three tasks."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from assay.datasets.families._prompts import USED_UP
from assay.datasets.families._windows import survives
from assay.errors import InputError
from assay.workflows.make import make

PYTHON = {
    "shop/__init__.py": "",
    "shop/prices.py": "def round_half_up(value):\n    return int(value + 0.5)\n",
    "shop/till.py": '''"""The till."""

from shop.prices import round_half_up


def total(items):
    """Add up."""
    amount = 0
    for item in items:
        amount += item.price
        amount -= item.discount
    tax = amount * 0.2
    return round_half_up(amount + tax)
''',
    "README.md": "# Shop\n",
}
TYPESCRIPT = {
    "src/prices.ts": "export function roundHalfUp(x: number) {\n  return Math.floor(x);\n}\n",
    "src/till.ts": """import { roundHalfUp } from './prices';

export class Till {
  total(items: Item[]): number {
    let amount = 0;
    for (const item of items) {
      amount += item.price;
    }
    return roundHalfUp(amount);
  }
}
""",
}
GO = {
    "prices/prices.go": """package prices

func RoundHalfUp(x float64) int {
\treturn int(x + 0.5)
}
""",
    "till/till.go": """package till

import "example.org/shop/prices"

func Total(items []Item) int {
\tamount := 0.0
\tfor _, item := range items {
\t\tamount += item.Price
\t}
\treturn prices.RoundHalfUp(amount)
}

func Empty(items []Item) bool {
\treturn len(items) == 0
}
""",
}
RUST = {
    "src/prices.rs": "pub fn round_half_up(x: f64) -> i64 {\n    (x + 0.5) as i64\n}\n",
    "src/till.rs": """use crate::prices::round_half_up;

pub fn total(items: &[Item]) -> i64 {
    let mut amount = 0.0;
    for item in items {
        amount += item.price;
    }
    round_half_up(amount)
}

pub fn is_empty(items: &[Item]) -> bool {
    items.is_empty()
}
""",
}
JAVA = {
    "shop/Prices.java": """package shop;

class Prices {
    static long roundHalfUp(double x) {
        return Math.round(x);
    }
}
""",
    "shop/Till.java": """package shop;

class Till {
    long total(Item[] items) {
        double amount = 0;
        for (Item item : items) {
            amount += item.price;
        }
        return Prices.roundHalfUp(amount);
    }
}
""",
}
REPOSITORIES = {
    "python": (PYTHON, "shop/till.py", "shop/prices.py", "round_half_up"),
    "typescript": (TYPESCRIPT, "src/till.ts", "src/prices.ts", "roundHalfUp"),
    "go": (GO, "till/till.go", "prices/prices.go", "prices.RoundHalfUp"),
    "rust": (RUST, "src/till.rs", "src/prices.rs", "round_half_up"),
    "java": (JAVA, "shop/Till.java", "shop/Prices.java", "Prices.roundHalfUp"),
}
TASKS = ("verbatim", "masked", "definition")
ASYNCIO = Path(asyncio.__file__).parent


@pytest.fixture
def write(tmp_path):
    def files(content, name="shop"):
        for path, text in content.items():
            place = tmp_path / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode())
        return tmp_path / name

    return files


def repoeval(corpus, **settings):
    return make("repoeval", corpus=corpus, **settings)


def graded(query):
    return {judgment.reference.path: judgment.grade for judgment in query.judgments}


@pytest.mark.parametrize("language", REPOSITORIES)
def test_by_hand_in_every_language(write, language):
    files, calling, defining, called = REPOSITORIES[language]
    where = write(files)

    (found,) = repoeval(where, task="definition").dataset.queries
    assert graded(found) == {defining: 3, calling: 0}
    assert (found.category, found.collection) == (language, "shop")
    assert found.extra["call"] == called
    first, last = found.extra["lines"]
    lines = files[calling].splitlines()
    assert found.text == "\n".join(lines[first - 1 : last])
    assert called in lines[last - 1]
    (verbatim,) = repoeval(where, task="verbatim").dataset.queries
    assert (verbatim.text, graded(verbatim)) == (found.text, {calling: 3})


def test_the_reason_names_the_definition_and_its_lines(write):
    (query,) = repoeval(write(PYTHON)).dataset.queries
    gold = query.judgments[0].because
    assert (gold.reason, gold.lines) == ("defines round_half_up", (1, 2))


@pytest.mark.parametrize("language", REPOSITORIES)
def test_masked_files_lack_the_query(write, language):
    files, calling, _, _ = REPOSITORIES[language]
    made = repoeval(write(files), task="masked")
    (query,) = made.dataset.queries
    documents = {document.path: document for document in made.corpus.documents()}
    assert documents.keys() == {*files}
    first, last = query.extra["lines"]
    lines = files[calling].split("\n")
    assert documents[calling].text == "\n".join(lines[: first - 1] + lines[last:])
    assert all(documents[path].text == files[path] for path in files if path != calling)
    assert query.text not in documents[calling].text


def test_masked_records_lack_the_query(tmp_path):
    """The ids of records are not their paths."""
    records = [
        {"_id": f"d{at}", "path": path, "text": PYTHON[path]} for at, path in enumerate(PYTHON)
    ]
    place = tmp_path / "corpus.jsonl"
    place.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    made = repoeval(place, task="masked")
    (query,) = made.dataset.queries
    texts = {document.path: document.text for document in made.corpus.documents()}
    assert texts.keys() == PYTHON.keys()
    assert not any(query.text in text for text in texts.values())
    assert sum(texts[path] != PYTHON[path] for path in PYTHON) == 1


def test_lines_is_the_length_of_the_query(write):
    where = write(PYTHON)
    for lines in (4, 5, 6):
        (query,) = repoeval(where, lines=lines).dataset.queries
        assert len(query.text.split("\n")) == lines


TILL = PYTHON["shop/till.py"]
NEAR = "# changed a little\n{}# here too\n"


@pytest.mark.parametrize(
    ("others", "settings"),
    [
        pytest.param(
            {"shop/till.py": TILL + TILL.replace("def total", "def again")},
            {"task": "masked"},
            id="lines twice in a file",
        ),
        pytest.param({"copy/till.py": TILL}, {}, id="file twice"),
        pytest.param({"copy/till.py": NEAR.format(TILL)}, {}, id="lines in another file"),
        pytest.param({"shop/till.py": TILL + f"x = '{'y' * 5000}'\n"}, {}, id="minified"),
    ],
)
def test_what_makes_no_query(write, others, settings, snapshot):
    with pytest.raises(InputError) as raised:
        repoeval(write(PYTHON | others), **settings)
    snapshot(raised.value.problem)


def test_line_ends_and_letters_do_not_matter(write):
    strange = PYTHON["shop/till.py"].replace("Add up", "Zusammenzählen ☃ 𝔘").replace("\n", "\r\n")
    made = repoeval(write(PYTHON | {"shop/till.py": strange}), task="masked")
    (query,) = made.dataset.queries
    assert "\r" not in query.text
    assert "☃" in query.text
    text = next(d.text for d in made.corpus.documents() if d.path == "shop/till.py")
    assert text.count("\r\n") == text.count("\n") > 0


def test_patterns_leave_files_out(write):
    other = PYTHON["shop/till.py"].replace("amount", "sum_of_all")
    where = write(PYTHON | {"test_till.py": other})
    assert len(repoeval(where).dataset.queries) == 2
    made = repoeval(where, exclude=("test_*",))
    assert len(made.dataset.queries) == 1
    assert made.dataset.corpus == {"path": str(where), "exclude": ["test_*"]}
    assert made.documents == 4


@pytest.fixture(scope="module")
def from_asyncio():
    return {task: repoeval(ASYNCIO, task=task, queries=40, per_file=4) for task in TASKS}


def test_tasks_take_the_same_calls(from_asyncio):
    texts = [[query.text for query in from_asyncio[task].dataset.queries] for task in TASKS]
    assert texts[0] == texts[1] == texts[2]
    assert len(texts[0]) == 40


def test_definitions_are_where_they_are_said_to_be(from_asyncio):
    texts = {path.name: path.read_text() for path in ASYNCIO.glob("*.py")}
    for query in from_asyncio["definition"].dataset.queries:
        name = query.extra["call"].rpartition(".")[2]
        defines = re.compile(rf"^\s*(async\s+)?(def|class)\s+{name}\b", re.MULTILINE)
        found = graded(query)
        assert 1 <= sum(grade == 3 for grade in found.values()) <= 3
        for path, grade in found.items():
            assert bool(defines.search(texts[path])) == (grade == 3)
        for judgment in query.judgments[:-1]:
            if judgment.because.lines is None:  # defined there more than once
                continue
            first, last = judgment.because.lines
            inside = "\n".join(texts[judgment.reference.path].split("\n")[first - 1 : last])
            assert defines.search(inside)


def test_no_query_can_be_read_in_its_masked_file(from_asyncio):
    made = from_asyncio["masked"]
    texts = {document.path: document.text for document in made.corpus.documents()}
    for query in made.dataset.queries:
        (path,) = graded(query)
        assert query.text not in texts[path]
        assert not survives(query.text.split("\n"), texts[path].split("\n"))
    whole = sum(len((ASYNCIO / path).read_text().split("\n")) for path in texts)
    gone = sum(len(query.text.split("\n")) for query in made.dataset.queries)
    assert sum(len(text.split("\n")) for text in texts.values()) == whole - gone


def test_verbatim_queries_are_read_in_their_file(from_asyncio):
    for query in from_asyncio["verbatim"].dataset.queries:
        (path,) = graded(query)
        lines = [line.rstrip() for line in (ASYNCIO / path).read_text().split("\n")]
        assert query.text in "\n".join(lines)


def test_no_file_gives_more_than_its_share(from_asyncio):
    paths = [next(iter(graded(q))) for q in from_asyncio["verbatim"].dataset.queries]
    assert max(map(paths.count, paths)) <= 4


def test_no_callee_is_asked_for_more_than_its_share(from_asyncio):
    calls = [
        (q.extra["call"].rpartition(".")[2], next(iter(graded(q))))
        for q in from_asyncio["definition"].dataset.queries
    ]
    assert max(map(calls.count, calls)) <= 4


def test_one_seed_takes_the_same_calls():
    few = {"queries": 15, "exclude": ("[p-z]*",)}
    made = [repoeval(ASYNCIO, seed=seed, **few).dataset for seed in (1, 1, 2)]
    assert made[0] == made[1]
    assert made[0].queries != made[2].queries


@pytest.mark.parametrize("code", [{}, {"b.py": "print(1)\n"}], ids=["no code", "no calls"])
def test_code_without_calls_is_refused_with_what_is_taken(write, code, snapshot):
    with pytest.raises(InputError) as raised:
        repoeval(write({"a.md": "# Nothing\n", **code}))
    snapshot([raised.value.problem, raised.value.hint])


@pytest.mark.parametrize(
    "settings",
    [{"queries": 0}, {"lines": -1}, {"characters": -1}, {"per_file": 0}, {"seed": -1}],
)
def test_impossible_settings_are_refused(write, settings):
    with pytest.raises(InputError, match="too small"):
        repoeval(write(PYTHON), **settings)


def test_an_unknown_task_is_refused(write):
    with pytest.raises(InputError, match='"maksed"'):
        repoeval(write(PYTHON), task="maksed")


LONG = {
    "shop/prices.py": PYTHON["shop/prices.py"],
    "shop/till.py": PYTHON["shop/till.py"]
    + "\n\ndef count(items):\n    return len(items)\n\n\ndef empty(items):\n    return not items\n",
}


def lines_of(query, text):
    first, last = query.extra["lines"]
    return "\n".join(text.split("\n")[first - 1 : last])


def test_no_number_of_lines_takes_all_above_the_call(write):
    (query,) = repoeval(write(LONG), lines=0, task="verbatim").dataset.queries
    before, _, _ = LONG["shop/till.py"].partition("\n\n\ndef count")
    assert (query.text, query.extra["lines"]) == (before, [1, 13])


@pytest.mark.parametrize("characters", [80, 100, 150, 10_000])
def test_the_last_characters_are_the_end_of_the_prompt(write, characters):
    where = write(LONG)
    (whole,) = repoeval(where, lines=0).dataset.queries
    (query,) = repoeval(where, lines=0, characters=characters).dataset.queries
    assert query.text == whole.text[-characters:].lstrip("\n")
    assert lines_of(query, LONG["shop/till.py"]).endswith(query.text)
    first = query.text.split("\n")[0]
    assert lines_of(query, LONG["shop/till.py"]).split("\n")[0].endswith(first)


def test_a_cut_at_the_end_of_a_line_takes_no_empty_one(write):
    where = write(LONG)
    (whole,) = repoeval(where, lines=0).dataset.queries
    characters = len("\n".join(["", *whole.text.split("\n")[-4:]]))
    (query,) = repoeval(where, lines=0, characters=characters).dataset.queries
    assert query.text == whole.text[-characters + 1 :]
    assert query.extra["lines"] == [10, 13]


def test_lines_and_characters_cut_together(write):
    where = write(LONG)
    (few,) = repoeval(where, lines=5, characters=10_000).dataset.queries
    assert len(few.text.split("\n")) == 5
    (fewer,) = repoeval(where, lines=5, characters=80).dataset.queries
    assert fewer.text == few.text[-80:]


def test_a_call_that_is_cut_is_not_in_the_query(write):
    where = write(LONG)
    kept, cut = (repoeval(where, lines=0, call=call).dataset.queries[0] for call in ("kept", "cut"))
    assert kept.text == cut.text + "\n    return round_half_up(amount + tax)"
    assert cut.extra["lines"] == [1, 12]
    assert cut.text.endswith("tax = amount * 0.2")


def test_masked_files_lack_all_lines_that_a_cut_query_touches(write):
    made = repoeval(write(LONG), lines=0, characters=70, call="cut", task="masked")
    (query,) = made.dataset.queries
    text = next(d.text for d in made.corpus.documents() if d.path == "shop/till.py")
    first, last = query.extra["lines"]
    lines = LONG["shop/till.py"].split("\n")
    assert text == "\n".join(lines[: first - 1] + lines[last:])
    assert lines[first - 1] not in text
    assert "round_half_up(amount + tax)" in text


def test_lines_that_stand_in_another_file_make_no_query_when_their_first_is_cut(write, snapshot):
    near = {"copy/till.py": NEAR.format(LONG["shop/till.py"])}
    with pytest.raises(InputError) as raised:
        repoeval(write(LONG | near), lines=0, characters=75)
    snapshot(raised.value.problem)


def test_the_calling_file_is_excluded_from_what_defines(write):
    where = write(LONG)
    excluded = {task: repoeval(where, task=task).dataset.queries[0].extra for task in TASKS}
    assert excluded["definition"]["exclude"] == ["shop/till.py"]
    assert "exclude" not in excluded["masked"] | excluded["verbatim"]


def test_files_that_would_hold_little_else_serve_last(write):
    small = "from shop.prices import round_half_up\n\nvalue = 1.5\nround_half_up(value)\n"
    made = repoeval(write(LONG | {"small.py": small}), lines=0, characters=500)
    assert [q.extra["exclude"] for q in made.dataset.queries] == [["shop/till.py"]]
    assert made.left_out[USED_UP] == 1
    alone = {"shop/prices.py": LONG["shop/prices.py"], "small.py": small}
    made = repoeval(write(alone, "alone"), lines=0, characters=500)
    assert [q.extra["exclude"] for q in made.dataset.queries] == [["small.py"]]
    assert USED_UP not in made.left_out


def test_masked_files_keep_half_of_their_lines(from_asyncio):
    made = repoeval(ASYNCIO, task="masked", queries=60, per_file=9, lines=0, characters=500)
    texts = {document.path: document.text for document in made.corpus.documents()}
    paths = [next(iter(graded(query))) for query in made.dataset.queries]
    assert max(map(paths.count, paths)) > 2
    for path in {path for path in paths if paths.count(path) > 1}:
        whole = [line for line in (ASYNCIO / path).read_text().split("\n") if line.strip()]
        left = [line for line in texts[path].split("\n") if line.strip()]
        assert len(left) >= len(whole) / 2


def test_whole_prompts_may_overlap_but_masked_ones_do_not():
    verbatim = repoeval(ASYNCIO, task="verbatim", queries=40, lines=0).dataset.queries
    masked = repoeval(ASYNCIO, task="masked", queries=40, lines=0).dataset.queries
    paths = [next(iter(graded(query))) for query in verbatim]
    assert max(map(paths.count, paths)) == 3
    assert all(query.extra["lines"][0] == 1 for query in verbatim if query.text[0] != "\n")
    alone = [next(iter(graded(query))) for query in masked]
    assert len(alone) == len(set(alone))
