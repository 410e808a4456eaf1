"""Raw theorems to claims: each claim is elaborated on its own, under its own assumptions.

Building is a function of (theorem, claim, values, assumptions in force), so that a claim can be
judged again without one of its assumptions: shapes may depend on them too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from verifier.claim.chain import Link, links
from verifier.claim.declarations import Given, check_value, declare, equal_dimensions, located
from verifier.claim.document import Text
from verifier.claim.model import Assumption, Claim, Layers, Step
from verifier.claim.problems import Gathered
from verifier.claim.raw import RawClaim, RawLayers, RawTheorem
from verifier.claim.read import check_name
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ShapeError
from verifier.expr.nodes import Growth, Let, Node, Relation, Symbol, Within
from verifier.expr.scope import Scope, suggestion
from verifier.expr.sizes import MAX_TREE_DEPTH
from verifier.expr.symbols import Declared, Dimension, FixedKind
from verifier.expr.walk import Part, children, walk

T = TypeVar("T", bound=Part)
F = TypeVar("F", bound=Relation | Within)
MAX_EXPANDED = 50_000
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


def draft(theorem: RawTheorem, claim: RawClaim, binding: Mapping[str, Fraction]) -> Draft:
    """The claim with the assumptions that it names, or all of them."""
    # Drafts travel to worker processes: each takes its own claim along, not its siblings.
    theorem = replace(theorem, claims=())
    if claim.under is None:
        return Draft(theorem, claim, binding, tuple(theorem.assumptions))
    for name in claim.under:
        if name.value not in theorem.assumptions:
            hint = suggestion(name.value, theorem.assumptions)
            raise name.problem("unknown-assumption", f"no assumption is named {name.value!r}", hint)
    return Draft(theorem, claim, binding, tuple(name.value for name in claim.under))


def build(plan: Draft) -> Claim:
    """The claim, complete in itself; raises SpecError with all that is wrong."""
    raw, theorem = plan.claim, plan.theorem
    given = _given(plan)
    scope = declare(theorem.symbols, given, Scope())
    scope = equal_dimensions((theorem.assumptions[name] for name in plan.under), scope)
    if scope.dims:
        # Shapes are laid out again, now modulo the equalities of dimensions.
        scope = declare(theorem.symbols, given, Scope(dims=scope.dims))
    scope = _state(theorem.layers, given, scope)
    found = Gathered()
    scope = _lets(theorem.lets, scope, found)
    lets = tuple(scope.lets.values())
    layers, inner = found.attempt(_layers, theorem.layers, scope, found) or (None, scope)
    assumptions = [found.attempt(_assumption, theorem, name, inner) for name in plan.under]
    steps = found.attempt(_statement, raw, scope) or ()
    growing = [found.attempt(_growing, text, scope) for text in raw.growing]
    found.attempt(_check_sweep, raw, scope)
    found.check()
    return Claim(
        id=plan.id,
        title=raw.title or theorem.title,
        source=theorem.source,
        position=raw.key.position(),
        text=(raw.says or raw.steps or raw.key).value.strip(),
        steps=steps,
        is_chain=raw.steps is not None,
        symbols=scope.symbols,
        lets=lets,
        assumptions=tuple(assumption for assumption in assumptions if assumption is not None),
        layers=layers,
        dims=scope.dims,
        where={name: value for name, (_, value) in raw.where.items()} | dict(plan.binding),
        sweep={name: values for name, (_, values) in raw.sweep.items()},
        growing=tuple(symbol for symbol in growing if symbol is not None),
        expect=raw.expect,
        severity=raw.severity,
        note=raw.note or theorem.note,
        latex=raw.latex,
    )


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
    fixed = {name: Given(key, value) for name, (key, value) in raw.where.items()}
    return fixed | {name: Given(raw.each[name][0], value) for name, value in plan.binding.items()}


def _is_depth(theorem: RawTheorem, name: str) -> bool:
    return (
        theorem.layers is not None
        and theorem.layers.depth is not None
        and (theorem.layers.depth.value == name)
    )


# --- lets, layers, assumptions, statements ---------------------------------------------------------


def _lets(texts: Mapping[str, Text], scope: Scope, found: Gathered) -> Scope:
    for name, text in texts.items():
        let = found.attempt(_let, name, text, scope)
        if let is None:
            found.unread.add(name)
        else:
            scope = scope.with_let(let)
    return scope


def _let(name: str, text: Text, scope: Scope) -> Let:
    if name in scope.symbols or name in scope.lets:
        raise text.problem("name-taken", f"{name!r} is already declared", "choose another name")
    node = located(text, partial(elaborate, scope=scope))
    return Let(name, _bounded(node, text))


def _bounded(part: T, text: Text) -> T:
    """Lets that double each other expand exponentially; refuse before anybody walks them."""
    size, depth = extent(part, {})
    if size > MAX_EXPANDED:
        raise text.problem("too-large", f"this expands to more than {MAX_EXPANDED:,} operations")
    if depth > MAX_TREE_DEPTH:
        message = f"this is nested more than {MAX_TREE_DEPTH} deep, `let` names expanded"
        raise text.problem("too-deep", message)
    return part


def extent(part: Part, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """How many nodes a walk would meet and how deep it would go, `let` bodies counted each time
    they are named but visited once."""
    if id(part) not in known:
        below = [extent(child, known) for child in children(part)]
        size = 1 + sum(size for size, _ in below)
        known[id(part)] = size, 1 + max((depth for _, depth in below), default=0)
    return known[id(part)]


def _state(layers: RawLayers | None, given: Mapping[str, Given], scope: Scope) -> Scope:
    if layers is None:
        return scope
    state = layers.state
    if state.value not in scope.symbols:
        hint = suggestion(state.value, scope.symbols)
        raise state.problem("unknown-name", f"the state {state.value!r} is not declared", hint)
    declared = scope.symbols[state.value]
    scope = replace(scope, state=Symbol(declared.name, declared.shape))
    depth = layers.depth
    if depth is not None and depth.value not in scope.symbols:
        check_name(depth)
        declared = Declared(depth.value, Dimension(), Symbol(depth.value).shape)
        check_value(declared, given.get(depth.value))
        scope = replace(scope, symbols={**scope.symbols, depth.value: declared})
    return scope


def _layers(raw: RawLayers | None, scope: Scope, found: Gathered) -> tuple[Layers | None, Scope]:
    """One layer, and the scope in which assumptions may name its parts."""
    if raw is None:
        return None, scope
    for name, text in raw.symbols.items():
        if name in scope.symbols or name in scope.lets:
            raise text.problem("name-taken", f"{name!r} is already declared outside the layers")
    inner = declare(raw.symbols, {}, scope)
    inner = _lets(raw.lets, inner, found)
    after = located(raw.next, lambda tree: elaborate(tree, inner))
    assert scope.state is not None
    if after.shape != scope.state.shape:
        message = f"the next state is {after.shape}, the state {scope.state.shape}"
        raise raw.next.problem("shape", message)
    depth = Symbol(raw.depth.value) if raw.depth is not None else Symbol("L")
    symbols = tuple(inner.symbols[name] for name in raw.symbols)
    lets = tuple(inner.lets[name] for name in raw.lets if name in inner.lets)
    return Layers(scope.state, depth, symbols, lets, _bounded(after, raw.next)), inner


def _assumption(theorem: RawTheorem, name: str, scope: Scope) -> Assumption:
    text = theorem.assumptions[name]
    fact = _bounded(located(text, lambda tree: elaborate_fact(tree, scope)), text)
    if any(isinstance(node, Growth) for node in walk(fact)):
        raise text.problem("growth", "an assumption does not speak of growth", "claims do: lhs <= O(f)")
    return Assumption(name, fact, text.value.strip(), text.position())


def _statement(raw: RawClaim, scope: Scope) -> tuple[Step, ...]:
    if raw.says is not None:
        return (_single(raw.says, scope),)
    assert raw.steps is not None
    chain = links(raw.steps)
    if len(chain) < 2 or chain[0].op is not None:
        hint = "start with an expression, then lines that begin with ==, <=, >=, < or >"
        raise raw.steps.problem("steps", "a chain needs a first expression and at least one step", hint)
    found = Gathered()
    attempts = [found.attempt(located, link.expression, partial(elaborate, scope=scope)) for link in chain]
    found.check()
    sides = [side for side in attempts if side is not None]
    steps = []
    for link, left, right in zip(chain[1:], sides, sides[1:], strict=False):
        fact = _checked(_relation(link, left, right), link.line)
        steps.append(Step(fact, link.line.value, link.line.position()))
    return tuple(steps)


def _relation(link: Link, left: Node, right: Node) -> Relation:
    try:
        return Relation(link.op, left, right)  # type: ignore[arg-type]
    except ShapeError as error:
        raise link.line.problem("shape", str(error)) from None


def _single(text: Text, scope: Scope) -> Step:
    fact = located(text, lambda tree: elaborate_fact(tree, scope))
    if not isinstance(fact, Relation | Within):
        raise text.problem("not-a-relation", "a claim is one relation", "all(...) belongs to assumptions")
    if isinstance(fact, Relation) and fact.op == "!=":
        raise text.problem("relation", "!= stands only in assumptions and conditions")
    return Step(_checked(fact, text), text.value.strip(), text.position())


def _checked(fact: F, text: Text) -> F:
    """lhs <= O(f), lhs >= Omega(f), lhs == Theta(f); `== O(f)` is read as papers mean it."""
    _bounded(fact, text)
    right = fact.right if isinstance(fact, Relation) else None
    if any(isinstance(node, Growth) and node is not right for node in walk(fact)):
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
    if name in scope.values or not isinstance(declared.kind, FixedKind) or not declared.shape.is_scalar:
        raise text.problem("as", f"{name} cannot grow: it is not a free scalar symbol")
    return Symbol(name)


def _check_sweep(raw: RawClaim, scope: Scope) -> None:
    for name, (text, values) in raw.sweep.items():
        if name not in scope.symbols:
            hint = suggestion(name, scope.symbols)
            raise text.problem("unknown-name", f"`sweep` names {name!r}, which is not declared", hint)
        for value in values:
            check_value(scope.symbols[name], Given(text, value))
