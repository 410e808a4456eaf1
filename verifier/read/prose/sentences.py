"""Passages to sentences, sentences to tokens: words, marks and formulas.

Words are in lower case, and hyphens part them: `zero-mean` is two words, and so is `non-Gaussian`, whose
first one no rule knows. Marks that no rule knows are kept, so that nothing is read past them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.read.paper import Formula, Passage
from verifier.read.prose.formulas import Mathematics, read_mathematics

MAX_TOKENS = 160
MAX_SENTENCES = 5_000
_ABBREVIATIONS = {
    "i.i.d.": "iid", "i.i.d": "iid", "iid": "iid", "w.r.t.": "wrt", "s.t.": "st", "e.g.": "eg", "i.e.": "ie",
    "a.s.": "almostsurely", "a.e.": "almosteverywhere", "resp.": "resp", "cf.": "cf", "eq.": "eq",
    "fig.": "fig", "thm.": "thm",
    "sec.": "sec", "al.": "al", "w.l.o.g.": "wlog", "wlog": "wlog", "w.p.": "wp", "w.h.p.": "whp",
    "eqs.": "eqs", "approx.": "approx", "vs.": "vs", "no.": "number", "prop.": "prop", "lem.": "lem",
}  # fmt: skip
_WORD = re.compile(
    r"(?P<short>(?:i\.i\.d\.?|w\.r\.t\.|s\.t\.|e\.g\.|i\.e\.|a\.s\.|a\.e\.|w\.l\.o\.g\.|w\.h\.p\.|w\.p\.|"
    r"\b(?:resp|cf|eqs?|fig|thm|sec|al|approx|vs|prop|lem)\.))"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)|(?P<number>\d+(?:\.\d+)*)|(?P<hyphen>[-‐‑–])|(?P<mark>[^\s\w]|_)",
    re.IGNORECASE,
)
_ENDS = frozenset(".?!")
# Behind a display its number is often printed: (12), (3.1).
_NUMBER_OF_DISPLAY = re.compile(r"\A\s*\([0-9]+(?:\.[0-9]+)*[a-z]?\)")


@dataclass(frozen=True)
class Word:
    text: str


@dataclass(frozen=True)
class Mark:
    text: str


@dataclass(frozen=True)
class Math:
    formula: Formula
    read: Mathematics


Token = Word | Mark | Math


@dataclass(frozen=True)
class Sentence:
    """Tokens, and the words as they were written."""

    tokens: tuple[Token, ...]
    written: str
    file: str
    line: int
    too_long: bool = False
    unread: str = ""  # words that were left out: when two sides are equal, say

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(token.formula for token in self.tokens if isinstance(token, Math))


def sentences(passage: Passage) -> Iterator[Sentence]:
    """The sentences of a passage, in order."""
    found = 0
    building = _Sentence(passage.file, passage.line)
    line = passage.line
    for part in passage.parts:
        if isinstance(part, Formula):
            line = max(part.line, 1)
            building.add_formula(part)
            if part.latex.rstrip().endswith("."):
                yield building.done()
                found += 1
                building = _Sentence(passage.file, line)
            continue
        said = _NUMBER_OF_DISPLAY.sub(_blank, part) if building.after_display else part
        for piece, is_end, capital, below in _words(said):
            if building.after_display and capital and building.tokens:
                yield building.done()
                found += 1
                building = _Sentence(passage.file, line)
            building.add(piece, line + below)
            if is_end:
                yield building.done()
                found += 1
                building = _Sentence(passage.file, line)
            if found >= MAX_SENTENCES:
                return
        building.spaced = part[-1:].isspace()
        line += part.count("\n")
    if building.tokens:
        yield building.done()


def _blank(match: re.Match[str]) -> str:
    """As many blanks; line ends stay."""
    return re.sub(r"\S", " ", match[0])


class _Sentence:
    """A sentence while it grows; beyond the bound its tokens are dropped, and that is said."""

    def __init__(self, file: str, line: int) -> None:
        self.file, self.line = file, line
        self.tokens: list[Token] = []
        self.written: list[str] = []
        self.after_display = False
        self.too_long = False
        self.spaced = False  # whether a space stood before what comes next

    def add(self, piece: tuple[Token, str], line: int) -> None:
        token, written = piece
        if not self.tokens:
            self.line = line
        self._append(token, written)
        self.after_display = False

    def add_formula(self, formula: Formula) -> None:
        if not self.tokens:
            self.line, self.file = formula.line, formula.file
        long = self.too_long or len(self.tokens) >= MAX_TOKENS
        read = Mathematics(formula.latex) if long else read_mathematics(formula.latex)
        self._append(Math(formula, read), f"{' ' if self.spaced else ''}${formula.latex}$")
        self.spaced = False
        if formula.latex.rstrip().endswith(","):
            self._append(Mark(","), "")
        self.after_display = formula.display

    def _append(self, token: Token, written: str) -> None:
        if len(self.tokens) >= MAX_TOKENS:
            self.too_long = True
            return
        self.tokens.append(token)
        self.written.append(written)

    def done(self) -> Sentence:
        written = "".join(self.written).strip()
        kept = _without_equality(self.tokens)
        unread = "".join(self.written[kept:]).strip(" ,.") if kept < len(self.tokens) else ""
        tokens = tuple(self.tokens[:kept]) + (tuple(self.tokens[-1:]) if unread else ())
        return Sentence(tokens, written, self.file, self.line, self.too_long, unread)


_EQUALITY = (["with", "equality"], ["and", "equality", "holds"], ["where", "equality", "holds"])
_MEETING = frozenset({"if", "iff", "when", "for", "exactly", "precisely", "only"})


def _without_equality(tokens: list[Token]) -> int:
    """How many tokens stand before `with equality if and only if ...`, where nothing but that follows: the
    inequality is claimed, and when it is tight is another claim."""
    words = [token.text if isinstance(token, Word) else None for token in tokens]
    for at in range(len(tokens)):
        head = next((head for head in _EQUALITY if words[at : at + len(head)] == head), None)
        if head is None or words[at + len(head) : at + len(head) + 1][0:1] == []:
            continue
        rest = tokens[at + len(head) :]
        last = rest[:-1] if rest and rest[-1] == Mark(".") else rest
        is_plain = not any(
            isinstance(token, Mark) or (isinstance(token, Math) and token.formula.display) for token in last
        )
        formulas = [token for token in last if isinstance(token, Math) and token.read.relations]
        if is_plain and len(formulas) <= 1 and words[at + len(head)] in _MEETING:
            before = at - 1 if at and tokens[at - 1] == Mark(",") else at
            return before if any(isinstance(token, Math) for token in tokens[:before]) else len(tokens)
    return len(tokens)


def _words(text: str) -> Iterator[tuple[tuple[Token, str], bool, bool, int]]:
    """Each token with how it was written, whether it ends a sentence, whether it is a capital word, and how
    many lines below the beginning it stands."""
    last = below = 0
    for match in _WORD.finditer(text):
        if match["hyphen"]:
            continue
        written = " ".join(f"|{text[last : match.end()]}|".split())[1:-1]
        below += text.count("\n", last, match.end())
        last = match.end()
        if match["short"]:
            yield (Word(_ABBREVIATIONS.get(match[0].lower(), match[0].lower())), written), False, False, below
        elif match["word"] or match["number"]:
            word = match[0].lower().replace("’", "'")
            capital = match[0][0].isupper() and len(match[0]) > 1
            yield (Word(_ABBREVIATIONS.get(word, word)), written), False, capital, below
        elif match["mark"] in _ENDS:
            yield (Mark("."), written), True, False, below
        else:
            yield (Mark(match["mark"]), written), False, False, below
