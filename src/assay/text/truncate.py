"""A text of any length -> as much of it as a message can show."""

import re

__all__ = ["cut_end", "cut_middle", "truncate"]

VALUE = 300  # characters of one value: an id, a number, a path
WHOLE = 2_000  # characters of a message
LONG = re.compile(rf"\S{{{VALUE + 1},}}")


def truncate(text: str, *, whole: int = WHOLE) -> str:
    """Keep both ends of what is too long: of each word, then of the text.

    >>> truncate("grade " + "9" * 1_000_000)[:20], len(truncate("9" * 1_000_000))
    ('grade 99999999999999', 300)
    """
    if len(text) <= VALUE:
        return text
    values = LONG.sub(lambda found: cut_middle(found[0], VALUE, tail=VALUE // 3), text)
    return cut_middle(values, whole, tail=whole // 3)


def cut_end(text: str, most: int, *, mark: str = "…") -> str:
    """Keep the beginning of a text that has more than ``most`` characters.

    >>> cut_end("a long text", 7), cut_end("a long text", 7, mark="..."), cut_end("a text", 7)
    ('a long…', 'a lo...', 'a text')
    """
    return text if len(text) <= most else f"{text[: most - len(mark)]}{mark}"


def cut_middle(text: str, most: int, *, tail: int) -> str:
    """Keep both ends of a text that has more than ``most`` characters, ``tail`` of its last ones.

    >>> cut_middle("docs/a/long/path.md", 12, tail=7)
    'docs…path.md'
    """
    return text if len(text) <= most else f"{text[: most - tail - 1]}…{text[-tail:]}"
