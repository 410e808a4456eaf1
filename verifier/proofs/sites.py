"""Who answers for what is not checked: an engine, and the kind of reason that it gives."""

import re
from collections.abc import Iterable

from verifier.claim.model import Claim
from verifier.evidence import Finding

_CLAUSE = re.compile(r"[;:,]\s|\s*\S*\(")  # where the first clause ends: a call's name goes with its bracket
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_LINKS = frozenset(
    {"a", "an", "the", "is", "are", "at", "for", "over", "with", "by", "of", "along", "to", "in", "where",
     "from", "as", "on", "and", "or", "towards"}
)  # fmt: skip
LONGEST = 80


def site_of(claim: Claim, finding: Finding) -> str:
    """`symbolic: the ratio stays bounded`: the same for all claims that are shown in the same way."""
    names = {*claim.symbols, *(let.name for let in claim.lets), *(item.name for item in claim.assumptions)}
    return f"{finding.engine}: {kind_of(finding.reason, names) or 'no reason given'}"[:LONGEST]


def kind_of(reason: str, names: Iterable[str]) -> str:
    """The first words of a reason, up to a number, a formula or a name; of the first clause that has any."""
    named = frozenset(names)
    return next(filter(None, (_words(clause, named) for clause in _CLAUSE.split(reason))), "")


def _words(clause: str, names: frozenset[str]) -> str:
    kept: list[str] = []
    for word in clause.split():
        if _is_plain(word, kept[-1] if kept else "", names):
            kept.append(word)
        elif kept:
            break
    while kept and kept[-1] in _LINKS:
        kept.pop()
    return " ".join(kept)


def _is_plain(word: str, before: str, names: frozenset[str]) -> bool:
    """A word of the language. A name that is one as well (`step`) is a name only behind a word that leads to
    one."""
    if not _WORD.fullmatch(word) or (len(word) == 1 and word not in "aA"):
        return False
    return word == "a" or word not in names or (len(word) > 2 and before not in _LINKS - {"the", "a", "is"})
