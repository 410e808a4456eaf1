"""What an expectation is taken of, as a polynomial in the random entries, for a person to integrate:

norm(D(f, W))**2 = 9*Q**4*K**6*(X[1]**2 + X[2]**2)**6, with E(w**4) = 3, E(w**6) = 15 for every entry w
"""

import re
from collections.abc import Iterator, Mapping

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from verifier.exact.means.entry_moments import BLOCK, Draw
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.value_matrices import Matrix, size
from verifier.exact.values.expectations import drawn, random_symbols
from verifier.exact.values.point_environment import Environment, Name
from verifier.expr import nodes as n

MOST_TERMS = 200
MOST_MOMENTS = 8


def integrand(env: Environment, node: n.Expectation) -> tuple[str, str | None] | None:
    """The polynomial in factors, and the moments that are needed; None where it is no polynomial over the
    rationals in entries that are named in the claim."""
    try:
        random = dict(random_symbols(env, (node.body,)))
        if node.given:
            return None
        draw, bound, values = drawn(env, (node.body,), random)
        (value,) = values
    except Refusal:
        return None
    names = _names(bound)
    if size(value) != (1, 1) or names is None:
        return None
    poly = value[0][0]
    if not isinstance(poly, Poly) or poly.functions or len(poly.terms) > MOST_TERMS:
        return None
    if not all(isinstance(coefficient, fmpq) for coefficient in poly.terms.values()):
        return None
    if not {number for powers in poly.terms for number, _ in powers} <= names.keys():
        return None
    return _factored(poly, names), _moments(draw, poly, names)


def _names(bound: Mapping[Name, Matrix]) -> dict[int, str] | None:
    """What each variable is called; none where an entry is a variable about its mean."""
    found: dict[int, str] = {}
    for (name, copy), rows in bound.items():
        one = name if copy is None else f"{name}[{copy}]"
        height, width = size(rows)
        for i, row in enumerate(rows, start=1):
            for j, entry in enumerate(row, start=1):
                place = "" if (height, width) == (1, 1) else f"[{i}]" if width == 1 else f"[{i}, {j}]"
                if not isinstance(entry, Poly) or list(entry.terms.values()) != [fmpq(1)]:
                    return None
                ((((number, _),)),) = entry.terms
                found[number] = f"{one}{place}"
    return found


def _factored(poly: Poly, names: Mapping[int, str]) -> str:
    """9*Q**4*(X[1]**2 + X[2]**2)**6"""
    used = sorted({number for powers in poly.terms for number, _ in powers})
    context = fmpq_mpoly_ctx.get([f"v{k}" for k in range(len(used))], Ordering.lex)
    terms = {}
    for powers, coefficient in poly.terms.items():
        degrees = dict(powers)
        terms[tuple(degrees.get(number, 0) for number in used)] = coefficient
    content, factors = context.from_dict(terms).factor()
    parts = [] if content == 1 and factors else [str(content)]
    for factor, power in sorted(factors, key=lambda item: (len(item[0]), str(item[0]))):
        text = str(factor)
        single = len(factor) == 1 or (power == 1 and not parts and len(factors) == 1)
        parts.append((text if single else f"({text})") + (f"**{power}" if power > 1 else ""))
    named = re.sub(r"v(\d+)", lambda found: names[used[int(found[1])]], "*".join(parts))
    return named.replace("^", "**")


def _moments(draw: Draw, poly: Poly, names: Mapping[int, str]) -> str | None:
    """E(w**2) = 1, E(w**4) = 3 for every entry w; by symbol, where their laws differ."""
    if any(_are_tied(draw, powers) for powers in poly.terms):
        return None
    known: dict[str, dict[int, str]] = {}
    for number, power in sorted({item for powers in poly.terms for item in powers}, key=lambda i: i[1]):
        moment = str(draw.integrate(Poly({((number, power),): fmpq(1)})))
        if moment != "0":
            known.setdefault(names[number].partition("[")[0], {})[power] = moment
    alike: dict[int, set[str]] = {}
    for moments in known.values():
        for power, moment in moments.items():
            alike.setdefault(power, set()).add(moment)
    if all(len(values) == 1 for values in alike.values()):
        said = [_moment("w", power, *values) for power, values in sorted(alike.items())]
        return f"{', '.join(said)} for every entry w" if said and len(said) <= MOST_MOMENTS else None
    said = [
        _moment(name, power, moment) for name, of in sorted(known.items()) for power, moment in of.items()
    ]
    return f"{', '.join(said)} for the entries" if len(said) <= MOST_MOMENTS else None


def _are_tied(draw: Draw, powers: tuple[tuple[int, int], ...]) -> bool:
    """Whether two entries of one symbol are correlated."""
    pairs: Iterator[tuple[int, int]] = ((a, b) for a, _ in powers for b, _ in powers if a < b)
    return any(not draw.are_independent(a, b) for a, b in pairs if a // BLOCK == b // BLOCK)


def _moment(name: str, power: int, value: str) -> str:
    return f"E({name}) = {value}" if power == 1 else f"E({name}**{power}) = {value}"
