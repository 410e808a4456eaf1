"""Values as data: they come back equal, and what nobody named is refused."""

import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

from verifier.codec import Codec, Unknown


@dataclass(frozen=True, slots=True)
class Named:
    inner: object
    more: tuple[int, ...] = ()


@dataclass(frozen=True)
class Other:
    inner: object


class Whole(int):
    """A number of a library."""


CODEC = Codec([Named])


@pytest.mark.parametrize(
    "value",
    [
        None, True, -3, 0.1, "a\ud800\n", (), (1, (2,)), [1, [2]], {"a": {1: Fraction(-1, 3)}}, Fraction(5),
        Named(Named({"$": "tuple", "of": []}, (1, 2))), {"$": "Named", "of": {}},
    ],
)  # fmt: skip
def test_a_value_comes_back_equal(value: object) -> None:
    found = CODEC.from_data(json.loads(json.dumps(CODEC.to_data(value))))
    assert found == value
    assert type(found) is type(value)


def test_a_number_of_a_library_is_one_of_python() -> None:
    assert type(CODEC.to_data(Whole(3))) is int


@pytest.mark.parametrize("value", [object(), {1, 2}, Other(1), [Named(Other(1))], b"bytes", Named])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(Unknown):
        CODEC.to_data(value)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"$": "Other", "of": {"inner": 1}},
        {"$": "Named"},
        {"of": []},
        {"$": ["Named"], "of": {}},
        object(),
    ],
)
def test_what_was_not_written_here_is_refused(data: object) -> None:
    with pytest.raises((Unknown, TypeError)):
        CODEC.from_data(data)
