"""A time limit inside a process."""

import time

import pytest

from verifier.timer import Overran, at_most


def spin(seconds: float) -> float:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return seconds


def test_what_takes_too_long_is_interrupted() -> None:
    start = time.monotonic()
    with pytest.raises(Overran), at_most(0.1):
        spin(5)
    assert time.monotonic() - start < 2


def test_what_ends_in_time_is_left_alone() -> None:
    with at_most(5):
        assert spin(0.01) == 0.01
    spin(0.05)


def test_no_engine_swallows_it() -> None:
    def stubborn() -> None:
        while True:
            try:
                spin(1)
            except Exception:
                continue

    with pytest.raises(Overran), at_most(0.1):
        stubborn()


def test_an_outer_limit_survives_an_inner_one() -> None:
    def nested() -> None:
        with at_most(5):
            spin(0.05)
        spin(5)

    with pytest.raises(Overran), at_most(0.3):
        nested()


def test_an_inner_limit_ends_before_an_outer_one() -> None:
    with at_most(5):
        with pytest.raises(Overran), at_most(0.05):
            spin(5)
        assert spin(0.05) == 0.05
