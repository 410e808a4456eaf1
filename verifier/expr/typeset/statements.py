"""Facts and declarations laid out as boxes: what claims state, and what their symbols are."""

from fractions import Fraction as Rational

from verifier.expr import nodes, symbols
from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.typeset.boxes import (
    Box,
    Call,
    Digits,
    Fence,
    Indexed,
    Letter,
    Line,
    Sign,
    Words,
    commas,
    parens,
    raised,
)
from verifier.expr.typeset.layout import (
    closed,
    infix,
    lay_out,
    lay_out_condition,
    lay_out_event,
    lay_out_start,
)
from verifier.expr.typeset.leaves import lay_out_dim, lay_out_name, lay_out_shape

Printable = nodes.Node | nodes.Fact | symbols.Declared | Dim

CLASSES: dict[symbols.MatrixClass, str] = {
    "matrix": "",
    "vector": "",
    "simplex": ", a probability vector",
    "stochastic": ", with probability vectors as rows",
    "symmetric": ", symmetric",
    "psd": ", symmetric positive semidefinite",
    "orthogonal": ", orthogonal",
}

_WHOLE = symbols.AnyLaw | symbols.Sequence | symbols.JointWith


def lay_out_any(item: Printable) -> Box:
    """The formula of a node, a fact, a declaration or a dimension."""
    match item:
        case nodes.Node():
            return lay_out(item)
        case nodes.Fact():
            return lay_out_fact(item)
        case symbols.Declared():
            return lay_out_declared(item)
        case Dim():
            return lay_out_dim(item)


def lay_out_fact(fact: nodes.Fact) -> Box:
    """left = right, arg ∈ [low, high], a fact for all i, or an independence."""
    match fact:
        case nodes.Relation() | nodes.Within():
            return lay_out_event(fact)
        case nodes.ForAll(inner, ranges, conditions):
            where = [lay_out_range(bounds) for bounds in ranges]
            where += [lay_out_condition(condition) for condition in conditions]
            return Line((lay_out_fact(inner), Words(" for all "), commas(tuple(where))))
        case nodes.Every(inner, over):
            bound = commas(tuple(lay_out(symbol) for symbol in over))
            return Line((lay_out_fact(inner), Words(" for all "), bound))
        case nodes.Independent(left, right):
            return Line((lay_out(left), Words(" independent of "), lay_out(right)))
    raise TypeError(f"no layout for {type(fact).__name__}")


def lay_out_range(bounds: nodes.Range) -> Box:
    """i = 1, …, n."""
    return commas((lay_out_start(bounds), Sign("…"), lay_out(bounds.high)))


def lay_out_declared(symbol: symbols.Declared) -> Box:
    """σ > 0; X ∈ ℝ^{n × m}; W ∈ ℝ^{n × m}, W_{i,j} ∼ N(0, σ²) i.i.d."""
    name = lay_out_name(symbol.name)
    match symbol.kind:
        case symbols.Positive():
            return Line((name, infix(">"), Digits("0")))
        case symbols.Function():
            arrow = Line((_space(symbol.shape), infix("→"), Letter("ℝ", upright=True)))
            return Line((name, Sign(":"), Words(" "), arrow, Words(", differentiable")))
        case symbols.FixedMatrix(family):
            place = _member(name, _space(symbol.shape))
            return Line((place, Words(CLASSES[family]))) if CLASSES[family] else place
        case symbols.RandomKind() as law:
            return _random(name, law, symbol)
        case symbols.FixedKind() as kind:
            return _member(name, _range_of(kind))
    raise TypeError(f"no layout for a symbol that is {type(symbol.kind).__name__}")


def _range_of(kind: symbols.FixedKind) -> Box:
    match kind:
        case symbols.Dimension():
            return Fence("{", commas((Digits("1"), Digits("2"), Sign("…"))), "}")
        case symbols.IndexOf(size):
            return Fence("{", commas((Digits("1"), Sign("…"), lay_out_dim(size))), "}")
        case symbols.Integer():
            return Letter("ℤ", upright=True)
        case symbols.Real():
            return Letter("ℝ", upright=True)
        case symbols.Interval(low, high):
            return closed(low, high)
    raise TypeError(f"no layout for a symbol that is {type(kind).__name__}")


