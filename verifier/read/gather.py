"""A paper sorted for a draft: what its text declares, and for each theorem what it assumes and claims.

No formula is taken for a claim on a guess. In a theorem it stands in a sentence that was understood, in a
place that claims; a sentence that was not understood is kept as a refusal, and if it declares something, no
claim of that theorem is judged: without its hypothesis it would be another statement.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

from verifier.expr.errors import ExprError
from verifier.expr.tex.tokens import tokenize
from verifier.expr.tex.untyped import read_untyped
from verifier.read.formulas import has_relation, is_after_growth, is_chain, is_limit, relates
from verifier.read.paper import Formula, Paper, Passage
from verifier.read.prose import Declared, Refused, declarations_of
from verifier.read.prose.formulas import read_mathematics
from verifier.read.prose.hedges import declares
from verifier.read.prose.read import CLAIMING, understood
from verifier.read.prose.sentences import Sentence, sentences
from verifier.read.prose.spelling import whole_letter
from verifier.read.prose.split import quantified
from verifier.read.prose.values import Unsayable

MAX_FORMULAS = 2_000
MAX_LETTERS = 20_000
# Words by which a condition of the running text is meant for all that follows.
_STANDING = re.compile(
    r"\b(throughout|hereafter|henceforth|from now on|in this (paper|section|work)|in what follows|always)\b",
    re.IGNORECASE,
)


# Under Assumption (as:unit) and Assumption 2, ...; Suppose that Assumptions 1 and 2 hold.
_CITING = re.compile(
    r"\b(?:under|suppose(?: that)?|assume(?: that)?|let)\s+(?:the\s+)?(?:assumptions?|conditions?)"
    r"[~\s]*(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9])"
    r"(?:(?:\s*,?\s*and\s+|\s*,\s*)(?:assumption\s+)?(?:\([^()\s]+\)|[0-9][0-9.]*[0-9]|[0-9]))*"
    r"(?:\s+(?:hold|holds|is satisfied|are satisfied))?\s*[,.]?\s*",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"(?<=\()[^()\s]+(?=\))|[0-9][0-9.]*[0-9]|[0-9]")
# Letters, a relation and a number: t > 0, or a, b >= 1.
_PLACES = re.compile(r"([^=<>]*?)(?:=|<|>|\\leq?|\\geq?|\\in)[0-9(\[].*")


@dataclass(frozen=True)
class Note:
    """A formula or sentence that is no claim of the draft, and why; `hint` says what to write."""

    line: int
    words: str
    reason: str
    hint: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A formula that claims, and what its own sentence says besides."""

    formula: Formula
    said: tuple[Declared, ...] = ()
    over: tuple[str, ...] = ()  # letters of which its sentence says `for all` and nothing more
    is_after_growth: bool = False  # what its sentence says of growth is said of the formulas before it


@dataclass(frozen=True)
class Section:
    """A theorem, or a proof: what it declares for all of its claims, and its claims."""

    passage: Passage
    declared: tuple[Declared, ...]
    candidates: tuple[Candidate, ...]
    notes: tuple[Note, ...]
    before: int  # so many declarations of the running text stand before it
    blocked: str | None = None
    doubted: int = 0  # so many doubts of the running text stand before it
    assumed: int = 0  # and so many numbered assumptions
    met: int = 0  # and so many letters
    cites: frozenset[str] = frozenset()  # the labels or numbers of assumptions that it rests on
    proves: Passage | None = None


