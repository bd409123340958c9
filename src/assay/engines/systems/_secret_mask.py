"""What others sent -> how a message shows it: no secret, no command to a terminal."""

import re
from collections.abc import Mapping

from assay.text import forms_of, sanitize

__all__ = ["PLAIN", "SecretMask"]

SHORTEST = 4  # letters of a secret: shorter ones would be found everywhere
FEW = 60  # letters of a value that a message shows


class SecretMask:
    """Puts the names of variables of the environment where their values stand.

    A text is cut where it was too long before that, so that never a part of a value is left.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        kept = {name: value for name, value in secrets.items() if len(value) >= SHORTEST}
        self._names = {form: name for name, value in kept.items() for form in forms_of(value)}
        forms = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, forms))) if forms else None
        self._longest = len(forms[0]) if forms else 0

    def text(self, text: str, most: int) -> str:
        """Show the first ``most`` letters of a text, on one line."""
        return sanitize(" ".join(self._cut(text, most).split()))

    def value(self, value: object, most: int = FEW) -> str:
        """Show a value as Python writes it, or the beginning of that."""
        return self.text("null" if value is None else repr(value), most)

    def _cut(self, text: str, most: int) -> str:
        if self._pattern is None:
            return text[:most]
        parts, at = [], 0
        for found in self._pattern.finditer(text, 0, most + self._longest):
            if found.start() < most:
                parts += [text[at : found.start()], f"${{{self._names[found[0]]}}}"]
                at = found.end()
        return "".join([*parts, text[at:most]])


PLAIN = SecretMask({})  # for what comes from somebody who was told no secret
