"""What becomes of an expression when all entries of a symbol change their sign."""

from verifier.kernel.normal.atoms import Atom, Entry, Exponent, Function, Inverse, Monomial, Net, Poly, Root

ODD = frozenset({"sin", "tanh", "erf", "atan", "asin"})
Parity = int | None  # 0: nothing, 1: it changes its sign, None: something else


def of_poly(poly: Poly, name: str) -> Parity:
    found = {of_monomial(powers, name) for powers in poly.terms}
    return found.pop() if len(found) == 1 else 0 if not found else None


def of_monomial(powers: Monomial, name: str) -> Parity:
    total = 0
    for atom, power in powers:
        part = of_atom(atom, power, name)
        if part is None:
            return None
        total += part
    return total % 2


def of_atom(atom: Atom, power: Exponent, name: str) -> Parity:
    if name not in atom.names:
        return 0
    if not isinstance(power, int):
        return 0 if _of_base(atom, name) == 0 else None
    base = _of_base(atom, name)
    return None if base is None else base * power % 2


def _of_base(atom: Atom, name: str) -> Parity:
    match atom:
        case Entry():
            return 1 if atom.name == name else None
        case Net(bound, factors):
            ends = (end for _, low, high in bound for end in (low, high))
            return None if any(name in end.names for end in ends) else of_monomial(factors, name)
        case Function(function, (arg,)) if function in ODD:
            return of_poly(arg, name)
        case Function(_, args):
            return 0 if all(of_poly(arg, name) == 0 for arg in args) else None
        case Inverse(base) | Root(base):
            found = of_poly(base, name)
            return found if isinstance(atom, Inverse) or found == 0 else None
    return None
