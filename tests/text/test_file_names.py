"""Files of settings by their names, as long as these tell them apart."""

from assay.text.file_names import file_names

ONE, OTHER = "a.txt@7918f5e9082dcdf6", "a.txt@0000000000000000"


def test_by_hand():
    assert file_names(["none", ONE, ONE]) == ["none", "a.txt", "a.txt"]
    assert file_names([ONE, OTHER]) == [ONE, OTHER]  # two files of one name
    assert file_names([ONE, "a.txt"]) == [ONE, "a.txt"]
    assert file_names(["ndcg@10", "@7918f5e9082dcdf6"]) == ["ndcg@10", "@7918f5e9082dcdf6"]
    assert file_names([]) == []
