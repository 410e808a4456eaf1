r"""No drift: the formula that a write-up prints is the statement of the claim.

A claim shows its formula under `latex:`, or points at it with `label:`. The formula is read and compared.
Where the author asks for it, by `label:` or by declaring a map of names under `names:`, a formula that
differs, or that cannot be read, is an error. A bare `latex:` may be there for the reader's eye, in a
notation of its own: it is an error where it says something else, and a note where that cannot be told.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.claim.model import Claim, Printed
from verifier.claim.problems import Repair, SpecError, shortened
from verifier.expr.errors import ExprError
from verifier.expr.functions import USAGE
from verifier.expr.nodes import After, Expectation, Fact, Let, Member, Node, Relation, Symbol, Within
from verifier.expr.scope import suggestion
from verifier.expr.tex.read import Chain, Continued, Formula, read_formula
from verifier.expr.tex.same import same
from verifier.expr.tex.value import equal, equivalent
from verifier.expr.text import to_text
from verifier.expr.walk import Part, rebuild, walk
from verifier.read.specs.make_claim import Draft
from verifier.read.specs.spec_files import WRITEUPS, content_of
from verifier.read.specs.writeup_statements import Statement, statements_of
from verifier.read.specs.yaml_document import Text, lines_of

if TYPE_CHECKING:
    from verifier.read.expand import Expander


@dataclass(frozen=True)
class WriteUp:
    """The file that a claim's labels are looked up in."""

    file: str
    text: str
    suffix: str

    @cached_property
    def lines(self) -> list[str]:
        return lines_of(self.text)

    @cached_property
    def labelled(self) -> dict[str, list[Statement]]:
        found: dict[str, list[Statement]] = {}
        for item in self.statements:
            if item.label and item.latex is not None:
                found.setdefault(item.label, []).append(item)
        return found

    @cached_property
    def statements(self) -> list[Statement]:
        return statements_of(self.text, self.file, self.suffix)

    @cached_property
    def _macros(self) -> "Expander":
        from verifier.read.expansion import expander

        return expander(self.text, Path(self.file), self.suffix)

    def expanded(self, latex: Text) -> Text:
        """A formula of the write-up with the write-up's own macros expanded."""
        from verifier.read.expansion import expanded

        return expanded(latex, self._macros)

    def formulas(self, label: str) -> list[Statement]:
        """The formulas with a label; the label of a theorem stands for those that it displays."""
        if label in self.labelled:
            return self.labelled[label]
        return [
            part
            for whole in self.statements
            if whole.label == label and whole.latex is None
            for part in self.statements
            if part.latex is not None and whole.first <= part.first and part.last <= whole.last
        ]


def printed(
    plan: Draft, claim: Claim, home: WriteUp, other: Callable[[str], WriteUp | None]
) -> Printed | None:
    """How the write-up prints the claim; raises SpecError where it prints something else."""
    latex = plan.claim.latex
    if latex is None and plan.claim.label is None:
        return None
    names = _names(plan, claim)
    strict = plan.claim.label is not None or not (plan.claim.letters is plan.theorem.letters is None)
    writeup = home
    if plan.claim.label is not None:
        writeup, latex = _pointed_at(plan, plan.claim.label, home, other)
    assert latex is not None
    try:
        formula = read_formula(latex.value, claim.scope, names)
    except ExprError as error:
        if not strict:
            return Printed(latex.value.strip(), "unread", error.message)
        message = f"the formula cannot be read: {error.message}"
        raise _placed(latex.problem("latex", message, error.hint, error.span), writeup) from None
    is_same = _compared(formula, claim)
    if is_same:
        return Printed(latex.value.strip(), "same", shown(formula))
    if is_same is None and not strict:
        return Printed(latex.value.strip(), "different", shown(formula))
    message = f"the write-up prints {shown(formula)}, and the claim says {_said(formula, claim)}"
    hint = f"change the formula, or the claim at {claim.steps[-1].position}"
    found = _placed(latex.problem("drift", message, hint), writeup).problem
    raise SpecError(replace(found, repair=_repair(plan, claim, formula)))


def _names(plan: Draft, claim: Claim) -> Mapping[str, str]:
    """The map from LaTeX to names; the claim's own entries win over the theorem's."""
    texts = {**(plan.theorem.letters or {}), **(plan.claim.letters or {})}
    known = {*claim.scope.symbols, *claim.scope.lets, *claim.scope.values, *claim.scope.layered}
    for text in texts.values():
        if text.value not in known and text.value not in USAGE:
            hint = suggestion(text.value, {*known, *USAGE})
            raise text.problem("names", f"{text.value!r} is not declared", hint)
    return {latex: text.value for latex, text in texts.items()}


