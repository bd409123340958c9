import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
import assay.metrics
from assay import catalogue
from assay.errors import AssayError, InputError, UnknownNameError
from assay.metrics import parse, parse_all

SPELLINGS = {
    # ours
    "ndcg@10": "ndcg@10",
    " ndcg @ 10 ": "ndcg@10",
    "recall( rel = 2 )@5": "recall(rel=2)@5",
    "rbp": "rbp(p=0.8)",
    "alpha_ndcg(alpha=0.5)@5": "alpha_ndcg@5",
    "alpha-ndcg(alpha=0.25)": "alpha_ndcg(alpha=0.25)",
    "r-precision": "r_precision",
    # ir_measures
    "nDCG@10": "ndcg@10",
    "nDCG": "ndcg",
    "P@5": "precision@5",
    "R@100": "recall@100",
    "RR@10": "mrr@10",
    "RR": "mrr",
    "AP": "ap",
    "AP@100": "ap@100",
    "AP(rel=2)": "ap(rel=2)",
    "Success@5": "hit@5",
    "Rprec": "r_precision",
    "Bpref": "bpref",
    "infAP": "infap",
    "RBP(p=0.8)": "rbp(p=0.8)",
    "RBP(rel=2,p=0.5)": "rbp(rel=2,p=0.5)",
    "ERR@20": "err@20",
    "Judged@10": "judged@10",
    "alpha_nDCG@20": "alpha_ndcg@20",
    "alpha_nDCG(alpha=0.9)@20": "alpha_ndcg(alpha=0.9)@20",
    "nDCG(dcg='exp-log2')@10": "ndcg_exp@10",
    'nDCG(dcg="log2")@10': "ndcg@10",
    "P(rel=2)@5": "precision(rel=2)@5",
    # trec_eval
    "ndcg_cut_10": "ndcg@10",
    "ndcg_cut.10": "ndcg@10",
    "P_10": "precision@10",
    "P.10": "precision@10",
    "recip_rank": "mrr",
    "map": "ap",
    "map_cut_10": "ap@10",
    "recall_100": "recall@100",
    "success_5": "hit@5",
    "bpref": "bpref",
    "ndcg": "ndcg",
}


@pytest.mark.parametrize(("spelled", "ours"), SPELLINGS.items())
def test_spellings_of_other_tools(spelled, ours):
    assert str(parse(spelled)) == ours
    assert parse(ours) == parse(spelled)


@pytest.mark.parametrize(
    ("text", "problem", "hint"),
    [
        ("", 'invalid metric ""', "ndcg@10"),
        ("ndcg@", "invalid metric", "expected e.g. ndcg@10"),
        ("@10", "invalid metric", "expected e.g. ndcg@10"),
        ("ndcg@-1", "invalid metric", "expected e.g. ndcg@10"),
        ("ndcg@1.5", "invalid metric", "expected e.g. ndcg@10"),
        ("ndcg@10@20", "invalid metric", "expected e.g. ndcg@10"),
        ("rbp(p=0.8", "invalid metric", "expected e.g. ndcg@10"),
        ("ndcg@0", "the cutoff must be between 1 and", "write ndcg@10"),
        ("ndcg@1" + "0" * 30, "the cutoff must be between 1 and", "write ndcg@10"),
        ("precision", "needs a cutoff", "write precision@10"),
        ("f1", "needs a cutoff", "write f1@10"),
        ("bpref@10", "takes no cutoff", "write bpref"),
        ("rbp(0.8)", "a parameter has no value", "rbp(p=0.8)"),
        ("rbp(p=1)", "p=1 is not a number", "p=0.8"),
        ("rbp(p=nan)", "p=nan is not a number", "p=0.8"),
        ("rbp(p=x)", "p=x is not a number", "p=0.8"),
        ("rbp(q=0.8)", 'unknown parameter "q"', "available: p, rel"),
        ("ndcg(p=0.8)@5", 'unknown parameter "p"', "available: none"),
        ("ndcg(dcg=odd)@5", 'unknown parameter "dcg"', "available: none"),
        ("rbp(p=0.8,p=0.9)", 'duplicate parameter "p"', "keep one"),
        ("ndcg(rel=2)@5", "takes no relevance level", "remove rel"),
        ("ap(rel=0)", "rel=0 is not a positive grade", "rel=2"),
        ("ap(rel=-1)", "rel=-1 is not a positive grade", "rel=2"),
        ("ap(rel=1.5)", "rel=1.5 is not a positive grade", "rel=2"),
        ("ap(rel=1" + "0" * 5000 + ")", "is not a positive grade", "rel=2"),
    ],
)
def test_what_cannot_be_read_says_how_to_write_it(text, problem, hint):
    with pytest.raises(InputError) as caught:
        parse(text)
    assert problem in caught.value.problem
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("near", "meant"),
    [("nDGC@10", "ndcg@10"), ("precison@5", "precision@5"), ("MRRR", "mrr"), ("ncdg", "ndcg"),
     ("r_precison", "r_precision"), ("recal( rel=2 ) @ 5", "recall(rel=2)@5"),
     ("prb_residual(p=0.5)@9", "rbp_residual(p=0.5)@9"),
     ("bprf@10", "bpref"), ("precison", "precision"), ("ndgc(rel=2)@5", "ndcg")],
)  # fmt: skip
def test_near_misses_are_suggested(near, meant):
    with pytest.raises(UnknownNameError) as caught:
        parse(near)
    assert caught.value.hint == f'did you mean "{meant}"?'


