import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.gates.presets import GateChecks
from assay.benchmarks.gates.read_checks import read_checks
from assay.errors import InputError


@pytest.mark.parametrize("text", ["77.0", "77%", ".77", "0.77", " 77 % "])
def test_a_published_figure_reads_as_it_is_printed(text):
    (one,) = read_checks(f"ndcg@10:{text}", "min")
    assert one.amount == pytest.approx(0.77)


@pytest.mark.parametrize(
    ("text", "kind", "amount", "relative"),
    [
        ("nDCG@10:5%", "allow", 0.05, True),
        ("ndcg@10/category=a:b:0.02", "allow", 0.02, False),
        ("index_bytes:100MB", "max", 1e8, False),
        ("peak_memory_mb:2GB", "max", 2000.0, False),
        ("mrr@10:1", "min", 1.0, False),
        ("edge_overlap_p50:25%", "min", 0.25, False),
        ("uplift:-5%", "min", -0.05, False),
    ],
)
def test_amounts(text, kind, amount, relative):
    (one,) = read_checks(text, kind)
    assert (one.amount, one.relative) == (pytest.approx(amount), relative)


@pytest.mark.parametrize("kind", ["allow", "min", "max"])
@pytest.mark.parametrize(
    "text",
    [
        *("ndcg@10", "ndcg@10:", ":5%", "", ":", "ndcg@10:-5%", "ndcg@10:nan", "ndcg@10:inf"),
        *("ndcg@10:1e400", "ndgc@10:5%", "ndcg@10:five", "ndcg@10:5%%", "ndcg@10/category:5%"),
        *("ndcg@10/=x:5%", "latency_p95_ms/category=x:5", "ndcg@10:101", "latency_p95:5"),
    ],
)
def test_what_is_no_check_is_refused(text, kind):
    with pytest.raises(InputError):
        read_checks(text, kind)


@pytest.mark.parametrize("text", ["uplift:-5%", "easy_gate_rate:5%", "ndcg@10:5"])
def test_an_allowance_must_be_one(text):
    with pytest.raises(InputError):
        read_checks(text, "allow")


def test_a_near_miss_is_suggested():
    with pytest.raises(InputError) as refused:
        read_checks("latency_p95_mss:5%", "allow")
    assert "latency_p95_ms" in str(refused.value.hint)


def test_a_check_given_twice_is_refused():
    with pytest.raises(InputError, match="twice"):
        GateChecks.read(allow=["ndcg@10:5%", "nDCG@10:2%"])


@given(st.floats(0, 0.999), st.booleans())
def test_checks_read_back(amount, relative):
    text = f"ndcg@10:{amount * 100!r}%" if relative else f"ndcg@10:{amount!r}"
    asked = GateChecks.read(allow=text, preset=["regression=3%", "uplift"])
    again = GateChecks.read(**asked.texts)
    assert again.presets == asked.presets
    assert again.checks[0].amount == pytest.approx(asked.checks[0].amount, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "text", "hint"),
    [
        ("min", "ndcg@10:1.5", "0.15 or 1.5%"),
        ("min", "recall@5:6", "0.6 or 6%"),
        ("max", "fallback_rate:5", "0.5 or 5%"),
    ],
)
def test_a_score_above_1_that_is_no_published_percentage_is_refused(kind, text, hint):
    with pytest.raises(InputError) as caught:
        read_checks(text, kind)
    assert hint in caught.value.hint


def test_a_drop_that_cannot_happen_is_refused():
    with pytest.raises(InputError, match="cannot become 100% worse"):
        read_checks("ndcg@10:100%", "allow")
    assert read_checks("latency_p95_ms:500%", "allow")[0].amount == 5.0


@pytest.mark.parametrize(
    ("wrong", "near"), [("ndgc@10", "ndcg@10"), ("latency_p95", "latency_p95_ms")]
)
def test_a_misspelled_figure_gets_the_nearest_name_and_no_list(wrong, near):
    with pytest.raises(InputError) as caught:
        read_checks(f"{wrong}:5%", "allow")
    assert caught.value.hint == f'did you mean "{near}"?'
