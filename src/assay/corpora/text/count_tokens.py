"""How many tokens a text has, by the rule in which chunk sizes are given."""

from assay.corpora.text.ruler import by_tokens

__all__ = ["count_tokens"]


def count_tokens(text: str) -> int:
    """Count tokens without any model, so that every configuration is measured in the same unit.

    >>> count_tokens("retry_all(3)")
    6
    """
    data = text.encode("utf-8", "replace")
    return by_tokens(data, None).size(0, len(data))
