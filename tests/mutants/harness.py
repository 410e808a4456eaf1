"""Claims of known truth, made from claims that hold: what the program says of them, by operator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from tests.mutants.operators import KEEPING, WHOLE, Fact, breaking, everywhere
from tests.mutants.places import places, told
from tests.mutants.polynomials import Undefined, Unsupported
from verifier import load, load_text
from verifier.claim.model import Claim
from verifier.claim.problems import SpecError
from verifier.expr import nodes as n
from verifier.expr.sizes import room_for_trees
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.judge.decide import decide
from verifier.plan.asking import Case
from verifier.plan.schedule import examine_cases
from verifier.plan.settings import ENGINES, Settings
from verifier.read.specs.loaded import Loaded, Ready
from verifier.read.specs.make_claim import Draft, build
from verifier.run.verify import verify

ROOT = Path(__file__).parents[2]
POINTS = 6
DROPPED = "dropped assumption"
TRUE = {"holds", "loose"}


@dataclass(frozen=True)
class Sibling:
    """A changed claim: false at `point` by the oracle, or true because its parent is."""

    operator: str
    parent: Draft
    draft: Draft
    is_true: bool
    point: str = ""

    @property
    def text(self) -> str:
        assert self.draft.claim.says is not None
        return self.draft.claim.says.value

    def __str__(self) -> str:
        return f"{self.operator}: {self.text}  (of {self.parent.id}{'; ' if self.point else ''}{self.point})"


Judge = Callable[[Sequence[Draft]], list[str]]
Parent = tuple[Draft, Fact]


def restated(plan: Draft, fact: Fact, tag: str) -> Draft | None:
    """The claim with another relation, if the language has words for it."""
    raw = plan.claim
    try:
        text = replace(raw.key, value=to_text(fact))
        slug = replace(raw.key, value=f"{raw.slug}-{tag}")
        plan = replace(plan, claim=replace(raw, key=slug, says=text, steps=None, expect=None))
        return plan if build(plan).steps[0].fact == fact else None
    except (SpecError, ValueError):
        return None


def known_false(claim: Claim, fact: Fact, random: Random) -> str | None:
    """A small point at which the oracle finds the relation false."""
    for oracle in places(claim, random, POINTS):
        try:
            if told(oracle, fact, random) is False:
                return ", ".join(f"{name} = {value}" for name, value in oracle.point.items())
        except Undefined:
            continue
        except Unsupported:
            return None
    return None


def confirmed(claim: Claim, fact: Fact, random: Random) -> bool:
    """Whether the oracle finds the relation true at every point that it tries, and tries some."""
    seen = 0
    for oracle in places(claim, random, 3):
        try:
            if told(oracle, fact, random) is False:
                return False
        except Undefined:
            continue
        except Unsupported:
            return False
        seen += 1
    return seen > 0


def siblings(parents: Sequence[Parent], random: Random, wanted: int) -> Iterator[Sibling]:
    """`wanted` false siblings of parents chosen at random, and some true ones between them."""
    made = 0
    for attempt in range(60 * wanted):
        if made == wanted:
            return
        plan, fact = random.choice(parents)
        if not _usable(plan, fact):
            continue
        found = _false(plan, fact, random, attempt) if attempt % 8 else _true(plan, fact, random, attempt)
        if found is not None:
            made += not found.is_true
            yield found


_CONFIRMED: dict[tuple[str, Fact], bool] = {}


def _usable(plan: Draft, fact: Fact) -> bool:
    """Whether the oracle reaches the parent and finds it true; asked once."""
    key = (plan.id, fact)  # steps of a chain have one id
    if key not in _CONFIRMED:
        _CONFIRMED[key] = confirmed(build(plan), fact, Random(plan.id))
    return _CONFIRMED[key]


def _false(plan: Draft, fact: Fact, random: Random, number: int) -> Sibling | None:
    claim = build(plan)
    operators = breaking(claim)
    name = random.choice([*sorted(operators), DROPPED])
    if name == DROPPED:
        return _unconditional(plan, random, number)
    variants = list(everywhere(fact, operators[name]))
    if not variants:
        return None
    changed = random.choice(variants)
    plan_changed = restated(plan, changed, f"m{number}")
    point = known_false(claim, changed, random) if plan_changed is not None else None
    if plan_changed is None or point is None:
        return None
    return Sibling(name, plan, plan_changed, False, point)


def _unconditional(plan: Draft, random: Random, number: int) -> Sibling | None:
    """The claim without one of its assumptions, where that makes it false."""
    if not plan.under or plan.claim.says is None:
        return None
    try:
        relaxed = plan.without(random.choice(plan.under))
        claim = build(relaxed)
        changed = restated(relaxed, claim.steps[0].fact, f"u{number}")
    except SpecError:
        return None
    point = known_false(claim, claim.steps[0].fact, random)
    return Sibling(DROPPED, plan, changed, False, point) if changed is not None and point else None


def _true(plan: Draft, fact: Fact, random: Random, number: int) -> Sibling | None:
    name = random.choice([*sorted(KEEPING), *sorted(WHOLE)])
    variants = [WHOLE[name](fact)] if name in WHOLE else list(everywhere(fact, KEEPING[name]))
    if not variants:
        return None
    changed = random.choice(variants)
    if changed == fact or not confirmed(build(plan), changed, random):
        return None
    plan_changed = restated(plan, changed, f"t{number}")
    return None if plan_changed is None else Sibling(name, plan, plan_changed, True)


def judged(drafts: Sequence[Draft], settings: Settings | None = None) -> list[str]:
    """The program's own verdicts, as a user would get them."""
    entries = tuple(Ready(build(plan), plan) for plan in drafts)
    run = verify(Loaded(entries, ()), settings or Settings(trust="engines"))
    return [item.verdict for item in run.verdicts]


