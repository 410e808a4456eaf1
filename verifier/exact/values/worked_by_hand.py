"""A counterexample worked out line by line, so that one can follow it with a pencil.

A side is plain arithmetic over a few parts: norms, traces, sums, expectations. Each part gets a
line with its value; then the side is written with these values in their places, and evaluated.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import Closed, enclose
from verifier.exact.numbers.number_text import as_fraction
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.value_matrices import Matrix, entries, size
from verifier.exact.values.compare_at_point import relate
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.integrand import integrand
from verifier.exact.values.point_context import Context, Point
from verifier.expr import nodes as n
from verifier.expr.elaborate import elaborate
from verifier.expr.scope import Scope
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.expr.walk import children, substitute

BITS = 128
MOST_LINES = 12
LONGEST_LINE = 240
LONGEST_VALUE = 60
MOST_ENTRIES = 16
MOST_TERMS = 6
ARITHMETIC = (n.Add, n.Subtract, n.Multiply, n.Divide, n.Negate, n.Power, n.Apply)


def worked(claim: Claim, fact: n.Relation | n.Within, point: Point) -> tuple[str, ...]:
    """The lines; none where the point breaks nothing, or where something has no value."""
    before = ctx.prec
    ctx.prec = BITS
    try:
        paper = Paper(Evaluator(Context.of(claim), point))
        for relation in _relations(fact):
            left, right = (paper.evaluator.value(side) for side in (relation.left, relation.right))
            if relate(relation.op, left, right).outcome == "false":
                return tuple(_lines(paper, relation, left, right))
    except (Refusal, TypeError, RecursionError):
        return ()
    finally:
        ctx.prec = before
    return ()


def _relations(fact: n.Relation | n.Within) -> tuple[n.Relation, ...]:
    if isinstance(fact, n.Relation):
        return (fact,)
    ends = ((">=", fact.low), ("<=", fact.high))
    return tuple(n.Relation(op, fact.arg, end) for op, end in ends if _is_finite(end))  # type: ignore[arg-type]


def _is_finite(end: n.Node) -> bool:
    return not isinstance(end.arg if isinstance(end, n.Negate) else end, n.Infinity)


def _lines(paper: "Paper", relation: n.Relation, left: Matrix, right: Matrix) -> list[str]:
    """The parts as far as there is room, both sides, and what does not hold."""
    sides = [("left side", relation.left, left), ("right side", relation.right, right)]
    ends = [paper.side(*side) for side in sides if not isinstance(side[1], n.Number)]
    room = max(MOST_LINES - len(ends) - 1, 0)
    parts = paper.parts[-room:] if room else []
    if size(left) == size(right) == (1, 1):
        ends.append(f"{_text(left)} {relation.op} {_text(right)} is false")
    return parts + ends


@dataclass
class Paper:
    """What has been written down so far: a line per part, and the value that stands for it."""

    evaluator: Evaluator

    def __post_init__(self) -> None:
        self.parts: list[str] = []
        self.values: dict[n.Node, n.Node] = {}

    def side(self, label: str, node: n.Node, value: Matrix) -> str:
        """left side = as written = with the values = what comes out."""
        before = len(self.parts)
        self._prepare(node)
        if len(self.parts) > before and self.parts[-1].startswith(f"{to_text(node)} "):
            return f"{label} = {self.parts.pop()}"  # the side is one part, which is written down already
        return _chain(label, to_text(node), self._with_values(node), value)

    def _prepare(self, node: n.Node) -> None:
        """Write down the parts of a tree, innermost first."""
        match node:
            case n.Number() | n.Pi() | n.Index():
                return
            case n.Symbol():
                if node.shape.is_scalar:
                    self.values.setdefault(node, _node(self.evaluator.value(node)))
                return
        if node in self.values or not node.shape.is_scalar:
            return
        if isinstance(node, ARITHMETIC) and not _is_squared_norm(node):
            for child in children(node):
                self._prepare(child)
            return
        self._part(node)

    def _part(self, node: n.Node) -> None:
        """A norm, a sum, an expectation: what it is made of, then its value."""
        value = self.evaluator.value(node)
        if isinstance(node, n.Expectation):
            self._polynomial(node)
        for inner in _inside(node):
            self._matrix(inner)
        self.values[node] = _node(value)
        self._write(_chain(to_text(node), self._opened(node), None, value))

    def _polynomial(self, node: n.Expectation) -> None:
        """The body as a polynomial in the random entries, and what the moments are."""
        found = integrand(self.evaluator, node)
        if found is None:
            return
        text, moments = found
        if text != to_text(node.body):
            self._write(f"{to_text(node.body)} = {text}" + (f", with {moments}" if moments else ""))

    def _matrix(self, node: n.Node) -> None:
        """A matrix that is computed on the way; a name with what it stands for."""
        value = self.evaluator.value(node)
        if size(value) != (1, 1) and len(entries(value)) <= MOST_ENTRIES:
            body = to_text(node.body) if isinstance(node, n.Let) else None
            self._write(_chain(to_text(node), body, value))

    def _opened(self, node: n.Node) -> str | None:
        """3**2 + 4**2 for a squared norm, the terms of a sum, the body of a name."""
        match node:
            case n.Power(n.Norm(arg, "fro"), n.Number(Fraction(numerator=2, denominator=1))):
                found = [_text(((x,),)) for x in entries(self.evaluator.value(arg)) if x != 0]
                return _joined([f"({x})**2" if _is_compound(x) else f"{x}**2" for x in found])
            case n.Sum(body, ranges, conditions):
                terms = [inner.value(body) for inner in self.evaluator.each(ranges, conditions)]
                return _joined([_text(term) for term in terms]) if size(terms[0]) == (1, 1) else None
            case n.Trace(arg):
                square = self.evaluator.value(arg)
                return _joined([_text(((row[at],),)) for at, row in enumerate(square)])
            case n.Let(_, body):
                return to_text(body)
        return None

    def _with_values(self, node: n.Node) -> str | None:
        return to_text(substitute(node, self.values)) if node.shape.is_scalar else None

    def _write(self, line: str) -> None:
        if line not in self.parts and len(line) <= LONGEST_LINE:
            self.parts.append(line)


def _inside(node: n.Node) -> Iterator[n.Node]:
    """The computed matrices directly inside a part; what an index or an average binds stays closed."""
    match node:
        case n.Expectation() | n.Variance() | n.Covariance() | n.Sum() | n.Product() | n.Derivative():
            return
        case n.Power(base, _):
            yield from _inside(base)
            return
    for child in children(node):
        bare = child.arg if isinstance(child, n.Transpose) else child
        if isinstance(bare, n.Symbol | n.Ones | n.Eye | n.Zeros | n.Number):
            continue
        for inner in children(child):
            if isinstance(inner, n.Let):
                yield inner
        yield child


def _is_squared_norm(node: n.Node) -> bool:
    match node:
        case n.Power(n.Norm(), n.Number(Fraction(denominator=1) as exponent)):
            return exponent.numerator % 2 == 0
    return False


def _chain(name: str, *rest: "str | Matrix | None") -> str:
    """name = form = form = value; a form that is too long, or says nothing new, is left out."""
    *forms, value = rest
    assert isinstance(value, tuple)
    result, sign = _text(value), "=" if _is_exact(value) else "≈"
    kept = [name]
    for form in forms:
        if isinstance(form, str) and form not in (*kept, result):
            kept.append(form)
    while len(kept) > 1 and sum(map(len, kept)) + len(result) > LONGEST_LINE:
        del kept[1]
    return " = ".join(kept) + f" {sign} {result}"


def _joined(terms: list[str]) -> str | None:
    return " + ".join(terms).replace("+ -", "- ") if 1 < len(terms) <= MOST_TERMS else None


def _is_compound(text: str) -> bool:
    return any(mark in text for mark in "+-*/ ")


def _is_exact(value: Matrix) -> bool:
    return all(isinstance(x, fmpq | Closed) and len(str(x)) <= LONGEST_VALUE for x in entries(value))


def _node(value: Matrix) -> n.Node:
    """A scalar as a tree: exactly, or to six digits where its closed form is long."""
    ((scalar,),) = value
    if isinstance(scalar, fmpq) and _is_exact(value):
        return n.Number(as_fraction(scalar))
    text = str(scalar) if _is_exact(value) else _digits(scalar)
    return elaborate(parse(text), Scope({}))


def _text(value: Matrix) -> str:
    if size(value) != (1, 1):
        rows = [", ".join(_text(((x,),)) for x in row) for row in value]
        return f"[{', '.join(f'[{row}]' for row in rows)}]"
    ((scalar,),) = value
    return str(scalar) if _is_exact(value) else _digits(scalar)


def _digits(value: object) -> str:
    if not isinstance(value, fmpq | Closed | arb):
        raise TypeError(f"not a number: {type(value).__name__}")
    return f"{float(enclose(value).mid()):.6g}"
