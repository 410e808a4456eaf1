"""Raw theorems to claims: each claim is elaborated on its own, under its own assumptions.

Building is a function of (theorem, claim, values, assumptions in force), so that a claim can be
judged again without one of its assumptions: shapes may depend on them too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from verifier.claim.defining_equations import with_symmetric, without_circles
from verifier.claim.model import Claim, Origin, Printed, Step
from verifier.claim.normal_form import normal
from verifier.claim.problems import Gathered
from verifier.claim.solved_equations import solved
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ShapeError
from verifier.expr.nodes import Growth, Node, Relation, Symbol, Within
from verifier.expr.scope import Scope, suggestion
from verifier.expr.symbols import FixedKind, Function
from verifier.expr.walk import distinct
from verifier.read.specs.chain import Link, links
from verifier.read.specs.declarations import Given, check_value, located
from verifier.read.specs.raw import RawClaim, RawTheorem
from verifier.read.specs.theorem_scope import Common, Ground
from verifier.read.specs.theorems import check_name
from verifier.read.specs.yaml_document import Text

F = TypeVar("F", bound=Relation | Within)
_GROWTH = "write lhs <= O(f), lhs >= Omega(f) or lhs == Theta(f)"
_GROWS = {"O": ("<=", "=="), "Omega": (">=", "=="), "Theta": ("==",)}


@dataclass(frozen=True)
class Draft:
    """All that a claim is built from; `under` names the assumptions in force."""

    theorem: RawTheorem
    claim: RawClaim
    binding: Mapping[str, Fraction]
    under: tuple[str, ...]

    @property
    def id(self) -> str:
        values = ",".join(f"{name}={value}" for name, value in self.binding.items())
        suffix = f"[{values}]" if values else ""
        return f"{self.theorem.id}#{self.claim.slug}{suffix}"

    def without(self, assumption: str) -> "Draft":
        return replace(self, under=tuple(name for name in self.under if name != assumption))

    def assuming(self, condition: str) -> "Draft":
        """The same under one more assumption, which nobody wrote."""
        text = replace(self.claim.key, value=condition)
        assumptions = {**self.theorem.assumptions, condition: text}
        return replace(
            self, theorem=replace(self.theorem, assumptions=assumptions), under=(*self.under, condition)
        )

    def at(self, values: Mapping[str, int]) -> "Draft":
        """The same where these sizes are given, which nobody wrote."""
        where = {name: (self.claim.key, Fraction(value)) for name, value in values.items()}
        return replace(self, claim=replace(self.claim, where={**self.claim.where, **where}))


def draft(theorem: RawTheorem, claim: RawClaim, binding: Mapping[str, Fraction]) -> Draft:
    """The claim with the assumptions that it names, or all of them."""
    # Drafts travel to worker processes: each takes its own claim along, not its siblings.
    own, offered = tuple(theorem.assumptions), theorem.offered
    named = {name.value for name in claim.under or ()}
    taken = {name: text for name, text in offered.items() if name in named}
    theorem = replace(theorem, claims=(), offered={}, assumptions={**taken, **theorem.assumptions})
    if claim.under is None:
        return Draft(theorem, claim, binding, own)
    for name in claim.under:
        if name.value not in theorem.assumptions:
            hint = suggestion(name.value, theorem.assumptions)
            raise name.problem("unknown-assumption", f"no assumption is named {name.value!r}", hint)
    return Draft(theorem, claim, binding, tuple(name.value for name in claim.under))


def build(plan: Draft, ground: Ground | None = None, printed: Printed | None = None) -> Claim:
    """The claim, complete in itself; raises SpecError with all that is wrong.

    Claims of one theorem that are built with one `ground` share what they have in common. How the write-up
    prints the claim is not part of the draft."""
    raw, theorem = plan.claim, plan.theorem
    found = Gathered()
    common = (ground or Ground()).of(theorem, _given(plan), plan.under, found)
    scope = common.scope
    assumptions = [found.attempt(common.assumption, theorem, name) for name in plan.under]
    steps = found.attempt(_statement, raw, common) or ()
    growing = [found.attempt(_growing, text, scope) for text in raw.growing]
    found.attempt(_check_sweep, raw, scope)
    found.check()
    where = {name: value for name, (_, value) in raw.where.items()} | dict(plan.binding)
    kept = (*where, *raw.sweep, *(symbol.name for symbol in growing if symbol is not None))
    known = (assumption for assumption in assumptions if assumption is not None)
    given = without_circles(known, scope.symbols)
    return Claim(
        id=plan.id,
        title=raw.title or theorem.title,
        source=theorem.source,
        position=raw.key.position(),
        text=(raw.says or raw.steps or raw.key).value.strip(),
        steps=steps,
        is_chain=raw.steps is not None,
        symbols=with_symmetric(given, scope.symbols),
        lets=tuple(scope.lets.values()),
        assumptions=normal(solved(given, steps, scope.symbols, kept), scope.symbols),
        layers=common.layers,
        dims=scope.dims,
        where=where,
        sweep={name: values for name, (_, values) in raw.sweep.items()},
        growing=tuple(symbol for symbol in growing if symbol is not None),
        expect=raw.expect,
        severity=raw.severity,
        theorem_title=theorem.title,
        note=raw.note or theorem.note,
        latex=raw.latex.value.strip() if raw.latex is not None else None,
        label=raw.label.value.strip() if raw.label is not None else None,
        printed=printed,
        origins={
            name: Origin(text.value.strip(), text.position(), theorem.inferred.get(name))
            for name, text in theorem.symbols.items()
        },
        uses=tuple(_full_id(theorem.id, name) for name in raw.uses),
    )


def _full_id(theorem: str, name: str) -> str:
    """`#eq-6` is a claim of the same theorem, `lemma-3.1#eq-6` one of the same document."""
    if name.startswith("#"):
        return f"{theorem}{name}"
    return name if "/" in name.partition("#")[0] else f"{theorem.rpartition('/')[0]}/{name}"


def _given(plan: Draft) -> dict[str, Given]:
    """What `where` and `each` give to symbols; `each` may bring names of its own."""
    theorem, raw = plan.theorem, plan.claim
    for name, (key, _) in raw.each.items():
        if name not in theorem.symbols:
            check_name(key)
        if name in theorem.names - set(theorem.symbols):
            raise key.problem("name-taken", f"{name!r} already has a meaning", "choose another name")
    for name, (key, _) in raw.where.items():
        if name not in theorem.symbols and not _is_depth(theorem, name):
            hint = suggestion(name, theorem.symbols)
            raise key.problem("unknown-name", f"`where` fixes {name!r}, which is not declared", hint)
        if name in raw.each:
            raise key.problem("where", f"{name!r} is also given by `each`")
    for name, (key, _) in (*raw.where.items(), *raw.each.items()):
        _refuse_state(theorem, name, key)
    fixed = {name: Given(key, value) for name, (key, value) in raw.where.items()}
    return fixed | {name: Given(raw.each[name][0], value) for name, value in plan.binding.items()}


def _refuse_state(theorem: RawTheorem, name: str, key: Text) -> None:
    """A number in the place of the state would leave `after` without a name to stand for."""
    if theorem.layers is not None and theorem.layers.state.value == name:
        message = f"{name} is the state of the layers, which each layer changes, and not one fixed number"
        hint = f"to say where it starts, add an assumption, as `start: {name} == 0`"
        raise key.problem("where", message, hint)


def _is_depth(theorem: RawTheorem, name: str) -> bool:
    return (
        theorem.layers is not None
        and theorem.layers.depth is not None
        and (theorem.layers.depth.value == name)
    )


# --- statements ---------------------------------------------------------------------------------------


def _statement(raw: RawClaim, common: Common) -> tuple[Step, ...]:
    if raw.says is not None:
        return (_single(raw.says, common),)
    assert raw.steps is not None
    chain = links(raw.steps)
    if len(chain) < 2 or chain[0].op is not None:
        hint = "start with an expression, then lines that begin with ==, <=, >=, < or >"
        raise raw.steps.problem("steps", "a chain needs a first expression and at least one step", hint)
    found = Gathered()
    attempts = [
        found.attempt(located, link.expression, partial(elaborate, scope=common.scope)) for link in chain
    ]
    found.check()
    sides = [side for side in attempts if side is not None]
    steps = []
    for link, left, right in zip(chain[1:], sides, sides[1:], strict=False):
        fact = _checked(_relation(link, left, right), link.line, common)
        steps.append(Step(fact, link.line.value, link.line.position()))
    return tuple(steps)


def _relation(link: Link, left: Node, right: Node) -> Relation:
    try:
        return Relation(link.op, left, right)  # type: ignore[arg-type]
    except ShapeError as error:
        raise link.line.problem("shape", str(error), error.hint) from None


def _single(text: Text, common: Common) -> Step:
    fact = located(text, lambda tree: elaborate_fact(tree, common.scope))
    if not isinstance(fact, Relation | Within):
        raise text.problem("not-a-relation", "a claim is one relation", "all(...) belongs to assumptions")
    if isinstance(fact, Relation) and fact.op == "!=":
        raise text.problem("relation", "!= stands only in assumptions and conditions")
    return Step(_checked(fact, text, common), text.value.strip(), text.position())


def _checked(fact: F, text: Text, common: Common) -> F:
    """lhs <= O(f), lhs >= Omega(f), lhs == Theta(f); `== O(f)` is read as papers mean it."""
    common.bounded(fact, text)
    right = fact.right if isinstance(fact, Relation) else None
    if any(isinstance(node, Growth) and node is not right for node in distinct(fact)):
        raise text.problem("growth", "O, Omega and Theta stand alone on the right side", _GROWTH)
    if isinstance(fact, Relation) and isinstance(right, Growth) and fact.op not in _GROWS[right.kind]:
        raise text.problem("growth", f"{fact.op} does not go with {right.kind}(...)", _GROWTH)
    return fact


def _growing(text: Text, scope: Scope) -> Symbol:
    name, arrow, target = (part.strip() for part in text.value.partition("->"))
    if not arrow or target != "oo":
        raise text.problem("as", "a growing symbol is written n -> oo")
    declared = scope.symbols.get(name)
    if declared is None:
        raise text.problem("unknown-name", f"unknown name {name!r}", suggestion(name, scope.symbols))
    free = isinstance(declared.kind, FixedKind) and not isinstance(declared.kind, Function)
    if name in scope.values or not free or not declared.shape.is_scalar:
        raise text.problem("as", f"{name} cannot grow: it is not a free scalar symbol")
    return Symbol(name)


def _check_sweep(raw: RawClaim, scope: Scope) -> None:
    for name, (text, values) in raw.sweep.items():
        if name not in scope.symbols:
            hint = suggestion(name, scope.symbols)
            raise text.problem("unknown-name", f"`sweep` names {name!r}, which is not declared", hint)
        for value in values:
            check_value(scope.symbols[name], Given(text, value))
