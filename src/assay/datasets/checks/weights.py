"""Weights: how unequal queries count, and so how few of them decide."""

from assay.datasets.checks._evidence import Evidence, check
from assay.records import Finding, Table
from assay.records.traffic import about_traffic

__all__ = ["weights"]

SHOWN = 5  # of the heaviest queries
MOST = 0.5  # of the traffic, from which one query decides nearly everything


@check(rank=85)
def weights(evidence: Evidence) -> Finding:
    """Count how many queries of equal weight tell as much as these, and name the heaviest."""
    traffic = evidence.dataset.traffic
    told = about_traffic(traffic)
    if not told:
        return Finding(figures={"effective_queries": len(evidence.dataset.queries)})
    top = sorted(traffic, key=lambda query: -traffic[query])[:SHOWN]
    shares = [traffic[query] / traffic[top[0]] * told["heaviest_share"] for query in top]
    heavy = told["heaviest_share"] > MOST
    return Finding(
        said=f"{told['effective_queries']:.1f} effective queries of {len(traffic):,} (Kish); "
        f"the heaviest query has {told['heaviest_share']:.1%} of the weight.",
        brief=f"one query has {told['heaviest_share']:.0%} of the weight" if heavy else "",
        table=Table(
            ("query", "weight", "share"),
            [[query, traffic[query], share] for query, share in zip(top, shares, strict=True)],
            texts={
                **{(at, 1): f"{traffic[query]:,g}" for at, query in enumerate(top)},
                **{(at, 2): f"{share:.1%}" for at, share in enumerate(shares)},
            },
        ),
        figures=told,
    )