def _pointed_at(
    plan: Draft, label: Text, home: WriteUp, other: Callable[[str], WriteUp | None]
) -> tuple[WriteUp, Text]:
    """The formula with this label, in the file that the source names or in the claim's own."""
    writeup: WriteUp | None = home
    if plan.theorem.source.file is not None:
        writeup = other(plan.theorem.source.file)
        if writeup is None:
            message = f"the write-up {plan.theorem.source.file} cannot be read"
            raise label.problem("label", message)
    assert writeup is not None
    found = writeup.formulas(label.value.strip())
    if len(found) != 1:
        count = "no formula has" if not found else f"{len(found)} formulas stand under"
        hint = suggestion(label.value, writeup.labelled)
        raise label.problem("label", f"{count} the label {label.value!r} in {writeup.file}", hint)
    latex = found[0].latex
    assert latex is not None
    try:
        return writeup, writeup.expanded(latex)
    except SpecError as error:
        raise _placed(error, writeup) from None


def _repair(plan: Draft, claim: Claim, formula: Formula) -> Repair | None:
    """The claim's own text as the formula would have it; None where the two are of different kinds."""
    says, steps = plan.claim.says, plan.claim.steps
    text = says or steps
    assert text is not None
    fact = claim.steps[-1].fact
    new: str | None = None
    if isinstance(formula, Chain):
        new = _in_steps(formula.facts)
    elif steps is not None:
        return None
    elif isinstance(formula, Relation | Within):
        new = to_text(formula)
    elif isinstance(formula, tuple) and isinstance(fact, Within):
        new = f"{to_text(fact.arg)} in [{to_text(formula[0])}, {to_text(formula[1])}]"
    elif isinstance(formula, Continued) and isinstance(fact, Relation):
        new = f"{to_text(fact.left)} {formula.op} {to_text(formula.right)}"
    elif isinstance(formula, Node) and isinstance(fact, Relation):
        new = f"{to_text(fact.left)} {fact.op} {to_text(formula)}"
    places = tuple((line, column) for _, line, column in text.runs)
    return None if new is None else Repair(text.value, new, places, isinstance(formula, Chain))


def _in_steps(facts: Sequence[Fact]) -> str | None:
    """A chain as the lines of `steps`."""
    lines: list[str] = []
    for fact in facts:
        if not isinstance(fact, Relation):
            return None
        lines += [] if lines else [to_text(fact.left)]
        lines.append(f"{fact.op} {to_text(fact.right)}")
    return "\n".join(lines)


def _placed(error: SpecError, writeup: WriteUp) -> SpecError:
    """The problem with the line of the file it stands in, which may not be the claim's."""
    problem = error.problem
    at = problem.position.line - 1
    if problem.position.file != writeup.file or not 0 <= at < len(writeup.lines):
        return error
    width = min(problem.width, max(len(writeup.lines[at]) - problem.position.column + 1, 1))
    return SpecError(replace(problem, line_text=writeup.lines[at], width=width))


# --- the same statement? --------------------------------------------------------------------------------


def _compared(formula: Formula, claim: Claim) -> bool | None:
    """Whether the formula says what the claim says; None where that cannot be told."""
    formula, facts = _averaged(formula, claim), [_averaged(step.fact, claim) for step in claim.steps]
    if isinstance(formula, Chain) and len(facts) == 1:
        return _fact(_overall(formula.facts), facts[0], claim)
    if isinstance(formula, Chain):
        return _chain(formula.facts, facts, claim)
    if isinstance(formula, Fact):
        return _fact(formula, _overall(facts), claim)
    fact = facts[-1]
    if isinstance(formula, tuple):
        if not isinstance(fact, Within):
            return False
        return _all(_node(*pair, claim) for pair in zip(formula, (fact.low, fact.high), strict=True))
    if not isinstance(fact, Relation):
        return False
    if isinstance(formula, Continued):
        return _node(formula.right, fact.right, claim) if formula.op == fact.op else False
    return _node(formula, fact.right, claim)


def _chain(printed: Sequence[Fact], facts: Sequence[Fact], claim: Claim) -> bool | None:
    """Whether the steps are the printed ones, where a printed one may be taken in several."""
    at, unsure = 0, False
    for count, fact in enumerate(printed, start=1):
        last = len(facts) - (len(printed) - count)
        answers = [(end, _fact(fact, _overall(facts[at:end]), claim)) for end in range(at + 1, last + 1)]
        if count == len(printed):
            answers = answers[-1:]
        found = [end for end, answer in answers if answer is True] or [
            end for end, answer in answers if answer is None
        ]
        if not found:
            return False
        unsure = unsure or not any(answer is True for _, answer in answers)
        at = found[0]
    return None if unsure else True


