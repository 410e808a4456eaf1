"""A claim in one row: its name in the paper, its statement, the verdict, and the finding in one line."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from verifier.claim.model import Claim, Position, VerdictName
from verifier.evidence import Grade
from verifier.expr.nodes import Relation, Within
from verifier.expr.unicode import to_unicode
from verifier.judge.verdict import Run, StepVerdict, Verdict
from verifier.read.specs.loaded import Broken
from verifier.report import markup
from verifier.report.compare import Change, Changes
from verifier.report.decimals import decimals
from verifier.report.facts import in_one_line, relevant
from verifier.report.letters import in_letters, pretty

LONGEST_DETAIL = 160
LONGEST_STATEMENT = 240
LONGEST_TYPESET = 8000  # bytes of markup: a longer formula stands in letters
EQUATION = re.compile(r"\b[Ee]qs? (?=[A-Z]?\.?\d)")
NUMBERED = re.compile(r"(theorem|lemma|proposition|corollary|claim|conjecture)\b", re.IGNORECASE)
BINDING = re.compile(r"\[(.*)\]$")

Item = Verdict | Broken


def slug(claim_id: str) -> str:
    """A file name that is safe everywhere, and the same in every run: readable, then a digest."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", claim_id).strip("-.")[:80]
    return f"{readable}-{_digest(claim_id)}"


def anchor(claim_id: str) -> str:
    """What a claim's row is called on its page: short, since a page has hundreds of them."""
    return f"c-{_digest(claim_id)}"


