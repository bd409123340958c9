"""Texts -> windows of token ids, each as the model wants to see it."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.extras import install_command
from assay.records.arrays import Ints
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

__all__ = ["Windows", "encoded", "sound", "tokenizer_of"]

MOST = 64  # windows of one text: what lies beyond is not read, else one file holds up all others
SURROGATE = re.compile("[\ud800-\udfff]")
LONG = {"split": MOST, "cut": 1}


def tokenizer_of(content: bytes, *, where: str = "model") -> "Tokenizer":
    """Read a tokenizer, without the padding and truncation that its file may ask for."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        hint = install_command("search")
        raise InputError("needs the package tokenizers", where=where, hint=hint) from None
    try:
        tokenizer = Tokenizer.from_buffer(content)
    except Exception as error:  # noqa: BLE001 (the library raises plain exceptions)
        hint = "use the tokenizer.json from the folder of the model"
        raise InputError(f"not a tokenizer ({error})", where=where, hint=hint) from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def encoded(tokenizer: "Tokenizer", text: str, *, framed: bool = False) -> "Encoding":
    """Take a text apart; ``framed`` adds the tokens that a model wants around it."""
    try:
        # One at a time: a batch starts threads of its own, which a fork later complains about.
        return tokenizer.encode(sound(text), add_special_tokens=framed)
    except Exception as error:  # noqa: BLE001 (the library raises plain exceptions)
        hint = "use the tokenizer.json from the folder of the model"
        problem = f"the tokenizer cannot read {quote_value(text, 40)} ({error})"
        raise InputError(problem, where="model", hint=hint) from None


def sound(text: str) -> str:
    """Return the text without halves of characters, which no tokenizer takes."""
    return text.encode(errors="replace").decode() if SURROGATE.search(text) else text


class Windows:
    """Takes texts apart into windows of at most ``size`` tokens.

    The tokens that only frame a window are not counted, so that a chunk of just this size fits.
    """

    def __init__(self, tokenizer: "Tokenizer", size: int, *, largest: int, long: str) -> None:
        if long not in LONG:
            hint = "expected split or cut"
            raise InputError(
                f"invalid value {quote_value(long)} for long", where="model", hint=hint
            )
        self.tokenizer, self.most = tokenizer, LONG[long]
        letter = encoded(tokenizer, "a", framed=True)
        marks, special = letter.ids, letter.special_tokens_mask
        if 0 not in special:
            hint = "use the tokenizer.json from the folder of the model"
            raise InputError("the tokenizer cannot tokenize plain text", where="model", hint=hint)
        self.before = marks[: special.index(0)]
        self.after = marks[len(marks) - special[::-1].index(0) :]
        self.room = size
        most = largest - len(self.before) - len(self.after)
        if not 1 <= size <= most:
            hint = f"expected 1 to {most:,} tokens"
            raise InputError(f"invalid window of {size:,} tokens", where="model", hint=hint)

    def tokens(self, text: str) -> list[int]:
        """Return a text's own tokens, without those that only frame it."""
        return encoded(self.tokenizer, text).ids

    def of(self, text: str) -> tuple[list[Ints], int]:
        """Return a text's windows, and how many of its tokens are in none.

        They are of nearly equal size, so that none is a mere remainder.
        """
        tokens = self.tokens(text)
        kept = tokens[: self.room * self.most]
        count = -(-len(kept) // self.room)
        edges = [len(kept) * part // max(count, 1) for part in range(count + 1)]
        windows = [self._framed(kept[start:end]) for start, end in pairwise(edges)]
        return windows, len(tokens) - len(kept)

    def body(self, rows: int) -> slice:
        """Say where in a window's rows its own tokens stand."""
        return slice(len(self.before), rows - len(self.after))

    def _framed(self, tokens: Sequence[int]) -> Ints:
        return np.array([[*self.before, *tokens, *self.after]], dtype=np.int64)
