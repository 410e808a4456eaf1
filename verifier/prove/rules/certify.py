"""A proof of small <= large from the rules: enlarge the small side until the large one covers it.

The rules are applied to the most promising magnitude first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count

from verifier.claim.model import Claim
from verifier.exact.numbers.refusals import Refusal
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Shape
from verifier.expr.walk import walk
from verifier.prove.ranges.separable import prove_sums
from verifier.prove.rules.assumed_magnitudes import expanded, floors, hypotheses
from verifier.prove.rules.bound_form import Bound
from verifier.prove.rules.bounded_rows import bounded_rows
from verifier.prove.rules.covering import covered
from verifier.prove.rules.jacobian_chains import is_chain
from verifier.prove.rules.lipschitz_rules import LIPSCHITZ, common_factor
from verifier.prove.rules.magnitude_forms import Magnitude, Reader, atoms, of_atom, of_dim
from verifier.prove.rules.mean_rules import MEANS, high_moments, second_moments
from verifier.prove.rules.squared_bounds import of_squares
from verifier.prove.rules.textbook import RULES, larger
from verifier.timer import past, worked

MAX_STEPS = 6
MAX_VISITED = 400
STRANGE = 2  # steps that an atom which the large side has not is worth
LEAST_FOR_SUMS = 0.5  # seconds


@dataclass(frozen=True)
class Proof:
    """The rules that were used, in order."""

    steps: tuple[str, ...]


def prove(claim: Claim, bound: Bound, deadline: float) -> Proof | None:
    """A proof that the bound holds for every value of the symbols, if the rules or sums give one."""
    return prove_by_rules(claim, bound, deadline) or _by_sums(claim, bound, deadline)


def prove_by_rules(claim: Claim, bound: Bound, deadline: float) -> Proof | None:
    """The chain rule, or the small side enlarged until the large one covers it."""
    if bound.strict or not (bound.small.shape.is_scalar and bound.large.shape.is_scalar):
        return None
    if is_chain(bound.small, bound.large, claim.symbols):
        return Proof(("chain rule",))
    squares = of_squares(bound, claim.values)
    found = _by_rules(claim, bound, deadline)
    return found if found is not None or squares is None else _by_rules(claim, squares, deadline)


def _by_sums(claim: Claim, bound: Bound, deadline: float) -> Proof | None:
    """Sums over all entries, by what one entry's share of them is."""
    if bound.strict or not (bound.small.shape.is_scalar and bound.large.shape.is_scalar):
        return None
    words = prove_sums(claim, bound.small, bound.large, max(deadline, worked() + LEAST_FOR_SUMS))
    return None if words is None else Proof((words,))


def _by_rules(claim: Claim, bound: Bound, deadline: float) -> Proof | None:
    """The small side enlarged, rule by rule, until the large one covers it."""
    opened = {item.assumed_value[0].name for item in claim.assumptions if item.assumed_value}
    lesser, greater = expanded(bound.small, opened), expanded(bound.large, opened)
    middles = (node.by for node in walk(greater) if isinstance(node, N.Derivative))
    reader = Reader(claim.symbols, tuple(dict.fromkeys(middles)), bounded_rows(claim))
    small, large = _sides(reader, lesser, greater)
    if large is None:
        return None
    small = _factored(reader, small)
    given = tuple(hypotheses(claim, reader, opened))
    # What is integrated by an equation loses nothing: from there it is a shorter way.
    starts = _integrated(reader, small)
    starts += [(small * mass, ("cauchy schwarz for rows of mass 1",)) for mass in _masses(reader, large)]
    starts += [(small * ratio, ("jensen",)) for ratio in high_moments(reader, large)]
    starts += [(small * least, (name,)) for least, name in floors(claim, reader, opened)]
    queue = Queue(large)
    for start, steps in starts:
        queue.push(start, steps)
    seen = {small}
    while queue and len(seen) < MAX_VISITED and not past(deadline):
        current, steps = queue.pop()
        if covered(current, large, claim.symbols):
            return Proof(steps or ("comparing term by term",))
        if len(steps) < MAX_STEPS:
            for larger, name in _enlarged(reader, current, given):
                if past(deadline):
                    return None
                if larger not in seen:
                    seen.add(larger)
                    queue.push(larger, (*steps, name))
    return None