def _digest(claim_id: str) -> str:
    return hashlib.sha256(claim_id.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Row:
    """One claim in a document's table."""

    id: str
    name: str
    slug: str
    theorem: str
    document: str
    verdict: VerdictName
    evidence: Grade | None
    reason: str
    statement: str
    formula: str | None  # the same as markup, where it is short enough
    finding: tuple[str, str] | None
    offered: str | None  # the formula of the finding, as markup
    expected: str | None
    as_expected: bool
    position: Position
    is_numbered: bool = False  # a theorem of the paper, no remark on the way
    is_argument: bool = False  # a line of a proof, not a statement of its own
    is_checked: bool = False  # the kernel has accepted a proof of the verdict
    change: Change | None = None

    @property
    def href(self) -> str:
        return f"claims/{self.slug}.html"

    @property
    def anchor(self) -> str:
        return anchor(self.id)

    @property
    def place(self) -> str:
        """Where the claim stands in a page that holds all of them."""
        return f"#{anchor(self.id)}-all"


def rows_of(run: Run, changes: Changes | None) -> Iterator[tuple[Item, Row]]:
    """Every claim with its row, in the order of the run."""
    documents = documents_of(run)
    changed = {change.id: change for change in changes.items} if changes is not None else {}
    for item in run.verdicts:
        yield item, _row(item, documents, changed.get(item.id))


def theorem_of(item: Item | Row) -> str:
    return item.id.partition("#")[0]


def documents_of(run: Run) -> dict[str, str]:
    """The write-up of each theorem: as its claims name it, else as its id begins."""
    names: dict[str, str] = {}
    for item in run.verdicts:
        theorem = theorem_of(item)
        names.setdefault(theorem, theorem.partition("/")[0])
        if isinstance(item, Verdict) and item.claim.source.document is not None:
            names[theorem] = item.claim.source.document
    return names


ONLY = "says"  # the claim of a line, which has no other


def name_of(item: Item) -> str:
    """What the paper calls it: its title, else its id in words, `eq-6` as Eq. 6; a line as line 1."""
    theorem, _, claim = item.id.partition("#")
    short = (theorem.replace("/", " ") if claim == ONLY else claim) or item.id
    bound = BINDING.search(short)
    values = f" ({bound[1].replace('=', ' = ').replace(',', ', ')})" if bound is not None else ""
    if isinstance(item, Verdict) and item.claim.title != item.claim.theorem_title:
        return f"{item.claim.title}{values}"
    words = " ".join(BINDING.sub("", short).replace("-", " ").replace("_", " ").split())
    words = EQUATION.sub(lambda found: f"E{found[0][1:].strip()}. ", words)
    return f"{words[:1].upper()}{words[1:]}{values}"


def shown_step(item: Verdict) -> tuple[str, Relation | Within]:
    """The relation that stands for a claim: its statement, the first broken line of a chain, or what a chain
    comes to; and what to say before it."""
    step = item.main
    if not item.claim.is_chain:
        return "", step.fact
    if item.verdict not in ("holds", "loose"):
        return f"step {item.steps.index(step) + 1}: ", step.fact
    return "", item.overall.fact if item.overall is not None else step.fact


def _typeset(item: Item) -> Markup | None:
    """The statement as markup; None where it would take half a page."""
    if not isinstance(item, Verdict):
        return None
    before, fact = shown_step(item)
    found = markup.formula(fact)
    return Markup("{}{}").format(before, found) if len(found) <= LONGEST_TYPESET else None


def _row(item: Item, documents: Mapping[str, str], change: Change | None) -> Row:
    origin = item.claim if isinstance(item, Verdict) else item
    theorem = theorem_of(item)
    finding = _finding(item.claim, item.main) if isinstance(item, Verdict) else None
    return Row(
        id=item.id,
        name=name_of(item),
        slug=slug(item.id),
        theorem=theorem,
        document=documents[theorem],
        verdict=item.verdict,
        evidence=item.evidence if isinstance(item, Verdict) else None,
        reason=_cut(_reason(item)),
        statement=_statement(item),
        formula=_typeset(item),
        finding=finding[:2] if finding is not None else None,
        offered=finding[2] if finding is not None else None,
        expected=" or ".join(origin.expect) if origin.expect is not None else None,
        as_expected=item.as_expected,
        position=origin.position,
        is_argument=_is_argument(item),
        is_numbered=isinstance(item, Verdict) and NUMBERED.match(item.claim.source.locator or "") is not None,
        is_checked=isinstance(item, Verdict) and is_checked(item),
        change=change,
    )


def is_checked(item: Verdict) -> bool:
    """Whether the kernel has accepted a proof of every step that the verdict rests on."""
    grounds = item.grounds
    return bool(grounds) and all(step.proof is not None and not step.proof.sites for step in grounds)


def _is_argument(item: Item) -> bool:
    """A line of a proof: it matters less than what it is to prove."""
    named = "proof" in item.id.lower() or "proof" in name_of(item).lower()
    return named or (isinstance(item, Verdict) and item.claim.is_chain)


def _statement(item: Item) -> str:
    if not isinstance(item, Verdict):
        return ""
    before, fact = shown_step(item)
    text = f"{before}{to_unicode(fact)}"
    return text if len(text) <= LONGEST_STATEMENT else ""


def _finding(claim: Claim, step: StepVerdict) -> tuple[str, str, Markup | None] | None:
    """What is true instead, or the point that shows it: a few words, and a formula, as markup too, or a
    point."""
    found = step.counterexample
    known = found is not None and found.lhs is not None
    point = in_one_line(in_letters(claim, relevant(claim, found))) if found is not None and known else None
    told = (
        (_perhaps(step, "corrected", "correct is"), pretty(claim, step.corrected), step.corrected),
        (_perhaps(step, "instead", "true is"), pretty(claim, step.instead), step.instead),
        ("false at", point, None),
        (_perhaps(step, "tight", "enough is"), pretty(claim, step.tight), step.tight),
    )
    for words, text, typed in told:
        if text and len(text) <= LONGEST_DETAIL:
            return words, text, None if typed is None else _offered(claim, typed)
    return None


def _offered(claim: Claim, text: str) -> Markup | None:
    found = markup.typeset(claim, text)
    value = decimals(markup.read(claim, text))
    return found if found is None or value is None else Markup("{} {}").format(found, value)


def _reason(item: Item) -> str:
    """Of what is open, what is missing; who tried what stands on its page."""
    if item.verdict != "inconclusive" or not isinstance(item, Verdict):
        return item.reason
    missing = dict.fromkeys(finding.missing for finding in item.main.findings if finding.missing)
    return f"missing: {' or '.join(map(str, missing))}" if missing else "nothing decides it"


def _perhaps(step: StepVerdict, key: str, words: str) -> str:
    """What nothing checked shows is a guess."""
    return f"a guess: {words}" if key in step.guesses else words


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST_DETAIL else f"{words[:LONGEST_DETAIL]}…"
