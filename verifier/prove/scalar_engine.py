"""The scalar exact engine: one relation in, one finding out."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import sympy as sp
from sympy.polys.polyerrors import BasePolynomialError

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Counterexample, Finding
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import substitute, walk
from verifier.prove.equal.closed_form import closed_form as default_closed_form
from verifier.prove.equal.exchangeable import entries, folded
from verifier.prove.growth import (
    asymptotics,
    at_zero,
    dominance,
    oscillation,
    suprema,
)
from verifier.prove.growth import (
    every_value as everyvalue,
)
from verifier.prove.growth import (
    growth_paths as paths,
)
from verifier.prove.growth import (
    growth_relations as growth,
)
from verifier.prove.growth import (
    magnitude_relations as magnitudes,
)
from verifier.prove.growth import (
    small_softmax as nearby,
)
from verifier.prove.growth import (
    uniform_growth as uniform,
)
from verifier.prove.growth import (
    zero_right_side as nothing,
)
from verifier.prove.growth.growing_symbols import growing_freely, over_matrices
from verifier.prove.growth.moment_orders import through_powers
from verifier.prove.growth.norm_moments import Surrogate, through_squares
from verifier.prove.growth.order_corrections import proved_only
from verifier.prove.growth.running_ratios import Kind
from verifier.prove.growth.softmax_norms import through_softmax
from verifier.prove.layers.depth import unroll
from verifier.prove.limits.all_cases import everywhere
from verifier.prove.ranges import engine as rigorous
from verifier.prove.ranges.orders_of_magnitude import speaks_of_orders
from verifier.prove.scalars import equality, inequality
from verifier.prove.scalars.closed_scalars import ClosedForm, Closing
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.index_sums import close_sum
from verifier.prove.scalars.matrix_entries import at_entries
from verifier.prove.scalars.randomness import is_random
from verifier.prove.scalars.scalar_refusal import Clock, NoLimit, Refused
from verifier.prove.scalars.scalar_relation import ENGINE, Reading, read
from verifier.prove.scalars.special_cases import small_powers, with_value

ZERO = n.Number(Fraction(0))
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
            found = _examine(growing_freely(claim), step.fact, clock, form)
        if found.truth != "unknown":
            return proved_only(claim, step.fact, found, lambda fact: _again(claim, fact, clock, form))
        unknown = found
    except NoLimit as none:
        example = Counterexample({}, None, None, arithmetic=(none.reason,))
        return Finding(ENGINE, "false", "proved", none.reason, counterexample=example, seconds=clock.spent)
    except Refused as refusal:
        unknown = Finding(
            ENGINE, "unknown", missing=refusal.reason, reason=refusal.reason, seconds=clock.spent
        )
    except SYMPY_GIVES_UP as error:
        reason = f"SymPy gave up ({type(error).__name__})"
        return Finding(ENGINE, "unknown", missing=reason, reason=reason, seconds=clock.spent)
    return _at_small_powers(claim, step.fact, clock, form) or unknown


def _again(claim: Claim, fact: n.Relation, clock: Clock, form: ClosedForm) -> Finding:
    """The same question about another right side."""
    try:
        with clock.guard(0.5):
            return _examine(growing_freely(claim), fact, clock, form)
    except (Refused, *SYMPY_GIVES_UP):
        return Finding(ENGINE, "unknown")


def _at_small_powers(claim: Claim, fact: n.Fact, clock: Clock, closed_form: ClosedForm) -> Finding | None:
    """A claim for every power p is false as soon as it is false for one."""
    for name, value in small_powers(claim, fact):
        try:
            with clock.guard(0.5):
                # The value enters laws and layers too.
                there = replace(claim, where={**claim.where, name: value})
                found = _examine(
                    there, substitute(fact, {n.Symbol(name): n.Number(value)}), clock, closed_form
                )
        except (Refused, *SYMPY_GIVES_UP):
            continue
        if found.truth == "false":
            return with_value(found, name, value)
    return None


def _examine(claim: Claim, fact: n.Fact, clock: Clock, closed_form: ClosedForm) -> Finding:
    closing = Closing(claim, closed_form, unroll, close_sum, clock)
    fact = folded(claim, fact)
    match fact:
        case n.Relation() if speaks_of_orders(fact):
            return _orders(claim, fact, closing)
        case n.Relation(op, left, n.Growth(kind, body)):
            growing = frozenset(symbol.name for symbol in claim.growing)
            supremum = _uniform_over_matrices(left, body, kind, closing)
            if supremum is not None:
                return replace(supremum, seconds=clock.spent)
            close = nearby.decide(claim, left, body, kind, closing)
            if close is not None:
                return replace(close, seconds=clock.spent)
            surrogate = through_softmax(claim, left, growing) or _up_to_constants(claim, left, growing)
            if not surrogate.sharp:
                with suppress(Refused, *SYMPY_GIVES_UP), clock.guard(0.3):
                    surrogate = Surrogate(closing.close(left), True)
            quick = _by_sizes(claim, n.Relation(op, surrogate.tree, body), kind, surrogate.sharp, closing)
            if quick is not None:
                lhs = None if surrogate.notes else quick.lhs
                return replace(quick, lhs=lhs, derivation=surrogate.notes, seconds=clock.spent)
            if not growing:
                closed = n.Relation(op, closing.close(surrogate.tree), closing.close(body))
                found = everyvalue.decide(claim, closed, kind, surrogate.sharp)
                if found is not None:
                    return replace(found, derivation=surrogate.notes, seconds=clock.spent)
            reading = read(claim, n.Relation(op, surrogate.tree, body), closing)
            reading = replace(reading, derivation=surrogate.notes + reading.derivation)
            void = nothing.decide(reading, kind)
            if void is not None:
                return void
            divided = None if growing else _divided(reading)
            found = divided and everyvalue.decide(claim, divided, kind, surrogate.sharp)
            if found:
                return replace(found, lhs=reading.text(reading.left), rhs=reading.text(reading.right))
            if not growing:
                exact = reading if not surrogate.notes else read(claim, n.Relation(op, left, body), closing)
                far = _over_sizes(claim, fact, exact, kind, clock, closed_form)
                return far or uniform.decide(exact, kind)
            zero = at_zero.refuted(reading) if kind != "O" else None
            if zero is not None:
                return zero
            found = _grown(claim, reading, kind, surrogate.sharp, closing)
            if found.truth == "unknown" and surrogate.sharp:
                found = nothing.at_a_point(reading, kind) or found
            return replace(found, lhs=None) if surrogate.notes else found
        case n.Relation(op, n.Limit(body, variable, n.Infinity()) as limit, right) if (
            claim.values(limit).is_nonnegative
            and right.shape.is_scalar
            and nearby.tends_to_zero(claim, body, variable.name, closing)
        ):
            if op == "==" and right == ZERO:
                reason = "it is never negative, and a bound of it tends to 0"
                return Finding(ENGINE, "true", "proved", reason, seconds=clock.spent)
            found = _examine(claim, n.Relation(op, ZERO, right), clock, closed_form)
            return replace(found, reason=f"the limit is 0; {found.reason}")
        case n.Relation("==", left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return everywhere(claim, fact, closing, equality.decide)
        case n.Relation("<=" | ">=" | "<" | ">", left, right) if (
            left.shape.is_scalar and right.shape.is_scalar
        ):
            return everywhere(claim, fact, closing, inequality.decide)
        case n.Relation("==" | "<=" | ">=" | "<" | ">"):
            found = _on_and_off(entries(claim, fact), clock, closed_form) or _examine(
                *at_entries(claim, fact), clock, closed_form
            )
            # The sides and what would be right are those of one entry, not of the matrices.
            return replace(found, lhs=None, rhs=None, corrected=None)
        case n.Within(arg, low, high) if arg.shape.is_scalar:
            above = _half(claim, n.Relation(">=", arg, low), closing)
            return inequality.both(above, _half(claim, n.Relation("<=", arg, high), closing))
    raise Refused("a relation between scalars")


def _on_and_off(
    parts: list[tuple[Claim, n.Relation]], clock: Clock, closed_form: ClosedForm
) -> Finding | None:
    """Both on the diagonal and off it; None where nobody knows."""
    found = []
    for claim, fact in parts:
        try:
            found.append(_examine(claim, fact, clock, closed_form))
        except (Refused, *SYMPY_GIVES_UP):
            return None
        if found[-1].truth == "false":
            return found[-1]
    return found[0] if found and all(part.truth == "true" for part in found) else None


def _over_sizes(
    claim: Claim, fact: n.Relation, reading: Reading, kind: Kind, clock: Clock, closed_form: ClosedForm
) -> Finding | None:
    """f <= C g at every size n  iff  it is so as n -> oo, and g(n) is 0 at no n: finitely many are left."""
    names = {symbol.name for symbol in reading.left.free_symbols | reading.right.free_symbols}
    kinds = {type(claim.symbols[name].kind) for name in names if name in claim.symbols}
    if len(names) != 1 or kinds != {Dimension} or claim.constraints or reading.translator.atoms:
        return None
    found = None
    with suppress(Refused, *SYMPY_GIVES_UP), clock.guard(0.5):
        found = _examine(replace(claim, growing=(n.Symbol(*names),)), fact, clock, closed_form)
    if found is None or found.truth != "true":
        return found if found is not None and found.truth == "false" else None
    spans, closed = reading.translator.spans, reading.closed
    sides = {"left": (reading.left, closed.left), "right": (reading.right, closed.right)}
    below = {"O": ("right",), "Omega": ("left",), "Theta": ("left", "right")}[kind]
    seen = (sign(sides[k][0], spans) == "positive" or claim.values(sides[k][1]).is_positive for k in below)
    return found if all(seen) else None


def _uniform_over_matrices(left: n.Node, body: n.Node, kind: Kind, closing: Closing) -> Finding | None:
    """A single constant for all values of the fixed matrices in the left side, or in its closed form."""
    claim, sides = closing.claim, (left, body)
    if is_random(claim, left):
        with suppress(Refused, *SYMPY_GIVES_UP), closing.clock.guard(0.4):
            sides = (closing.close(left), closing.close(body))
    return suprema.decide(claim, *sides, kind, closing.clock) if over_matrices(claim, sides[0]) else None


def _up_to_constants(claim: Claim, left: n.Node, growing: frozenset[str]) -> Surrogate:
    """Something of the same order that has a closed form."""
    exponents = [part.exponent for part in walk(left) if isinstance(part, n.Power)]
    sums = any(isinstance(part, n.Norm) and part.kind == "1" for part in walk(left))
    if growing and (sums or any(isinstance(part, n.Symbol) for node in exponents for part in walk(node))):
        found = through_powers(claim, left)
        if found is not None:
            return found
    return through_squares(claim, left, growing)


def _by_sizes(claim: Claim, fact: n.Relation, kind: Kind, sharp: bool, closing: Closing) -> Finding | None:
    """Growth from the sizes of positive closed forms, before any algebra."""
    if not claim.growing:
        return None
    closed = n.Relation(fact.op, closing.close(fact.left), closing.close(fact.right))
    return asymptotics.decide(claim, closed, kind, sharp)


def _divided(reading: Reading) -> n.Relation | None:
    """f g <= O(h g) asks what f <= O(h) asks, wherever g is not 0; where it is, both sides are."""
    if not reading.translator.atoms or reading.right == 0:
        return None
    ratio = sp.powdenest(sp.cancel(reading.left / reading.right))
    if ratio.free_symbols & reading.translator.atoms.keys():
        return None
    return n.Relation(reading.fact.op, *(reading.tree(part) for part in sp.fraction(ratio)))


def _grown(claim: Claim, reading: Reading, kind: Kind, sharp: bool, closing: Closing) -> Finding:
    """By leading terms in one symbol, which know their exceptions; else by monomials and limits."""
    expanded = False
    if sharp and len(claim.growing) == 1:
        with suppress(Refused, *SYMPY_GIVES_UP):
            found = dominance.decide(claim, reading.fact, closing, kind)
            expanded = True
            if found.truth != "unknown":
                notes = (*reading.derivation, *found.derivation)
                return replace(found, derivation=tuple(dict.fromkeys(notes)), seconds=closing.clock.spent)
    if sharp and not expanded and len(claim.growing) == 1 and reading.is_still:
        with suppress(Refused, *SYMPY_GIVES_UP):
            wave = oscillation.decide(reading, kind, reading.translator.free(claim.growing[0].name))
            if wave is not None:
                return wave
    # Where leading terms are known and leave a case open, a limit for generic values does not close it.
    found = growth.decide(reading, kind, sharp, by_limits=not expanded)
    if found.truth == "unknown" and sharp and len(claim.growing) > 1:
        with suppress(Refused, *SYMPY_GIVES_UP):
            return paths.refuted(reading, kind) or found
    return found


def _orders(claim: Claim, fact: n.Relation, closing: Closing) -> Finding:
    """Orders of magnitude are read off enclosures; expectations are closed before."""
    plain = fact if not is_random(claim, fact) else None
    found = None if plain is None else magnitudes.decide(claim, plain, closing.clock)
    if found is None:
        closed = n.Relation(fact.op, closing.close(fact.left), closing.close(fact.right))
        step = Step(closed, to_text(closed), claim.position)
        found = rigorous.examine(claim, step, Budget(max(closing.clock.left, 0.1)))
        if found.truth == "unknown" and plain is None:
            found = magnitudes.decide(claim, closed, closing.clock) or found
    return replace(found, engine=ENGINE, seconds=closing.clock.spent)


def _half(claim: Claim, fact: n.Relation, closing: Closing) -> Finding:
    """One end of an interval; -oo below and oo above bound nothing."""
    if fact.right == (n.Infinity() if fact.op == "<=" else n.Negate(n.Infinity())):
        return Finding(ENGINE, "true", "proved", "an end without bound")
    return everywhere(claim, fact, closing, inequality.decide)
