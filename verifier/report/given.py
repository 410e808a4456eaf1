"""What a step of a proof was given beside its premises, in words: values at a point, what grows."""

from collections.abc import Iterator, Mapping

from verifier.expr.nodes import Symbol
from verifier.expr.unicode import to_unicode
from verifier.kernel.proof import Data
from verifier.report.facts import show

MOST_LETTERS = 400
TOLD_ELSEWHERE = ("site", "cover", "exact")


def given(data: Data) -> str:
    """n = 2, X = [[1], [0]]; as far as it is short."""
    text = "; ".join(filter(None, (_part(name, value) for name, value in data.items())))
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} …"


def _part(name: str, value: object) -> str:
    match name, value:
        case _ if name in TOLD_ELSEWHERE:
            return ""
        case "point", Mapping():
            return ", ".join(f"{_name(each)} = {show(part)}" for each, part in value.items())
        case "values", Mapping():
            return ", ".join(f"{_name(each)} = {_monomial(part)}" for each, part in value.items())
        case "growing", list():
            return f"{', '.join(map(_name, value))} → ∞"
        case "laws", Mapping():
            return "; ".join(_law(each, outcomes) for each, outcomes in value.items())
        case "functions", Mapping():
            return "; ".join(f"{_name(each)}: {_function(parts)}" for each, parts in value.items())
        case "case", str():
            return f"{_name(value)} = 0 and {_name(value)} > 0 are looked at apart"
    return f"{name.replace('_', ' ')}: {show(value)}"


def _function(parts: object) -> str:
    """Its value, slope and curve at 0."""
    known = parts if isinstance(parts, Mapping) else {}
    return ", ".join(f"{key} {show(part)}" for key, part in known.items())


def _name(name: object) -> str:
    return to_unicode(Symbol(str(name)))


def _monomial(value: object) -> str:
    """A number times powers of what grows: 2·n^(1/2)."""
    match value:
        case [factor, Mapping() as powers]:
            parts = [] if factor == "1" and powers else [str(factor)]
            parts += [f"{_name(name)}{_power(power)}" for name, power in powers.items()]
            return "·".join(parts)
    return show(value)


def _power(exponent: object) -> str:
    return "" if exponent == "1" else f"^({exponent})"


def _law(name: object, outcomes: object) -> str:
    return f"{_name(name)} is {' or '.join(_outcomes(outcomes))}"


def _outcomes(outcomes: object) -> Iterator[str]:
    for item in outcomes if isinstance(outcomes, list) else ():
        match item:
            case [chance, value]:
                yield show(value) if chance == "1" else f"{show(value)} with probability {chance}"
