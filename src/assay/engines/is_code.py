"""Whether a query is a piece of code, or a question about it: the two are searched differently."""

__all__ = ["is_code"]

SIGNS = "()[]{}=_<>+*/\\|&^%$#@~`"
SHARE = 0.03  # of the characters that are not white
FEWEST = 3  # signs: two short lines of prose may have a pair of brackets


def is_code(text: str) -> bool:
    """Tell whether a query has several lines, and the signs of code among its characters.

    One line is a question, however much of it is code: people name a function to ask about it. A
    traceback is code too: what it quotes is to be found verbatim.
    """
    if len(text.strip().splitlines()) < 2:
        return False
    signs = sum(map(text.count, SIGNS))
    return signs >= FEWEST and signs >= SHARE * sum(map(len, text.split()))
