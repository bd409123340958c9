"""Text that others wrote, in characters that can be seen and that control no terminal."""

import re

__all__ = ["UNSAFE", "one_line", "sanitize"]

CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029"  # a line break is dealt with apart
DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Nobody sees them, so that two different ids look the same. The joiners U+200C and U+200D belong
# to scripts and emoji: they stay, as do variation selectors and all spaces that take room.
INVISIBLE = "\u00ad\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U0001bca0-\U0001bca3"
INVISIBLE += "\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
NO_CHARACTERS = "\ud800-\udfff\ufdd0-\ufdef"
NO_CHARACTERS += "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
FLAG = "\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f"  # of a region, such as Wales
UNSAFE = re.compile(f"{FLAG}|[{CONTROLS}{DIRECTIONS}{INVISIBLE}{NO_CHARACTERS}]")


def sanitize(text: str, *, keep: str = "") -> str:
    r"""Spell out what would break a line, control a terminal, turn its text around or hide.

    Letters of all scripts, spaces that take room and emoji stay as they are, and so does ``keep``,
    such as the line breaks of a text that we laid out in lines.

    >>> sanitize(f"red{chr(27)}[31m"), sanitize("a\nb"), sanitize("a\nb", keep="\n")
    ('red\\x1b[31m', 'a\\nb', 'a\nb')
    """
    if text.isprintable():
        return text
    if "\n" not in keep:
        text = text.replace("\n", r"\n")
    return UNSAFE.sub(lambda found: _spelled(found[0], keep), text)


def one_line(text: str) -> str:
    r"""Put a text on one line, with one space between its words.

    >>> one_line("how do\n  I retry?")
    'how do I retry?'
    """
    return sanitize(" ".join(text.split()))


def _spelled(found: str, keep: str) -> str:
    return found if len(found) > 1 or found in keep else found.encode("unicode_escape").decode()
