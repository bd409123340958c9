import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # The first relevant document stands at rank 3.
    assert scores({"c": 1, "a": 0}, "abc", "hit@2", "hit@3", "hit", "hit(rel=2)") == [0, 1, 1, 0]


def test_two_relevant_documents_are_still_one_hit():
    assert scores({"a": 1, "b": 3}, "ab", "hit@2") == [1.0]
