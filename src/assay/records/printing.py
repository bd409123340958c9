"""Texts that others wrote, as a terminal may have them."""

__all__ = ["harmless"]


def harmless(text: str) -> str:
    """Replace what cannot be printed: nothing that others wrote may command a terminal.

    >>> harmless(f"a{chr(27)}[31mb")
    'a�[31mb'
    """
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
