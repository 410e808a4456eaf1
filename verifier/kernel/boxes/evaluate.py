"""A core term over a box."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.expr.dims import Dim
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.functions import JUMPS, applied
from verifier.kernel.boxes.interval import Interval
from verifier.kernel.budget import Budget
from verifier.kernel.core import terms as T
from verifier.kernel.rejected import Rejected

Key = tuple[str, tuple[int, ...]]  # an entry of a symbol
Box = Mapping[Key, Interval]
MOST_TERMS = 256  # of a sum that is written out


def key_of(variable: T.Var) -> Key:
    """The entry that a variable is, where its positions are numbers."""
    numbers = tuple(position.constant for position in variable.at)
    if None in numbers:
        raise Rejected("outside", f"an entry of {variable.name} by a symbolic position")
    return variable.name, tuple(number for number in numbers if number is not None)


def written(key: Key) -> str:
    """`x`, or `x[1,2]` for an entry."""
    name, at = key
    return f"{name}[{','.join(map(str, at))}]" if at else name


def spread(term: T.Term, numbers: Mapping[str, Fraction], budget: Budget) -> T.Term:
    """The term with its sums written out and these names as numbers, so that its entries have numbers for
    positions; equal factors are raised to a power, so that a square is seen as one."""
    budget.spend()
    match term:
        case T.Var(name, at):
            if not at and name in numbers:
                return T.number(numbers[name])
            return T.Var(name, tuple(_at(position, numbers) for position in at))
        case T.Delta(left, right):
            return T.delta(_at(left, numbers), _at(right, numbers))
        case T.Sum(index, low, high, body):
            first, last = _at(low, numbers).constant, _at(high, numbers).constant
            if first is None or last is None or last - first >= MOST_TERMS:
                raise Rejected("outside", "a sum of a symbolic number of terms over a box")
            each = (spread(body, {**numbers, index: Fraction(k)}, budget) for k in range(first, last + 1))
            return T.plus(*each)
        case T.Times(parts):
            counts = Counter(spread(part, numbers, budget) for part in parts)
            return T.times(*(T.power(part, count) for part, count in counts.items()))
        case T.Call():
            raise Rejected("outside", "a number of which nothing is known, over a box")
        case T.Mean():
            raise Rejected("outside", "a mean without a closed form, over a box")
    return T.rebuilt(term, lambda part: spread(part, numbers, budget))


def _at(position: Dim, numbers: Mapping[str, Fraction]) -> Dim:
    known = {name: numbers[name] for name in position.names & numbers.keys()}
    if any(value.denominator != 1 for value in known.values()):
        raise Rejected("outside", "a position that is no integer")
    return position.replace({name: Dim.of(int(value)) for name, value in known.items()})


@dataclass
class Enclosure:
    """Encloses terms over one box. `positive`: variables that are never 0, though their range begins there;
    `jumps`: whether a function that was enclosed may jump within the box."""

    box: Box
    positive: frozenset[Key]
    budget: Budget
    jumps: bool = False
    known: dict[int, tuple[T.Term, Interval]] = field(default_factory=dict)

    def of(self, term: T.Term) -> Interval:
        """All values of the term over the box; `Rejected` where it is not known to have one everywhere."""
        if id(term) not in self.known:
            self.budget.spend()
            self.known[id(term)] = term, self._of(term)
        return self.known[id(term)][1]

    def _of(self, term: T.Term) -> Interval:
        match term:
            case T.Num(value):
                return iv.of_number(value)
            case T.Var():
                return self._variable(term)
            case T.Plus(parts):
                total = iv.of_number(0)
                for part in parts:
                    total = iv.plus(total, self.of(part))
                return total
            case T.Times(parts):
                total = iv.of_number(1)
                for part in parts:
                    total = iv.times(total, self.of(part))
                return total
            case T.Pow(base, T.Num(value)):
                if value < 0 and self._is_positive(base):
                    positive = iv.root(self.of(base), -value)
                    return iv.joined(
                        iv.inverse(iv.of_ball(positive.high)), Interval(iv.INFINITE, iv.INFINITE)
                    )
                whole = value.denominator == 1
                return iv.power(self.of(base), int(value)) if whole else iv.root(self.of(base), value)
            case T.Pow(base, exponent):
                return applied("exp", (iv.times(self.of(exponent), self.of(T.Fn("log", (base,)))),))
            case T.Fn("log", (arg,)) if self._is_positive(arg):
                return Interval(iv.MINUS_INFINITE, applied("log", (iv.of_ball(self.of(arg).high),)).high)
            case T.Fn(name, args):
                values = tuple(map(self.of, args))
                self.jumps |= name in JUMPS and values[0].holds(iv.NONE)
                return applied(name, values)
        raise Rejected("outside", f"{type(term).__name__} over a box")

    def _variable(self, variable: T.Var) -> Interval:
        key = key_of(variable)
        if key not in self.box:
            raise Rejected("outside", f"{written(key)} over a box")
        return self.box[key]

    def _is_positive(self, term: T.Term) -> bool:
        """A variable that comes as near to 0 as one likes, and is positive and finite here."""
        if not isinstance(term, T.Var) or key_of(term) not in self.positive:
            return False
        found = self.of(term)
        return bool(found.low == 0 and found.high > 0 and found.is_finite)
