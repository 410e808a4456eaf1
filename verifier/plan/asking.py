"""One relation on its way through the engines: how one of them is asked, and how it is heard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol, cast

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim, Step
from verifier.evidence import EXACT, Attempt, Budget, Finding
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Growth, Limit, Order, Relation
from verifier.expr.symbols import Declared
from verifier.expr.syntax import parse
from verifier.expr.walk import walk
from verifier.judge.decide import decide, needs_tightness
from verifier.judge.verdict import StepVerdict
from verifier.plan.closed_for_search import in_closed_form
from verifier.plan.illustrate import illustrated
from verifier.plan.kernel_proofs import Prover
from verifier.plan.mean_existence import unless_open, where_finite
from verifier.plan.messages import Emit, Found, Shown, Stage, Tried, nobody
from verifier.plan.missing_libraries import Absent, module_of
from verifier.plan.settings import EXACT_ROUND, RULES, Engine, Settings
from verifier.reformulate.bounded_supports import unmet
from verifier.reformulate.instances import answered
from verifier.reformulate.tied_growth import moving
from verifier.reformulate.turned_relation import turned, turned_back
from verifier.refute.confirm import against_the_original, confirm, doubted
from verifier.refute.smaller_point import smaller
from verifier.timer import Overran, Watch, at_most, cuts, worked

WITNESS_SECONDS = 0.1
TIGHTNESS_SECONDS = 0.25
LEAST_SECONDS, LEAST_UNSEEN = 0.2, 0.15
CLIMB_SHARE = 0.5  # of the whole: what a search finds, it finds soon or much later
OVERRUN, SLACK = 1.5, 0.6


class Examine(Protocol):
    def __call__(self, claim: Claim, step: Step, budget: Budget) -> Finding: ...


def load_engine(engine: Engine) -> Examine:
    """What an engine is asked by; where its library is missing, something that says so."""
    module = module_of(engine)
    return Absent(engine) if module is None else cast(Examine, module.examine)


@dataclass
class Case:
    """One relation on its way through the engines."""

    claim: Claim
    step: Step
    settings: Settings
    emit: Emit = nobody
    at: int = 0  # its number, where steps are numbered
    findings: list[Finding] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    prover: Prover | None = None  # proposes a proof of what is found
    parts: Sequence["Case"] = ()  # the steps of the chain that this is first against last of
    kept: Finding | None = None  # a refutation without a point to check by hand: an engine may find a better
    watch: Watch = field(default_factory=Watch)
    depth: int = 0  # of the question: those that another one asks are told as its own
    shown: bool = True  # else nobody will read it: no second witness, no pictures

    def beside(self, claim: Claim, step: Step) -> "Case":
        """Another relation, of which nobody is told; without the witness, for what is sampled there is
        sampled anyway. What is asked there counts as asked here."""
        settings = replace(self.settings, engines=tuple(e for e in self.settings.engines if not e.is_witness))
        return Case(claim, step, settings, attempts=self.attempts, shown=False)

    @property
    def verdict(self) -> StepVerdict:
        """As far as it is known."""
        return decide(self.step, self.findings)

    @property
    def refutation(self) -> Finding:
        """The first, of a relation that is false."""
        return next(finding for finding in self.findings if finding.truth == "false")

    @property
    def provers(self) -> list[str]:
        """The names of the engines that prove."""
        return [engine.name for engine in self.settings.engines if engine.is_exact]

    @property
    def is_checked(self) -> bool:
        """Whether the kernel checked a proof that trusts nobody."""
        return self.prover is not None and self.prover.is_checked()

    def note(self, attempt: Attempt) -> None:
        """Record who was asked."""
        self.attempts.append(attempt)
        if self.is_told:
            self.emit(Tried(self.at, attempt))

    @property
    def is_told(self) -> bool:
        """Whether attempts are told, and not counted among those of the one that asks on the way."""
        return self.shown and self.depth == 0

    def ask(self, engine: Engine, seconds: float, again: bool = False) -> float:
        """Let one engine speak, unless there is nothing left for it to say; `again` after the clock cut it
        short. How long it took to load is told: it is nobody's time."""
        if not self.wants(engine):
            return 0.0
        seconds = max(seconds, LEAST_SECONDS if self.shown else LEAST_UNSEEN)
        if _settled(self.step, self.findings):
            # A second witness to what is proved: a few points, not an estimate to many digits.
            seconds = min(seconds, WITNESS_SECONDS)
        elif engine.round == EXACT_ROUND and any(f.proves for f in self.findings):
            # Only how tight it is remains: a closed form shows it soon, or the search has to.
            seconds = min(seconds, TIGHTNESS_SECONDS)
        if engine.climbs and not again:
            seconds = min(seconds, CLIMB_SHARE * self.settings.soft_seconds)
        budget = self.budget(engine, seconds)
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
        return start - loading

    def wants(self, engine: Engine) -> bool:
        """Whether there is something left for it to say."""
        if engine == RULES and any(f.engine == RULES.name and f.proves for f in self.findings):
            return False  # they have said what they know, and nothing of how tight it is
        settled = _settled(self.step, self.findings)
        return not settled or self._second_witness(engine) or self._may_correct(engine)

    def hear(self, finding: Finding) -> None:
        finding = unless_open(self.claim, self.step, finding)
        self.findings.append(self._tidy(doubted(self.claim, self.step, finding)))
        self.emit(Found(self.at, self.findings[-1]))

    def show(self) -> None:
        """What was heard last, for a reader."""
        finding = self.findings[-1]
        better = smaller(self.claim, self.step, finding)
        better = illustrated(self.claim, self.step, self.findings[:-1], better, self.settings.pictures)
        better = doubted(self.claim, self.step, better)  # a small point is checked where a large one is not
        if better != finding:
            self.findings[-1] = self._tidy(better)
            self.emit(Shown(self.at, self.findings[-1]))

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
        return wanted and not (self.settings.lean and self.is_checked and engine.round > EXACT_ROUND)

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
