"""A diff in sentences: what it compares, what it cannot tell, and what to judge."""

from assay.records.diff import Diff
from assay.text.count_noun import count_noun
from assay.text.join_list import join_list

__all__ = ["headline", "next_lines", "sample_lines"]

SD = "sd=0.3"  # of the differences of changed queries, as the plan is told in a line


def headline(diff: Diff) -> str:
    """Say what is compared."""
    count = count_noun(len(diff.changes), "query")
    failed = len({key for reasons in diff.failed.values() for key in reasons})
    lost = f"; {failed:,} more failed and are not compared" if failed else ""
    return f"{diff.after} compared with {diff.before}: {count}, {len(diff.changed):,} changed{lost}"


def next_lines(diff: Diff, command: str) -> list[str]:
    """Say that changed is not better, how many queries to judge, and the ``command`` for it."""
    if not diff.changed:
        return [f"The top {diff.k} is the same for every query: both score the same at {diff.k}."]
    said = "Changed is not better: without judgments there is no verdict. "
    changed = count_noun(diff.plan.changed, "changed query", "changed queries")
    said += f"A judged sample of the {changed} gives one"
    same = 1 - diff.plan.share
    rest = f"; the other {same:.0%} of the traffic cannot differ in its top {diff.k}"
    said += f"{rest if round(same, 2) else ''}."
    return [said, *filter(None, [_needed(diff)]), f"`{command}` draws the sample."]


def _needed(diff: Diff) -> str:
    """Say which difference some numbers of judged queries show, four times out of five."""
    found = [(number, one[SD]) for number, one in diff.plan.detectable.items()]
    if not found:
        return ""
    (last, least), some = found[-1], [one for one in found[:-1] if one[1] < 1][:3]
    given = f"(80% power, {SD.replace('=', ' ')} assumed)"
    if least >= 1:
        return f"Even all {last:,} changed queries, judged, would detect no difference {given}."
    noun = " judged queries"  # said once
    told = [
        f"{size:.3f} with {number:,}{'' if at else noun}" for at, (number, size) in enumerate(some)
    ]
    what = f"Detectable difference of the mean over all traffic {given}"
    return f"{what}: {join_list([*told, f'{least:.3f} with all {last:,}'])}."


def sample_lines(diff: Diff, judge: str) -> list[str]:
    """Say what was drawn, what it shows, and how to ``judge`` it."""
    told = diff.sample
    changed = count_noun(int(told["changed"]), "changed query", "changed queries")
    drawn = f"{told['drawn']:,} of {changed}"
    documents = count_noun(int(told["documents"]), "document")
    how = f"Drawn in proportion to traffic (seed {told['seed']})"
    lines = [f"{how}: {drawn}, {documents} to judge."]
    least, wanted = told["detectable"], told["detect"]
    if least is not None and wanted is not None and least > wanted:
        few = f"A difference of {wanted:g} is out of reach: a few queries have most of the traffic"
        lines.append(f"{few}; this sample detects {least:.3f}, and more queries hardly less.")
    elif least is not None:
        what = "a difference of the mean over all traffic"
        lines.append(f"It detects {what} of {least:.3f} (80% power, {SD.replace('=', ' ')}).")
    share = float(told["changed_share"])
    if round(share, 3) < 1:
        lines.append(f"Over all traffic a difference is {share:.3f} times that of the sample.")
    return [*lines, judge]
