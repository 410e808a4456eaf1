r"""No drift: the formula that a write-up prints is the statement of the claim.

A claim shows its formula under `latex:`, or points at it with `label:`. The formula is read and compared.
Where the author asks for it, by `label:` or by declaring a map of names under `names:`, a formula that
differs, or that cannot be read, is an error. A bare `latex:` may be there for the reader's eye, in a
notation of its own: it is an error where its value is another one, and else a note.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.claim.build import Draft
from verifier.claim.document import Text, lines_of
from verifier.claim.files import WRITEUPS, content_of
from verifier.claim.model import Claim, Printed
from verifier.claim.problems import SpecError, shortened
from verifier.claim.statements import Statement, statements_of
from verifier.expr.errors import ExprError
from verifier.expr.functions import USAGE
from verifier.expr.nodes import After, Expectation, Fact, Let, Member, Node, Relation, Symbol, Within
from verifier.expr.scope import suggestion
from verifier.expr.tex.read import Chain, Continued, Formula, read_formula
from verifier.expr.tex.same import same
from verifier.expr.tex.value import differ
from verifier.expr.text import to_text
from verifier.expr.walk import rebuild, walk

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
    if _states(formula, claim):
        return Printed(latex.value.strip(), "same", shown(formula))
    if not strict and not _contradicts(formula, claim):
        return Printed(latex.value.strip(), "different", shown(formula))
    message = f"the write-up prints {shown(formula)}, and the claim says {_said(formula, claim)}"
    hint = f"change the formula, or the claim at {claim.steps[-1].position}"
    raise _placed(latex.problem("drift", message, hint), writeup)


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


def _placed(error: SpecError, writeup: WriteUp) -> SpecError:
    """The problem with the line of the file it stands in, which may not be the claim's."""
    problem = error.problem
    at = problem.position.line - 1
    if problem.position.file != writeup.file or not 0 <= at < len(writeup.lines):
        return error
    width = min(problem.width, max(len(writeup.lines[at]) - problem.position.column + 1, 1))
    return SpecError(replace(problem, line_text=writeup.lines[at], width=width))


# --- the same statement? --------------------------------------------------------------------------------


def _states(formula: Formula, claim: Claim) -> bool:
    fact = _averaged(claim.steps[-1].fact, claim)
    formula = _averaged(formula, claim)
    if isinstance(formula, Fact):
        return len(claim.steps) == 1 and same(formula, fact)
    if isinstance(formula, Chain):
        facts = tuple(_averaged(step.fact, claim) for step in claim.steps)
        return same(formula.facts, facts)
    if isinstance(formula, tuple):
        return isinstance(fact, Within) and same(formula, (fact.low, fact.high))
    if isinstance(formula, Continued):
        return isinstance(fact, Relation) and fact.op == formula.op and same(formula.right, fact.right)
    return isinstance(fact, Relation) and same(formula, fact.right)


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


def _contradicts(formula: Formula, claim: Claim) -> bool:
    """Whether a right side, as printed, has another value than that of the claim. What the assumptions
    equate may be printed in either form, so formulas with such names are let pass."""
    fact = claim.steps[-1].fact
    last = formula.facts[-1] if isinstance(formula, Chain) else formula
    right = last.right if isinstance(last, Continued | Relation) else last
    if not isinstance(fact, Relation) or not isinstance(right, Node) or right.shape != fact.right.shape:
        return False
    equated = {
        node.name
        for assumption in claim.assumptions
        if isinstance(assumption.fact, Relation) and assumption.fact.op == "=="
        for node in walk(assumption.fact)
        if isinstance(node, Symbol | Let)
    }
    used = {
        node.name for side in (right, fact.right) for node in walk(side) if isinstance(node, Symbol | Let)
    }
    return not equated & used and differ(right, fact.right, claim.scope)


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
