from types import SimpleNamespace

from assay.reports.runs.tables.benchmark_list import benchmark_list, benchmark_list_json


def kept(id_, identity, *, state="completed", scored=False):
    about = {"dataset": "log.csv"} | ({} if scored else {"scored": False})
    counts = {"runs": {"a": state, "b": state}, "done": 2, "total": 2}
    times = {"created": 0.0, "finished": 1.0, "interrupted": False}
    same = {"name": "help", "state": state, "about": about}
    return SimpleNamespace(id=id_, identity=identity, **same, **counts, **times)


def test_only_the_latest_of_equal_diffs_has_a_row():
    found = [
        kept("d3", "diff"),
        kept("r2", "run", scored=True),
        kept("d2", "diff"),
        kept("x1", "other"),
        kept("d1", "diff", state="cancelled"),
        kept("r1", "run", scored=True),
    ]
    assert [row[0] for row in benchmark_list(found).rows] == ["d3", "r2", "x1", "d1", "r1"]
    assert len(benchmark_list_json(found)["benchmarks"]) == len(found)
