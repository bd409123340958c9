"""The figures at the top of a page are counted in words that fit their number."""

import pytest


@pytest.mark.parametrize("count", [1, 2])
def test_one_is_not_many(made_report, written, count, snapshot):
    found = written(
        made_report(
            truth={"leaked": count}, dataset={"queries": count}, corpus={"documents": count}
        )
    )
    facts = found.part('<dl class="facts">', "</dl>")
    snapshot(facts)
    assert ("document 1" in facts) is ("query 1" in facts) is (count == 1)
    assert ("documents 2" in facts) is ("queries 2" in facts) is (count == 2)
