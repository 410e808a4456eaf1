"""Assumptions that nothing can satisfy, seen from their numbers alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as n
from verifier.expr.symbols import FixedMatrix

_MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}


@dataclass(frozen=True)
class _End:
    """A bound on a quantity, and the assumption that sets it."""

    value: Fraction
    is_strict: bool
    source: str


def contradiction(claim: Claim) -> str | None:
    """Why no value satisfies the assumptions, where their numbers show it."""
    found = _crossed(claim) or next(_overfull(claim), None)
    return None if found is None else f"no value satisfies the assumptions: {found}"


def _crossed(claim: Claim) -> str | None:
    """f <= a and f >= b with a < b, for one and the same f. A norm is at least 0."""
    lows: dict[n.Node, _End] = {}
    highs: dict[n.Node, _End] = {}
    for node, op, end in _bounds(claim):
        if isinstance(node, n.Norm):
            lows.setdefault(node, _End(Fraction(0), False, "a norm is not negative"))
        if op in ("<=", "<", "=="):
            highs[node] = min(highs.get(node, end), end, key=lambda e: (e.value, not e.is_strict))
        if op in (">=", ">", "=="):
            lows[node] = max(lows.get(node, end), end, key=lambda e: (e.value, e.is_strict))
    for node in lows.keys() & highs.keys():
        low, high = lows[node], highs[node]
        if low.value > high.value or (low.value == high.value and (low.is_strict or high.is_strict)):
            return f"{low.source} against {high.source}"
    return None


def _bounds(claim: Claim) -> Iterator[tuple[n.Node, str, _End]]:
    """Relations of an assumption between something and a number."""
    for assumption in claim.assumptions:
        match assumption.constraint:
            case n.Relation(op, left, right) if op in _MIRRORED:
                sides = [(left, op, right), (right, _MIRRORED[op], left)]
            case n.Within(arg, low, high):
                sides = [(arg, ">=", low), (arg, "<=", high)]
            case _:
                continue
        for node, relation, bound in sides:
            value = _number(claim, bound)
            if value is not None:
                yield node, relation, _End(value, relation in ("<", ">"), assumption.name)


def _overfull(claim: Claim) -> Iterator[str]:
    """all(p[k] <= c) needs n c >= 1 for a probability vector of n entries, and all(p[k] >= c) n c <= 1."""
    for assumption in claim.assumptions:
        match assumption.fact:
            case n.ForAll(
                n.Relation(("<=" | "<" | ">=" | ">") as op, n.Entry(n.Symbol(name), n.Index(k), _), bound),
                (n.Range(index, low, high),),
                (),
            ) if k == index and claim.symbols[name].kind == FixedMatrix("simplex"):
                ends = [_number(claim, node) for node in (low, high, bound)]
                size = claim.symbols[name].shape.rows.constant
                if size is None or None in ends or ends[:2] != [1, size]:
                    continue
                total = size * (ends[2] or Fraction(0))
                if (total < 1 and op[0] == "<") or (total > 1 and op[0] == ">"):
                    yield f"under {assumption.name} the entries of {name} cannot add up to 1"


def _number(claim: Claim, node: n.Node) -> Fraction | None:
    try:
        value = Evaluator(Context.of(claim), {}).rational(node)
    except Refusal:
        return None
    return Fraction(int(value.p), int(value.q))
