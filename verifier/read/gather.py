"""A paper sorted for a draft: what its text declares, and for each theorem what it assumes and claims.

No formula is taken for a claim on a guess. In a theorem it stands in a sentence that was understood, in a
place that claims; a sentence that was not understood is kept as a refusal, and if it declares something, no
claim of that theorem is judged: without its hypothesis it would be another statement.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from verifier.read.citations import ASSUMED, NAMING, REFERENCE, TAKEN, titles_of, without_citations
from verifier.read.claimed import Candidate, claimed, may_suppose
from verifier.read.conventions import conventions
from verifier.read.formulas import bare, has_relation, is_chain, letters_in, relates
from verifier.read.paper import Paper, Passage
from verifier.read.prose import Declared, Refused, declarations_of
from verifier.read.prose.hedges import declares
from verifier.read.prose.read import CLAIMING, spoken, understood
from verifier.read.prose.sentences import Math, Sentence, Word, sentences
from verifier.read.prose.table import Said

MAX_FORMULAS = 2_000
MAX_LETTERS = 20_000
# Words by which a condition of the running text is meant for all that follows.
_STANDING = re.compile(
    r"\b(throughout|hereafter|henceforth|from now on|in this (paper|section|work)|in what follows"
    r"|in the sequel|always)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Note:
    """A formula or sentence that is no claim of the draft, and why; `hint` says what to write."""

    line: int
    words: str
    reason: str
    hint: str | None = None


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
    theirs: Mapping[str, int] = field(default_factory=dict)  # letters that theorems before it define
    conventions: Mapping[str, int] = field(default_factory=dict)  # notation with another meaning, and lines
    is_text: bool = False  # of the running text: nothing is inferred there
    lost: tuple[
        tuple[str, int], ...
    ] = ()  # letters of its sentences that were not understood, and their lines


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

    theirs: dict[str, int] = field(default_factory=dict)  # letters that theorems define, and where
    conventions: dict[str, int] = field(default_factory=dict)  # notation with a meaning of the paper's own
    mentioned: set[str] = field(default_factory=set)  # labels and numbers of assumptions that the text names

    def is_unsaid(self, passage: Passage) -> bool:
        """Whether the running text never names this assumption, so that it may not be in force everywhere."""
        return not {passage.label, passage.number} & self.mentioned

    @property
    def is_full(self) -> bool:
        return sum(len(section.candidates) for section in self.sections) >= MAX_FORMULAS


def gather(paper: Paper) -> Gathered:
    """The paper, passage by passage."""
    found = Gathered()
    titles = titles_of(paper.passages)
    cited = [without_citations(passage, titles) for passage in paper.passages]
    passages = [passage for passage, _, _ in cited]
    for (passage, cites, rests), made in zip(cited, declarations_of(passages), strict=True):
        declared = tuple(item for item in made if isinstance(item, Declared))
        refused = tuple(item for item in made if isinstance(item, Refused))
        if found.is_full:
            found.notes.append(
                Note(passage.line, "", f"more than {MAX_FORMULAS} formulas: the rest is not read")
            )
            break
        if passage.kind in CLAIMING:
            section = _theorem(passage, declared, refused, found)
            section = replace(
                section, cites=cites, met=len(found.met), theirs=dict(found.theirs),
                conventions=dict(found.conventions),
            )  # fmt: skip
            section = _taking(_resting(section, rests, found.sections), found.sections)
            found.sections.append(section)
            found.theirs |= {item.name: item.line for item in declared if item.name and _is_special(item)}
        elif passage.kind == "proof":
            found.sections += _proof(passage, declared, refused, found)
        else:
            _text(passage, declared, refused, found)
    return found


def _is_special(item: Declared) -> bool:
    """What a letter is named for, is no letter of the same name elsewhere: a definition, a law, a class."""
    plain = ("matrix(", "vector(", "real", "positive", "dimension", "integer", "index(", "interval(")
    return item.what in ("definition", "recursion") or (
        item.what == "symbol" and (not item.says.startswith(plain) or "copies=" in item.says)
    )


def _resting(section: Section, names: frozenset[str], earlier: Sequence[Section]) -> Section:
    """A theorem under the assumptions of another: it supposes what that supposes for all of its claims."""
    for name in sorted(names):
        other = next((item for item in earlier if name in (item.passage.label, item.passage.number)
                      and item.proves is None), None)  # fmt: skip
        if other is None or other.blocked or any(candidate.said for candidate in other.candidates):
            reason = f"it rests on what {name} supposes, which was not read, or stands in one sentence of it"
            return replace(section, blocked=section.blocked or reason)
        cites = section.cites | other.cites
        section = replace(section, declared=(*other.declared, *section.declared), cites=cites)
    return section


def _taking(section: Section, earlier: Sequence[Section]) -> Section:
    """`With $v$ as in Lemma 1`: what that lemma says of v."""
    words = " ".join(part for part in section.passage.parts if isinstance(part, str))
    names = {match[1].strip("()") for match in TAKEN.finditer(words)}
    letters = {item.name for item in section.declared if item.what == "taken"}
    others = [
        item for item in earlier if {item.passage.label, item.passage.number} & names and item.proves is None
    ]
    for other in others:
        said = [item for item in other.declared if item.name in letters or _speaks_of(item, letters)]
        section = replace(section, declared=(*said, *section.declared))
    return section


def _speaks_of(item: Declared, letters: set[str | None]) -> bool:
    """Whether a condition is one on these letters."""
    return item.what == "assumption" and bool(letters & letters_in(item.formula or item.latex or item.says))


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
    for sentence in spoken(passage):
        if sentence.unread:
            reason = "when both sides are equal is a claim of its own, and is not read"
            notes.append(Note(sentence.line, sentence.unread, reason, "state it as a relation"))
        if sentence.written in doubtful:
            if declares(sentence.tokens) or (may_suppose(sentence) and not candidates):
                reason = next(item.reason for item in refused if item.sentence == sentence.written)
                blocked = blocked or f"a hypothesis was not understood (line {sentence.line}): {reason}"
            elif may_suppose(sentence):
                break  # what stands behind it may rest on it
            continue
        here = tuple(item for item in declared if item.sentence == sentence.written)
        for candidate in claimed(sentence, passage, here, whole):
            if candidate.open_condition:
                reason = "whether the condition behind the last formula is said of this one too is open"
                notes.append(
                    Note(
                        candidate.formula.line, f"${candidate.formula.latex}$", reason, "write two sentences"
                    )
                )
            else:
                candidates.append(candidate)
    lost = (
        (name, item.line) for item in refused for part in item.formulas for name in letters_in(part.latex)
    )
    return Section(
        passage, whole, tuple(candidates), tuple(notes), len(found.text), blocked, len(found.doubts),
        len(found.assumed), lost=tuple(lost),
    )  # fmt: skip


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


# What the running text says of a display by which it claims; what stands there without a word may be
# anything.
_ASSERTING = frozenset(
    {"have", "has", "holds", "hold", "then", "that", "find", "obtain", "get", "satisfies", "satisfy", "gives",
     "yields", "shows", "follows", "hence", "thus", "therefore", "conclude", "compute", "is", "obeys"}
)  # fmt: skip


def _asserts(sentence: Sentence) -> bool:
    """Whether words before its first display claim it."""
    before = takewhile(lambda token: not (isinstance(token, Math) and token.formula.display), sentence.tokens)
    return any(isinstance(token, Word) and token.text in _ASSERTING for token in before)


def _running(
    passage: Passage, declared: Sequence[Declared], refused: Sequence[Refused], found: Gathered
) -> Section:
    """The displays by which the running text claims: of letters that are declared, in sentences that say
    so."""
    candidates: list[Candidate] = []
    lost = {item.sentence for item in refused}
    whole = tuple(item for item in declared if item.scope == "passage")
    for sentence in sentences(passage) if passage.kind == "text" else ():
        if sentence.written in lost or sentence.unread:
            continue
        said = understood(sentence, passage.kind)
        if isinstance(said, Said) and said.claims and _asserts(sentence):
            here = tuple(item for item in declared if item.sentence == sentence.written)
            candidates += (item for item in claimed(sentence, passage, here, whole)
                           if item.formula.display and not item.open_condition)  # fmt: skip
    return Section(
        passage, (), tuple(candidates), (), len(found.text), None, len(found.doubts), len(found.assumed),
        met=len(found.met), theirs=dict(found.theirs), conventions=dict(found.conventions), is_text=True,
    )  # fmt: skip


# --- running text ------------------------------------------------------------------------------------


def _text(
    passage: Passage, declared: Sequence[Declared], refused: Sequence[Refused], found: Gathered
) -> None:
    """What it declares is for all that follows; an assumption with a number waits to be named."""
    found.conventions |= dict(conventions(passage))
    words = " ".join(part for part in passage.parts if isinstance(part, str))
    found.mentioned |= {name for match in NAMING.finditer(words) for name in REFERENCE.findall(match[0])}
    whole = tuple(item for item in declared if item.scope == "passage")
    if passage.kind in ASSUMED and (passage.label or passage.number):
        conditions = tuple(item for item in whole if item.what in ("assumption", "independence"))
        found.assumed.append((passage, whole))
        found.unread += [passage] if refused else []
        whole = tuple(item for item in whole if item not in conditions)
    found.text += whole
    given = {(bare(item.formula), name) for item in declared for name in item.arguments}
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
        # What one sentence binds is nothing to the others.
        bound = (item for item in declared if item.what == "symbol" and item.scope == "sentence")
        found.met += [
            (item.name, item.line) for item in bound if item.name and not item.note and passage.kind == "text"
        ]
    section = _running(passage, declared, refused, found)
    told = {sentence.written for sentence in sentences(passage) if declares(sentence.tokens)}
    found.doubts += (item for item in refused if item.sentence in told)
    of_text = passage.kind == "text"
    found.notes += (_refusal(item) for item in refused if item.sentence in told or not of_text)
    meant = {bare(item.formula) for item in declared if item.formula}
    claims = {candidate.formula for candidate in section.candidates}
    found.sections += [section] if claims else []
    for formula in passage.formulas:
        if formula in claims:
            continue
        stated = formula.display and (formula.label is not None or has_relation(formula))
        said = bare(formula.latex).replace(":=", "=")
        rest = said
        for part in sorted(filter(None, meant), key=len, reverse=True):
            rest = rest.replace(part, "", 1)
        rest = re.sub(r"\\q?quad", "", rest)
        if stated and rest and not any(said.startswith(text) for text, _ in given):
            reason = "it stands in the running text: whether it claims or defines something is not said"
            found.notes.append(Note(formula.line, f"${formula.latex}$", reason, "put it into a theorem"))
