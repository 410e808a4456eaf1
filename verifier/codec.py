"""Frozen values as data of JSON and back: only values of classes that are named, and nothing is run."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any


class Unknown(ValueError):
    """The value is not one that can be remembered."""


class Codec:
    """For dataclasses with these names. A value comes back equal to what it was."""

    def __init__(self, classes: Iterable[type]) -> None:
        self._classes: dict[str, Any] = {kind.__name__: kind for kind in classes}

    def to_data(self, value: object) -> Any:
        """Plain data; raises Unknown for what has no faithful form."""
        match value:
            case None | bool() | str():
                return value
            case int() | float():
                return value if type(value) in (int, float) else _number(value)
            case Fraction():
                return {"$": "fraction", "of": [str(value.numerator), str(value.denominator)]}
            case tuple():
                return {"$": "tuple", "of": [self.to_data(item) for item in value]}
            case list():
                return [self.to_data(item) for item in value]
            case Mapping():
                pairs = [[self.to_data(name), self.to_data(item)] for name, item in value.items()]
                return {"$": "map", "of": pairs}
        if type(value).__name__ in self._classes:
            named = {item.name: self.to_data(getattr(value, item.name)) for item in fields(value)}  # type: ignore[arg-type]
            return {"$": type(value).__name__, "of": named}
        raise Unknown(type(value).__name__)

    def from_data(self, data: Any) -> Any:
        """The value again; raises Unknown for what this program did not write."""
        match data:
            case None | bool() | str() | int() | float():
                return data
            case list():
                return [self.from_data(item) for item in data]
            case {"$": "fraction", "of": [above, below]}:
                return Fraction(int(above), int(below))
            case {"$": "tuple", "of": items}:
                return tuple([self.from_data(item) for item in items])
            case {"$": "map", "of": pairs}:
                return {self.from_data(name): self.from_data(item) for name, item in pairs}
            case {"$": name, "of": named} if name in self._classes:
                return self._classes[name](**{key: self.from_data(item) for key, item in named.items()})
        raise Unknown(str(data)[:80])


def _number(value: float) -> float:
    """A number of a library that subclasses Python's."""
    return int(value) if isinstance(value, int) else float(value)