def _overall(facts: Sequence[Fact]) -> Fact:
    """The first expression of a chain against its last: an equation that a proof ends with."""
    first, last = facts[0], facts[-1]
    if len(facts) == 1 or not isinstance(first, Relation) or not isinstance(last, Relation):
        return last
    ops = {fact.op for fact in facts if isinstance(fact, Relation)} - {"=="}
    strict = {"<=": "<", ">=": ">"}
    op = next((op for op in ops if {op} == ops or {strict.get(other, other) for other in ops} == {op}), "==")
    return Relation(op, first.left, last.right)  # type: ignore[arg-type]


def _all(answers: Iterable[bool | None]) -> bool | None:
    found = list(answers)
    return False if False in found else None if None in found else True


def _fact(one: Fact, other: Fact, claim: Claim) -> bool | None:
    if same(one, other):
        return True
    return _allowed(equivalent(one, other, claim.scope, _bound(claim)), (one, other), claim)


def _node(one: Node, other: Node, claim: Claim) -> bool | None:
    if same(one, other):
        return True
    if one.shape != other.shape:
        return None
    return _allowed(equal(one, other, claim.scope, _bound(claim)), (one, other), claim)


def _allowed(answer: bool | None, parts: Sequence[Part], claim: Claim) -> bool | None:
    """What the assumptions equate may be printed in either form, so of such names nothing is said."""
    equated = {name for fact in _assumed(claim) if fact.op == "==" for name in _names_of(fact)}
    used = {name for part in parts for name in _names_of(part)}
    return None if answer is False and equated & used else answer


def _bound(claim: Claim) -> frozenset[str]:
    """The names of which the claim assumes a bound: they are looked at where they are positive."""
    return frozenset(name for fact in _assumed(claim) for name in _names_of(fact))


def _assumed(claim: Claim) -> Iterator[Relation]:
    return (item.fact for item in claim.assumptions if isinstance(item.fact, Relation))


def _names_of(part: Part) -> set[str]:
    return {node.name for node in walk(part) if isinstance(node, Symbol | Let)}


def _averaged(part: Any, claim: Claim) -> Any:
    """Without averages over nothing: E f is f where nothing in f is random."""
    if isinstance(part, tuple):
        return tuple(_averaged(item, claim) for item in part)
    if isinstance(part, Continued):
        return replace(part, right=_averaged(part.right, claim))
    if isinstance(part, Chain):
        return Chain(_averaged(part.facts, claim))
    if isinstance(part, Expectation) and not any(_is_random(node, claim) for node in walk(part)):
        return _averaged(part.body, claim)
    return rebuild(part, lambda node: _averaged(node, claim))


def _is_random(node: Node, claim: Claim) -> bool:
    known = {**claim.scope.layered, **claim.scope.symbols}
    return isinstance(node, After) or (isinstance(node, Symbol | Member) and known[node.name].is_random)


def _said(formula: Formula, claim: Claim) -> str:
    """What the claim says of it: the relation, or its right side."""
    fact = claim.steps[-1].fact
    if isinstance(formula, Fact):
        return to_text(fact)
    if isinstance(formula, Chain):
        return shortened("; ".join(to_text(step.fact) for step in claim.steps))
    if isinstance(fact, Within):
        return f"[{to_text(fact.low)}, {to_text(fact.high)}]"
    op = f"{fact.op} " if isinstance(formula, Continued) else ""
    return f"{op}{to_text(fact.right)}"


def shown(formula: Formula) -> str:
    """A formula that was read, in the claim language."""
    if isinstance(formula, tuple):
        return f"[{to_text(formula[0])}, {to_text(formula[1])}]"
    if isinstance(formula, Continued):
        return shortened(f"{formula.op} {to_text(formula.right)}")
    if isinstance(formula, Chain):
        return shortened("; ".join(to_text(fact) for fact in formula.facts))
    return shortened(to_text(formula))


def read_writeup(file: str) -> WriteUp | None:
    """A write-up from disk; None where it is none, or cannot be read."""
    suffix = Path(file).suffix
    if suffix not in WRITEUPS:
        return None
    try:
        return WriteUp(file, content_of(file).decode("utf-8").removeprefix("\ufeff"), suffix)
    except (OSError, UnicodeDecodeError):
        return None