@dataclass
class Queue:
    """What is to be enlarged further, the most promising first: after few steps, with few atoms that the
    large side has not."""

    large: Magnitude
    heap: list[tuple[int, int, Magnitude, tuple[str, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wanted = set(atoms(self.large))
        self.order = count()

    def __bool__(self) -> bool:
        return bool(self.heap)

    def push(self, item: Magnitude, steps: tuple[str, ...]) -> None:
        foreign = sum(atom not in self.wanted for atom in atoms(item))
        heappush(self.heap, (len(steps) + STRANGE * foreign, next(self.order), item, steps))

    def pop(self) -> tuple[Magnitude, tuple[str, ...]]:
        *_, item, steps = heappop(self.heap)
        return item, steps


def _factored(reader: Reader, small: Magnitude) -> Magnitude:
    """With common factors of differences taken out: that is an equation, and loses nothing."""
    for atom in atoms(small):
        for equal in common_factor(reader, atom):
            return _replace(small, atom, equal) or small
    return small


def _integrated(reader: Reader, small: Magnitude) -> list[tuple[Magnitude, tuple[str, ...]]]:
    """The magnitude, after it the same with second moments of independent matrices worked out."""
    found: list[tuple[Magnitude, tuple[str, ...]]] = [(small, ())]
    for _ in range(MAX_STEPS):
        current, steps = found[-1]
        means = (atom for atom in atoms(current) if isinstance(atom, N.Expectation))
        known = ((atom, next(second_moments(reader, atom), None)) for atom in means)
        equal = next((x for atom, value in known if value and (x := _replace(current, atom, value))), None)
        if equal is None or equal == current:
            break
        found.append((equal, (*steps, "second moments")))
    return found[::-1]


def _masses(reader: Reader, large: Magnitude) -> Iterator[Magnitude]:
    """1 <= (norm(P) sqrt(m/n))**k where the n rows of P have m entries and the sum 1 each (Cauchy and
    Schwarz), to the power k that norm(P) has in the bound."""
    powers = dict.fromkeys(item for monomial, _ in large.terms for item in monomial)
    for atom, exponent in powers:
        match atom:
            case N.Norm(arg, "fro") if exponent > 0 and (shape := _rows_of_mass(reader, arg)) is not None:
                rows, cols = of_dim(shape.rows), of_dim(shape.cols)
                below = None if rows is None else rows.raised(-exponent / 2)
                above = None if cols is None else cols.raised(exponent / 2)
                if below is not None and above is not None:
                    yield of_atom(atom, exponent) * above * below


def _rows_of_mass(reader: Reader, arg: N.Node) -> Shape | None:
    """The shape of a matrix whose rows are probability vectors; a simplex is one row."""
    match arg:
        case N.RowWise("softmax"):
            return arg.shape
        case N.Symbol(name) if reader.kind(name) == K.FixedMatrix("stochastic"):
            return arg.shape
        case N.Symbol(name) if reader.kind(name) == K.FixedMatrix("simplex"):
            return arg.shape.transposed
    return None


def _sides(reader: Reader, small: N.Node, large: N.Node) -> tuple[Magnitude, Magnitude | None]:
    """a - b <= c - d as a + d <= c + b: what is subtracted stands on the other side."""
    left, right = _signed(small), _signed(large)
    lesser = [*left[0], *right[1]]
    greater = [*right[0], *left[1]]
    room: Magnitude | None = Magnitude(())
    for node in greater:
        read = reader.read(node)
        if room is None or read is None:
            return Magnitude(()), None
        room = room + read
    total = Magnitude(())
    for node in lesser:
        total = total + reader.size(node)
    return total, room


def _signed(node: N.Node) -> tuple[list[N.Node], list[N.Node]]:
    """The terms of a sum, those added and those subtracted."""
    match node:
        case N.Add(left, right):
            (a, b), (c, d) = _signed(left), _signed(right)
            return a + c, b + d
        case N.Subtract(left, right):
            (a, b), (c, d) = _signed(left), _signed(right)
            return a + d, b + c
        case N.Negate(arg):
            a, b = _signed(arg)
            return b, a
        case N.Number(value) if value < 0:
            return [], [N.Number(-value)]
    return [node], []


def _enlarged(
    reader: Reader, current: Magnitude, given: tuple[tuple[N.Node, Magnitude, str], ...]
) -> Iterator[tuple[Magnitude, str]]:
    """Everything that one rule or assumption makes of one atom."""
    for atom in atoms(current):
        bounds = [(bound, name) for known, bound, name in given if known == atom]
        for rule in (*RULES, *LIPSCHITZ, *MEANS):
            name = rule.__name__.replace("_", " ")
            bounds += [(found, name) for found in larger(rule, reader, atom)]
        for bound, name in bounds:
            replaced = _replace(current, atom, bound)
            if replaced is not None:
                yield replaced, name


def _replace(current: Magnitude, atom: N.Node, bound: Magnitude) -> Magnitude | None:
    """The atom, wherever it stands in a numerator, replaced by its bound."""
    total = Magnitude(())
    for monomial, coefficient in current.terms:
        exponent = dict(monomial).get(atom, Fraction(0))
        if exponent <= 0:
            total = total + Magnitude(((monomial, coefficient),))
            continue
        rest = tuple((other, e) for other, e in monomial if other != atom)
        try:
            raised = bound.raised(exponent)
        except Refusal:
            return None
        if raised is None:
            return None
        total = total + Magnitude(((rest, coefficient),)) * raised
    return total
