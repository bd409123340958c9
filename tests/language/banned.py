"""Phrases that no user may read, each with what to write instead.

A phrase is a regular expression, matched without regard to case. Add one when a review finds a
sentence that a reader has to read twice; `ALLOWED` has the few places where the words are right.
"""

BANNED = {
    # archaic or translated
    r"\banew\b": "again",
    r"\b(for )?want of\b": "because there is no; not enough",
    r"\bof no use\b": "has no effect",
    r"\b(is|are) no (setting|file|folder|format|rule|report|name|number|share)\b": "is not a ...",
    r"\b(is|are) no (key|benchmark|dataset|model|run|metric|address|grade|id)\b": "is not a ...",
    r"\bis there already\b": "already exists",
    r"\bstands? (twice|in|for|at|beside|there|out|word)\b": "is duplicated; occurs in; represents",
    r"\bword for word\b": "verbatim",
    r"\bgo(es)? on with\b|\bto go on\b|, and .{0,20}\bgoes on\b": "resumes; continues",
    r"\bbegun\b": "started",
    r"\bwrite(s)? over\b": "overwrite",
    r"\bleave .{0,20}\baway\b": "remove",
    r"\bcame to nothing\b": "failed",
    r"\bbelong together\b": "match",
    r"\bby itself\b|\bby themselves\b": "alone; automatically",
    r"\bfrom [\d{}a-z.]+ on\b": "at least ...",
    r"\bso that it\b.{0,20}\bsuffices\b": "is enough",
    r"\bone would not want\b": "...",
    r"\bluck\b|\blucky\b": "winner's curse",
    # wrong about evidence
    r"\btold (apart|from)\b|\btell .{0,20}\bapart\b": "(not) significantly different",
    r"\bcannot be told\b": "cannot be determined",
    r"\bmay be chance\b|\bby chance alone\b": "not significant",
    r"\bis shown to\b|\bare shown to\b": "is significantly ...",
    r"\bsmallest detectable\b": "minimum detectable difference",
    r"\bdetectable from\b": "minimum detectable difference",
    # home-made words for terms of the field
    r"\bholes?\b": "unjudged documents",
    r"\btapes?\b": "stage output",
    r"\bX-ray\b": "audit",
    r"\bdead quer(y|ies)\b": "query without relevant documents",
    r"\bby (words|meaning)\b": "lexical; dense",
    r"\bwords and meaning\b": "lexical and dense",
    r"\bstart of the random numbers\b": "random seed",
    r"\bwhat (is|there is) to be learnt\b|\blearnt\b|\bto learn\b": "findings",
    r"\bwhat structure is worth\b|\brank(s|ing|ed)? by structure\b": "coherence ranking",
    r"\bshapes? of others\b": "layout of another tool",
    r"\bpieces? of work\b": "unit of work",
    r"\bthe first (ten|10) (results|documents)\b": "the top 10",
    r"\bremembered\b": "cached",
    r"\bstopped before its end\b": "cancelled",
    r"\bcanceled\b|\baborted\b": "cancelled",
    r"\bgives? an account\b": "explains",
    r"\bnobody would notice\b": "smallest gain that matters",
    r"\bof which (less|more) is better\b": "lower is better; higher is better",
    r"\banswer(s|ed)? (alike|otherwise)\b": "identical rankings; different results",
    r"\basked (of|anew)\b": "run",
    r"\bno (\w+ ){0,2}(is|goes) (called|by)\b": "unknown ...",
    r"\bbeaten\b": "stopped early",
    # spelling
    r"\d %(?! ?[a-z]*[{(]?[a-z]*[})]?s\b)": "95% (no space)",
    r"\b95% interval\b|% interval\b": "95% CI",
}

# Right in their place: names that people type, quotations, and what DEFINITIONS fixes.
ALLOWED = (
    # `tapes` is the name of a kind that one types after `assay cache clear`
    "tapes (stage outputs)",
    "Tapes (stage outputs)",
    "KIND: tapes,",
    "used by tapes",
    # a value in JSON
    "'beaten'",
)