@dataclass
class Gathered:
    """What stands in the running text, in order, and the sections."""

    text: list[Declared] = field(default_factory=list)
    doubts: list[Refused] = field(default_factory=list)
    assumed: list[tuple[Passage, tuple[Declared, ...]]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    met: list[tuple[str, int]] = field(default_factory=list)  # letters of formulas, and their lines
    unread: list[Passage] = field(default_factory=list)  # assumptions of which a part was not understood

    @property
    def is_full(self) -> bool:
        return sum(len(section.candidates) for section in self.sections) >= MAX_FORMULAS


def gather(paper: Paper) -> Gathered:
    """The paper, passage by passage."""
    found = Gathered()
    cited = [_without_citations(passage) for passage in paper.passages]
    passages = [passage for passage, _ in cited]
    for (passage, cites), made in zip(cited, declarations_of(passages), strict=True):
        declared = tuple(item for item in made if isinstance(item, Declared))
        refused = tuple(item for item in made if isinstance(item, Refused))
        if found.is_full:
            found.notes.append(
                Note(passage.line, "", f"more than {MAX_FORMULAS} formulas: the rest is not read")
            )
            break
        if passage.kind in CLAIMING:
            found.sections.append(
                replace(_theorem(passage, declared, refused, found), cites=cites, met=len(found.met))
            )
        elif passage.kind == "proof":
            found.sections += _proof(passage, declared, refused, found)
        else:
            _text(passage, declared, refused, found)
    return found


def _without_citations(passage: Passage) -> tuple[Passage, frozenset[str]]:
    """A theorem without the words that name its assumptions, and the labels or numbers that they name."""
    if passage.kind not in CLAIMING:
        return passage, frozenset()
    cites: set[str] = set()

    def noted(match: re.Match[str]) -> str:
        cites.update(_REFERENCE.findall(match[0]))
        return ""

    parts = tuple(_CITING.sub(noted, part) if isinstance(part, str) else part for part in passage.parts)
    return replace(passage, parts=parts), frozenset(cites)


def is_standing(item: Declared) -> bool:
    return bool(_STANDING.search(item.sentence))


# --- theorems ----------------------------------------------------------------------------------------


def _theorem(
    passage: Passage, declared: Sequence[Declared], refused: Sequence[Refused], found: Gathered
) -> Section:
    whole = tuple(item for item in declared if item.scope == "passage")
    doubtful = {item.sentence for item in refused}
    notes = [_refusal(item) for item in refused]
    blocked: str | None = None
    candidates: list[Candidate] = []
    for sentence in sentences(passage):
        if sentence.written in doubtful:
            if declares(sentence.tokens):
                reason = next(item.reason for item in refused if item.sentence == sentence.written)
                blocked = blocked or f"a hypothesis was not understood (line {sentence.line}): {reason}"
            continue
        here = tuple(item for item in declared if item.sentence == sentence.written)
        candidates += _claimed(sentence, passage, here)
    return Section(
        passage, whole, tuple(candidates), tuple(notes), len(found.text), blocked, len(found.doubts),
        len(found.assumed),
    )  # fmt: skip


def _claimed(sentence: Sentence, passage: Passage, here: Sequence[Declared]) -> Iterator[Candidate]:
    """The formulas by which a sentence claims: those that none of its declarations repeats."""
    said = understood(sentence, passage.kind)
    if isinstance(said, Unsayable) or (said is not None and not said.claims and here):
        return
    consumed = {_bare(item.formula) for item in here if item.formula}
    local = [item for item in here if item.scope == "sentence"]
    declared = {item.latex for item in here if item.what == "symbol"}
    growth = [item for item in here if item.what == "growth"]
    over = tuple(quantified(sentence.tokens))
    for formula in sentence.formulas:
        places = _PLACES.fullmatch("".join(formula.latex.split()).rstrip(".,;"))
        if places is not None and {_bare(letter) for letter in declared} & set(places[1].split(",")):
            continue  # `t > 0`, which says what t is
        if _between(formula.latex) & declared:
            continue  # `0 < t < 1`, which does too
        if growth and is_limit(formula):
            continue
        if _bare(formula.latex) not in consumed and relates(formula):
            later = growth and is_after_growth(formula, sentence.formulas)
            said_here = tuple(item for item in local if _is_for(item, formula))
            said_here = tuple(item for item in said_here if not later or item.what != "growth")
            yield Candidate(formula, said_here, over, bool(later))


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


def _bare(latex: str) -> str:
    """Without what is not printed, so that a formula is known again."""
    with suppress(ExprError):
        latex = "".join(token.text for token in tokenize(latex))
    return re.sub(r"[\s.,;{}]+", "", latex)


def _refusal(item: Refused) -> Note:
    return Note(item.line, item.sentence, item.reason, item.hint or None)


# --- proofs ------------------------------------------------------------------------------------------


def _proof(
    passage: Passage, declared: Sequence[Declared], refused: Sequence[Refused], found: Gathered
) -> Iterator[Section]:
    """The chains of a proof, as steps, under what its theorem says; what a proof supposes may be a case."""
    found.notes += _single(passage)
    theorems = [section for section in found.sections if section.proves is None]
    if not theorems:
        return
    theorem = theorems[-1]
    own = tuple(
        item for item in declared if item.what in ("symbol", "definition") and item.scope == "passage"
    )
    supposed = [item for item in declared if item.what not in ("symbol", "definition")]
    blocked = theorem.blocked
    if supposed or any(_matters(passage, item) for item in refused):
        blocked = blocked or "the proof supposes something besides the theorem"
    chains = tuple(Candidate(formula) for formula in passage.formulas if is_chain(formula))
    bound = tuple(item for candidate in theorem.candidates for item in candidate.said)
    letters = tuple(dict.fromkeys(item for item in bound if item.what == "symbol"))
    if chains:
        said = (*theorem.declared, *letters, *own)
        whole = replace(theorem, passage=passage, declared=said, candidates=chains, notes=())
        yield replace(whole, blocked=blocked, proves=theorem.passage)


def _single(passage: Passage) -> Iterator[Note]:
    """The relations of a proof that are no chains: a step may rest on a case, or on what was said before."""
    single = [formula for formula in passage.formulas if not is_chain(formula) and relates(formula)]
    reason = "a single relation inside a proof: what it rests on is not known"
    for formula in single:
        if formula.display:
            yield Note(formula.line, f"${formula.latex}$", reason, "state it as a lemma, or as a chain")
    inline = [formula for formula in single if not formula.display]
    if inline:
        counted = f"relations within the sentences of a proof are no claims ({len(inline)} of them)"
        yield Note(inline[0].line, "", counted, "state them in a theorem or as a chain")


def _matters(passage: Passage, item: Refused) -> bool:
    return any(s.written == item.sentence and declares(s.tokens) for s in sentences(passage))


# --- running text ------------------------------------------------------------------------------------


def _text(
    passage: Passage, declared: Sequence[Declared], refused: Sequence[Refused], found: Gathered
) -> None:
    """What it declares is for all that follows; an assumption with a number waits to be named."""
    whole = tuple(item for item in declared if item.scope == "passage")
    if passage.kind in ("assumption", "condition", "hypothesis") and (passage.label or passage.number):
        conditions = tuple(item for item in whole if item.what in ("assumption", "independence"))
        found.assumed.append((passage, whole))
        found.unread += [passage] if refused else []
        whole = tuple(item for item in whole if item not in conditions)
    found.text += whole
    bound = {(_bare(item.formula), name) for item in declared for name in item.arguments}
    if len(found.met) < MAX_LETTERS:
        lost = {formula for item in refused for formula in item.formulas}
        clear = {formula for item in declared for formula in item.formulas} - lost
        # A letter of a sentence that was understood is what the sentence says, but for T, which may be ^T.
        found.met += [
            (name, formula.line)
            for formula in passage.formulas
            for name in letters_in(formula.latex)
            if formula not in clear or name == "T"
        ]
    told = {sentence.written for sentence in sentences(passage) if declares(sentence.tokens)}
    found.doubts += (item for item in refused if item.sentence in told)
    of_text = passage.kind == "text"
    found.notes += (_refusal(item) for item in refused if item.sentence in told or not of_text)
    meant = {_bare(item.formula) for item in declared if item.formula}
    for formula in passage.formulas:
        stated = formula.display and (formula.label is not None or has_relation(formula))
        said = _bare(formula.latex)
        if stated and said not in meant and not any(said.startswith(text) for text, _ in bound):
            reason = "it stands in the running text: whether it claims or defines something is not said"
            found.notes.append(Note(formula.line, f"${formula.latex}$", reason, "put it into a theorem"))


def letters_in(latex: str) -> set[str]:
    """The letters of a formula, as far as they can be told; I is one until somebody says what it is."""
    try:
        tokens = tokenize(latex)
    except ExprError:
        return set()
    found = (
        {"I"}
        if any(first.text == "I" and second.text != "_" for first, second in pairwise(tokens))
        else set()
    )
    found |= {"I"} if tokens and tokens[-1].text == "I" else set()
    try:
        return found | set(read_untyped(latex).letters)
    except ExprError:
        return {token.text.lstrip("\\") for token in tokens if token.is_letter}
