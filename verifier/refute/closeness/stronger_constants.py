"""How much stronger a proved bound can be proved: what shows that it is loose where no point tells.

The bound is asked for again with a right side several times smaller (for `>=`, larger). What is proved of
that needs no search."""

from collections.abc import Callable
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Tightness
from verifier.expr.nodes import Divide, Multiply, Node, Number
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets
from verifier.prove.rules.bound_form import Bound
from verifier.prove.rules.certify import prove
from verifier.prove.rules.magnitude_forms import Reader
from verifier.refute.closeness.closed_form_numbers import times
from verifier.refute.closeness.tightness import Measured
from verifier.timer import worked

LEAST = Fraction(51, 50)  # beyond the 1% that counts as tight
MOST = Fraction(1024)
HALVINGS = 6
SECONDS = 0.4  # for one attempt


def stronger(claim: Claim, bound: Bound, deadline: float) -> Measured | None:
    """The largest simple factor with which the bound is proved as well; None if there is none."""
    known = Reader(claim.symbols).read(expand_lets(bound.stated))
    if bound.is_zero or known is None or not known.terms:
        return None  # a factor makes a bound by something negative weaker

    def shows(factor: Fraction) -> bool:
        now = worked()
        scaled = bound.restated(_scaled(bound, factor))
        return now < deadline and prove(claim, scaled, min(deadline, now + SECONDS)) is not None

    factor = _largest(shows)
    if factor is None:
        return None
    better = _scaled(bound, factor)
    gap = 1 - 1 / factor if bound.side == "upper" else factor - 1
    direction = "smaller" if bound.side == "upper" else "larger"
    note = f"it is also true with a right side {factor} times {direction}, at least"
    return Measured(Tightness(False, gap, None, to_text(better), note=note, proved=True), better)


def _scaled(bound: Bound, factor: Fraction) -> Node:
    """The stated side times or over the factor, with one number in front."""
    front, rest = _front(bound.stated)
    return times(Number(front / factor if bound.side == "upper" else front * factor), rest)


def _front(node: Node) -> tuple[Fraction, Node | None]:
    """The number in front, and what is left without it."""
    match node:
        case Number(value):
            return value, None
        case Multiply(left, right):
            number, rest = _front(left)
            return number, right if rest is None else Multiply(rest, right)
        case Divide(top, Number(below)):
            number, rest = _front(top)
            return number / below, rest
    return Fraction(1), node


def _largest(shows: Callable[[Fraction], bool]) -> Fraction | None:
    """Doubling, then halving what is between; at last the simplest number in there."""
    if not shows(LEAST):
        return None
    low, high = LEAST, Fraction(2)
    while high <= MOST and shows(high):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if shows(middle) else (low, middle)
    between = (Fraction(round(high * below), below) for below in range(1, 33))
    return next((factor for factor in between if low < factor <= high and shows(factor)), low)
