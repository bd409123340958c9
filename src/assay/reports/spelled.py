"""Texts that others wrote, in characters that can all be seen."""

__all__ = ["spelled"]


def spelled(text: str) -> str:
    r"""Spell out what would break a line or steer a terminal.

    >>> spelled(f"red{chr(27)}[31m")
    'red\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
