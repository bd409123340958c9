"""Which languages have a stemmer, and which of them a list of stop words: tantivy's."""

from assay.errors import InputError
from assay.text.near_miss import did_you_mean

__all__ = ["DEFAULT", "LANGUAGES", "LISTED", "NO_LANGUAGE", "check_language"]

DEFAULT, NO_LANGUAGE = "english", "none"
# Those with a list of stop words, too; the list of English is our own.
LISTED = (
    *("danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian"),
    *("norwegian", "portuguese", "russian", "spanish", "swedish"),
)
LANGUAGES = tuple(sorted((*LISTED, "arabic", "greek", "romanian", "tamil", "turkish")))


def check_language(language: str) -> str:
    """Return the name of a language with a stemmer, or refuse it."""
    if language not in LANGUAGES:
        hint = did_you_mean(language, [*LANGUAGES, NO_LANGUAGE])
        raise InputError(f'unknown language "{language}"', where="language", hint=hint)
    return language
