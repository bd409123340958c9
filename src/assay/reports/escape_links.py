"""Text -> the same in Markdown, where it would be a link or a picture of elsewhere."""

import re

__all__ = ["escape_links"]


def escape_links(text: str) -> str:
    r"""Part brackets from what would make them a link, a picture or the address of one.

    >>> escape_links("![i](http://x) [a][b] [0, 1]")
    '![i]\\(http://x) [a]\\[b] [0, 1]'
    """
    return re.sub(r"\](?=[(\[:])", r"]\\", text)
