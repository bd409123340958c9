"""The script that measures sweeps, on a few queries: it ends with 1 if a replay differs."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_replays_of_the_script_equal_the_stages():
    script = ROOT / "performance" / "scripts" / "sweep_assay.py"
    command = [sys.executable, str(script), "3", "20", "1000", "200"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert (told["count"], told["searched"]) == (1000, 200)
    assert told["replay_s"] > 0
