r"""Formulas that stand inside sentences: which of the declaring shapes they have.

    x, y \in \mathbb{R}^d      members          W_{ij} \sim \mathcal{N}(0, 1/n)   drawn
    \|x\| = 1, n \ge d          relations        \bar{x} = \frac1n \sum_i x_i       a relation, or a
    definition n \to \infty                growth           f : \mathbb{R}^d \to \mathbb{R}    a function i =
    1, \dots, n             a range          m \times n                         sizes

A formula may have several of these, between commas. What it means is decided by the sentence around it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifier.expr.errors import ExprError
from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import Token, tokenize
from verifier.read.prose.brackets import split
from verifier.read.prose.laws import read_law
from verifier.read.prose.listed import BOUNDS, MARKS, family_of, ranged
from verifier.read.prose.relations import Relation, relations, split_relations
from verifier.read.prose.scalars import scalar_text
from verifier.read.prose.sets import Attributes, read_set, sizes_of
from verifier.read.prose.spelling import checked, group, texts, upright, whole_letter
from verifier.read.prose.values import (
    Always,
    Apart,
    Fact,
    Facts,
    Function,
    Grows,
    Independent,
    Is,
    Law,
    Letter,
    Number,
    Ranges,
    Unsayable,
)

MAX_PIECES = 40
_INDEPENDENT = {r"\perp", r"\indep", r"\bot", "⊥"}


@dataclass(frozen=True)
class Mathematics:
    """What one formula may be to the sentence around it; what it is not, is empty."""

    latex: str
    letters: tuple[Letter, ...] = ()  # it is these letters and nothing else, or they are what it speaks of
    bare: bool = False  # nothing but letters
    facts: Facts = ()  # what is said by \in, \sim, \to
    relations: tuple[Relation, ...] = ()
    set: Attributes = ()
    law: Law | None = None
    sizes: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    trouble: Unsayable | None = None


def read_mathematics(latex: str) -> Mathematics:
    """The declaring shapes of a formula; never raises: what cannot be stated is kept as trouble."""
    try:
        tokens = tokenize(latex)
        return _read(latex, tokens)
    except ExprError as error:
        return Mathematics(latex, trouble=Unsayable(error.message, error.hint or ""))
    except Unsayable as trouble:
        return Mathematics(latex, trouble=trouble)


def _read(latex: str, tokens: list[Token]) -> Mathematics:
    tokens = _defining(tokens)
    law = read_law(tokens)
    inside = read_set(tokens) or ()
    made = Mathematics(latex, tokens=tuple(tokens), law=law, set=inside)
    if law is not None or inside:
        return made
    tokens = _by_entries(tokens)
    pieces = split(tokens, ",", ";")
    if len(pieces) > MAX_PIECES:
        raise Unsayable("too many things between commas in one formula", "write several sentences")
    if any(not piece for piece in pieces):
        return made
    sized = split(tokens, r"\times")
    if len(sized) == 2 and all(sized) and len(pieces) == 1 and not split_relations(tokens)[1]:
        return replace(made, sizes=sizes_of(tokens))
    return _joined(made, pieces)


def _defining(tokens: list[Token]) -> list[Token]:
    r"""\stackrel{\mathrm{def}}{=} is :=."""
    for at, token in enumerate(tokens):
        if token.text in MARKS:
            mark, after = group(tokens, at + 1)
            sign, end = group(tokens, after)
            if upright(mark).rstrip(".").lower() in ("def", r"\delta") and texts(sign) == ["="]:
                return [*tokens[:at], replace(sign[0], text=r"\coloneqq"), *_defining(tokens[end:])]
    return tokens


def _by_entries(tokens: list[Token]) -> list[Token]:
    r"""x = (x_1, \dots, x_n) \in \mathbb{R}^n is x \in \mathbb{R}^n: a vector is its entries."""
    marks = texts(tokens)
    if "=" not in marks or "(" not in marks or r"\in" not in marks:
        return tokens
    equal, opened, member = marks.index("="), marks.index("("), marks.index(r"\in")
    letter = whole_letter(tokens[:equal])
    closed = next((at for at in range(opened, member) if marks[at] == ")"), member)
    behind = [mark for mark in marks[closed + 1 : member] if mark not in "{}"]
    if (
        letter is None
        or opened != equal + 1
        or closed == member
        or behind not in ([], ["^", r"\top"], ["^", "T"])
    ):
        return tokens
    listed = split(tokens[opened + 1 : closed], ",")
    family = family_of(listed)
    if family is None or family[0].name != letter.name or family[1] or family[2] != len(listed):
        return tokens
    return [*tokens[:equal], *tokens[member:]]


def _between_all(pieces: list[list[Token]]) -> tuple[Relation, ...] | None:
    r"""1 \le i, j \le n bounds each of the letters on both sides; raises Unsayable where that may not be."""
    if len(pieces) < 2:
        return None
    first, last = relations(pieces[0]), relations(pieces[-1])
    inner = [whole_letter(piece) for piece in pieces[1:-1]]
    if len(first) != 1 or len(last) != 1 or None in inner or first[0].op not in ("<", "<=", ">", ">="):
        return None
    begin, end = whole_letter(first[0].right), whole_letter(last[0].left)
    if begin is None or end is None or begin.name == end.name or last[0].op[0] != first[0].op[0]:
        return None
    if whole_letter(first[0].left) is not None:
        raise Unsayable("which of these letters the bounds are of is not clear", "write two relations")
    middles = [first[0].right, *(tuple(piece) for piece in pieces[1:-1]), last[0].left]
    return tuple(
        part
        for letter in middles
        for part in (replace(first[0], right=tuple(letter)), replace(last[0], left=tuple(letter)))
    )


def _joined(made: Mathematics, pieces: list[list[Token]]) -> Mathematics:
    """Letters between commas wait for what is said of them all."""
    bounds = _between_all(pieces)
    if bounds is not None:
        named = tuple(letter for item in bounds[::2] if (letter := whole_letter(item.right)) is not None)
        return replace(made, letters=named, relations=bounds)
    waiting: list[Letter] = []
    letters: list[Letter] = []
    facts: list[Fact] = []
    found: list[Relation] = []
    at = 0
    while at < len(pieces):
        here = pieces[at : at + 3]
        spread = ranged(here) or family_of(pieces[at : at + 4])
        if isinstance(spread, Ranges):
            facts.append(spread)
            letters.append(spread.letter)
            at += 3
            continue
        if spread is not None:
            family, rest, used = spread
            piece, at = rest, at + used
            if not piece:
                waiting.append(family)
                continue
            waiting.append(family)
        else:
            piece, at = pieces[at], at + 1
            letter = whole_letter(piece)
            if letter is not None:
                waiting.append(letter)
                continue
        said = _piece(piece, tuple(waiting))
        if said is None:
            return made
        letters += said.letters
        facts += said.facts
        found += said.relations
        waiting = []
    bare = not facts and not found
    if not bare and waiting:
        return made  # `x \in A, y`: is y in A too?
    return replace(made, letters=(*letters, *waiting), bare=bare, facts=tuple(facts), relations=tuple(found))


@dataclass(frozen=True)
class _Said:
    letters: tuple[Letter, ...]
    facts: Facts = ()
    relations: tuple[Relation, ...] = ()


def _piece(tokens: list[Token], waiting: tuple[Letter, ...]) -> _Said | None:
    """One statement, of the letters before it and its own."""
    drawn = _marked_draw(tokens)
    if drawn is not None:
        return _drawn(drawn[0], drawn[1], waiting, iid=True)
    for sign, read in ((r"\in", _member), (r"\sim", _drawn), (r"\to", _tends)):
        sides = split(tokens, sign)
        if len(sides) == 2 and sides[1] and (sides[0] or waiting):
            return read(sides[0], sides[1], waiting)
        if len(sides) > 2:
            return None
    apart = split(tokens, *_INDEPENDENT)
    if len(apart) > 1:
        ends = [whole_letter(part) for part in apart if part]
        known = [checked(letter) for letter in ends if letter is not None]
        return _Said(tuple(known), (Apart(tuple(known)),)) if len(known) == 2 == len(ends) else None
    if waiting and waiting[-1].copies is not None and tokens[0].text in BOUNDS:
        return _bounded(waiting, BOUNDS[tokens[0].text], tokens[1:])
    found = relations(tokens)
    if not found:
        return None
    if waiting:
        return _shared(waiting, found)
    owners = [whole_letter(item.left) or whole_letter(item.right) for item in found]
    return _Said(tuple(dict.fromkeys(owner for owner in owners if owner)), (), found)


def _bounded(family: tuple[Letter, ...], op: str, bound: list[Token]) -> _Said | None:
    r"""p_1, \dots, p_n \ge 0: each of them is a number of which that holds."""
    if len(family) != 1:
        return None
    said = (Number("real"), Always(f"{{x}} {op} {scalar_text(bound)}"))
    return _Said(family, tuple(Is(family[0], item) for item in said))


def _shared(waiting: tuple[Letter, ...], found: tuple[Relation, ...]) -> _Said | None:
    r"""\alpha, \beta > 0 says it of both."""
    if len(found) != 1 or found[0].op == ":=":
        return None
    last = whole_letter(found[0].left)
    if last is None or found[0].op == "==":
        return None
    each = tuple(replace(found[0], left=tuple(tokenize(letter.latex))) for letter in waiting)
    return _Said((*waiting, last), (), (*each, found[0]))


def _subjects(left: list[Token], waiting: tuple[Letter, ...]) -> tuple[Letter, ...] | None:
    letter = waiting[-1] if not left and waiting else whole_letter(left)
    if letter is None:
        return None
    return tuple(dict.fromkeys((*waiting, checked(letter))))


def _member(left: list[Token], right: list[Token], waiting: tuple[Letter, ...]) -> _Said | None:
    letters = _subjects(left, waiting)
    if letters is None:
        return None
    attributes = read_set(right)
    if attributes is None:
        raise Unsayable(
            f"the set {shown(right)} is not known", "say what it is: a relation, or a space with sizes"
        )
    return _Said(letters, tuple(Is(letter, item) for letter in letters for item in attributes))


def _drawn(
    left: list[Token], right: list[Token], waiting: tuple[Letter, ...], iid: bool = False
) -> _Said | None:
    if right and right[0].text == "_":
        mark, place = group(right, 1)
        iid, right = _is_iid(mark), right[place:]
        if not iid:
            return None
    letters = _subjects(left, waiting)
    if letters is None:
        return None
    law = read_law(right)
    if law is None:
        raise Unsayable(
            f"the law {shown(right)} is not known",
            "the claim language has no named laws: say which one it is, or which moments it has",
        )
    facts: list[Fact] = []
    for letter in letters:
        facts.append(Is(letter, law))
        if iid:
            facts.append(Is(letter, Independent(identical=True)))
    return _Said(letters, tuple(facts))


def _marked_draw(tokens: list[Token]) -> tuple[list[Token], list[Token]] | None:
    r"""x_i \overset{\text{i.i.d.}}{\sim} law"""
    place = next((at for at, token in enumerate(tokens) if token.text in MARKS), None)
    if place is None:
        return None
    mark, after = group(tokens, place + 1)
    sign, after = group(tokens, after)
    if not _is_iid(mark) or texts(sign) != [r"\sim"]:
        return None
    return tokens[:place], tokens[after:]


def _is_iid(mark: Sequence[Token]) -> bool:
    return upright(mark).replace(".", "").lower() == "iid"


def _tends(left: list[Token], right: list[Token], waiting: tuple[Letter, ...]) -> _Said | None:
    sides = split(left, ":")
    if len(sides) == 2 and not waiting:
        return _maps(sides[0], sides[1], right)
    letters = _subjects(left, waiting)
    if letters is None or texts(right) not in ([r"\infty"], ["+", r"\infty"]):
        return None
    return _Said(letters, tuple(Grows(letter) for letter in letters))


def _maps(name: list[Token], source: list[Token], target: list[Token]) -> _Said | None:
    r"""f : \mathbb{R}^d \to \mathbb{R}"""
    letter = whole_letter(name)
    if letter is None:
        return None
    if "".join(texts(target)) != r"\mathbbR":
        raise Unsayable("the claim language has functions with real values only", r"write f : \R^d \to \R")
    if texts(source)[:2] != [r"\mathbb", "R"] or (len(source) > 2 and source[2].text != "^"):
        raise Unsayable(
            "a function is declared on all numbers, vectors or matrices", r"write f : \R^d \to \R"
        )
    script = group(source, 3)[0] if len(source) > 2 else []
    return _Said((letter,), (Is(checked(letter), Function(sizes_of(script))),))
