"""Exact constants as expressions of the claim language: 1/2 - exp(-1)/sqrt(pi)."""

from typing import Any

from flint import fmpq

Monomial = tuple[tuple[Any, fmpq], ...]


def sum_text(terms: tuple[tuple[Monomial, fmpq], ...]) -> str:
    """The terms with their signs between them."""
    first, *rest = [_term(monomial, coefficient) for monomial, coefficient in terms]
    return first + "".join(f" - {part[1:]}" if part[0] == "-" else f" + {part}" for part in rest)


def _term(monomial: Monomial, coefficient: fmpq) -> str:
    """coefficient * monomial as a quotient, square roots gathered."""
    top: list[str] = []
    bottom: list[str] = []
    roots = {1: fmpq(1), -1: fmpq(1)}
    for atom, exponent in monomial:
        if isinstance(atom.arg, int) and atom.kind == "prime" and abs(exponent) == fmpq(1, 2):
            roots[1 if exponent > 0 else -1] *= atom.arg
        elif atom.kind == "e":
            top.append(f"exp({exponent})")
        else:
            (top if exponent > 0 else bottom).append(_power_text(_name(atom), abs(exponent)))
    top += [f"sqrt({roots[1]})"] if roots[1] != 1 else []
    bottom += [f"sqrt({roots[-1]})"] if roots[-1] != 1 else []
    size = abs(coefficient)
    top = [str(size.p), *top] if size.p != 1 or not top else top
    bottom = [str(size.q), *bottom] if size.q != 1 else bottom
    text = "*".join(top)
    if bottom:
        text += f"/{bottom[0]}" if len(bottom) == 1 else f"/({'*'.join(bottom)})"
    return f"-{text}" if coefficient < 0 else text


def _power_text(name: str, exponent: fmpq) -> str:
    if exponent == 1:
        return name
    if exponent == fmpq(1, 2):
        return f"sqrt({name})"
    return f"{name}**{exponent}" if exponent.q == 1 else f"{name}**({exponent})"


def _name(atom: Any) -> str:
    match atom.kind, atom.arg:
        case "prime", p:
            return str(p)
        case "pi", _:
            return "pi"
        case "sum", inner:
            return f"({inner})"
        case name, inner:
            return f"{name}({inner})"
