"""Names, numbers and dimensions laid out as boxes."""

from fractions import Fraction as Rational

from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.typeset.boxes import (
    Accented,
    Box,
    Digits,
    Fraction,
    Letter,
    Level,
    Line,
    Script,
    Sign,
    Times,
    commas,
    fenced,
    parens,
    raised,
)
from verifier.expr.typeset.names import read_name
from verifier.expr.typeset.numerals import decimal, is_whole, power_of_ten, scientific


def minus(box: Box) -> Box:
    """−box."""
    return Line((Sign("−"), fenced(box, Level.ENTRYWISE)), Level.NEGATIVE)


def lay_out_name(name: str) -> Box:
    """`sigma_q`, `xbar`, `W_Q_1`."""
    parts = read_name(name)
    base: Box = Letter(parts.base)
    if parts.accent:
        base = Accented(base, parts.accent)
    if not parts.subscripts:
        return base
    marks = tuple(Digits(mark) if mark.isdecimal() else Letter(mark) for mark in parts.subscripts)
    return Script(base, below=commas(marks))


def lay_out_number(value: Rational) -> Box:
    """An exact decimal, a fraction, a power of ten, or, where all of these are long, a few digits."""
    if value < 0:
        return minus(lay_out_number(-value))
    exponent = power_of_ten(value)
    if exponent is not None:
        return ten_to(exponent)
    digits = decimal(value)
    if digits is not None:
        return Digits(digits)
    ends = decimal(Rational(value.numerator)), decimal(Rational(value.denominator))
    if ends[0] is not None and ends[1] is not None and not is_whole(value):
        return Fraction(Digits(ends[0]), Digits(ends[1]))
    mantissa, exponent = scientific(value)
    about = (Sign("≈"), Digits(mantissa), Sign("×", infix=True), ten_to(exponent))
    return Line(about, Level.NEGATIVE)


def ten_to(exponent: int) -> Box:
    return Script(Digits("10"), above=lay_out_number(Rational(exponent)))


def lay_out_dim(dim: Dim) -> Box:
    """A dimension: n, 2 d + 1, n d."""
    items: list[Box] = []
    for monomial, coefficient in dim.terms:
        if items or coefficient < 0:
            items.append(Sign("−" if coefficient < 0 else "+", infix=bool(items)))
        factors = [_dim_power(name, power) for name, power in monomial]
        if abs(coefficient) != 1 or not factors:
            factors.insert(0, lay_out_number(Rational(abs(coefficient))))
        items.append(factors[0] if len(factors) == 1 else Times(tuple(factors)))
    if not items:
        return Digits("0")
    return items[0] if len(items) == 1 else Line(tuple(items))


def _dim_power(name: str, power: int) -> Box:
    base = lay_out_name(name)
    return base if power == 1 else raised(base, lay_out_number(Rational(power)))


def lay_out_shape(shape: Shape) -> Box:
    """n for a vector, n × m for a matrix."""
    rows = lay_out_dim(shape.rows)
    if shape.cols == ONE:
        return rows
    return Line((_side(shape.rows), Sign("×"), _side(shape.cols)))


def _side(dim: Dim) -> Box:
    return parens(lay_out_dim(dim)) if len(dim.terms) > 1 else lay_out_dim(dim)
