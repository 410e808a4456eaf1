"""A point of blocks worked out line by line, so that one can follow it with a pencil at any size.

First the `let` names whose values enter; then the gradients, from the outermost name inwards, as the chain
rule takes them; then the norms, as sums of equal squares; then the whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import sympy as sp

from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import children, substitute, walk
from verifier.prove.blocks.block import Block
from verifier.prove.blocks.block_numbers import EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Point
from verifier.prove.blocks.evaluate import At
from verifier.prove.forms.refusal import Refusal
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.sympy_to_tree import from_sympy

LONGEST_LINE = 240
LONGEST_VALUE = 32
MOST_LINES = 16
ARITHMETIC = (n.Add, n.Subtract, n.Multiply, n.Divide, n.Negate, n.Power, n.Apply)
ZERO = "every entry is 0"
LATER = "i and j stand for every index from 2 on"


def worked(point: Point, left: n.Node) -> tuple[str, ...]:
    """The lines up to the value of the left side; none where the point has no exact value there."""
    at = point.at(EXPRESSIONS)
    try:
        at.scalar(left)
        lines = _listed(dict([*_names(at), *_gradients(at, left)]))
        ends = list(_ends(at, left))
    except (Refusal, Refused, TypeError, *NUMERIC):
        return ()
    kept = lines[-max(MOST_LINES - len(ends), 0) :]
    speaks_of_later = any(mark in line for line in kept for mark in ("[i", "j]"))
    return ((LATER,) if speaks_of_later else ()) + (*kept, *ends)


def _listed(matrices: dict[str, str]) -> list[str]:
    """A line for each; those that are 0 share one."""
    zeros = [name for name, words in matrices.items() if words in (ZERO, "0")]
    lines = [f"{name}: {words}" for name, words in matrices.items() if name not in zeros]
    if zeros:
        names = zeros if len(zeros) == 1 else [name.partition(" = ")[0] for name in zeros]
        lines.append(f"{', '.join(names)}: {ZERO}")
    return [line for line in lines if len(line) <= LONGEST_LINE]


def _names(at: At) -> Iterator[tuple[str, str]]:
    """Z = Q @ K.T: what its entries are, for the names whose values entered, inner ones first."""
    for node, block in list(at.known.values()):
        if isinstance(node, n.Let):
            yield f"{node.name} = {to_text(at.assumed(node) or node.body)}", described(block)


def _gradients(at: At, left: n.Node) -> Iterator[tuple[str, str]]:
    """D(f, Y) for every name Y on the way from f to what it is differentiated by, and for that itself."""
    for part in walk(left):
        if not isinstance(part, n.Derivative) or not part.of.shape.is_scalar:
            continue
        between = (
            node
            for node in chain.from_iterable(map(walk, children(part.of)))
            if isinstance(node, n.Let) and node != part.by and any(inner == part.by for inner in walk(node))
        )
        for name in (*between, part.by):
            block = at.gradient(at, part.of, name)
            yield f"D({_short(part.of)}, {to_text(name)})", described(block)


def _short(node: n.Node) -> str:
    return node.name if isinstance(node, n.Let) else to_text(node)


def _ends(at: At, left: n.Node) -> Iterator[str]:
    """Each norm or entry with its value, then the left side with these in their places."""
    parts = {part: _Value.of(at.scalar(part)) for part in _parts(left)}
    for part, value in parts.items():
        if part != left and not isinstance(part, n.Symbol):
            yield _joined(to_text(part), _opened(at, part), value.shown)
    placed = to_text(substitute(left, {part: value.node for part, value in parts.items()}))
    opened = _opened(at, left) if left in parts else placed
    yield _joined(f"left side = {to_text(left)}", opened, _Value.of(at.scalar(left)).shown)


def _joined(name: str, opened: str | None, shown: str) -> str:
    """name = opened = value; what is too long to read is left out."""
    value = shown if shown.startswith("≈") else f"= {shown}"
    whole = f"{name} {value}" if opened is None or f"= {opened}" == value else f"{name} = {opened} {value}"
    return whole if len(whole) <= LONGEST_LINE else f"{name.partition(' = ')[0]} {value}"


def _parts(node: n.Node) -> Iterator[n.Node]:
    """What arithmetic puts together: norms, entries, symbols."""
    if isinstance(node, n.Number | n.Pi):
        return
    if not isinstance(node, ARITHMETIC):
        yield node
        return
    for child in children(node):
        yield from _parts(child)


def _opened(at: At, part: n.Node) -> str | None:
    """sqrt(196*(1/2)**2 + ...) for the norm of a matrix."""
    match part:
        case n.Norm(n.Row() | n.Derivative(n.Let() | n.RowWise(), _), _) if not _is_gradient(part.arg):
            return None
        case n.Norm(arg, "fro"):
            counted: dict[Any, Any] = {}
            for _, count, value in _places(at.value(arg)):
                counted[value] = counted.get(value, 0) + count
            squares = [
                f"{count}*{_squared(value)}" if count != 1 else _squared(value)
                for value, count in counted.items()
                if value != 0
            ]
            single = len(squares) == 1 and 1 in counted.values()
            return f"sqrt({' + '.join(squares)})" if squares and not single else None
    return None


def _is_gradient(node: n.Node) -> bool:
    return isinstance(node, n.Derivative) and node.of.shape.is_scalar


def _squared(value: Any) -> str:
    return to_text(n.Power(_Value.of(value).node, n.Number(Fraction(2))))


# --- matrices in words --------------------------------------------------------------------------------


def described(block: Block) -> str:
    """[1, 1] = 9/10, [1, j] = [i, j] = 1/1960, the others 0."""
    if block.is_scalar:
        return _Value.of(block.scalar).brief
    grouped: dict[Any, list[str]] = {}
    for label, _, value in _places(block):
        grouped.setdefault(value, []).append(label)
    if len(grouped) == 1:
        (value,) = grouped
        return "every entry is " + _Value.of(value).brief
    said = [" = ".join([*labels, _Value.of(value).brief]) for value, labels in grouped.items() if value != 0]
    return ", ".join([*said, "the others 0"] if any(value == 0 for value in grouped) else said)


def _places(block: Block) -> Iterator[tuple[str, Any, Any]]:
    """Where entries are equal: in words, how many there are, and their value."""
    is_column, is_row = block.cols == (1,), block.rows == (1,)
    for r, height in enumerate(block.rows):
        for c, width in enumerate(block.cols):
            down, across = _index(r, height, "i"), _index(c, width, "j")
            label = f"[{down}]" if is_column else f"[{across}]" if is_row else f"[{down}, {across}]"
            value = sp.expand(block.value[r][c])
            if block.shift is None or r != c:
                yield label, height * width, value
                continue
            yield label.replace("j", "i"), height, sp.expand(block.diagonal(r))
            if height != 1:
                yield label, height * (height - 1), value


def _index(place: int, size: Any, later: str) -> str:
    return "1" if place == 0 else "2" if size == 1 else later


@dataclass(frozen=True)
class _Value:
    """A number exactly, where that is short, and to six digits."""

    exact: n.Node | None
    digits: str
    is_whole: bool
    is_decimal: bool = False  # whether the digits are all there are

    @classmethod
    def of(cls, value: Any) -> "_Value":
        simple = sp.expand(value)
        node = from_sympy(simple, {})
        digits = f"{float(sp.N(simple)):.6g}"
        exact = node if len(to_text(node)) <= LONGEST_VALUE else None
        is_decimal = simple.is_Rational and Fraction(digits) == Fraction(int(simple.p), int(simple.q))
        return cls(exact, digits, simple.is_Integer, is_decimal)

    @property
    def brief(self) -> str:
        return f"about {self.digits}" if self.exact is None else to_text(self.exact)

    @property
    def shown(self) -> str:
        if self.exact is None:
            return f"≈ {self.digits}"
        if self.is_whole:
            return self.brief
        return f"{self.brief} {'=' if self.is_decimal else '≈'} {self.digits}"

    @property
    def node(self) -> n.Node:
        """In the place of what it is the value of; digits are printed as they stand."""
        if self.exact is not None:
            return self.exact
        bare = n.Symbol(self.digits.removeprefix("-"))
        return n.Negate(bare) if self.digits.startswith("-") else bare
