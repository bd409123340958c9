from hypothesis import given
from hypothesis import strategies as st

from assay.columns.files.file_names import file_names


def test_by_hand():
    found = file_names(["a/b", "a_b", "A_b", "..", "日本 ü", "con\0x"])
    assert found["a_b"] == "a_b"  # what can be a file's name keeps it
    assert found["A_b"] == "A_b_2"  # systems that know no case have one file for both
    assert found["a/b"] == "a_b_3"
    assert found[".."] == "run"
    assert found["日本 ü"] == "日本_ü"
    assert found["con\0x"] == "con_x"
    assert file_names(["."], nameless="dataset") == {".": "dataset"}


def test_letters_that_are_written_in_two_ways_are_one():
    composed, apart = "caf\u00e9", "\uff43af\u00e9"  # the second has a wide c
    found = file_names([composed, apart, "CAF\u00c9"])
    assert len({*found.values()}) == 3
    assert sum(name.endswith(("_2", "_3")) for name in found.values()) == 2


def test_a_long_name_is_cut_to_what_a_file_may_be_called():
    long = ["日" * 200, "日" * 201, "a" * 300]
    found = file_names(long)
    assert len({*found.values()}) == 3
    assert all(len(name.encode()) <= 105 for name in found.values())


@given(st.lists(st.text(max_size=30), unique=True, max_size=8))
def test_each_has_one_of_its_own(names):
    found = file_names(names)
    assert found.keys() == {*names}
    assert len({name.lower() for name in found.values()}) == len(names)
    for name in found.values():
        assert name
        assert not {*name} & {*'/\\:*?"<>|\0\n'}
        assert name not in (".", "..")
