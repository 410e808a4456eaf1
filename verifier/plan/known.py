"""What is known of a case: on what it depends whether somebody is asked about it."""

from collections.abc import Callable
from dataclasses import dataclass

from verifier.evidence import EXACT
from verifier.expr.nodes import Covariance, Expectation, Extreme, Relation, Variance, Within
from verifier.expr.walk import walk
from verifier.judge.decide import needs_tightness
from verifier.plan.asking import Case
from verifier.plan.settings import Engine
from verifier.timer import cuts

AVERAGES = (Expectation, Variance, Covariance)


@dataclass(frozen=True)
class Known:
    """A condition on what is known of a case. `otherwise`: why nobody is asked where it does not hold; empty
    where that is nothing to tell a reader."""

    holds: Callable[[Case], bool]
    otherwise: str = ""


def is_open(case: Case) -> bool:
    """Whether nobody knows if it is true."""
    return case.verdict.verdict in ("unrefuted", "inconclusive")


ALONE = Known(lambda case: len(case.claim.steps) == 1)
LEAN = Known(lambda case: case.settings.lean)
RELATION = Known(lambda case: isinstance(case.step.fact, Relation))
EXTREME = Known(lambda case: isinstance(getattr(case.step.fact, "left", None), Extreme))
RANGE = Known(lambda case: isinstance(case.step.fact, Within))
MEANS = Known(lambda case: any(isinstance(node, AVERAGES) for node in walk(case.step.fact)))
KERNEL = Known(lambda case: case.settings.alone, "the kernel is not asked alone")
DOUBTED = Known(lambda case: case.settings.lean or case.settings.trust == "checked", "engines are trusted")
CHECKED = Known(lambda case: case.is_checked, "no proof is checked")
UNDECIDED = Known(lambda case: not any(found.decides for found in case.findings), "it is decided")
INEXACT = Known(
    lambda case: not any(found.decides and found.grade in EXACT for found in case.findings),
    "it is decided exactly",
)
OPEN = Known(is_open, "it is decided")
CUT = Known(lambda case: is_open(case) and cuts() > case.watch.cuts, "nobody was cut short")
PROVED = Known(lambda case: any(found.proves for found in case.findings), "nobody proved it")
BOUND = Known(lambda case: needs_tightness(case.step.fact))
UNMEASURED = Known(
    lambda case: not any(f.tightness is not None and f.tightness.is_settled for f in case.findings),
    "how tight it is is known",
)
SUSPECTED = Known(lambda case: case.verdict.tightness == "suspected-loose", "it is not suspected to be loose")
LOOSE = Known(
    lambda case: case.verdict.tight is None and case.verdict.tightness in ("loose", "suspected-loose"),
    "no better bound is missing",
)
FALSE = Known(lambda case: case.verdict.verdict == "fails", "nobody refuted it")
UNCORRECTED = Known(
    lambda case: case.verdict.corrected is None and case.verdict.instead is None, "what is true is known"
)
KEPT = Known(lambda case: case.kept is not None and not any(f.refutes for f in case.findings))


def wanted(engine: Engine) -> Known:
    """Whether the engine has something left to say."""
    return Known(lambda case: case.wants(engine), "nothing more is to be found out")
