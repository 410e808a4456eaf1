"""A finding that is shown better stands where it was told."""

from dataclasses import replace

from verifier.evidence import Finding
from verifier.plan.messages import Found, Shown, Stage, in_place

FIRST, SECOND = (Finding(name, "true", "proved") for name in ("first", "second"))
BETTER = replace(SECOND, derivation=("so",))


def test_the_last_finding_about_the_step_is_replaced() -> None:
    told = (Found(0, FIRST), Found(1, FIRST), Found(0, SECOND), Stage("now"))
    assert in_place(told) == told
    assert in_place((*told, Shown(0, BETTER))) == (*told[:2], Found(0, BETTER), Stage("now"))
    assert in_place((*told, Shown(1, BETTER))) == (told[0], Found(1, BETTER), *told[2:])
