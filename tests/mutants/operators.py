"""Siblings of a relation: small changes that usually make it false, and rewritings that keep it true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.errors import ShapeError
from verifier.expr.symbols import Dimension
from verifier.expr.walk import rebuild

Fact = n.Relation | n.Within
Change = Callable[[n.Node], Iterator[n.Node]]
TWO = n.Number(Fraction(2))


def everywhere(part: Fact, change: Change) -> Iterator[Fact]:
    """The fact with one node changed, for every node outside of `let` bodies and every way to do it."""
    count = [0]

    def visit(node: n.Node, target: int, new: n.Node | None) -> n.Node:
        here = count[0]
        count[0] += 1
        if here == target and new is not None:
            return new
        return node if isinstance(node, n.Let) else rebuild(node, lambda child: visit(child, target, new))

    nodes: list[n.Node] = []

    def gather(node: n.Node) -> n.Node:
        nodes.append(node)
        return node if isinstance(node, n.Let) else rebuild(node, gather)

    rebuild(part, gather)
    for at, node in enumerate(nodes):
        try:
            for new in change(node):
                count[0] = 0
                yield rebuild(part, lambda child, at=at, new=new: visit(child, at, new))  # type: ignore[misc]
        except ShapeError:  # what does not fit together is no claim
            continue


# ---- changes that usually break ---------------------------------------------------------------------


def factor(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Number) and node.value not in (0, 1):
        yield n.Number(node.value * 2)
    if isinstance(node, n.Multiply) and node.left.shape.is_scalar:
        yield node.right


def exponent(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Power) and isinstance(node.exponent, n.Number):
        yield replace(node, exponent=n.Number(node.exponent.value + 1))
        if node.exponent.value > 1:
            yield replace(node, exponent=n.Number(node.exponent.value - 1))


def sign(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Add):
        yield n.Subtract(node.left, node.right)
    if isinstance(node, n.Subtract):
        yield n.Add(node.left, node.right)


def dropped_term(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Add | n.Subtract):
        yield node.left
        if node.right.shape == node.shape and isinstance(node, n.Add):
            yield node.right


def off_by_one(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Symbol) and node.shape.is_scalar:
        yield n.Add(node, n.Number(Fraction(1)))
        yield n.Subtract(node, n.Number(Fraction(1)))


def transposed(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Transpose):
        yield node.arg
    elif isinstance(node, n.Symbol) and not node.shape.is_scalar:
        yield n.Transpose(node)


def swapped_norm(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Norm):
        yield replace(node, kind="2" if node.kind == "fro" else "fro")


def dimension(claim: Claim) -> Change:
    sizes = [name for name, declared in claim.symbols.items() if isinstance(declared.kind, Dimension)]

    def change(node: n.Node) -> Iterator[n.Node]:
        if isinstance(node, n.Symbol) and node.name in sizes:
            yield from (n.Symbol(other) for other in sizes if other != node.name)

    return change


def index(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Sum):
        for at, item in enumerate(node.ranges):
            raised = replace(item, low=n.Add(item.low, n.Number(Fraction(1))))
            yield replace(node, ranges=(*node.ranges[:at], raised, *node.ranges[at + 1 :]))
    if isinstance(node, n.Entry) and node.row != node.col and not node.arg.shape.is_vector:
        yield n.Entry(node.arg, node.col, node.row)


def breaking(claim: Claim) -> dict[str, Change]:
    return {
        "factor": factor,
        "exponent": exponent,
        "sign": sign,
        "dropped term": dropped_term,
        "off by one": off_by_one,
        "transposition": transposed,
        "swapped norm": swapped_norm,
        "dimension": dimension(claim),
        "index": index,
    }


# ---- changes that keep the truth --------------------------------------------------------------------


def reordered(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Add | n.Multiply):
        yield type(node)(node.right, node.left)


def expanded(node: n.Node) -> Iterator[n.Node]:
    if isinstance(node, n.Power) and node.exponent == TWO:
        yield n.Multiply(node.base, node.base)
    if isinstance(node, n.Multiply) and isinstance(node.right, n.Add) and node.left.shape.is_scalar:
        yield n.Add(n.Multiply(node.left, node.right.left), n.Multiply(node.left, node.right.right))


def transposed_norm(node: n.Node) -> Iterator[n.Node]:
    """norm(A') = norm(A) and tr(A') = tr(A)"""
    if isinstance(node, n.Trace) or (isinstance(node, n.Norm) and not node.arg.shape.is_vector):
        yield replace(node, arg=n.Transpose(node.arg))


def as_trace(node: n.Node) -> Iterator[n.Node]:
    """norm(A)**2 = tr(A' A)"""
    match node:
        case n.Power(n.Norm(arg, "fro"), n.Number(value)) if value == 2 and not arg.shape.is_scalar:
            yield n.Trace(n.MatMul(n.Transpose(arg), arg))


def equivalent(node: n.Node) -> Iterator[n.Node]:
    """a - b = a + -b, a/b = a b**-1, sqrt(a) = a**(1/2)"""
    match node:
        case n.Subtract(a, b):
            yield n.Add(a, n.Negate(b))
        case n.Divide(a, b) if b.shape.is_scalar:
            yield n.Multiply(a, n.Power(b, n.Number(Fraction(-1))))
        case n.Apply("sqrt", (a,)):
            yield n.Power(a, n.Number(Fraction(1, 2)))


def renamed(node: n.Node) -> Iterator[n.Node]:
    """The indices of a sum under other names."""
    if isinstance(node, n.Sum | n.Product):
        names = {item.index: f"{item.index}_other" for item in node.ranges}

        def change(part: n.Node) -> n.Node:
            if isinstance(part, n.Index):
                return n.Index(names.get(part.name, part.name))
            return rebuild(part, change)

        changed = rebuild(node, change)
        ranges = tuple(replace(item, index=names[item.index]) for item in changed.ranges)
        yield replace(changed, ranges=ranges)


KEEPING: dict[str, Change] = {
    "equivalent form": equivalent,
    "renamed": renamed,
    "reordered": reordered,
    "expanded": expanded,
    "transposed": transposed_norm,
    "as a trace": as_trace,
}


def turned(fact: Fact) -> Fact:
    """a <= b as b >= a"""
    if isinstance(fact, n.Relation) and not isinstance(fact.right, n.Growth):
        mirror = {"==": "==", "<=": ">=", ">=": "<=", "<": ">", ">": "<"}
        if fact.op in mirror:
            return n.Relation(mirror[fact.op], fact.right, fact.left)  # type: ignore[arg-type]
    return fact


def doubled(fact: Fact) -> Fact:
    """a <= b as 2 a <= 2 b"""
    if isinstance(fact, n.Relation) and not any(
        isinstance(s, n.Growth | n.Order) for s in (fact.left, fact.right)
    ):
        return replace(fact, left=n.Multiply(TWO, fact.left), right=n.Multiply(TWO, fact.right))
    return fact


WHOLE: dict[str, Callable[[Fact], Fact]] = {"turned": turned, "doubled": doubled}
