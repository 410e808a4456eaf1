"""Every way of finding something out about a relation, in the order in which they are asked.

Adding one is a function `(case, seconds) -> None`, with its reason as docstring, that tells by `case.hear`,
and a row in its turn, the cheaper before the dearer. Engines are rows too, by their rounds
(`plan/settings.py`).
"""

from collections.abc import Callable

from verifier.evidence import Finding
from verifier.plan import known
from verifier.plan.again import ask_again
from verifier.plan.asking import Case
from verifier.plan.attained_extremes import attain
from verifier.plan.conclude import conclude
from verifier.plan.kernel_alone import by_family, by_proof
from verifier.plan.mean_existence import without_value
from verifier.plan.mean_tightness import meet
from verifier.plan.schedule import Limit, Row, Turn, asking, engine_rows
from verifier.plan.second_moments import by_second_moments
from verifier.plan.settings import FEW_POINTS, RULES, Settings
from verifier.plan.small_scale_refutation import expand
from verifier.plan.special_values import specialise
from verifier.plan.vacuity import vacuity
from verifier.suggest.bound_factors import by_rules
from verifier.suggest.missing_factors import complete
from verifier.suggest.stronger_bound import settle, sharpen, squeeze
from verifier.suggest.tighter_ends import measure_ends
from verifier.suggest.true_half import restate
from verifier.suggest.true_range import rerange
from verifier.suggest.weaker_bound import widen


def told(find: Callable[[Case], Finding | None]) -> Callable[[Case, float], None]:
    """A row that tells what is found, if anything is."""

    def run(case: Case, seconds: float) -> None:
        if (finding := find(case)) is not None:
            case.hear(finding)

    return run


def at_points(case: Case, seconds: float) -> None:
    """A second witness to what the kernel shows that needs no library: exact arithmetic at a few points."""
    case.ask(FEW_POINTS, seconds)


def beside(part: float) -> Limit:
    return Limit(part, beside=True)


# fmt: off
ROWS: tuple[Row, ...] = (
    Row("means", Turn.SENSE, told(lambda case: without_value(case.claim, case.step)), (), Limit(0.0),
        of="all"),
    Row("assumptions", Turn.SENSE, told(vacuity), (), Limit(0.05), of="all"),

    Row("rules at once", Turn.PROOF, asking(RULES), (known.LEAN,), Limit(0.06)),
    Row("proof", Turn.PROOF, by_proof, (known.KERNEL, known.OPEN, known.DOUBTED),
        Limit(0.3, "proving", shared=True)),

    Row("refuted for good", Turn.OPEN, by_family, (known.KEPT,), Limit(0.0)),
    Row("points", Turn.OPEN, at_points, (known.LEAN, known.CHECKED), Limit(0.02)),
    Row("second moments", Turn.OPEN, by_second_moments, (known.MEANS, known.INEXACT), Limit(0.04)),
    Row("closed forms", Turn.OPEN, by_rules, (known.RELATION, known.UNDECIDED), Limit(0.04)),
    Row("small scales", Turn.OPEN, expand, (known.MEANS, known.INEXACT), Limit(0.1)),
    Row("where it is reached", Turn.OPEN, attain, (known.EXTREME, known.UNDECIDED), Limit(0.3)),
    Row("kernel", Turn.OPEN, by_proof, (known.KERNEL, known.OPEN),
        Limit(1.0, "proving", until=0.7)),
    Row("special values", Turn.OPEN, specialise, (known.ALONE, known.UNDECIDED), Limit(0.6)),

    Row("the steps together", Turn.CHAIN, conclude, (), Limit(0.3), of="whole"),

    Row("where both sides meet", Turn.TIGHT, meet,
        (known.PROVED, known.BOUND, known.MEANS, known.UNMEASURED), beside(0.1), of="all"),
    Row("a smaller right side", Turn.TIGHT, squeeze,
        (known.RELATION, known.PROVED, known.BOUND, known.UNMEASURED), beside(0.3), of="all"),
    Row("a suspected bound", Turn.TIGHT, settle,
        (known.RELATION, known.PROVED, known.SUSPECTED), beside(0.3), of="all"),
    Row("a simple factor", Turn.TIGHT, sharpen,
        (known.RELATION, known.BOUND, known.LOOSE), beside(0.3), of="all"),
    Row("ends further in", Turn.TIGHT, measure_ends,
        (known.RANGE, known.PROVED, known.UNMEASURED), beside(0.3), of="all"),

    Row("a larger right side", Turn.RIGHT, widen,
        (known.RELATION, known.FALSE, known.UNCORRECTED), beside(0.12), of="all"),
    Row("a missing factor", Turn.RIGHT, complete, (known.RELATION, known.FALSE), beside(0.15), of="all"),
    Row("the true range", Turn.RIGHT, rerange,
        (known.RANGE, known.FALSE, known.UNCORRECTED), beside(0.25), of="all"),
    Row("what is true instead", Turn.HALF, restate, (known.RELATION, known.FALSE), beside(0.06), of="all"),

    Row("asked again", Turn.AGAIN, ask_again, (known.CUT,), Limit(1.0, "seconds", until=0.85)),
)
# fmt: on


def rows_of(settings: Settings) -> list[Row]:
    """The rows of a run with its engines among them."""
    return sorted([*engine_rows(settings, "steps"), *ROWS], key=lambda row: row.turn)
