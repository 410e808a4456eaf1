"""Functions of exact constants: the value in closed form, with no loss."""

from typing import Any

from flint import arb, fmpq

from verifier.exact.numbers.constants import (
    HALF,
    MAX_FACTORED_BITS,
    ONE,
    PI,
    TWO,
    ZERO,
    Atom,
    Closed,
    E,
    Exact,
    constant,
    power,
    primes,
    sign,
)
from verifier.exact.numbers.refusals import Undefined

ARCS = {  # the squares of the arguments whose arcs are simple, in parts of pi
    "asin": {HALF * HALF: fmpq(1, 6), HALF: fmpq(1, 4), fmpq(3, 4): fmpq(1, 3), ONE: HALF},
    "atan": {fmpq(1, 3): fmpq(1, 6), ONE: fmpq(1, 4), fmpq(3): fmpq(1, 3)},
}


def exact_function(name: str, x: Exact) -> "Exact | arb":
    """f(x) for a smooth function and an exact x."""
    match name:
        case "exp":
            return exp(x)
        case "log":
            return log(x)
        case "softplus":
            return _softplus(x)
        case "erfc":
            erf = exact_function("erf", x)
            return ONE - erf
        case "cos" | "sin":
            special = _trigonometric(name, x)
            return _even_odd(name, x) if special is None else special
        case "asin" | "atan":
            return _arc(name, x)
        case "erf" | "tanh" | "sigmoid":
            return _even_odd(name, x)
    raise AssertionError(name)


def _even_odd(name: str, x: Exact) -> Exact:
    """f(-x) = -f(x), cos(-x) = cos(x), sigmoid(-x) = 1 - sigmoid(x): one atom for both signs."""
    if isinstance(x, fmpq) and not x:
        return {"cos": ONE, "sigmoid": HALF}.get(name, ZERO)
    if sign(x) > 0:
        return constant(Atom(name, _as_argument(x)))
    mirrored = _even_odd(name, -x)
    if name == "cos":
        return mirrored
    return ONE - mirrored if name == "sigmoid" else -mirrored


def _as_argument(x: Exact) -> "int | Closed":
    """Atoms hold integers or constants; a fraction is wrapped as a one-term constant."""
    if isinstance(x, Closed):
        return x
    return int(x.p) if x.q == 1 else Closed((((), x),))


def exp(x: Exact) -> "Exact | arb":
    """exp(q + r log p + rest) = e**q p**r exp(rest)."""
    result: Any = ONE
    rest: Any = ZERO
    for monomial, coefficient in _parts(x):
        match monomial:
            case ():
                result = result * (constant(E, coefficient) if coefficient else ONE)
            case ((Atom("log", int(p)), exponent),) if exponent == 1:
                result = result * power(fmpq(p), coefficient)
            case _:
                rest = rest + Closed(((monomial, coefficient),))
    if isinstance(rest, fmpq):
        return result  # type: ignore[no-any-return]
    if isinstance(rest, arb):
        return result * rest.exp()  # type: ignore[no-any-return]
    direction = sign(rest)
    return result * constant(Atom("exp", rest if direction > 0 else -rest), fmpq(direction))  # type: ignore[no-any-return]


def log(x: Exact) -> "Exact | arb":
    """log(q * product of atom**k) = sum of logs."""
    if sign(x) <= 0:
        raise Undefined("a logarithm of a number that is not positive")
    if isinstance(x, fmpq):
        return _log_rational(x)
    if len(x.terms) == 1:
        ((monomial, coefficient),) = x.terms
        if all(atom.is_positive for atom, _ in monomial):
            total: Any = _log_rational(coefficient)
            for atom, exponent in monomial:
                total = total + exponent * _log_atom(atom)
            return total  # type: ignore[no-any-return]
    return constant(Atom("log", x))


def _log_rational(x: fmpq) -> "Exact | arb":
    if max(int(x.p).bit_length(), int(x.q).bit_length()) > MAX_FACTORED_BITS:
        return arb(x).log()
    total: Any = ZERO
    for prime, times in primes(x):
        total = total + fmpq(times) * constant(Atom("log", prime))
    return total  # type: ignore[no-any-return]


def _log_atom(atom: Atom) -> Exact:
    match atom.kind, atom.arg:
        case "prime", int(p):
            return constant(Atom("log", p))
        case "e", None:
            return ONE
        case "exp", Closed() as inner:
            return inner
        case "sum", Closed() as inner:
            return constant(Atom("log", inner))
    return constant(Atom("log", constant(atom)))  # type: ignore[arg-type]


def _softplus(x: Exact) -> "Exact | arb":
    """log(1 + exp(x)); for x < 0 as softplus(-x) + x, so that both signs share an atom."""
    if isinstance(x, fmpq) and not x:
        return log(TWO)
    if sign(x) < 0:
        return _softplus(-x) + x
    return constant(Atom("softplus", _as_argument(x)))


def _parts(x: Exact) -> tuple[tuple[Any, fmpq], ...]:
    return (((), x),) if isinstance(x, fmpq) else x.terms


def _trigonometric(name: str, x: Exact) -> "Exact | arb | None":
    """sin and cos at multiples of pi/6 and pi/4; None elsewhere."""
    if isinstance(x, fmpq):
        return (ZERO if name == "sin" else ONE) if not x else None
    match x.terms:
        case ((((atom, exponent),), turns),) if atom == PI and exponent == 1:
            steps = (turns if name == "sin" else turns + HALF) * 12
            return _sine(int(steps.p) % 24) if steps.q == 1 else None
    return None


def _arc(name: str, x: Exact) -> "Exact | arb":
    """asin or atan: a part of pi where that is simple, else one atom for both signs."""
    if isinstance(x, fmpq) and not x:
        return ZERO
    if sign(x) < 0:
        return -_arc(name, -x)
    square = x * x
    if name == "asin" and sign(square - ONE) > 0:
        raise Undefined("an arc sine of a number beyond 1")
    part = ARCS[name].get(square) if isinstance(square, fmpq) else None
    return part * constant(PI) if part is not None else constant(Atom(name, _as_argument(x)))


def _sine(step: int) -> "Exact | arb | None":
    """sin(step * pi/12) for the steps with a simple value."""
    if step > 12:
        value = _sine(step - 12)
        return None if value is None else -value
    table = {0: ZERO, 2: HALF, 6: ONE, 10: HALF, 12: ZERO}
    if step in table:
        return table[step]
    radicand = {3: HALF, 9: HALF, 4: fmpq(3, 4), 8: fmpq(3, 4)}.get(step)
    return None if radicand is None else power(radicand, HALF)
