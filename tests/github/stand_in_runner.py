"""A stand-in for the runner of GitHub Actions, which cannot be had here.

It evaluates the expressions that action.yml and the example workflow use, and executes their
scripts with the command line and the files that GitHub documents. Steps that use another action
are recorded, not executed.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
NAME = re.compile(r"\b(?:inputs|steps|github|runner|env|vars)(?:\.[\w-]+)+")
TEXT = re.compile(r"('[^']*')")
STATUS = re.compile(r"\b(?:cancelled|always|success)\(\)")
INHERITED = ("HOME", "LANG", "TMPDIR", "ASSAY_CACHE", "LD_LIBRARY_PATH", "GIT_")


@dataclass
class Job:
    """What is known while the steps of a job are executed, and what they printed."""

    folder: Path  # the checkout
    temp: Path
    programs: Path  # a folder of stand-ins, first on PATH
    context: dict = field(default_factory=dict)
    environment: dict = field(default_factory=dict)
    log: str = ""
    failed: bool = False
    used: list = field(default_factory=list)  # (action, its inputs)
    steps: dict = field(default_factory=dict)

    @property
    def summary(self):
        return self._file("STEP_SUMMARY").read_text()

    @property
    def annotations(self):
        return re.findall(r"^::(?:error|warning|notice).*$", self.log, re.MULTILINE)

    def _file(self, name):
        path = self.temp / f"github-{name.lower()}"
        path.touch()
        return path

    def value(self, text):
        """Replace each ``${{ expression }}`` of a text."""
        return re.sub(r"\$\{\{(.*?)\}\}", lambda one: str(self.evaluate(one[1])), str(text))

    def evaluate(self, expression):
        """Evaluate names, texts, ``==``, ``!=``, ``!``, ``&&`` and ``||``."""
        parts = TEXT.split(expression.strip())
        return eval("".join(map(self._python, parts)).strip())

    def _python(self, part):
        if part.startswith("'"):
            return part
        part = NAME.sub(lambda name: repr(self._look_up(name[0])), part)
        for function, value in self._status().items():
            part = part.replace(f"{function}()", str(value))
        part = part.replace("&&", " and ").replace("||", " or ")
        return re.sub(r"!(?!=)", " not ", part)

    def _status(self):
        return {"cancelled": False, "always": True, "success": not self.failed}

    def _look_up(self, name):
        value = {**self.context, "steps": self.steps}
        for part in name.split("."):
            value = value.get(part, "") if isinstance(value, dict) else ""
        return value

    def execute(self, steps):
        """Execute steps in order; after a failure only those that ask for it."""
        for step in steps:
            if not self._is_due(str(step.get("if", "success()"))):
                continue
            if "uses" in step:
                given = {key: self.value(text) for key, text in step.get("with", {}).items()}
                self.used.append((step["uses"], given))
            else:
                self._run(step)
        return self

    def _is_due(self, condition):
        """Evaluate the condition of a step; without a function of the status it needs success."""
        condition = condition.removeprefix("${{").removesuffix("}}")
        if self.failed and not STATUS.search(condition):
            return False
        return self.evaluate(condition)

    def _run(self, step):
        assert step["shell"] == "bash"
        script = self.temp / "script.sh"
        script.write_text(step["run"])
        output = self._file("OUTPUT")
        output.write_text("")
        done = subprocess.run(
            [*SHELL, str(script)],
            cwd=self.folder / self.value(step.get("working-directory", ".")),
            env=self._environment(step),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.log += done.stdout.decode()
        self.failed |= done.returncode != 0
        lines = (line.partition("=")[::2] for line in output.read_text().splitlines())
        self.steps[step.get("id", step["name"])] = {"outputs": dict(lines)}

    def _environment(self, step):
        inherited = {key: at for key, at in os.environ.items() if key.startswith(INHERITED)}
        event = self._file("EVENT_PATH")
        event.write_text(json.dumps(self.context["github"]["event"]))
        files = {f"GITHUB_{one}": str(self._file(one)) for one in ("STEP_SUMMARY", "OUTPUT", "ENV")}
        own = {key: self.value(text) for key, text in step.get("env", {}).items()}
        paths = (self.programs, Path(sys.executable).parent, "/usr/local/bin", "/usr/bin", "/bin")
        return {
            **inherited,
            **files,
            "PATH": os.pathsep.join(map(str, paths)),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "owner/help",
            "GITHUB_RUN_ID": "5",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_WORKSPACE": str(self.folder),
            "RUNNER_TEMP": str(self.temp),
            **self.environment,
            **own,
        }
