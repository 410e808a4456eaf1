"""A point as it stands in a proof: names and exact values, read with suspicion."""

import re
from collections.abc import Mapping
from fractions import Fraction

from verifier.kernel.points import values as v
from verifier.kernel.points.alike import PARTS, Pattern
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

MOST_NAMES = 200
MOST_ENTRIES = 20_000
MOST_DIGITS = 200
DEEPEST = 3  # a family of matrices

Raw = Value | Pattern | tuple["Raw", ...]  # a number, lists of them (rows, copies), or a pattern
_NUMBER = rf"[0-9]{{1,{MOST_DIGITS}}}(?:/[0-9]{{1,{MOST_DIGITS}}})?"
RATIONAL = re.compile(rf"-?{_NUMBER}", re.ASCII)
EXACT = re.compile(rf"(-?)(?:({_NUMBER})|sqrt\(({_NUMBER})\))", re.ASCII)


def read_point(data: object) -> dict[str, Raw]:
    """The values by their names: integers, texts such as "3/4" or "-sqrt(2/3)", lists of rows, lists of
    copies, and matrices by the parts of a pattern."""
    if not isinstance(data, Mapping) or len(data) > MOST_NAMES:
        raise Rejected("data", f"a point is a mapping of at most {MOST_NAMES} names to values")
    count = [0]
    found = {}
    for name, value in data.items():
        if not isinstance(name, str):
            raise Rejected("data", "a name is a text")
        found[name] = _read(value, DEEPEST, count)
    return found


def read_laws(data: object) -> dict[str, list[tuple[Value, Raw]]]:
    """Laws by names, each a list of a chance and a value."""
    if not isinstance(data, Mapping) or len(data) > MOST_NAMES:
        raise Rejected("data", f"laws are a mapping of at most {MOST_NAMES} names to lists")
    count = [0]
    found = {}
    for name, outcomes in data.items():
        if not isinstance(name, str) or not isinstance(outcomes, list | tuple):
            raise Rejected("data", "a law is a list of outcomes")
        pairs = []
        for outcome in outcomes:
            if not isinstance(outcome, list | tuple) or len(outcome) != 2:
                raise Rejected("data", "an outcome is a chance and a value")
            pairs.append((_number(outcome[0]), _read(outcome[1], DEEPEST, count)))
        found[name] = pairs
    return found


def _read(value: object, depth: int, count: list[int]) -> Raw:
    count[0] += 1
    if count[0] > MOST_ENTRIES:
        raise Rejected("data", f"a point of more than {MOST_ENTRIES} numbers")
    if isinstance(value, list | tuple):
        if not depth:
            raise Rejected("data", "lists in lists in lists in lists")
        return tuple(_read(item, depth - 1, count) for item in value)
    if isinstance(value, Mapping):
        if value.keys() != set(PARTS):
            raise Rejected("data", f"a pattern has the parts {', '.join(PARTS)}")
        return Pattern({part: _number(value[part]) for part in PARTS})
    return _number(value)


def _number(value: object) -> Value:
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > 4 * MOST_DIGITS:
            raise Rejected("data", f"a number of more than {MOST_DIGITS} digits")
        return v.rational(value)
    found = EXACT.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise Rejected("data", "a value is an integer, a fraction or its root as text, or lists of these")
    above, _, below = (found[2] or found[3]).partition("/")
    if below and not int(below):
        raise Rejected("data", "a fraction over zero")
    size = v.rational(Fraction(int(above), int(below or 1)))
    exact = size if found[2] else v.root(size)
    return v.negated(exact) if found[1] else exact