@room_for_trees()
def judged_here(drafts: Sequence[Draft], seconds: float = 1.0) -> list[str]:
    """The same engines and the same table of verdicts, without sampling and in this process: the witness
    adds no verdict to what is exact, and costs the most."""
    settings = replace(Settings(trust="engines"), engines=tuple(e for e in ENGINES if not e.is_witness))
    found: list[str] = []
    for plan in drafts:
        claim = build(plan)
        case = Case(claim, claim.steps[0], settings, shown=False)
        examine_cases([case], settings, seconds)
        found.append(decide(case.step, case.findings).verdict)
    return found


@dataclass
class Table:
    """By operator: how many were refuted, left open, or missed; and what was missed."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: list[Sibling] = field(default_factory=list)
    lost: list[Sibling] = field(default_factory=list)
    open: list[Sibling] = field(default_factory=list)

    def add(self, sibling: Sibling, verdict: str, parent: str) -> None:
        if sibling.is_true:
            said = {verdict, parent}
            outcome = "kept" if len(said) == 1 else "LOST" if "fails" in said and said & TRUE else "open"
        else:
            outcome = {"holds": "MISSED", "loose": "MISSED", "fails": "refuted"}.get(verdict, "open")
        named = {"MISSED": self.missed, "LOST": self.lost, "open": self.open}
        if outcome in named:
            named[outcome].append(sibling)
        self.counts[sibling.operator, outcome] += 1

    def share(self, outcome: str, among: Sequence[str], of_false: bool) -> float:
        """Of all siblings with one of these outcomes, false ones or true ones."""
        true = {name for name, found in self.counts if found in ("kept", "LOST")} | {*KEEPING, *WHOLE}
        counts = {key: count for key, count in self.counts.items() if (key[0] in true) != of_false}
        total = sum(count for (_, found), count in counts.items() if found in among)
        return sum(count for (_, found), count in counts.items() if found == outcome) / max(total, 1)

    def __str__(self) -> str:
        names = sorted({name for name, _ in self.counts})
        columns = ("refuted", "open", "MISSED", "kept", "LOST")
        lines = [f"{'operator':20}" + "".join(f"{column:>9}" for column in columns)]
        for name in names:
            cells = "".join(f"{self.counts[name, column]:9}" for column in columns)
            lines.append(f"{name:20}{cells}")
        return "\n".join(lines)


def examined(found: Sequence[Sibling], judge: Judge) -> Table:
    """The table of what the judge says; a true sibling must fare as its parent does."""
    table = Table()
    parents = {s.parent.id: s.parent for s in found if s.is_true}
    verdicts = judge([*(s.draft for s in found), *parents.values()])
    of_parent = dict(zip(parents, verdicts[len(found) :], strict=True))
    for sibling, verdict in zip(found, verdicts, strict=False):
        table.add(sibling, verdict, of_parent.get(sibling.parent.id, ""))
    return table


def all_parents() -> list[Parent]:
    """Those of the corpus, of the tests and of the language's reference."""
    blocks = (ROOT / "docs" / "claim-language.md").read_text(encoding="utf-8").split("```yaml\n")[1:]
    loaded = [load(ROOT / "claims"), load(ROOT / "tests" / "verdicts")]
    loaded += [load_text(block.split("```")[0], "docs/claim-language.md") for block in blocks]
    return [parent for item in loaded for parent in parents_of(item)]


def parents_of(loaded: Loaded) -> list[Parent]:
    """Single relations of claims that nobody expects to fail; each step of a chain is one."""
    found: list[Parent] = []
    for entry in loaded.entries:
        if not isinstance(entry, Ready) or not set(entry.claim.expect or ()) <= {"holds", "loose"}:
            continue
        for at, step in enumerate(entry.claim.steps):
            fact = step.fact
            if any(isinstance(node, n.Growth | n.Order | n.Limit) for node in walk(fact)):
                continue
            plan = restated(entry.draft, fact, f"s{at}") if entry.claim.is_chain else entry.draft
            if plan is not None:
                found.append((plan, fact))
    return found
