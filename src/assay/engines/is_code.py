"""Whether a query is a piece of code, or a question about it: the two are searched differently."""

import re

__all__ = ["is_code"]

SIGNS = "()[]{}=_<>+*/\\|&^%$#@~`"
SHARE = 0.03  # of the characters that are not white
FEWEST = 3  # signs: two short lines of prose may have a pair of brackets
# Imports and the comments of a program have fewer signs, but stand in lines like these.
FEWER = 0.01
SHAPED = re.compile(r"[ \t]{2,}\S|\t|import |from \S+ import |#|//|@\w")
LINES = 1 / 3  # of all lines


def is_code(text: str) -> bool:
    """Tell whether a query has several lines, and the signs or the shape of code.

    One line is a question, however much of it is code: people name a function to ask about it. A
    traceback is code too: what it quotes is to be found verbatim.
    """
    lines = [line for line in text.strip("\n").splitlines() if line.strip()]
    if len(lines) < 2:
        return False
    signs = sum(map(text.count, SIGNS))
    dark = sum(map(len, text.split()))
    if signs < FEWEST or signs < FEWER * dark:
        return False
    shaped = sum(SHAPED.match(line) is not None for line in lines)
    return signs >= SHARE * dark or shaped >= LINES * len(lines)
