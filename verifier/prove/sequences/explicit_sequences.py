"""Explicit sequences in place of any: Y_i = c + Z_i with a known Z, and numbers for the fixed symbols and for
what has a joint law with the sequence. Of a matrix these are the first entry, and all others are 0."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.numbers.number_text import as_fraction
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, Integer, Interval, JointWith, Kind, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import distinct
from verifier.kernel.sequences.modes import PLACE, Chance, Mode, Moment, Sums, Surely, names_of
from verifier.kernel.sequences.spikes import Spike
from verifier.prove.sequences.spikes import rate

MOST = 128
SMALL = N.Symbol("t")


@dataclass(frozen=True)
class World:
    """The numbers, and the c of Y_i = c + Z_i."""

    sequence: str
    values: Mapping[str, Fraction]
    limit: Fraction

    def truth(self, mode: Mode, spike: Spike) -> tuple[bool, str] | None:
        """Whether c + Z_i is as the mode says, and why; None where that is not known."""
        away = self._away(mode.gap)
        if away is None or (away != 0 and spike.height != 0):
            return None
        made = spike if away == 0 else Spike(abs(away))
        if isinstance(mode, Surely):
            return made.converges, f"{to_text(mode.gap)} {_tends(made)}"
        size, above = mode.size, self.threshold(mode)
        unknown = isinstance(size, Chance) and size.above is not None and above is None
        # Odd powers of a negative constant sum to -oo, which is another question.
        if unknown or (isinstance(size, Moment) and size.signed and away < 0):
            return None
        order = made.order(size, above)
        if isinstance(mode, Sums):
            true = order is None or order < -1
            return true, f"{_said(size)} {rate(order)}, and the sum is {'' if true else 'in'}finite"
        true = order is None or order < 0
        return true, f"{_said(size)} {rate(order)}, and {'tends' if true else 'does not tend'} to 0"

    def threshold(self, mode: Mode) -> Fraction | None:
        """The number that a chance is about."""
        if isinstance(mode, Surely) or not isinstance(mode.size, Chance) or mode.size.above is None:
            return None
        return self._value(mode.size.above)

    def _away(self, gap: N.Node) -> Fraction | None:
        """c - g for the gap Y_i - g; None for other gaps."""
        match gap:
            case N.Member(name, _, place) if (name, place) == (self.sequence, PLACE):
                return self.limit
            case N.Subtract(N.Member(name, shape, place), other) if (name, place) == (self.sequence, PLACE):
                value = self._value(other) if other.shape == shape else None
                return None if value is None else self.limit - value
        return None

    def _value(self, node: N.Node) -> Fraction | None:
        if isinstance(node, N.Zeros):
            return Fraction(0)
        if isinstance(node, N.Symbol) and node.name in self.values:
            return self.values[node.name]
        if not all(part.shape.is_scalar for part in distinct(node)):
            return None
        try:
            ((found,),) = evaluate(node, self.values)
        except Refusal:
            return None
        return as_fraction(found) if isinstance(found, fmpq) else None


def worlds(claim: Claim, plain: Claim, sequence: str, modes: Sequence[Mode]) -> Iterator[World]:
    """A few simple ones that the declarations and the other assumptions allow; `plain` is the claim without
    what speaks of sequences."""
    names = sorted({name for mode in modes for name in names_of(mode)} & claim.symbols.keys())
    given = {item.substitution[0].name for item in claim.assumptions if item.substitution is not None}
    if given & set(names):
        return
    joint = [name for name in names if isinstance(claim.symbols[name].kind, JointWith)]
    fixed = [name for name in names if name not in joint and name in plain.symbols]
    choices = [_values(plain.symbols[name].kind) for name in fixed]
    for chosen in islice(product(*choices), MOST):
        point = dict(zip(fixed, chosen, strict=True))
        if admissible(plain, point).outcome == "true":
            for others in product((Fraction(0), Fraction(1)), repeat=len(joint) + 1):
                yield World(sequence, {**point, **dict(zip(joint, others, strict=False))}, others[-1])


def _values(kind: Kind) -> tuple[Fraction, ...]:
    match kind:
        case Positive():
            return Fraction(1), Fraction(1, 2), Fraction(2)
        case Dimension():
            return Fraction(1), Fraction(2)
        case Real() | Integer():
            return Fraction(0), Fraction(1)
        case Interval(N.Number(low), N.Number(high)):
            return low, high, (low + high) / 2
    return ()


def _tends(made: Spike) -> str:
    if made.converges:
        return "tends to 0 with probability 1"
    often = "" if made.is_sure else ", as infinitely many of the independent events happen (Borel-Cantelli)"
    return f"tends to 0 with probability 0{often}"


def _said(size: Chance | Moment) -> str:
    length = N.Apply("abs", (size.gap,)) if size.gap.shape.is_scalar else N.Norm(size.gap)
    if isinstance(size, Moment):
        base = size.gap if size.signed else length
        return to_text(N.Expectation(base if size.power == 1 else N.Power(base, N.Number(size.power))))
    every = "" if size.above is not None else ", for every small t > 0,"
    return (
        to_text(
            N.Expectation(N.Indicator(N.Relation(">" if size.strict else ">=", length, size.above or SMALL)))
        )
        + every
    )
