"""A context with values in it: what trees are there, and whether assumptions and laws allow the values."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import rebuild, substitute
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.motion import motion, only_numbers_that_exist, value_is_free
from verifier.kernel.asymptotic.numbers import sign_of_number
from verifier.kernel.asymptotic.scale import Sign, sign_of
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.core.sized import Sized
from verifier.kernel.core.written import numbers, written_out
from verifier.kernel.normal.atoms import Poly, scaled, total
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.normal.sign import signed_entries
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
TRUE: dict[str, tuple[Sign, ...]] = {
    "==": ("=",), "!=": ("<", ">"), "<=": ("<", "<=", "="), "<": ("<",), ">=": (">", ">=", "="), ">": (">",)
}  # fmt: skip


@dataclass(frozen=True)
class Instance:
    """A context with values, and the symbols that are free to grow in it."""

    context: Context
    growing: frozenset[str]
    sized: Sized
    encloses: bool = False  # whether enclosures may tell the sign of a number

    def concrete(self, node: N.Node) -> N.Node:
        """The tree with its sizes as they are here: exponents are read then, and short sums written out."""
        return written_out(self.sized.of(node))

    def normal(self, algebra: ZeroTest, node: N.Node) -> Poly:
        """The normal form of a number, at the sizes of the family."""
        only_numbers_that_exist(self.context, node)
        return algebra.normal(settled(algebra.reader, algebra.reader.scalar(self.concrete(node))))

    def sign(self, algebra: ZeroTest, poly: Poly) -> Sign:
        """The sign of a normal form at all values that are left, or once the growing symbols are large."""
        found = sign_of(algebra, poly) or (sign_of_number(poly) if self.encloses else None)
        if found is None and self.growing:
            with suppress(Rejected):
                return Asymptotics(algebra, motion(self.context, self.growing)).leading(poly)[1]
        return found


def check_assumption(bare: Instance, fact: N.Fact) -> None:
    """An assumption that names a value is used as such; any other must hold along the family, whatever else
    is assumed."""
    match fact:
        case N.Relation("==", N.Let(), _) if bare.context.is_entered(fact):
            return
        case N.Relation("==", N.Symbol(name), value) if bare.context.is_entered(fact):
            if not (value_is_free(bare.context, name, value) or _is_positive_number(bare, name, value)):
                raise Rejected("not-allowed", f"nobody knows whether {name} may have its assumed value")
        case N.ForAll(inner, ranges, conditions):
            if (found := numbers(bare.sized.of(ranges), bare.sized.of(conditions))) is None:
                raise Rejected("not-allowed", "an assumption at an unknown number of indices")
            for at in found:
                check_assumption(bare, rebuild(inner, lambda node, at=at: substitute(node, at)))  # type: ignore[misc]
        case N.Within(arg, low, high):
            check_assumption(bare, N.Relation("<=", low, arg))
            check_assumption(bare, N.Relation("<=", arg, high))
        case N.Relation():
            _shown(lambda: _is_true(bare, fact))
        case _:
            raise Rejected("not-allowed", "an assumption that is not known to hold along the family")


def _is_positive_number(bare: Instance, name: str, value: N.Node) -> bool:
    if not isinstance(bare.context.symbols[name].kind, K.Positive):
        return False
    with suppress(Rejected):
        algebra = ZeroTest(bare.context)
        return bare.sign(algebra, bare.normal(algebra, value)) == ">"
    return False


def _is_true(bare: Instance, fact: N.Relation) -> None:
    """By the sign of the difference at the sizes of the family, or at any size."""
    if fact.left.shape.is_scalar and fact.right.shape.is_scalar:
        for expands in (False, True):
            algebra = ZeroTest(bare.context, expands=expands)
            sides = (bare.normal(algebra, fact.left), scaled(bare.normal(algebra, fact.right), fmpq(-1)))
            gap = total(sides)
            if "=" in TRUE[fact.op] and algebra.is_zero(gap):
                return
            if bare.sign(algebra, gap) in TRUE[fact.op]:
                return
        raise Rejected("differs", "the difference is not known to have the right sign")
    sized = bare.sized.of(fact)
    if fact.op == "==":
        equal_entries(bare.context, sized)
    else:
        signed_entries(bare.context, sized)


def check_law(bare: Instance, item: K.Declared) -> None:
    """Whether a law exists along the family."""
    ends: list[tuple[N.Node, N.Node]]
    match item.kind:
        case K.Normal(_, std, None, None):
            ends = [(ZERO, std)]
        case K.Uniform(low, high):
            ends = [(low, high)]
        case K.Bernoulli(chance):
            ends = [(ZERO, chance), (chance, ONE)]
        case K.Iid(_, var):
            ends = [] if var is None else [(ZERO, var)]
        case K.Rademacher() | K.AnyLaw() | K.FixedKind():
            ends = []
        case _:
            raise Rejected("outside", f"a law of the kind {type(item.kind).__name__}")
    for low, high in ends:
        _shown(lambda low=low, high=high: _is_true(bare, N.Relation("<=", low, high)))  # type: ignore[misc]


def _shown(check: Callable[[], None]) -> None:
    try:
        check()
    except Rejected as rejected:
        raise Rejected("not-allowed", f"an assumption may be false there: {rejected.words}") from None
