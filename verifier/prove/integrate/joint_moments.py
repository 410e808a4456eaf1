"""Moments without closed form of several correlated variables, or of shifted ones, in one way of writing.

Such a moment is a function of the means and covariances that only equals itself. For tanh, sigmoid, silu and
softplus of variables w_i with means m_i and covariances v_ij, with t and c as for one variable (hyperbolic),

    E(w_i f(w)) = m_i E(f(w)) + sum_j v_ij E(df/dw_j)                   (Stein)
    E(f(w)) = 0      for odd f and centred w;      E(f(w)) = -E(f(-w)) for odd f and any w

leave a sum of E(prod_i t_i**a_i c_i**b_i). Other functions stay as they are.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.prove.forms.functions_of_sums import apply
from verifier.prove.forms.integral_names import Powers as Named
from verifier.prove.forms.integral_names import spelled_jointly
from verifier.prove.forms.labels import key
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activation_moments import Block
from verifier.prove.integrate.activations import KINKED
from verifier.prove.integrate.hyperbolic import Powers, polynomial, rate, slopes
from verifier.prove.networks import Sum
from verifier.prove.networks.ring import to_fraction

_MOST = 10
Monomial = tuple[Powers, ...]  # powers of w, t, c of each variable
Cumulants = tuple[tuple[int, ...], ...]  # (i,): a mean; (i, j): a covariance
Reduced = Mapping[tuple[Cumulants, Monomial], Fraction]


@dataclass(frozen=True, eq=False)
class Law:
    """Means and covariances of the variables of a block."""

    means: Sequence[Sum]
    ties: Sequence[Sequence[Sum]]

    def scaled(self, scales: Sequence[Fraction]) -> "Law":
        size = range(len(scales))
        means = [m * r for m, r in zip(self.means, scales, strict=True)]
        return Law(means, [[self.ties[i][j] * (scales[i] * scales[j]) for j in size] for i in size])

    def among(self, which: Sequence[int]) -> "Law":
        return Law([self.means[i] for i in which], [[self.ties[i][j] for j in which] for i in which])

    def value(self, cumulant: tuple[int, ...]) -> Sum:
        return self.means[cumulant[0]] if len(cumulant) == 1 else self.ties[cumulant[0]][cumulant[1]]


def joint(space: Workspace, block: Block, law: Law, may_meet: bool) -> Sum:
    """The moment of the block; may_meet: two of its variables may be one and the same."""
    if may_meet and any(
        order and any(a.function in KINKED for a in atoms)
        for atoms, order in zip(block.atoms, block.orders, strict=True)
    ):
        raise Refusal("the expectation of derivatives of activations at indices that may be equal")
    rates = [rate(atoms) for atoms in block.atoms]
    known = [r for r in rates if r is not None]
    if len(known) == block.size and (found := reduced(block)) is not None:
        return _hyperbolic(space, block, law.scaled(known), known, found)
    scales = [{atom.scale for atom in atoms} for atoms in block.atoms]
    if any(len(found) > 1 for found in scales):
        raise Refusal("an integral of functions at different scales")
    single = [found.pop() for found in scales]
    parts = [tuple(sorted((a.function, a.power) for a in atoms)) for atoms in block.atoms]
    weight = Fraction(1)
    for scale, order in zip(single, block.orders, strict=True):
        weight *= scale**order
    return _named(space, parts, block.orders, law.scaled(single)) * weight


def _hyperbolic(space: Workspace, block: Block, law: Law, rates: Sequence[Fraction], found: Reduced) -> Sum:
    total = space.scalar(0)
    half = [Fraction(1, 2)] * block.size
    for (cumulants, monomial), weight in found.items():
        which = [i for i, (_, a, b) in enumerate(monomial) if a or b]
        parts = [
            tuple((f, p) for f, p in (("lcosh", monomial[i][2]), ("tanh", monomial[i][1])) if p)
            for i in which
        ]
        term = space.scalar(weight)
        if which:
            own = law.scaled(half).among(which)
            turned = _is_turned(own.means)  # t is odd and c is even
            odd = turned and sum(monomial[i][1] for i in which) % 2 == 1
            own = Law([m * -1 for m in own.means], own.ties) if turned else own
            term = term * _named(space, parts, (0,) * len(which), own) * (-1 if odd else 1)
        for cumulant in cumulants:
            term = term * law.value(cumulant)
        total = total + term
    for speed, order in zip(rates, block.orders, strict=True):
        total = total * speed**order
    return total


def _is_turned(means: Sequence[Sum]) -> bool:
    """Whether the first mean that is not zero leads with a minus: then -w is looked at instead of w."""
    first = next((m for m in means if m), None)
    if first is None:
        return False
    lead = min(first.terms, key=lambda monomial: sorted(map(repr, monomial)))
    return bool(to_fraction(first.terms[lead].leading_coefficient()) < 0)


def _named(space: Workspace, parts: Sequence[Named], orders: Sequence[int], law: Law) -> Sum:
    """The moment as a function of the means and covariances, the variables in a fixed order."""
    order = sorted(range(len(parts)), key=lambda i: (parts[i], orders[i], repr(key(law.ties[i][i]))))
    law = law.among(order)
    arguments = [*law.means, *(law.ties[i][j] for i in range(len(parts)) for j in range(i, len(parts)))]
    together = space.scalar(0)
    for k, argument in enumerate(arguments):
        together = together + argument * space.place(k)
    name = spelled_jointly([parts[i] for i in order], [orders[i] for i in order])
    return apply(space, name, [together])


# --- Stein's identity -------------------------------------------------------------------------


def reduced(block: Block) -> Reduced | None:
    """E of the product, differentiated as asked; None for other functions or high powers."""
    factors = [polynomial(atoms) for atoms in block.atoms]
    degree = sum(a.power for atoms in block.atoms for a in atoms) + sum(block.orders)
    if degree > _MOST or any(factor is None for factor in factors):
        return None
    value: dict[Monomial, Fraction] = {(): Fraction(1)}
    for factor in factors:
        assert factor is not None
        value = {(*m, p): a * b for m, a in value.items() for p, b in factor.items()}
    for which, order in enumerate(block.orders):
        for _ in range(order):
            value = _derivative(value, which)
    return _expected(value, block)


def _derivative(value: Mapping[Monomial, Fraction], which: int) -> dict[Monomial, Fraction]:
    found: dict[Monomial, Fraction] = defaultdict(Fraction)
    for monomial, weight in value.items():
        for powers, q in slopes(*monomial[which]):
            found[(*monomial[:which], powers, *monomial[which + 1 :])] += weight * q
    return found


def _expected(value: Mapping[Monomial, Fraction], block: Block) -> Reduced:
    centred = not any(block.shifted)
    found: dict[tuple[Cumulants, Monomial], Fraction] = defaultdict(Fraction)
    left: dict[tuple[Cumulants, Monomial], Fraction] = {((), m): q for m, q in value.items()}
    while left:
        more: dict[tuple[Cumulants, Monomial], Fraction] = defaultdict(Fraction)
        for (cumulants, monomial), weight in left.items():
            if centred and sum(i + j for i, j, _ in monomial) % 2:
                continue
            which = next((i for i, (w, _, _) in enumerate(monomial) if w), None)
            if which is None:
                found[cumulants, monomial] += weight
                continue
            for cumulant, lower, q in _stein(monomial, which, block):
                more[tuple(sorted((*cumulants, cumulant))), lower] += weight * q
        left = more
    return {at: weight for at, weight in found.items() if weight}


def _stein(
    monomial: Monomial, which: int, block: Block
) -> Iterator[tuple[tuple[int, ...], Monomial, Fraction]]:
    """The terms of E(w_i f): a mean or a covariance, what is left, and its weight."""
    w, t, c = monomial[which]
    rest = (*monomial[:which], (w - 1, t, c), *monomial[which + 1 :])
    if block.shifted[which]:
        yield (which,), rest, Fraction(1)
    for other in range(block.size):
        low, high = sorted((which, other))
        for powers, q in slopes(*rest[other]):
            yield (low, high), (*rest[:other], powers, *rest[other + 1 :]), q
