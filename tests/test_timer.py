"""A time limit inside a process."""

import sys
import time

import pytest

from verifier.timer import PATIENCE, Overran, at_most, held, unheard, worked


def spin(seconds: float) -> float:
    """Compute for so long: on a busy machine that is longer on the wall."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def test_what_takes_too_long_is_interrupted() -> None:
    start = time.process_time()
    with pytest.raises(Overran), at_most(0.1):
        spin(5)
    assert time.process_time() - start < 2


def test_a_longer_limit_inside_does_not_put_off_the_outer_one() -> None:
    start = time.process_time()
    with pytest.raises(Overran) as outer, at_most(0.1) as expired, at_most(5):
        spin(30)
    assert outer.value is expired
    assert time.process_time() - start < 2


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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_destructor_that_swallows_it_delays_it_only() -> None:
    class Slow:
        def __del__(self) -> None:
            spin(0.2)

    def dropping() -> None:
        Slow()
        spin(30)

    start = time.process_time()
    with pytest.raises(Overran), at_most(0.1):
        dropping()
    assert time.process_time() - start < 3


def test_a_library_that_loses_it_has_overrun_all_the_same() -> None:
    def calls_back() -> None:
        try:
            spin(5)
        except BaseException:
            raise SystemError("returned a result with an exception set") from None

    with pytest.raises(Overran), at_most(0.05):
        calls_back()
    with pytest.raises(SystemError), at_most(5):
        raise SystemError("of its own")


def test_where_it_is_held_it_is_told_and_raised_at_the_end() -> None:
    heard = []

    def working() -> None:
        with held() as is_due:
            heard.append(is_due())
            with held() as inner:
                spin(0.2)
                heard.append(inner())
            heard.append(is_due())
        heard.append(False)

    with pytest.raises(Overran), at_most(0.05):
        working()
    assert heard == [False, True, True]
    with pytest.raises(Overran), at_most(0.05):
        spin(5)


def test_what_is_held_and_ends_in_time_is_left_alone() -> None:
    with at_most(5), held() as is_due:
        assert not is_due()
    with pytest.raises(ZeroDivisionError), at_most(5), held():
        raise ZeroDivisionError
    with pytest.raises(Overran), at_most(0.05):
        spin(5)


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


def test_work_is_what_was_computed_and_a_part_of_what_was_waited_for() -> None:
    start = worked()
    spin(0.2)
    computed = worked() - start
    time.sleep(0.4)
    waited = worked() - start - computed
    assert computed >= 0.2
    assert 0.4 / PATIENCE <= waited < 0.35


def test_waiting_is_not_interrupted() -> None:
    with at_most(0.05):
        time.sleep(0.3)


def test_what_nobody_hears_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: printed.append(lost.exc_type))
    unheard()

    class Dropped:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __del__(self) -> None:
            raise self.error

    for error in (Overran(), ValueError()):
        Dropped(error)
    assert printed == [ValueError]
