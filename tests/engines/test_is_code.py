import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.is_code import is_code

CODE = {
    "python": "def load(path):\n    with open(path) as file:\n        return json.load(file)",
    "an unfinished call": "    total = 0\n    for item in items:\n        total += self.price(",
    "javascript": "const app = express();\napp.get('/', (req, res) => {\n  res.send('hello');\n});",
    "go": "func Add(a int, b int) int {\n\treturn a + b\n}",
    "rust": "impl Queue {\n    fn push(&mut self, item: u8) {\n        self.push(item);\n    }\n}",
    "c": "#include <stdio.h>\nint main(void) {\n  return 0;\n}",
    "sql": "SELECT name, count(*)\nFROM users\nWHERE id = 3\nGROUP BY name",
    "windows lines": "import os\r\nos.environ['HOME'] = '/tmp'\r\n",
    "shell": "cd src/assay && ls\ngrep -rn retry_count . | head",
    "a traceback": (
        'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n'
        "    main()\nKeyError: 'id'"
    ),
}
PROSE = {
    "nothing": "",
    "a question": "where are retries configured",
    "a name": "JSONDecoder.raw_decode",
    "code in one line": "x = [f(a) for a in b if a > 0] # what is this called",
    "a line and its end": "how to call json.loads(text, strict=False)?\n",
    "blank lines around it": "\n\n  parse_http(headers)  \n",
    "an abstract": "experimental investigation of the\naerodynamics of a wing in a slipstream .",
    "a paragraph": "The index is built once.\nLater changes (few, as a rule) are added to it.",
    "a list": "Shopping:\n- apples\n- pears, if they are ripe\n- bread and butter",
    "a letter": "Dear all,\n\nthe meeting is at 3 o'clock; please be there.\n\nYours, Ada",
    "another script": "全文検索エンジン\n索引を作る",
}


@pytest.mark.parametrize("name", CODE)
def test_pieces_of_code(name):
    assert is_code(CODE[name])


@pytest.mark.parametrize("name", PROSE)
def test_questions_and_prose(name):
    assert not is_code(PROSE[name])


def test_by_hand():
    assert is_code("a" * 49 + "\n" + "b" * 48 + "=()")  # 3 signs among 100 characters
    assert not is_code("a" * 99 + "\n" + "b" * 96 + "=()=(")  # 5 among 200
    assert is_code("a" * 49 + " \n \t" + "b" * 48 + "=()")  # what is white does not count


@given(st.text(alphabet="ab ()=_", max_size=80))
def test_one_line_is_never_code(text):
    assert not is_code(text)
    assert not is_code(f"\n{text}\n")


@given(st.lists(st.text(alphabet="ab()= ", max_size=9), min_size=2))
def test_how_lines_end_does_not_matter(lines):
    assert is_code("\n".join(lines)) == is_code("\r\n".join(lines))


def test_a_long_text_takes_little_time():
    start = time.process_time()
    assert is_code("f(x)\n" * 200_000)
    assert not is_code("word\n" * 200_000)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "text",
    [
        "import json\nfrom pathlib import Path\nfrom typing import (\n    Any,\n)\nx = _y\n",
        'def f(x, y_z):\n    """Split words.\n\n    What it is good for.\n    """\n    return x\n',
        "    from .a_module import Name\n    from .b_module import Other\n\ntry:\n    pass  # _\n",
    ],
)
def test_imports_and_comments_of_programs_are_code(text):
    assert is_code(text)


def test_a_list_of_wishes_is_a_question():
    assert not is_code("what I want:\n  - to find a file (any)\n  - to open it\n")
