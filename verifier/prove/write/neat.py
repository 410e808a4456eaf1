"""Closed forms as a person would write them: equal factors gathered, exponentials multiplied.

    sqrt(a) * (1/a) = 1/sqrt(a)       exp(a) * (1/exp(b)) = exp(a - b)       (a*c + b)/exp(d) term by term
    a*c + b*c = (a + b)*c             for a factor c that is a function or a sum
    exp(a/v)[i] = exp(a/v[i])         entries of what is made entry by entry, for a scalar a

wherever both ways of writing are defined. A tree in which nothing meets its like stays as it was written.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import rebuild, walk
from verifier.prove.forms.small_trees import ONE, number, product, quotient, raised, total

_MOST = 4_000
_HALF = Fraction(1, 2)
_ROUNDS = 3


def neat(node: N.Node) -> N.Node:
    """The tree with its factors gathered, if that makes it shorter."""
    found = node
    for _ in range(_ROUNDS):
        if sum(1 for _ in walk(found)) > _MOST:
            return node
        again = _Gathering()
        tidied = again.of(found)
        if not again.met or len(to_text(tidied)) >= len(to_text(found)):
            break
        found = tidied
    return found


@dataclass
class _Term:
    """amount * prod base**power * exp(sum of exponents) * matrix"""

    amount: Fraction = Fraction(1)
    powers: dict[N.Node, Fraction] = field(default_factory=dict)
    exponents: list[tuple[N.Node, Fraction]] = field(default_factory=list)
    matrix: N.Node | None = None


class _Gathering:
    """One pass from the leaves up; `met` says whether equal parts met."""

    def __init__(self) -> None:
        self.met = False

    def of(self, node: N.Node) -> N.Node:
        node = rebuild(node, self.of)
        match node:
            case N.Add() | N.Subtract() if node.shape.is_scalar:
                return self._sum(list(_addends(node, Fraction(1))))
            case N.Multiply() | N.Divide() | N.Power():
                return self._quotient(node)
            case N.Entry(N.Apply() | N.Multiply() | N.Divide() | N.Power() as body, row, col):
                self.met = True
                return self.of(_inward(body, row, col))
        return node

    # --- products -----------------------------------------------------------------------------

    def _quotient(self, node: N.Node) -> N.Node:
        term = _Term()
        if not self._gather(node, Fraction(1), term):
            return node
        sums = [base for base, power in term.powers.items() if power == 1 and _is_sum(base)]
        if term.exponents and len(sums) == 1 and any(e < 0 for _, e in term.exponents):
            return self._spread(term, sums[0])
        return self._written(term)

    def _gather(self, node: N.Node, power: Fraction, term: _Term) -> bool:
        """The factors of node**power; False where they cannot be told apart."""
        match node:
            case N.Power(N.Norm() as base, N.Number(k)):
                self._factor(base, power * k, term)
            case _ if power.denominator > 1:  # a and b may be negative in sqrt(a*b)
                self._factor(node, power, term)
            case N.Number(value) if value or power > 0:
                term.amount *= value ** int(power)
            case N.Multiply(left, right):
                self.met = self.met or any(isinstance(x, N.Divide) and x.left == ONE for x in (left, right))
                return self._gather(left, power, term) and self._gather(right, power, term)
            case N.Divide(left, right) if right.shape.is_scalar:
                return self._gather(left, power, term) and self._gather(right, -power, term)
            case N.Negate(arg):
                term.amount *= Fraction(-1) ** int(power)
                return self._gather(arg, power, term)
            case N.Power(base, N.Number(k)) if base.shape.is_scalar and k.denominator <= 2:
                return self._gather(base, power * k, term)
            case N.Apply("sqrt", (arg,)) if arg.shape.is_scalar:
                self._factor(arg, power / 2, term)
            case N.Apply("exp", (arg,)) if arg.shape.is_scalar:
                self.met = self.met or bool(term.exponents) or abs(power) != 1
                term.exponents.append((arg, power))
            case _ if not node.shape.is_scalar:
                if term.matrix is not None or power != 1:
                    return False
                term.matrix = node
            case _:
                self._factor(node, power, term)
        return True

    def _factor(self, base: N.Node, power: Fraction, term: _Term) -> None:
        self.met = self.met or base in term.powers
        term.powers[base] = term.powers.get(base, Fraction(0)) + power

    def _spread(self, term: _Term, base: N.Node) -> N.Node:
        """(a + b)/exp(c) term by term"""
        self.met = True
        rest = self._written(
            _Term(term.amount, {b: p for b, p in term.powers.items() if b != base}, term.exponents)
        )
        parts = [
            self._quotient(N.Multiply(N.Multiply(number(sign), part), rest))
            for part, sign in _addends(base, Fraction(1))
        ]
        whole = total(parts)
        return whole if term.matrix is None else N.Multiply(whole, term.matrix)

    def _written(self, term: _Term) -> N.Node:
        above: list[N.Node] = [number(term.amount.numerator)]
        below: list[N.Node] = [number(term.amount.denominator)]
        for base, power in term.powers.items():
            (above if power > 0 else below).extend(_raised(base, abs(power)))
        if term.exponents:
            inside = self._sum([(arg, power) for arg, power in term.exponents])
            if inside != number(0):
                above.append(N.Apply("exp", (inside,)))
        scalar = quotient(product(above), product(below))
        return scalar if term.matrix is None else product([scalar, term.matrix])

    # --- sums ---------------------------------------------------------------------------------

    def _sum(self, parts: list[tuple[N.Node, Fraction]]) -> N.Node:
        """Like terms added, and factors that all terms share in front."""
        terms: dict[object, _Term] = {}
        for node, amount in parts:
            term = _Term(amount)
            if not self._gather(node, Fraction(1), term) or term.matrix is not None:
                return total(product([number(a), n]) for n, a in parts)
            alike = (frozenset(term.powers.items()), frozenset(term.exponents))
            if alike in terms:
                self.met = True
                terms[alike].amount += term.amount
            else:
                terms[alike] = term
        kept = [term for term in terms.values() if term.amount]
        shared = self._shared(kept)
        inside = total(self._written(term) for term in kept)
        if not shared.powers:
            return inside
        return self._written(_Term(Fraction(1), {inside: Fraction(1), **shared.powers}))

    def _shared(self, terms: list[_Term]) -> _Term:
        """Powers of sums and functions that every term has, taken out of the terms."""
        common = _Term()
        if len(terms) < 2:
            return common
        for base in list(terms[0].powers):
            powers = [term.powers.get(base, Fraction(0)) for term in terms]
            least = min(powers, key=abs)
            if isinstance(base, N.Symbol | N.Norm | N.Pi | N.Number) or not least or len(set(powers)) > 1:
                continue
            self.met = True
            common.powers[base] = least
            for term in terms:
                del term.powers[base]
        return common


def _inward(node: N.Node, row: N.Node, col: N.Node) -> N.Node:
    """The entry of what is made entry by entry, made of entries."""
    match node:
        case _ if node.shape.is_scalar:
            return node
        case N.Apply() | N.Multiply() | N.Divide() | N.Power():
            return rebuild(node, lambda part: _inward(part, row, col))
    return N.Entry(node, row, col)


def _is_sum(node: N.Node) -> bool:
    return isinstance(node, N.Add | N.Subtract)


def _addends(node: N.Node, sign: Fraction) -> Iterator[tuple[N.Node, Fraction]]:
    match node:
        case N.Add(left, right):
            yield from _addends(left, sign)
            yield from _addends(right, sign)
        case N.Subtract(left, right):
            yield from _addends(left, sign)
            yield from _addends(right, -sign)
        case N.Negate(arg):
            yield from _addends(arg, -sign)
        case _:
            yield node, sign


def _raised(base: N.Node, power: Fraction) -> list[N.Node]:
    """base**power, half powers as roots"""
    whole, half = divmod(power, 1)
    found = [raised(base, int(whole))] if whole else []
    if half == _HALF:
        found.append(N.Apply("sqrt", (base,)))
    elif half:
        found = [N.Power(base, number(power))]
    return found or ([] if power == 0 else [ONE])
