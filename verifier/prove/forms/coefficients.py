"""Elements of the ring as trees: one fraction, numerator and denominator factored over Q."""

from verifier.expr import nodes as N
from verifier.prove.forms.small_trees import coefficient_tree, number, product, quotient, raised
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient
from verifier.prove.networks.ring import to_fraction

Factors = dict[str, tuple[Coefficient, int]]  # by text: the polynomial and its power


def fraction(space: Workspace, value: Coefficient) -> tuple[Coefficient, Factors]:
    """value = numerator / product of the denominators, with no inverse left in the numerator."""
    bottom: Factors = {}
    for _ in range(64):
        inverses = [name for name in _generators(space, value) if _inverted(space, name) is not None]
        if not inverses:
            return value, bottom
        name = inverses[-1]
        base = _inverted(space, name)
        assert base is not None
        index = space.ring.names.index(name)
        most = max(exponents[index] for exponents in value.to_dict())
        total = space.context_zero()
        for exponents, coefficient in value.to_dict().items():
            rest = tuple(0 if k == index else e for k, e in enumerate(exponents))
            term = space.ring.context.from_dict({rest: coefficient})
            total = total + term * base ** int(most - exponents[index])
        value = total
        _, power = bottom.get(str(base), (base, 0))
        bottom[str(base)] = (base, power + int(most))
    return value, bottom


def _generators(space: Workspace, value: Coefficient) -> list[str]:
    used = [any(e[k] for e in value.to_dict()) for k in range(len(space.ring.names))]
    return [name for name, found in zip(space.ring.names, used, strict=True) if found]


def _inverted(space: Workspace, name: str) -> Coefficient | None:
    known = space.definition(name)
    return known[1] if known is not None and known[0] == "inv" else None


def coefficient_node(space: Workspace, value: Coefficient) -> N.Node:
    """The value as a factored fraction."""
    if value.is_zero():
        return number(0)
    top, bottom = fraction(space, value)
    return node_of_fraction(space, top, bottom)


def node_of_fraction(space: Workspace, top: Coefficient, bottom: Factors) -> N.Node:
    unit, factors = top.factor()
    amount = to_fraction(unit)
    above: Factors = {str(f): (f, int(k)) for f, k in factors}
    below: Factors = {}
    for base, power in bottom.values():
        scale, parts = base.factor()
        amount /= to_fraction(scale) ** power
        for part, times in parts:
            _, before = below.get(str(part), (part, 0))
            below[str(part)] = (part, before + int(times) * power)
    _cancel(above, below)
    _roots(space, above, below)
    for text, (base, power) in above.items():  # (rho - 1) as (1 - rho), where rho <= 1
        if amount < 0 and power % 2 and space.is_nonnegative(-base):
            amount, above[text] = -amount, (-base, power)
    upper = [number(amount.numerator), *_powers(space, above)]
    lower = [number(amount.denominator), *_powers(space, below)]
    return quotient(product(upper), product(lower))


def _cancel(above: Factors, below: Factors) -> None:
    for text in list(above):
        if text in below:
            common = min(above[text][1], below[text][1])
            for side in (above, below):
                base, power = side.pop(text)
                if power > common:
                    side[text] = (base, power - common)


def _roots(space: Workspace, above: Factors, below: Factors) -> None:
    """sqrt(p)/p = 1/sqrt(p)"""
    for text in list(above):
        known = space.definition(text)
        if known is None or known[0] != "root" or str(known[1]) not in below:
            continue
        base, power = below.pop(str(known[1]))
        if power > 1:
            below[str(base)] = (base, power - 1)
        root, times = above.pop(text)
        if times > 1:
            above[text] = (root, times - 1)
        below[text] = (root, 1)


def _powers(space: Workspace, factors: Factors) -> list[N.Node]:
    return [raised(coefficient_tree(space, base), power) for base, power in factors.values()]


def common_factor(space: Workspace, values: list[Coefficient]) -> tuple[N.Node, list[Coefficient]]:
    """content, rest with value = content * rest for each: what all numerators and denominators share."""
    parts = [fraction(space, value) for value in values]
    bottom: Factors = {}
    for _, below in parts:
        for text, (base, power) in below.items():
            bottom[text] = (base, max(power, bottom.get(text, (base, 0))[1]))
    tops = []
    for top, below in parts:
        for text, (base, power) in bottom.items():
            top = top * base ** (power - below.get(text, (base, 0))[1])
        tops.append(top)
    shared = tops[0]
    for top in tops[1:]:
        shared = shared.gcd(top)
    if len(values) == 1 or (shared.is_constant() and not bottom):
        unit = shared if len(values) == 1 else space.ring(1)
        rests = [space.ring(1)] if len(values) == 1 else list(values)
        return node_of_fraction(space, unit, bottom if len(values) == 1 else {}), rests
    return node_of_fraction(space, shared, bottom), [top / shared for top in tops]
