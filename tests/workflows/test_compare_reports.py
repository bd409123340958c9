import pytest

import assay
from assay.errors import UsageError
from assay.records import Report, Run


def test_a_metric_of_which_less_is_better_decides_nothing(snapshot):
    names = ["ndcg@10", "rbp_residual(p=0.8)"]
    rows = {f"q{at}": dict.fromkeys(names, at / 9) for at in range(9)}
    one = Run("a", "f", {}, scores=dict.fromkeys(names, 0.5), per_query=rows)
    report = Report({"metrics": names, "primary": "ndcg@10"}, {}, {}, {}, (one,))
    for named in ("rbp_residual", "rbp_residual(p=0.8)"):
        with pytest.raises(UsageError, match="rbp_residual") as caught:
            assay.compare_reports(report, report, primary=named)
        snapshot(caught.value)
    assert assay.compare_reports(report, report, primary="ndcg@10")[0].primary == "ndcg@10"
