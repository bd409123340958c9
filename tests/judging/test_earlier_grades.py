from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assay.judging.earlier_grades import contradiction, grades_of, reports_of
from assay.records import Dataset, Judgment, Query, Rationale, Reference

JUDGMENTS = st.lists(
    st.builds(
        Judgment,
        st.builds(Reference, path=st.sampled_from(["a", "b", "日本"])),
        st.integers(-1, 3),
        st.sampled_from(["", "group"]),
    ),
    max_size=4,
).map(tuple)
QUERIES = st.lists(
    st.builds(Query, st.sampled_from("pqr"), st.sampled_from(["one", "two\x1b[31m"]), JUDGMENTS),
    max_size=3,
    unique_by=lambda query: query.key,
).map(tuple)
DATASETS = st.builds(Dataset, st.just("d"), QUERIES)


def graded(document, grade, report="r1"):
    because = Rationale(judge="ann", report=report)
    return Judgment(Reference(document_id=document), grade, because=because)


def with_graded(dataset, *judgments):
    queries = tuple(
        replace(query, judgments=(*query.judgments, *judgments)) for query in dataset.queries
    )
    return replace(dataset, queries=queries, metadata={"judging": []})


@given(DATASETS)
def test_grades_never_contradict_the_dataset_that_they_are_of(dataset):
    """Also where it judges one thing twice, with other grades."""
    before = with_graded(dataset, graded("x", 2), graded("y", 0, "r2"), graded("z", 1, "r2"))
    assert contradiction(dataset, before) == ""
    assert contradiction(before, before) == ""
    assert len(grades_of(before)) == 3 * len(dataset.queries)
    assert reports_of(before) == (["r2", "r1"] if dataset.queries else [])
    assert grades_of(dataset) == {}


@given(DATASETS, DATASETS)
def test_what_is_in_both_is_all_that_holds(dataset, before):
    """A file is taken over if all that it says beside grades is in the dataset, word for word."""
    before = replace(before, metadata={"judging": []})
    own = {query.key: query for query in dataset.queries}
    holds = all(
        query.key in own
        and query.text == own[query.key].text
        and {*query.judgments} <= {*own[query.key].judgments}
        for query in before.queries
    )
    said = contradiction(dataset, before)
    assert (said == "") == holds
    assert said.isprintable()


@given(DATASETS)
def test_a_sample_of_a_diff_belongs_to_its_own_file_only(dataset):
    """Its weights would be lost: whole datasets with the same queries, and other samples."""
    before = with_graded(dataset, graded("x", 2))
    sample = {"before": "bm25", "after": "hybrid", "drawn": 3, "seed": 0}
    drawn, other = (
        replace(dataset, metadata={"sample": sample | {"seed": seed}}) for seed in (0, 1)
    )
    file = replace(before, metadata={**before.metadata, "sample": sample})
    assert contradiction(drawn, file) == ""
    for one in (dataset, other):
        assert '3 queries of "bm25" and "hybrid" (seed 0)' in contradiction(one, file)
    assert contradiction(drawn, before)
