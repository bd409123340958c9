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
    found = [(tuple(path), problem) for path, problem, _ in SCHEMA.problems({"a": items, "c": "y"})]
    assert sorted(found, key=str) == [
        (("a", 129, "b", 400), '"x" is not a whole number'),
        (("a", 3), "null is not an object"),
        (("a", 60), "null is not an object"),
        (("c",), '"y" is not a whole number'),
    ]


def test_a_flood_of_problems_is_told_one_by_one():
    start = time.process_time()
    problems = SCHEMA.problems({"a": [1] * 500_000, "c": 1})
    assert next(iter(problems))[1] == "1 is not an object"
    assert time.process_time() - start < 10
