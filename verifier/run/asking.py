"""One relation on its way through the engines: who is asked, for how long, and who is heard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol, cast

from verifier.claim.model import Claim, Step
from verifier.claim.names import names_in
from verifier.evidence import EXACT, Budget, Finding
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Growth, Limit, Order, Relation
from verifier.expr.symbols import Declared
from verifier.expr.syntax import parse
from verifier.expr.walk import walk
from verifier.judge.decide import needs_tightness
from verifier.run.closed import in_closed_form
from verifier.run.confirm import against_the_original, confirm, doubted
from verifier.run.events import Emit, Stage
from verifier.run.illustrate import illustrated
from verifier.run.instances import answered
from verifier.run.libraries import Absent, module_of
from verifier.run.means import unless_open, where_finite
from verifier.run.moving import moving
from verifier.run.settings import EXACT_ROUND, Engine, Settings
from verifier.run.smaller import smaller
from verifier.run.supports import unmet
from verifier.run.turn import turned, turned_back
from verifier.timer import Overran, at_most, cuts, worked

WITNESS_SECONDS = 0.1
TIGHTNESS_SECONDS = 0.25
LEAST_SECONDS, LEAST_UNSEEN = 0.2, 0.15
CLIMB_SHARE = 0.5  # of the whole: what a search finds, it finds soon or much later
ROUND_SHARE = 0.7  # of the time that is left, so that those who are asked later have some
OVERRUN, SLACK = 1.5, 0.6


class Examine(Protocol):
    def __call__(self, claim: Claim, step: Step, budget: Budget) -> Finding: ...


def load_engine(engine: Engine) -> Examine:
    """What an engine is asked by; where its library is missing, something that says so."""
    module = module_of(engine)
    return Absent(engine) if module is None else cast(Examine, module.examine)


def examine_cases(cases: Sequence["Case"], settings: Settings, seconds: float, proving: bool = False) -> None:
    """Ask the engines, round by round: every case meets the exact ones before any is searched. `proving`:
    those that prove, and no others."""
    deadline = worked() + seconds
    for number in sorted({engine.round for engine in settings.engines}):
        if proving and number > EXACT_ROUND:
            break
        engines = [engine for engine in settings.engines if engine.round == number]
        is_last = number == max(engine.round for engine in settings.engines)
        for at, case in enumerate(cases):
            left = max(deadline - worked(), 0.0) / (len(cases) - at)
            end = worked() + left * (1.0 if is_last else ROUND_SHARE)
            for place, engine in enumerate(engines):
                # What one engine of the round leaves is for the next.
                loading = case.ask(engine, (end - worked()) / (len(engines) - place))
                deadline, end = deadline + loading, end + loading


@dataclass
class Case:
    """One relation on its way through the engines."""

    claim: Claim
    step: Step
    settings: Settings
    emit: Emit
    tell: Callable[[Finding], None]
    tell_again: Callable[[Finding], None] = lambda finding: None  # as it is shown
    findings: list[Finding] = field(default_factory=list)
    # Tells a proof of what is found; how long that took is nobody's time.
    argue: Callable[[Sequence[Finding]], float] = lambda findings: 0.0
    is_checked: Callable[[], bool] = lambda: False  # whether the kernel checked a proof that trusts nobody
    shown: bool = True  # else nobody will read it: no second witness, no pictures

    def ask(self, engine: Engine, seconds: float, again: bool = False) -> float:
        """Let one engine speak, unless there is nothing left for it to say; `again` after the clock cut it
        short. How long it took to load, and to prove what it said, is told: it is nobody's time."""
        settled = _settled(self.step, self.findings)
        seconds = max(seconds, LEAST_SECONDS if self.shown else LEAST_UNSEEN)
        if settled and not (self._second_witness(engine) or self._may_correct(engine)):
            return 0.0
        if settled:
            # A second witness to what is proved: a few points, not an estimate to many digits.
            seconds = min(seconds, WITNESS_SECONDS)
        elif engine.round == EXACT_ROUND and any(f.proves for f in self.findings):
            # Only how tight it is remains: a closed form shows it soon, or the search has to.
            seconds = min(seconds, TIGHTNESS_SECONDS)
        if engine.climbs and not again:
            seconds = min(seconds, CLIMB_SHARE * self.settings.soft_seconds)
        budget = self.budget(engine, seconds)
        self.emit(Stage(f"{engine.name}: {self.step.text[:60]}"))
        loading = worked()
        examine = load_engine(engine)
        start, cut = worked(), cuts()
        asked = in_closed_form(self.claim, self.step, self.findings) if engine.climbs else self.step
        finding = heard(engine, examine, self.claim, asked, budget)
        if asked != self.step:
            finding = against_the_original(self.claim, self.step, finding)
        if engine.is_witness and finding.disagreement is None:
            opinion = replace(budget, seconds=WITNESS_SECONDS)
            ask = partial(heard, engine, examine, self.claim, budget=opinion)
            words = _second_opinion(self.claim, self.step, self.findings, ask)
            finding = replace(finding, disagreement=words)
        stopped = not finding.decides and cuts() > cut
        finding = replace(finding, seconds=worked() - start, ran_out=stopped)
        self.hear(finding)
        if self.shown:
            self.show()
        return start - loading + self.argue(self.findings)

    def hear(self, finding: Finding) -> None:
        finding = unless_open(self.claim, self.step, finding)
        self.findings.append(self._tidy(doubted(self.claim, self.step, finding)))
        self.tell(self.findings[-1])

    def show(self) -> None:
        """What was heard last, for a reader."""
        finding = self.findings[-1]
        better = smaller(self.claim, self.step, finding)
        better = illustrated(self.claim, self.step, self.findings[:-1], better, self.settings.pictures)
        better = doubted(self.claim, self.step, better)  # a small point is checked where a large one is not
        if better != finding:
            self.findings[-1] = self._tidy(better)
            self.tell_again(self.findings[-1])

    def _tidy(self, finding: Finding) -> Finding:
        example = finding.counterexample
        if finding.corrected is not None and _is_too_long(finding.corrected):
            finding = replace(finding, corrected=None)
        if example is not None:
            # A person checks the point by hand: symbols that the relation does not speak of are in the way.
            idle = self.claim.symbols.keys() - names_in(replace(self.claim, steps=(self.step,)))
            values = {
                name: _in_shape(self.claim.symbols.get(name), _whole(value))
                for name, value in example.values.items()
                if name not in idle
            }
            finding = replace(finding, counterexample=replace(example, values=values))
        return finding

    def budget(self, engine: Engine, seconds: float) -> Budget:
        settings = self.settings
        return Budget(
            seconds,
            settings.seed
            if engine.is_witness
            else 0,  # the seed moves samples, and nothing that is decided exactly
            settings.device,
            settings.memory_bytes,
            settings.alpha / settings.questions,
            settings.draws,
            lambda line: self.emit(Stage(f"{engine.name}: {line}")),
        )

    def _second_witness(self, engine: Engine) -> bool:
        wanted = engine.is_witness and self.shown and witness_may_speak(self.findings)
        return wanted and not (self.settings.lean and self.is_checked())

    def _may_correct(self, engine: Engine) -> bool:
        """An equality that one exact engine refuted, and that another may put right."""
        equality = isinstance(self.step.fact, Relation) and self.step.fact.op == "=="
        first = engine.round == EXACT_ROUND
        refuted = any(f.truth == "false" for f in self.findings)
        return equality and first and refuted and not any(f.corrected for f in self.findings)


