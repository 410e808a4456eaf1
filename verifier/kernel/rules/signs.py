"""Order: what signs and declarations say."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.opaque import is_below
from verifier.kernel.normal.sign import is_nonnegative, is_positive, signed_entries
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.defined import only_numbers, unfolded

ZERO = N.Number(Fraction(0))
Ordered = tuple[N.Node, N.Node, bool]  # the smaller side, the larger one, and whether they must differ


def ordered(judgement: Judgement) -> Ordered:
    """An inequality with its smaller side first."""
    if isinstance(judgement, Holds):
        only_numbers(judgement.fact)
    match judgement:
        case Holds(Relation("<=" | "<" as op, small, large)) | Holds(
            Relation(">=" | ">" as op, large, small)
        ):
            return small, large, op in ("<", ">")
    raise Rejected("statement", "this is no inequality")


def sign(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{b - a \in \mathrm{cone}}{\Gamma \vdash a \le b}

    The difference is a sum of products of what is never negative: even powers, norms, roots, exponentials,
    means of such, symbols that are declared so. It is read off the tree where one side is 0, or a part of
    the other, off the difference multiplied out, and off its normal form. Strict if one term is positive.
    """
    small, large, strict = ordered(goal)
    if premises:
        raise Rejected("premises", "a sign needs no premise")
    sides = unfolded(context, small), unfolded(context, large)
    if is_below(context, *sides, strict):
        return
    for rest in _rests(*sides):
        if is_positive(context, rest) or (not strict and is_nonnegative(context, rest)):
            return
    signed_entries(context, Relation("<" if strict else "<=", small, large))


def _rests(small: N.Node, large: N.Node) -> list[N.Node]:
    """What the larger side has beyond the smaller, where the trees show it."""
    found = [large] if small == ZERO else []
    match small, large:
        case N.Negate(arg), _ if large == ZERO:
            found.append(arg)
        case _, N.Add(left, right) if small in (left, right):
            found.append(right if small == left else left)
        case N.Subtract(left, right), _ if left == large:
            found.append(right)
    return found


def declared(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{x : [l, h] \in \Gamma}{\Gamma \vdash l \le x \qquad \Gamma \vdash x \le h}

    What the declaration of a scalar says of its range: an interval, a positive number, a size (at least 1),
    an index (one of 1, ..., n).
    """
    small, large, strict = ordered(goal)
    if premises:
        raise Rejected("premises", "a declaration needs no premise")
    for symbol, other, below in ((large, small, False), (small, large, True)):
        if isinstance(symbol, N.Symbol) and symbol.shape.is_scalar and symbol.name in context.symbols:
            kind, one = context.symbols[symbol.name].kind, N.Number(Fraction(1))
            match kind:
                case K.Interval(low, high) if not strict and other == (high if below else low):
                    return
                case K.Positive() if not below and other == ZERO:
                    return
                case K.Dimension() | K.IndexOf() if not (below or strict) and other == one:
                    return
                case K.IndexOf(size) if below and not strict and isinstance(other, N.Symbol):
                    if str(size) == other.name:
                        return
    raise Rejected("condition", "the declaration does not say so")
