import time

from assay.datasets.schema import Schema

ITEM = {"type": "object", "properties": {"b": {"type": "array", "items": {"type": "integer"}}}}
SCHEMA = Schema(
    {
        "type": "object",
        "required": ["a", "c"],
        "properties": {"a": {"type": "array", "items": ITEM}, "c": {"type": "integer"}},
    }
)


def test_problems_of_long_lists_keep_their_paths():
    items = [{} for _ in range(130)]
    items[3] = items[60] = None
    items[129] = {"b": [0] * 400 + ["x"]}
    problems = SCHEMA.problems({"a": items, "c": "y"})
    found = {tuple(path): problem.split()[0] for path, problem, _ in problems}
    assert found == {
        ("a", 129, "b", 400): '"x"',
        ("a", 3): "null",
        ("a", 60): "null",
        ("c",): '"y"',
    }


def test_a_flood_of_problems_is_told_one_by_one():
    start = time.process_time()
    problems = SCHEMA.problems({"a": [1] * 500_000, "c": 1})
    path, problem, _ = next(iter(problems))
    assert (tuple(path), problem.split()[0]) == (("a", 0), "1")
    assert time.process_time() - start < 10
