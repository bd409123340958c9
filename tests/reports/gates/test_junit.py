from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from tests.reports.gates.made import HOSTILE, gate, result

from assay.reports.gates.junit import junit

DATE = "2026-01-02T03:04:05"


@pytest.fixture(scope="module")
def schema():
    import xmlschema

    return xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))


@pytest.mark.parametrize("text", ["", *HOSTILE])
@pytest.mark.parametrize("strict", [False, True])
def test_it_keeps_the_schema(schema, text, strict):
    content = junit(
        gate([result(at, text=text) for at in range(7)], text=text, notes=[text]),
        date=DATE,
        strict=strict,
    )
    schema.validate(Xml.fromstring(content))


def test_the_schema_can_refuse(schema):
    broken = Xml.fromstring(junit(gate([result(0)]), date=DATE))
    broken[0].set("tests", "many")
    assert not schema.is_valid(broken)


@pytest.mark.parametrize(("strict", "failed", "skipped"), [(False, 2, 2), (True, 4, 0)])
def test_one_case_per_check_and_the_counts_are_right(strict, failed, skipped):
    root = Xml.fromstring(junit(gate([result(at) for at in range(6)]), date=DATE, strict=strict))
    suite = root[0]
    cases = suite.findall("testcase")
    assert len({(one.get("classname"), one.get("name")) for one in cases}) == len(cases) == 6
    assert sum(one.find("failure") is not None for one in cases) == failed
    counted = [suite.get(name) for name in ("tests", "failures", "skipped", "errors")]
    assert counted == ["6", str(failed), str(skipped), "0"]
    assert (root.get("tests"), root.get("failures")) == ("6", str(failed))


def test_a_case_keeps_its_name_whatever_is_measured():
    names = [
        [one.get("name") for one in Xml.fromstring(junit(gate([each]), date=DATE)).iter("testcase")]
        for each in (result(1, outcome="pass"), result(1, outcome="fail"))
    ]
    assert names[0] == names[1]
