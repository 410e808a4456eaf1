"""An order as a tree and as text of the claim language."""

from fractions import Fraction

from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.prove.growth.exponential_towers import EXP, Monomial
from verifier.prove.growth.tropical_sizes import LOG, Size

LARGEST = 1000  # a denominator beyond it is that of an irrational number


def as_text(names: tuple[str, ...], size: Size, atoms: tuple[Monomial, ...] = ()) -> str | None:
    """The size in the claim's language."""
    tree = as_tree(names, size, atoms)
    return None if tree is None else to_text(tree)


def as_tree(names: tuple[str, ...], size: Size, atoms: tuple[Monomial, ...] = ()) -> n.Node | None:
    """A sum of monomials over one monomial; None with symbols or irrational numbers in exponents."""
    if len(size.below) != 1 or not size.above:
        return None
    (under,) = size.below
    if any(a != b for top in size.above for a, b in zip(top[len(names) :], under[len(names) :], strict=True)):
        return None
    tree: n.Node | None = None
    for monomial in sorted(size.above, reverse=True):
        exponents = [Fraction(a) - b for a, b in zip(monomial, under, strict=True)][: len(names)]
        if any(e.denominator > LARGEST for e in exponents):
            return None
        term = _monomial(names, exponents, atoms)
        tree = term if tree is None else n.Add(tree, term)
    return tree


def _monomial(names: tuple[str, ...], exponents: list[Fraction], atoms: tuple[Monomial, ...]) -> n.Node:
    above: n.Node | None = None
    below: n.Node | None = None
    for name, exponent in zip(names, exponents, strict=True):
        if exponent and name.startswith(EXP):
            above = _times(above, _exponential(names, atoms[int(name.removeprefix(EXP))], exponent))
        elif exponent > 0:
            above = _times(above, _power(name, exponent))
        elif exponent < 0:
            below = _times(below, _power(name, -exponent))
    top = above if above is not None else n.Number(Fraction(1))
    return top if below is None else n.Divide(top, below)


def _exponential(names: tuple[str, ...], atom: Monomial, exponent: Fraction) -> n.Node:
    """exp(-2*d) for E_d**-2"""
    inside = _monomial(names[: len(atom.exponents)], list(atom.exponents), ())
    for name in atom.times:
        inside = n.Multiply(n.Symbol(name), inside)
    if abs(exponent) != 1:
        inside = n.Multiply(n.Number(abs(exponent)), inside)
    return n.Apply("exp", (inside if exponent > 0 else n.Negate(inside),))


def _times(left: n.Node | None, right: n.Node) -> n.Node:
    return right if left is None else n.Multiply(left, right)


def _power(name: str, exponent: Fraction) -> n.Node:
    log = name.startswith(LOG)
    base: n.Node = n.Apply("log", (n.Symbol(name.removeprefix(LOG)),)) if log else n.Symbol(name)
    if exponent == 1:
        return base
    return n.Apply("sqrt", (base,)) if exponent == Fraction(1, 2) else n.Power(base, n.Number(exponent))
