"""The scalar exact engine: one relation in, one finding out."""

from collections.abc import Callable
from dataclasses import replace

from sympy.polys.polyerrors import BasePolynomialError

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import substitute
from verifier.rigorous import engine as rigorous
from verifier.rigorous.orders import speaks_of_orders
from verifier.symbolic.closed import closed_form as default_closed_form
from verifier.symbolic.scalar import equality, growth, inequality, uniform
from verifier.symbolic.scalar.closing import ClosedForm, Closing
from verifier.symbolic.scalar.depth import unroll
from verifier.symbolic.scalar.moments import through_squares
from verifier.symbolic.scalar.reading import ENGINE, Reading, interpret, read
from verifier.symbolic.scalar.refuse import Clock, Refused, Undefined
from verifier.symbolic.scalar.special import has_limit, small_powers, special_claims, with_value
from verifier.symbolic.scalar.sums import close_sum

Decide = Callable[[Reading], Finding]
# What SymPy raises, besides NotImplementedError, from deep inside on expressions it cannot treat.
SYMPY_GIVES_UP = (
    NotImplementedError,
    BasePolynomialError,
    ArithmeticError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    RecursionError,
)


def examine(claim: Claim, step: Step, budget: Budget, closed_form: ClosedForm | None = None) -> Finding:
    """What can be said exactly of one relation between scalars."""
    clock = Clock(budget.seconds)
    form = closed_form or default_closed_form
    try:
        with clock.guard():
            return _examine(claim, step.fact, clock, form)
    except Refused as refusal:
        unknown = Finding(
            ENGINE, "unknown", missing=refusal.reason, reason=refusal.reason, seconds=clock.spent
        )
    except SYMPY_GIVES_UP as error:
        reason = f"SymPy gave up ({type(error).__name__})"
        return Finding(ENGINE, "unknown", missing=reason, reason=reason, seconds=clock.spent)
    return _at_small_powers(claim, step.fact, clock, form) or unknown


def _at_small_powers(claim: Claim, fact: n.Fact, clock: Clock, closed_form: ClosedForm) -> Finding | None:
    """A claim for every power p is false as soon as it is false for one."""
    for name, value in small_powers(claim, fact):
        try:
            with clock.guard(0.5):
                found = _examine(
                    claim, substitute(fact, {n.Symbol(name): n.Number(value)}), clock, closed_form
                )
        except (Refused, *SYMPY_GIVES_UP):
            continue
        if found.truth == "false":
            return with_value(found, name, value)
    return None


def _examine(claim: Claim, fact: n.Fact, clock: Clock, closed_form: ClosedForm) -> Finding:
    closing = Closing(claim, closed_form, unroll, close_sum, clock)
    match fact:
        case n.Relation() if speaks_of_orders(fact):
            return _orders(claim, fact, closing)
        case n.Relation(op, left, n.Growth(kind, body)):
            growing = frozenset(symbol.name for symbol in claim.growing)
            surrogate = through_squares(claim, left, growing)
            reading = read(claim, n.Relation(op, surrogate.tree, body), closing)
            reading = replace(reading, derivation=surrogate.notes + reading.derivation)
            if not growing and not surrogate.notes:
                return uniform.decide(reading, kind)
            found = growth.decide(reading, kind, surrogate.sharp)
            return replace(found, lhs=None) if surrogate.notes else found
        case n.Relation("==", left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return _everywhere(read(claim, fact, closing), closing, equality.decide)
        case n.Relation("<=" | ">=" | "<" | ">", left, right) if (
            left.shape.is_scalar and right.shape.is_scalar
        ):
            return _everywhere(read(claim, fact, closing), closing, inequality.decide)
        case n.Within(arg, low, high) if arg.shape.is_scalar:
            above = _half(claim, n.Relation(">=", arg, low), closing)
            return inequality.both(above, _half(claim, n.Relation("<=", arg, high), closing))
    raise Refused("a relation between scalars")


def _orders(claim: Claim, fact: n.Relation, closing: Closing) -> Finding:
    """Orders of magnitude are read off enclosures; expectations are closed before."""
    closed = n.Relation(fact.op, closing.close(fact.left), closing.close(fact.right))
    step = Step(closed, to_text(closed), claim.position)
    found = rigorous.examine(claim, step, Budget(max(closing.clock.left, 0.1)))
    return replace(found, engine=ENGINE, seconds=closing.clock.spent)


def _half(claim: Claim, fact: n.Relation, closing: Closing) -> Finding:
    """One end of an interval; an infinite one bounds nothing."""
    if isinstance(fact.right, n.Infinity) or fact.right == n.Negate(n.Infinity()):
        return Finding(ENGINE, "true", "proved", "an end without bound")
    return _everywhere(read(claim, fact, closing), closing, inequality.decide)


def _everywhere(reading: Reading, closing: Closing, decide: Decide) -> Finding:
    """The generic case, and where a limit was taken the special cases too."""
    found = decide(reading)
    if not has_limit(reading.fact) or found.truth == "false":
        return found
    open_cases = []
    for name, claim in special_claims(reading):
        try:
            special = decide(interpret(claim, reading.fact, reading.closed, closing))
        except Undefined:
            continue  # such points are left out
        except Refused as refusal:
            open_cases.append(f"{name}: {refusal.reason}")
            continue
        if special.truth == "false":
            return replace(special, reason=f"{special.reason}, in the special case {name}")
        if special.truth == "unknown" and special.missing != equality.NO_POINT:
            open_cases.append(f"{name}: {special.reason}")
    if found.truth == "true" and open_cases:
        return replace(found, truth="unknown", grade=None, missing="a decision of " + "; ".join(open_cases))
    return found