def test_a_far_miss_says_where_the_list_is():
    with pytest.raises(UnknownNameError, match='unknown metric "xyzzy"') as caught:
        parse("xyzzy")
    assert "assay list metrics" in caught.value.hint


def test_several_at_once_each_once():
    wanted = parse_all(["ndcg@10,P@5", "nDCG@10 mrr", "rbp(rel=2, p=0.5)"])
    assert [str(m) for m in wanted] == ["ndcg@10", "precision@5", "mrr", "rbp(rel=2,p=0.5)"]


def test_none_named_gives_the_defaults():
    assert [str(m) for m in parse_all()] == [
        "precision@5", "precision@10", "precision@20", "recall@5", "recall@10", "recall@20",
        "ndcg@5", "ndcg@10", "ndcg@20", "mrr", "ap",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", " ", ",", " , ", "\t"])
def test_a_text_that_names_none_is_refused(text):
    """A shell variable that was never set must not mean the defaults."""
    with pytest.raises(InputError, match="empty metric") as caught:
        parse_all(["ndcg@10", text])
    assert "variable" in caught.value.hint
    with pytest.raises(InputError, match="empty metric"):
        assay.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, text)


def test_close_parameters_are_two_metrics():
    first, second = parse_all(["rbp(p=0.12345678)", "rbp(p=0.12345679)"])
    assert str(first) == "rbp(p=0.12345678)" != str(second)


@settings(max_examples=100, deadline=None)
@given(
    st.floats(0, 1, exclude_max=True), st.integers(1, 9), st.none() | st.integers(1, 999_999_999)
)
def test_any_parameter_reads_back(p, level, k):
    text = f"rbp(p={p!r},rel={level})" + (f"@{k}" if k else "")
    metric = parse(text)
    assert metric.parameters == (("p", p),)
    assert parse(str(metric)) == metric


NAMES = [*catalogue.names(assay.metrics), *SPELLINGS, "ndcg_cut", "map_cut"]
pieces = st.sampled_from(
    [
        *NAMES,
        *"@()=_.-,' \"\t0123456789",
        "rel",
        "p",
        "alpha",
        "dcg",
        "nan",
        "inf",
        "1e400",
        "²",
        "１",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=20) | st.lists(pieces, max_size=7).map("".join))
def test_anything_is_a_metric_or_an_error_of_ours(text):
    try:
        metrics = [parse(text), *parse_all([text])]
    except AssayError as error:
        metrics, hint = [], error.hint
    else:
        hint = "none needed"
    assert hint
    assert all(parse(str(metric)) == metric for metric in metrics)
