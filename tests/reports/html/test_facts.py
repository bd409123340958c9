"""The figures at the top of a page are counted in words that fit their number."""

import pytest


@pytest.mark.parametrize(("count", "said"), [(1, "leaked query 1 "), (2, "leaked queries 2 ")])
def test_one_is_not_many(made_report, written, count, said):
    few = written(
        made_report(
            truth={"leaked": count}, dataset={"queries": count}, corpus={"documents": count}
        )
    ).text
    assert said in few
    assert ("document 1 " in few) is (count == 1)
    assert ("query 1 " in few) is (count == 1)
