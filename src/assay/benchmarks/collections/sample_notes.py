"""A sample that `assay diff` drew -> of which configurations it speaks for all traffic, and how."""

from collections.abc import Iterator, Sequence

from assay.records import Configuration, Dataset
from assay.text.join_list import join_names

__all__ = ["sample_notes"]

NAMED = 2  # configurations that a note names
ALL = 0.9995  # of the traffic changed, as it is printed


def sample_notes(dataset: Dataset, configurations: Sequence[Configuration]) -> Iterator[str]:
    """Say of the two searches that it was drawn for how to scale, and of others that it is biased.

    Queries that both answer alike are not in it: their difference is 0, and only theirs.
    """
    told = dataset.metadata.get("sample")
    if not isinstance(told, dict) or not {"before", "after", "changed_share"} <= {*told}:
        return
    drawn_for, share = [str(told["before"]), str(told["after"])], told["changed_share"]
    both = join_names(drawn_for)
    names = [one.name for one in configurations]
    if {*drawn_for} <= {*names} and isinstance(share, float) and 0 < share < ALL:
        part = f"a sample of the {share:.1%} of the traffic whose results changed between {both}"
        yield f"{part}: over all traffic their difference is {share:.3g} times as large"
    if others := [name for name in names if name not in drawn_for]:
        some = (
            join_names(others) if len(others) <= NAMED else f"{len(others):,} other configurations"
        )
        drawn = f"the queries were drawn where {both} differ, and do not represent the traffic"
        yield f"{drawn} for {some}: draw a sample for each pair (`assay diff`)"
