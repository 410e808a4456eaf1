"""The words of a theorem that name what it rests on: assumptions, settings, other theorems."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from verifier.read.paper import Passage
from verifier.read.prose.read import CLAIMING

# Under Assumption (as:unit) and Assumption 2, ...; Suppose that Assumptions 1 and 2 hold.
_CITING = re.compile(
    r"\b(?:under|suppose(?: that)?|assume(?: that)?|let)\s+(?:the\s+)?(?:assumptions?|conditions?)"
    r"[~\s]*(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9])"
    r"(?:(?:\s*,?\s*and\s+|\s*,\s*)(?:assumption\s+)?(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9]))*"
    r"(?:\s+(?:hold|holds|is satisfied|are satisfied))?\s*[,.]?\s*",
    re.IGNORECASE,
)
# Under the assumptions of Theorem (thm:main), ...; in the setting of Lemma 3, ...
_RESTING = re.compile(
    r"\b(?:under|in)\s+the\s+(?:same\s+)?(?:assumptions?|conditions?|hypotheses|setting|notation)\s+"
    r"(?:of|as in)\s+(?:theorem|lemma|proposition|corollary)[~\s]*"
    r"(\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9])\s*,?\s*",
    re.IGNORECASE,
)
# In Setting (set:a), ...; in the setting of Definition 2, ...: what the running text says is in force anyway.
_PLACED = re.compile(
    r"(?<!as )(?<!defined )(?<!introduced "
    r")\b(?:in|under|within)\s+(?:the\s+(?:setting|model|notation)\s+of\s+)?(?:setting|model|notation|definition|section)"
    r"[~\s]*(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9])\s*,?\s*",
    re.IGNORECASE,
)
# ... be as in Definition (def:sketch): the letter is what it is there.
TAKEN = re.compile(
    r"\bas\s+(?:defined\s+|given\s+|introduced\s+)?in\s+(?:lemma|theorem|proposition|corollary)[~\s]*"
    r"(\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9])",
    re.IGNORECASE,
)
_BY_NAME = re.compile(
    r"\b(?:under|with|given)\s+(?:the\s+)?([\w -]{3,60}?)[\s-]+(?:assumption|condition|hypothesis)\s*,?\s*",
    re.IGNORECASE,
)
NAMING = re.compile(
    r"\b(?:assumptions?|conditions?|hypothes[ie]s)[~\s]*(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9])"
    r"(?:(?:\s*,?\s*and\s+|\s*,\s*)(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9]))*",
    re.IGNORECASE,
)
REFERENCE = re.compile(r"(?<=\()[^()\s]+(?=\))|[0-9][0-9.]*[0-9]|[0-9]")
ASSUMED = ("assumption", "condition", "hypothesis")


def titles_of(passages: Sequence[Passage]) -> dict[str, str]:
    """Assumptions by their names: `Uniform attention` by its label or number; names that two have are left
    out."""
    found: dict[str, set[str]] = {}
    for passage in passages:
        reference = passage.label or passage.number
        if passage.kind in ASSUMED and passage.title and reference:
            title = " ".join(re.findall(r"[a-z0-9]+", passage.title.lower())).removesuffix(" assumption")
            found.setdefault(title, set()).add(reference)
    return {title: min(names) for title, names in found.items() if title and len(names) == 1}


def _named(words: str, titles: Mapping[str, str], cites: set[str]) -> str:
    """Without `under the uniform-attention assumption`, which it cites."""

    def noted(match: re.Match[str]) -> str:
        title = " ".join(re.findall(r"[a-z0-9]+", match[1].lower()))
        if title not in titles:
            return match[0]
        cites.add(titles[title])
        return ""

    return _BY_NAME.sub(noted, words)


def without_citations(
    passage: Passage, titles: Mapping[str, str]
) -> tuple[Passage, frozenset[str], frozenset[str]]:
    """A theorem without the words that name its assumptions, and the labels or numbers that they name: of
    assumptions, and of theorems whose assumptions it makes."""
    if passage.kind not in CLAIMING:
        return passage, frozenset(), frozenset()
    cites: set[str] = set()
    rests: set[str] = set()

    def resting(match: re.Match[str]) -> str:
        rests.add(match[1].strip("()"))
        return ""

    def noted(match: re.Match[str]) -> str:
        cites.update(REFERENCE.findall(match[0]))
        return ""

    parts = tuple(
        _CITING.sub(noted, _PLACED.sub("", _RESTING.sub(resting, _named(part, titles, cites))))
        if isinstance(part, str)
        else part
        for part in passage.parts
    )
    return replace(passage, parts=parts), frozenset(cites), frozenset(rests)