def _random(name: Box, law: symbols.RandomKind, symbol: symbols.Declared) -> Box:
    endless = isinstance(law, symbols.Sequence)
    draw = raised(name, parens(Letter("h"))) if symbol.copies is not None or endless else name
    items: list[Box] = [] if symbol.shape.is_scalar else [_member(draw, _space(symbol.shape)), Words(", ")]
    whole = isinstance(law, _WHOLE) or (isinstance(law, symbols.Normal) and law.cov is not None)
    items += [draw if whole else _entry(draw, symbol.shape), infix("∼"), *_law(law)]
    if not whole and not symbol.shape.is_scalar:
        items.append(Words(" independently"))
    if isinstance(law, symbols.Normal) and law.row_corr is not None:
        items += [Words(" within a row, any two rows with correlation "), lay_out(law.row_corr)]
    if symbol.copies is not None:
        items += [Words(" for "), _copies(symbol.copies)]
    if endless:
        items += [Words(" for "), commas((_start("0"), Digits("1"), Sign("…")))]
    return Line(tuple(items))


def _law(law: symbols.RandomKind) -> tuple[Box, ...]:
    match law:
        case symbols.Normal(mean, _, _, nodes.Node() as cov):
            return (_named_law("𝒩", lay_out(mean), lay_out(cov)),)
        case symbols.Normal(mean, std):
            return (_named_law("𝒩", lay_out(mean), _square(std)),)
        case symbols.Rademacher():
            return (Words("uniform on "), Fence("{", Line((Sign("±"), Digits("1"))), "}"))
        case symbols.Bernoulli(chance):
            return (Words("1 with chance "), lay_out(chance), Words(", else 0,"))
        case symbols.Uniform(low, high):
            return (Words("uniform on "), closed(low, high))
        case symbols.Iid(known_mean, known_var):
            return _any_law(("mean", known_mean), ("variance", known_var))
        case symbols.AnyLaw(known_mean):
            return _any_law(("mean", known_mean))
        case symbols.Sequence():
            return (Words("any joint law"),)
        case symbols.JointWith(sequence):
            return (Words("any joint law with "), lay_out_name(sequence))
    raise TypeError(f"no layout for the law {type(law).__name__}")


def _any_law(*moments: tuple[str, nodes.Node | None]) -> tuple[Box, ...]:
    """Any law, and those of its moments that are known."""
    items: list[Box] = [Words("any law")]
    for name, value in moments:
        if value is not None:
            joint = " with " if len(items) == 1 else " and "
            items += [Words(f"{joint}{name} "), lay_out(value)]
    return tuple(items)


def _square(std: nodes.Node) -> Box:
    """std², printed as a number where it is one."""
    if isinstance(std, nodes.Number):
        return lay_out(nodes.Number(std.value**2))
    return lay_out(nodes.Power(std, nodes.Number(Rational(2))))


def _named_law(letter: str, *parameters: Box) -> Box:
    return Call(Letter(letter, upright=True), parens(commas(parameters)))


def _copies(count: Dim) -> Box:
    return commas((_start("1"), Sign("…"), lay_out_dim(count)))


def _start(first: str) -> Box:
    return Line((Letter("h"), Sign("="), Digits(first)))


def _entry(name: Box, shape: Shape) -> Box:
    if shape.is_scalar:
        return name
    places = (Letter("i"),) if shape.cols == ONE else (Letter("i"), Letter("j"))
    return Indexed(name, places)


def _member(name: Box, collection: Box) -> Box:
    return Line((name, infix("∈"), collection))


def _space(shape: Shape) -> Box:
    return raised(Letter("ℝ", upright=True), lay_out_shape(shape))
