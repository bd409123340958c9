import logging
import math
import os
import subprocess
import sys
from hashlib import sha256

import numpy as np
import onnx
import pytest
from onnx import helper

from assay.errors import InputError
from assay.extras import install_command
from assay.models.inference.quantise import quantise
from assay.models.inference.session import Session

WEIGHTS = np.array([[1, -2], [3, 0.5], [0, 4]], dtype=np.float32)
ROW = """
import sys
from pathlib import Path
from assay.models.inference.quantise import quantise
print(len(quantise(lambda: Path(sys.argv[1]), "origin", folder=Path(sys.argv[2]))))
"""


@pytest.fixture
def source(tiny):
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["numbers"], to=1),
        helper.make_node("MatMul", ["numbers", "weights"], ["out"], name="product"),
    ]
    return tiny(nodes, {"weights": WEIGHTS}, outputs=("out", [1, 2])) / "model.onnx"


def only(folder):
    (file,) = folder.iterdir()
    return file


def test_the_product_by_hand(source, tmp_path):
    model = quantise(lambda: source, "origin", folder=tmp_path / "cache")
    (row,) = Session(model).run(np.array([[2, 1, 5]]))
    assert row == pytest.approx([5.0, 16.5], rel=0.02)  # 2*1 + 3, -4 + 0.5 + 20


def test_made_once_and_named_by_its_bytes(source, tmp_path):
    folder = tmp_path / "cache"
    first = quantise(lambda: source, "origin", folder=folder)
    assert only(folder).stem.endswith("-" + sha256(first).hexdigest())

    def never():
        raise AssertionError("the source was read again")

    assert quantise(never, "origin", folder=folder) == first


def test_the_same_bytes_whenever_it_is_made(source, tmp_path):
    one, two = (quantise(lambda: source, "origin", folder=tmp_path / n) for n in "ab")
    assert one == two


def test_weights_beside_it_that_have_several_names(source, tmp_path):
    """As uv installs packages: the files are links to those of its cache."""
    whole = quantise(lambda: source, "origin", folder=tmp_path / "whole")
    beside = tmp_path / "beside" / "model.onnx"
    beside.parent.mkdir()
    told = {"save_as_external_data": True, "location": "weights", "size_threshold": 0}
    onnx.save(onnx.load(source), beside, **told)
    for name in ("model.onnx", "weights"):
        (tmp_path / name).hardlink_to(beside.with_name(name))

    assert quantise(lambda: beside, "origin", folder=tmp_path / "linked") == whole


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_file_is_made_again(source, tmp_path, damage):
    folder = tmp_path / "cache"
    first = quantise(lambda: source, "origin", folder=folder)
    only(folder).write_bytes(first[:-1] + b"?" if damage is None else damage)
    assert quantise(lambda: source, "origin", folder=folder) == first
    assert only(folder).read_bytes() == first


def test_a_file_under_the_name_of_other_bytes_is_removed(source, tmp_path):
    folder = tmp_path / "cache"
    first = quantise(lambda: source, "origin", folder=folder)
    key = only(folder).stem.partition("-")[0]
    only(folder).rename(folder / f"{key}-{'0' * 64}.onnx")
    assert quantise(lambda: source, "origin", folder=folder) == first
    assert only(folder).stem.endswith(sha256(first).hexdigest())


def test_other_sources_and_recipes_have_other_files(source, tmp_path):
    quantise(lambda: source, "origin", folder=tmp_path / "c")
    quantise(lambda: source, "other", folder=tmp_path / "c")
    outliers = {"product": {2: math.inf}}
    exact = quantise(lambda: source, "origin", folder=tmp_path / "c", outliers=outliers)
    assert len(list((tmp_path / "c").iterdir())) == 3
    (row,) = Session(exact).run(np.array([[0, 0, 5]]))
    assert row.tolist() == [0.0, 20.0]  # the third channel alone, in float32


def test_two_processes_at_once(source, tmp_path):
    command = [sys.executable, "-c", ROW, str(source), str(tmp_path / "cache")]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    said = [child.communicate()[0] for child in children]
    assert [child.returncode for child in children] == [0, 0]
    assert said[0] == said[1]
    only(tmp_path / "cache")  # nothing half-made stays


def test_what_a_killed_process_left_is_removed(source, tmp_path):
    (tmp_path / ".old.part").write_bytes(b"half")
    os.utime(tmp_path / ".old.part", (0, 0))
    (tmp_path / ".new.part").write_bytes(b"half")
    quantise(lambda: source, "origin", folder=tmp_path)
    assert sorted(path.name for path in tmp_path.glob(".*")) == [".new.part"]


def test_nothing_is_said_or_set_up_for_others(source, tmp_path, caplog, capfd):
    handlers = list(logging.getLogger().handlers)
    quantise(lambda: source, "origin", folder=tmp_path / "cache")
    assert logging.getLogger().handlers == handlers
    assert not caplog.records
    assert capfd.readouterr() == ("", "")


def test_a_folder_that_cannot_be_made(source, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot be saved") as caught:
        quantise(lambda: source, "origin", folder=tmp_path / "file" / "cache")
    assert "ASSAY_CACHE" in caught.value.hint


def test_without_onnx(source, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(InputError, match="package onnx") as caught:
        quantise(lambda: source, "origin", folder=tmp_path)
    assert caught.value.hint == install_command("search")


def test_the_preparation_is_shown_only_where_it_is_done(source, tmp_path):
    shown = []

    def track(items, doing, *, total=None, unit=""):
        shown.append(doing)
        return items

    for _ in range(2):
        quantise(lambda: source, "origin", folder=tmp_path / "cache", name="tiny", track=track)
    assert shown == ["preparing tiny (first use only)"]
