"""By which of its formulas a sentence of a theorem claims, and what it says besides.

A formula that the sentence assumes, or by which it says what a letter is, claims nothing; one of which it is
not clear whether a condition of the sentence is said of it is marked so."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.read.formulas import bare, is_after_growth, is_limit, letters_in, relates
from verifier.read.paper import Formula, Passage
from verifier.read.prose import Declared
from verifier.read.prose.formulas import read_mathematics
from verifier.read.prose.read import understood
from verifier.read.prose.sentences import Math, Sentence, Word
from verifier.read.prose.spelling import whole_letter
from verifier.read.prose.split import quantified
from verifier.read.prose.values import Unsayable

_CONDITIONAL = frozenset({"if", "when", "whenever", "provided", "assuming"})
# Letters, a relation and a number: t > 0, or a, b >= 1.
_PLACES = re.compile(r"([^=<>]*?)(?:=|<|>|\\leq?|\\geq?|\\in)[0-9(\[].*")


@dataclass(frozen=True)
class Candidate:
    """A formula that claims, and what its own sentence says besides."""

    formula: Formula
    said: tuple[Declared, ...] = ()
    over: tuple[str, ...] = ()  # letters of which its sentence says `for all` and nothing more
    is_after_growth: bool = False  # what its sentence says of growth is said of the formulas before it
    open_condition: bool = False  # whether a condition of its sentence is said of it is not clear


def claimed(
    sentence: Sentence, passage: Passage, here: Sequence[Declared], passage_wide: Sequence[Declared]
) -> Iterator[Candidate]:
    """The formulas by which a sentence claims: those that none of its declarations repeats."""
    said = understood(sentence, passage.kind)
    if isinstance(said, Unsayable) or (said is not None and not said.claims and here):
        return
    consumed = {bare(item.formula) for item in here if item.formula}
    local = [item for item in here if item.scope == "sentence"]
    declared = {item.latex for item in here if item.what == "symbol"}
    growth = [item for item in here if item.what == "growth"]
    over = tuple(quantified(sentence.tokens))
    shared = {item.name for item in passage_wide}
    open_ = set(_under_an_open_condition(sentence, local, shared))
    for formula in sentence.formulas:
        places = _PLACES.fullmatch("".join(formula.latex.split()).rstrip(".,;"))
        if places is not None and {bare(letter) for letter in declared} & set(places[1].split(",")):
            continue  # `t > 0`, which says what t is
        if _between(formula.latex) & declared:
            continue  # `0 < t < 1`, which does too
        if growth and is_limit(formula):
            continue
        if any(item.op == ":=" for item in read_mathematics(formula.latex).relations):
            continue  # it defines
        if bare(formula.latex) not in consumed and relates(formula) and not _is_assumed(formula, consumed):
            later = growth and is_after_growth(formula, sentence.formulas)
            said_here = tuple(item for item in local if _is_for(item, formula))
            said_here = tuple(item for item in said_here if not later or item.what != "growth")
            yield Candidate(formula, said_here, over, bool(later), formula in open_)


def _is_assumed(formula: Formula, consumed: set[str]) -> bool:
    """0 < a < b, assumed relation by relation."""
    found = read_mathematics(formula.latex).relations
    return len(found) > 1 and all(bare(item.latex) in consumed for item in found)


def _under_an_open_condition(
    sentence: Sentence, local: Sequence[Declared], shared: set[str | None]
) -> Iterator[Formula]:
    """Of several claims with a condition behind the last, those before: it may be said of the last alone.

    What binds a letter that nothing else declares is said of all of them."""
    plain = ("vector(", "matrix(", "real", "dimension", "integer", "index(")
    restricts = any(item.what == "assumption" for item in local)
    again = any(
        item.what == "symbol" and item.name in shared and not item.says.startswith(plain) for item in local
    )
    claims: list[Formula] = []
    for token in sentence.tokens:
        if isinstance(token, Math) and relates(token.formula) and not token.read.facts:
            claims.append(token.formula)
        elif len(claims) > 1 and isinstance(token, Word):
            if token.text in _CONDITIONAL and (restricts or local):
                yield from claims[:-1]
                return
            if token.text == "for" and (again or (restricts and _is_about(local, shared))):
                yield from claims[:-1]
                return


def _is_about(local: Sequence[Declared], shared: set[str | None]) -> bool:
    """Whether a condition of the sentence restricts a letter that is declared outside of it."""
    bound = {item.name for item in local if item.what == "symbol"}
    used = {
        name for item in local if item.what == "assumption" for name in letters_in(item.formula or item.says)
    }
    return not used <= bound


def _between(latex: str) -> set[str]:
    r"""The letter in the middle of a \le t \le b, as it is printed."""
    found = read_mathematics(latex).relations
    if len(found) != 2 or found[0].right != found[1].left or {"=="} & {item.op for item in found}:
        return set()
    letter = whole_letter(found[0].right)
    return set() if letter is None else {letter.latex}


def _is_for(item: Declared, formula: Formula) -> bool:
    """Whether what a sentence says is said of this formula of it."""
    return not item.formulas or formula in item.formulas


# What a sentence begins with that goes on with the claims of a theorem.
_GOING_ON = frozenset(
    {"then", "moreover", "furthermore", "also", "hence", "thus", "therefore", "consequently", "finally", "in",
     "it", "we", "further", "additionally", "this", "similarly", "conversely", "more", "equality", "there",
     "here"}
)  # fmt: skip


def may_suppose(sentence: Sentence) -> bool:
    """Whether a sentence that was not understood may say what the claims behind it rest on: a relation stands
    in it, and it does not begin as one that goes on with the claims."""
    first = next((token.text for token in sentence.tokens if isinstance(token, Word)), "")
    begins = sentence.tokens[:1] and isinstance(sentence.tokens[0], Word) and first in _GOING_ON
    relates = any(isinstance(token, Math) and token.read.relations for token in sentence.tokens)
    return relates and not begins