def _is_too_long(text: str) -> bool:
    """A number that nobody could write in a claim: no correction in the claim's own language."""
    try:
        parse(text)
    except ExprError as error:
        return error.code == "too-long"
    return False


def _in_shape(declared: Declared | None, value: object) -> object:
    """A vector of one entry stays a vector; a matrix in words stays words."""
    matrix = declared is not None and declared.copies is None and not declared.shape.is_scalar
    written = isinstance(value, str) and not value.lstrip("-").replace("/", "", 1).isdecimal()
    return [[value]] if matrix and isinstance(value, int | str | float) and not written else value


def _whole(value: object) -> object:
    """Whole numbers as numbers, whoever wrote them as text."""
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, str) and value.lstrip("-").isdecimal() else value


def heard(engine: Engine, examine: Examine, claim: Claim, step: Step, budget: Budget) -> Finding:
    """What an engine says. A bug in it costs its own word and not that of the others, and is shown."""
    other = turned(step)
    if other is not None:
        return turned_back(heard(engine, examine, claim, other, budget))

    def ask(claim: Claim, step: Step, budget: Budget) -> Finding:
        tied = moving(claim, step.fact)
        if tied is not None:
            return Finding(engine.name, "unknown", missing=tied)
        found = confirm(claim, step, examine(claim, step, budget))
        if found.truth == "false" and (missing := unmet(claim)) is not None:
            return Finding(engine.name, "unknown", missing=missing)
        return found

    try:
        with at_most(OVERRUN * budget.seconds + min(SLACK, budget.seconds)):
            return where_finite(
                claim,
                step,
                engine.name,
                lambda where: answered(ask, where, step, budget, engine.name, engine.is_witness),
            )
    except Overran:
        reason = f"no answer within {budget.seconds:.2g} s"
    except MemoryError:
        reason = "it ran out of memory"
    except RecursionError:
        reason = "it nested too deeply"
    except Exception as error:
        reason = f"it failed with {type(error).__name__}: {error}"
    return Finding(engine.name, "unknown", reason=reason)


def _second_opinion(
    claim: Claim, step: Step, findings: list[Finding], ask: Callable[[Step], Finding]
) -> str | None:
    """The numeric witness on a correction: `lhs == corrected` must survive sampling too."""
    text = next((finding.corrected for finding in findings if finding.corrected), None)
    if text is None or not isinstance(step.fact, Relation) or step.fact.op != "==":
        return None
    if any(isinstance(node, Growth | Order | Limit) for node in walk(step.fact)):
        return None
    try:
        corrected = elaborate(parse(text), claim.scope)
        mended = replace(step, fact=Relation("==", step.fact.left, corrected))
    except (ExprError, ShapeError) as error:
        return f"the correction {text!r} is not an expression of this claim: {error}"
    finding = ask(mended)
    if finding.truth == "false":
        return f"the correction {text!r} does not survive sampling: {finding.reason}"
    return finding.disagreement


def _settled(step: Step, findings: list[Finding]) -> bool:
    """Nothing more is to be found out: refuted exactly, or proved and known how tight."""
    strong = [f for f in findings if f.grade in EXACT]
    meaningless = any(f.vacuous or f.undefined for f in findings)
    if meaningless or any(f.truth == "false" for f in strong):
        return True
    if not any(f.truth == "true" for f in strong):
        return False
    known = any(f.tightness is not None and f.tightness.is_settled for f in findings)
    return known or not needs_tightness(step.fact)


def witness_may_speak(findings: list[Finding]) -> bool:
    """The second witness is heard wherever it can be, a certified range apart: that is one
    computation in interval arithmetic, and sampling it again adds nothing."""
    return not any(
        f.vacuous or f.undefined or (f.engine == "rigorous" and f.truth != "unknown") for f in findings
    )
