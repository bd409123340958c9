from assay.records import Run
from assay.verdicts.smallest import smallest


def run(name, count=None, scores=None):
    storage = {} if count is None else {"bytes_per_document": count}
    return Run(name, name, {}, scores=scores or {"ndcg@10": 0.5}, storage=storage)


def test_by_hand(snapshot):
    told = smallest([run("large", 900), run("small", 100), run("unknown")], primary="ndcg@10")
    assert (told["run"], told["by"], told["value"]) == ("small", "bytes_per_document", 100)
    snapshot([told["reason"], told["uncertainty"]["sentence"]])
    assert told["uncertainty"]["interval"] == [100, 100]
    assert told["uncertainty"]["runner_up"] == "large"
    assert told["uncertainty"]["equal"] == []
    assert told["uncertainty"]["told_apart"] is True


def test_equal_sizes_are_not_told_apart(snapshot):
    told = smallest([run("a", 5), run("b", 5)], primary="ndcg@10")
    assert (told["run"], told["uncertainty"]["told_apart"]) == ("a", False)
    assert told["uncertainty"]["equal"] == ["b"]
    more = smallest([run("a", 5), run("b", 6), run("c", 5), run("d", 5)], primary="ndcg@10")
    assert more["uncertainty"]["equal"] == ["c", "d"]
    snapshot(
        line for one in (told, more) for line in (one["reason"], one["uncertainty"]["sentence"])
    )


def test_what_answers_nothing_is_not_small():
    runs = [run("mute", 1), run("dead", 1, scores={"x": 1}), run("a", 9)]
    assert smallest(runs, primary="ndcg@10", silent={"mute"})["run"] == "a"
    assert smallest([run("unknown")], primary="ndcg@10") is None
    assert smallest([], primary="ndcg@10") is None
