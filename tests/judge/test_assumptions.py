"""What an assumption buys."""

from typing import Literal

import pytest

from tests.judge.findings import POINT, claim, found
from verifier.evidence import Finding
from verifier.judge.assumptions import buys
from verifier.judge.decide import decide

TRUE, LOOSE = found("true", "proved", True), found("true", "proved", False)
BOUND, SEEN = found("true", "proved"), found("true", "searched")  # nobody says how tight
FALSE, OPEN = found("false", "proved"), found("unknown")


@pytest.mark.parametrize(
    ("true", "without", "status"),
    [
        (True, [FALSE], "needed"),
        (True, [TRUE, FALSE], "needed"),
        (True, [OPEN, FALSE], "needed"),
        (True, [TRUE], "unneeded"),
        (True, [TRUE, LOOSE], "unneeded"),
        (True, [BOUND], "unneeded"),
        (True, [SEEN], "unknown"),
        (True, [OPEN], "unknown"),
        (True, [TRUE, OPEN], "unknown"),
        (False, [FALSE], "unknown"),
        (False, [OPEN], "unknown"),
    ],
)
def test_status(true: bool, without: list[Finding], status: Literal["needed", "unneeded", "unknown"]) -> None:
    only = claim("x <= x")
    steps = [decide(only.steps[0], [finding]) for finding in without]
    bought = buys(only.assumptions[0], true, steps)
    assert (bought.name, bought.status) == ("bounded", status)
    assert bought.reason
    if status == "needed":
        assert bought.counterexample == POINT
