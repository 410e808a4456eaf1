"""The moment of one block of correlated variables, with sums of networks for its covariances.

In closed form (moments); as a function of the variance that only equals itself, where there is none; or as
it is, where bounds are judged (kept).
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from verifier.prove.forms.functions_of_sums import apply
from verifier.prove.forms.integral_names import Powers, spelled
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activation_moments import Block, mean, moment, tie
from verifier.prove.integrate.activations import KINKED, OPEN, SLOPES
from verifier.prove.integrate.hyperbolic import rate, reduced
from verifier.prove.integrate.joint_moments import Law, joint
from verifier.prove.integrate.kept_means import amount_of, kept, kept_together
from verifier.prove.integrate.sympy_to_sums import lowered
from verifier.prove.networks import Sum

Values = Mapping[sp.Symbol, Sum]


def average(space: Workspace, block: Block, values: Values, may_meet: bool) -> Sum:
    """The moment; may_meet: two of the variables may be one and the same."""
    if space.means is not None and block.size == 1:
        return _kept(space, block, values)
    if space.means is not None and (together := _together(space, block, values)) is not None:
        return together
    if any(atom.function in OPEN for atoms in block.atoms for atom in atoms):
        return _integral(space, block, values, may_meet)
    closed = _closed(block, values)
    if may_meet and _is_singular(closed, block.size):
        raise Refusal("the expectation of derivatives of activations at indices that may be equal")
    return lowered(space, closed, values)


def _integral(space: Workspace, block: Block, values: Values, may_meet: bool) -> Sum:
    """A moment without closed form, as a function of the variance that only equals itself:

    E(d^k/du^k f(r u)) = r^k E(f^(k)(v)),   v ~ N(0, r**2 Var(u))
    """
    if block.size > 1 or block.shifted[0]:
        rows = range(block.size)
        law = Law([values[mean(i)] for i in rows], [[values[tie(i, j)] for j in rows] for i in rows])
        return joint(space, block, law, may_meet)
    if (found := _hyperbolic(space, block, values[tie(0, 0)])) is not None:
        return found
    scales = {atom.scale for atom in block.atoms[0]}
    if len(scales) > 1:
        raise Refusal("an integral of functions at different scales")
    powers = tuple(sorted((a.function, a.power) for a in block.atoms[0]))
    order, scale = block.orders[0], scales.pop()
    variance = values[tie(0, 0)] * scale**2
    return _named(space, powers, order, variance) * scale**order


def _hyperbolic(space: Workspace, block: Block, variance: Sum) -> Sum | None:
    """The moment in the basis E(tanh(x)**a log(2 cosh(x))**b), x = w/2."""
    atoms, order = block.atoms[0], block.orders[0]
    speed = rate(atoms)
    found = reduced(atoms, order) if speed is not None else None
    if speed is None or found is None:
        return None
    own = variance * speed**2
    total = space.scalar(0)
    for (k, a, b), weight in found.items():
        powers = tuple((f, p) for f, p in (("lcosh", b), ("tanh", a)) if p)
        part = _named(space, powers, 0, own * Fraction(1, 4)) if powers else space.scalar(1)
        total = total + part * own**k * weight
    return total * speed**order


def _named(space: Workspace, powers: Powers, order: int, variance: Sum) -> Sum:
    """A moment of a variable of this variance that nobody can say more about."""
    return apply(space, spelled(powers, order), [variance])


def _kept(space: Workspace, block: Block, values: Values) -> Sum:
    """A mean of one variable as it is, unless it is a polynomial in the variance."""
    (atoms,), (order,), variance = block.atoms, block.orders, values[tie(0, 0)]
    found = reduced(atoms, order) if not block.shifted[0] and rate(atoms) is not None else None
    if found is not None and all(a == b == 0 for _, a, b in found):
        plain = _hyperbolic(space, block, variance)
        assert plain is not None
        return plain
    if order and any(atom.function in KINKED for atom in atoms):
        if any(atom.function in OPEN | SLOPES for atom in atoms):
            raise Refusal("the derivative of a function with a kink, as it is")
        return lowered(space, moment(block), values)
    return kept(space, atoms, order, variance, values[mean(0)])


def _closed(block: Block, values: Values) -> sp.Expr:
    """The moment for any covariances, or else for those that there are, where they are numbers."""
    try:
        return moment(block)
    except Refusal:
        rows = range(block.size)
        known = [[_number(values[tie(i, j)]) for j in rows] for i in rows]
        numbers = tuple(tuple(entry for entry in row if entry is not None) for row in known)
        if any(len(row) < block.size for row in numbers):
            raise
        return moment(replace(block, numbers=numbers))


def _number(value: Sum) -> sp.Rational | None:
    """The rational number that a covariance is."""
    found = amount_of(value)
    return None if found is None else sp.Rational(found.numerator, found.denominator)


def _together(space: Workspace, block: Block, values: Values) -> Sum | None:
    """Functions of u + c for several numbers c, kept as one mean; None for any other block."""
    offsets = [amount_of(values[mean(i)]) for i in range(block.size)]
    known = [c for c in offsets if c is not None]
    if any(block.orders) or len(known) < block.size or len({block.lowest(i) for i in range(block.size)}) > 1:
        return None
    return kept_together(space, block.atoms, known, values[tie(0, 0)])


def _is_singular(value: sp.Expr, size: int) -> bool:
    """Whether a denominator vanishes where two of the variables are one and the same."""
    if size == 1:
        return False
    same = {tie(i, j): tie(0, 0) for i in range(size) for j in range(size)}
    lowest = [part.base for part in value.atoms(sp.Pow) if part.exp.is_negative]
    return any(sp.expand(base.subs(same)) == 0 for base in lowest)
