"""Sums over a part of a range, and indices as numbers.

With upto[i, j] = 1 for j <= i and 0 otherwise, and position[i] = i, over 1..n:

    sum_{j <= i} f(j) = sum_j upto[i, j] f(j)
    upto[i, i] = 1      upto[i, j]**2 = upto[i, j]      upto[i, j] upto[j, i] = delta(i, j)
    upto[n, j] = 1      upto[i, 1] = 1                  upto[1, j] = delta(1, j)
    upto[i, j] + upto[j, i] = 1 + delta(i, j)
    sum_j upto[i, j] position[j]**k = S_k(position[i])
    sum_i upto[i, j] position[i]**k = S_k(n) - S_k(position[j]) + position[j]**k
    sum_i position[i]**k = S_k(n)

and where i <= k is assumed,

    upto[k, i] = 1      upto[i, k] = delta(i, k), which is 0 for i < k
    upto[i, j] upto[k, j] = upto[i, j]                  upto[j, i] upto[j, k] = upto[j, k]
    upto[k, j] upto[j, i] = upto[k, j] - upto[i, j] + delta(i, j)

S_k(m) = 1**k + ... + m**k is a polynomial. What no rule removes is a matrix like any other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import IndexOf
from verifier.prove.forms.splice import Piece
from verifier.prove.forms.workspace import HERE, Workspace
from verifier.prove.networks import Coefficient, Monomial, Sum, Tensor
from verifier.prove.networks.network_sums import arrange, collect, flatten
from verifier.prove.networks.network_tensors import Label, Occurrence, is_position

UPTO, LAST = "_upto_", "_last_"
_MOST_POWER = 6
Polynomial = Mapping[int, Fraction]  # power -> coefficient


def upto(space: Workspace, axis: str, last: str, label: str) -> Sum:
    """1 where the index `label` is at most `last`, else 0."""
    made = space.declare(Tensor(UPTO + word(axis), (axis, axis)))
    space.nonnegative_tensors.add(made)
    return space.factor(made, (last, label))


def word(text: str) -> str:
    """A text as part of a name."""
    return "".join(c if c.isalnum() else "_" for c in text)


def counted(space: Workspace, value: Sum) -> Sum:
    """The sum with every rule above applied until none applies."""
    if not any(name.startswith(UPTO) or _is_number(space, name) for name in value.tensors()):
        return value
    rules = _Rules(space, *_order(space.claim))
    while True:
        after = collect(value.frame, (piece for term in value.terms.items() for piece in rules.once(*term)))
        if after == value:
            return value
        value = after


def _order(claim: Claim) -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    """The pairs of declared indices of one range of which i <= k is assumed, and those with i < k."""
    weak: set[tuple[str, str]] = set()
    strict: set[tuple[str, str]] = set()
    for fact in claim.constraints:
        match fact:
            case N.Relation("<=" | "<" as op, N.Symbol(low), N.Symbol(high)):
                pass
            case N.Relation(">=" | ">" as op, N.Symbol(high), N.Symbol(low)):
                pass
            case _:
                continue
        kinds = claim.symbols[low].kind, claim.symbols[high].kind
        if isinstance(kinds[0], IndexOf) and kinds[0] == kinds[1]:
            weak.add((low, high))
            if op in ("<", ">"):
                strict.add((low, high))
    for _ in range(len(weak)):  # i <= j <= k
        more = [(a, d) for a, b in weak for c, d in weak if b == c]
        strict |= {(a, d) for a, b in weak for c, d in weak if b == c and {(a, b), (c, d)} & strict}
        weak |= set(more)
    return frozenset(weak), frozenset(strict)


@dataclass(frozen=True)
class _Term:
    """weight * factors, where the indices of each pair are equal."""

    weight: Coefficient
    factors: tuple[Occurrence, ...] = ()
    pairs: tuple[tuple[Label, Label], ...] = ()


@dataclass(frozen=True)
class _Change:
    """A sum of terms in the place of the removed factors; the indices in `gone` were summed over."""

    removed: frozenset[int]
    terms: tuple[_Term, ...]
    gone: frozenset[Label] = frozenset()


@dataclass(frozen=True, eq=False)
class _Rules:
    """The rules, for one space and what is assumed: i <= k for (i, k) in `weak`, i < k in `strict`."""

    space: Workspace
    weak: frozenset[tuple[str, str]]
    strict: frozenset[tuple[str, str]]

    def once(self, monomial: Monomial, coefficient: Coefficient) -> Iterator[Piece]:
        """The term after one change, or as it is."""
        factors = flatten(monomial)
        for p, (name, _) in enumerate(factors):
            change = None
            if name.startswith(UPTO):
                change = self._compared(factors, p)
            elif _is_number(self.space, name):
                change = self._placed(factors, p)
            change = change or self._turned(factors, p, monomial)
            if change is not None:
                yield from self._changed(factors, change, coefficient)
                return
        yield monomial, coefficient

    def _changed(
        self, factors: list[Occurrence], change: _Change, coefficient: Coefficient
    ) -> Iterator[Piece]:
        frame = self.space.frame
        alive: dict[Label, str] = {}
        for q in change.removed:
            name, labels = factors[q]
            alive.update(zip(labels, frame.spaces(name), strict=True))
        kept = {x: axis for x, axis in alive.items() if x not in change.gone}
        rest = [f for q, f in enumerate(factors) if q not in change.removed]
        for term in change.terms:
            arranged = arrange(frame, [*rest, *term.factors], term.pairs, kept)
            if arranged is not None:
                yield arranged[0], arranged[1] * term.weight * coefficient

    # --- upto[x, y] -----------------------------------------------------------------------------

    def _compared(self, factors: list[Occurrence], p: int) -> _Change | None:
        name, (x, y) = factors[p]
        one = self.space.ring(1)
        alone, same = frozenset({p}), _Term(one, pairs=((x, y),))
        if x == y or _is_first(y) or str(x).startswith(LAST) or (y, x) in self.weak:
            return _Change(alone, (_Term(one),))
        if (x, y) in self.strict:
            return _Change(alone, ())
        if _is_first(x) or (x, y) in self.weak:
            return _Change(alone, (same,))
        for q, (other, labels) in enumerate(factors):
            if q == p or other != name:
                continue
            if labels == (y, x):
                return _Change(frozenset({p, q}), (same,))
            if labels == (x, y) or self._implies(labels, (x, y)):
                return _Change(alone, (_Term(one),))
            if labels[0] == y and (labels[1], x) in self.weak:  # labels[1] <= y <= x
                low = labels[1]
                terms = _Term(one, ((name, (x, y)),)), _Term(-one, ((name, (low, y)),))
                return _Change(frozenset({p, q}), (*terms, _Term(one, pairs=((low, y),))))
        return self._summed(factors, p)

    def _turned(self, factors: list[Occurrence], p: int, monomial: Monomial) -> _Change | None:
        """Of f upto[x, y] and f upto[y, x] the one that comes first stays; where they are the same sum, it is
        half of f (1 + delta(x, y))."""
        name, labels = factors[p]
        if not name.startswith(UPTO):
            return None
        x, y = labels
        one, other = self.space.ring(1), [*factors[:p], (name, (y, x)), *factors[p + 1 :]]
        turned = arrange(self.space.frame, other, (), {})
        if turned is None or _rank(monomial) < _rank(turned[0]):
            return None
        whole = _Term(one), _Term(one, pairs=((x, y),))
        if turned[0] != monomial:
            return _Change(frozenset({p}), (*whole, _Term(-one, ((name, (y, x)),))))
        half = self.space.ring(Fraction(1, 2))
        return _Change(frozenset({p}), tuple(replace(term, weight=half) for term in whole))

    def _implies(self, first: tuple[Label, ...], second: tuple[Label, ...]) -> bool:
        """Whether upto[first] = 1 leaves upto[second] = 1."""
        (i, j), (k, m) = first, second
        return (j == m and (i, k) in self.weak) or (i == k and (m, j) in self.weak)

    def _summed(self, factors: list[Occurrence], p: int) -> _Change | None:
        """The sum over one of the indices, where positions alone stand beside."""
        name, (x, y) = factors[p]
        beside = self._positions(factors, y, p)
        if beside is not None:
            terms = self._powers(power_sum(len(beside)), name, x)
            return _Change(beside | {p}, terms, frozenset({y}))
        beside = self._positions(factors, x, p)
        if beside is not None:
            k = len(beside)
            less = {power: -c for power, c in power_sum(k).items()}
            terms = self._powers({**less, k: less.get(k, Fraction(0)) + 1}, name, y)
            return _Change(beside | {p}, (_Term(self._whole(k, name)), *terms), frozenset({x}))
        return None

    def _positions(self, factors: list[Occurrence], label: Label, p: int) -> frozenset[int] | None:
        """The factors at a summed index besides p; None if some are no positions, or too many."""
        if not isinstance(label, int):
            return None
        found = [q for q, (_, labels) in enumerate(factors) if label in labels and q != p]
        if len(found) > _MOST_POWER or not all(_is_number(self.space, factors[q][0]) for q in found):
            return None
        return frozenset(found)

    def _powers(self, polynomial: Polynomial, upto: str, label: Label) -> tuple[_Term, ...]:
        """The polynomial of an index, as a number."""
        axis = self.space.frame.spaces(upto)[0]
        made = self.space.weight(HERE, axis)
        return tuple(
            _Term(self.space.ring(c), ((made, (label,)),) * power) for power, c in polynomial.items()
        )

    def _whole(self, k: int, name: str) -> Coefficient:
        """S_k(n)"""
        size = self.space.frame.sizes[self.space.frame.spaces(name)[0]]
        total = self.space.ring(0)
        for power, c in power_sum(k).items():
            total = total + size**power * self.space.ring(c)
        return total

    # --- position[x] ----------------------------------------------------------------------------

    def _placed(self, factors: list[Occurrence], p: int) -> _Change | None:
        name, (x,) = factors[p]
        if isinstance(x, str) and is_position(x):
            return _Change(frozenset({p}), (_Term(self.space.ring(int(x.partition("@")[0]))),))
        if isinstance(x, str) and x.startswith(LAST):
            size = self.space.frame.sizes[self.space.frame.spaces(name)[0]]
            return _Change(frozenset({p}), (_Term(size),))
        beside = self._positions(factors, x, p)
        if beside is None:
            return None
        return _Change(beside | {p}, (_Term(self._whole(len(beside) + 1, name)),), frozenset({x}))


def _is_number(space: Workspace, name: str) -> bool:
    """Whether the entries of this tensor are the indices themselves."""
    return space.weights.get(name) == HERE


def _rank(monomial: Monomial) -> list[str]:
    return sorted(map(repr, monomial))


def _is_first(label: Label) -> bool:
    return isinstance(label, str) and is_position(label) and label.partition("@")[0] == "1"


@cache
def power_sum(k: int) -> Polynomial:
    """S_k in powers of m, from (m + 1)**(k + 1) - 1 = sum_{j <= k} binomial(k + 1, j) S_j(m)"""
    found = {power: Fraction(comb(k + 1, power)) for power in range(1, k + 2)}
    for j in range(k):
        for power, c in power_sum(j).items():
            found[power] -= comb(k + 1, j) * c
    return {power: c / (k + 1) for power, c in found.items() if c}
