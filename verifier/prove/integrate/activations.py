"""Activations of a normal variable as sums of powers, steps, densities and exponentials.

With z ~ N(0, 1) independent of everything else, drawn afresh for each factor, and r a number:

    step     step(r u) = step(sign(r) u)                 relu    relu(r u) = r u step(r u)
    sign     sign(r u) = 2 step(r u) - 1                 abs     abs(r u) = r u sign(r u)
    Phi      Phi(r u) = E_z step(r u + z)                erf     erf(r u) = 2 Phi(sqrt(2) r u) - 1
    phi      phi(r u) = E_z delta(r u + z)               gelu    gelu(r u) = r u Phi(r u)
    sin      sin(r u) = (exp(i r u) - exp(-i r u))/(2 i)      and cos alike
    bell     exp(-k u**2) = sqrt(2 pi) phi(sqrt(2 k) u)
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from verifier.prove.forms.refusal import Refusal

CLOSED = frozenset(
    {"relu", "relu_slope", "abs", "abs_slope", "Phi", "erf", "phi", "gelu", "exp", "sin", "cos", "bell"}
)
OPEN = frozenset({"tanh", "sigmoid", "silu", "softplus"})
# Functions whose derivatives, taken almost everywhere, miss the kink or the jump.
KINKED = frozenset({"relu", "relu_slope", "abs", "abs_slope"})
# Smooth functions whose slope can be kept as a function of its own.
KEPT = frozenset({"tanh", "sigmoid", "silu", "gelu", "erf", "Phi"})
SLOPES = frozenset(f"{name}_slope" for name in KEPT)


@dataclass(frozen=True)
class Atom:
    """function(scale * u) ** power"""

    function: str
    scale: Fraction
    power: int


@dataclass(frozen=True)
class Term:
    """coefficient * u**power * exp(tilt * u) * prod step(a u + z) * prod delta(a u + z) * step(side * u)

    blurred, dense: the numbers a, each with a z of its own; side: 0 where there is no sharp step.
    """

    coefficient: sp.Expr = sp.S.One
    power: int = 0
    tilt: sp.Expr = sp.S.Zero
    blurred: tuple[sp.Expr, ...] = ()
    dense: tuple[sp.Expr, ...] = ()
    side: int = 0


def expanded(atoms: tuple[Atom, ...]) -> tuple[Term, ...]:
    """The product of the atoms of one variable, multiplied out."""
    terms: tuple[Term, ...] = (Term(),)
    for atom in atoms:
        copies = _powers(atom)
        for factor in copies:
            terms = tuple(found for a in terms for b in factor if (found := _times(a, b)) is not None)
    return terms


def _times(a: Term, b: Term) -> Term | None:
    """step(u) step(u) = step(u),  step(u) step(-u) = 0"""
    if a.side * b.side < 0:
        return None
    return Term(
        a.coefficient * b.coefficient,
        a.power + b.power,
        a.tilt + b.tilt,
        a.blurred + b.blurred,
        a.dense + b.dense,
        a.side or b.side,
    )


def _powers(atom: Atom) -> list[tuple[Term, ...]]:
    """One sum of terms for each factor of function(scale * u) ** power."""
    r = sp.Rational(atom.scale.numerator, atom.scale.denominator)
    side = 1 if r > 0 else -1
    k = atom.power
    if k < 0 and atom.function not in ("exp", "bell"):
        raise Refusal(f"a negative power of {atom.function} of a random variable")
    match atom.function:
        case "relu":
            return [(Term(r**k, k, side=side),)]
        case "relu_slope":
            return [(Term(side=side),)]
        case "abs":
            return [_sign(k, 1, Term(abs(r) ** k, k))]
        case "abs_slope":
            return [_sign(k, side, Term())]
        case "Phi":
            return [(Term(blurred=(r,)),)] * k
        case "erf":
            return [(Term(sp.Integer(2), blurred=(sp.sqrt(2) * r,)), Term(sp.Integer(-1)))] * k
        case "phi":
            return [(Term(dense=(r,)),)] * k
        case "gelu":
            return [(Term(r, 1, blurred=(r,)),)] * k
        case "exp":
            return [(Term(tilt=r * k),)]
        case "sin" | "cos":
            return [_wave(atom.function, r)] * k
        case "bell":
            return [_bell(r * k)]
    raise Refusal(f"a closed form of the expectation of {atom.function}")


def _sign(power: int, side: int, rest: Term) -> tuple[Term, ...]:
    """sign(u)**k = 1 or sign(u) = 2 step(u) - 1"""
    if power % 2 == 0:
        return (rest,)
    doubled = replace(rest, coefficient=2 * rest.coefficient, side=side)
    return (doubled, replace(rest, coefficient=-rest.coefficient))


def _wave(name: str, r: sp.Expr) -> tuple[Term, ...]:
    half = 1 / (2 * sp.I) if name == "sin" else sp.Rational(1, 2)
    return (Term(half, tilt=sp.I * r), Term(-half if name == "sin" else half, tilt=-sp.I * r))


def _bell(amount: sp.Expr) -> tuple[Term, ...]:
    if amount <= 0:
        raise Refusal("the expectation of the exponential of a square")
    return (Term(sp.sqrt(2 * sp.pi), dense=(sp.sqrt(2 * amount),)),)
