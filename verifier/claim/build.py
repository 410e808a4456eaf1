"""Raw theorems to claims: each claim is elaborated on its own, under its own assumptions.

Building is a function of (theorem, claim, values, assumptions in force), so that a claim can be
judged again without one of its assumptions: shapes may depend on them too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from verifier.claim.chain import Link, links
from verifier.claim.declarations import declare, equal_dimensions, located
from verifier.claim.document import Text
from verifier.claim.model import Assumption, Claim, Layers, Step
from verifier.claim.read import RawClaim, RawLayers, RawTheorem
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ShapeError
from verifier.expr.nodes import Growth, Let, Node, Relation, Symbol, Within
from verifier.expr.scope import Scope, suggestion
from verifier.expr.symbols import Declared, Dimension, FixedKind
from verifier.expr.walk import children

MAX_EXPANDED = 50_000


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
    """The claim, complete in itself; raises SpecError at the first thing wrong."""
    raw, theorem = plan.claim, plan.theorem
    scope = declare(theorem.symbols, _values(plan), Scope())
    scope = equal_dimensions((theorem.assumptions[name] for name in plan.under), scope)
    if scope.dims:
        # Shapes are laid out again, now modulo the equalities of dimensions.
        scope = declare(theorem.symbols, scope.values, Scope(dims=scope.dims))
    scope = _state(theorem.layers, scope)
    scope = _lets(theorem.lets, scope)
    lets = tuple(scope.lets.values())
    layers, inner = _layers(theorem.layers, scope)
    assumptions = tuple(_assumption(theorem, name, inner) for name in plan.under)
    steps = _statement(raw, scope)
    growing = tuple(_growing(text, scope) for text in raw.growing)
    _check_sweep(raw, scope)
    _check_growth(raw.says or raw.steps or raw.key, steps)
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
        assumptions=assumptions,
        layers=layers,
        dims=scope.dims,
        where={name: value for name, (_, value) in raw.where.items()} | dict(plan.binding),
        sweep={name: values for name, (_, values) in raw.sweep.items()},
        growing=growing,
        expect=raw.expect,
        severity=raw.severity,
        note=raw.note or theorem.note,
        latex=raw.latex,
    )


def _values(plan: Draft) -> dict[str, Fraction]:
    theorem, raw = plan.theorem, plan.claim
    for name, (key, _) in raw.where.items():
        if name not in theorem.symbols and not _is_depth(theorem, name):
            hint = suggestion(name, theorem.symbols)
            raise key.problem("unknown-name", f"`where` fixes {name!r}, which is not declared", hint)
        if name in raw.each:
            raise key.problem("where", f"{name!r} is also given by `each`")
    return {name: value for name, (_, value) in raw.where.items()} | dict(plan.binding)


def _is_depth(theorem: RawTheorem, name: str) -> bool:
    return (
        theorem.layers is not None
        and theorem.layers.depth is not None
        and (theorem.layers.depth.value == name)
    )


# --- lets, layers, assumptions, statements ---------------------------------------------------------


def _lets(texts: Mapping[str, Text], scope: Scope) -> Scope:
    for name, text in texts.items():
        if name in scope.symbols or name in scope.lets:
            raise text.problem("name-taken", f"{name!r} is already declared", "choose another name")
        node = located(text, partial(elaborate, scope=scope))
        scope = scope.with_let(Let(name, _bounded(node, text)))
    return scope


def _bounded(node: Node, text: Text) -> Node:
    """Lets that double each other expand exponentially; refuse before anybody walks them."""
    if expanded_size(node, {}) > MAX_EXPANDED:
        raise text.problem("too-large", f"this expands to more than {MAX_EXPANDED:,} operations")
    return node


def expanded_size(node: Node, known: dict[int, int]) -> int:
    """How many nodes a walk would meet, shared `let` bodies counted each time but visited once."""
    if id(node) not in known:
        known[id(node)] = 1 + sum(expanded_size(child, known) for child in children(node))
    return known[id(node)]


def _state(layers: RawLayers | None, scope: Scope) -> Scope:
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
        if not depth.value.isidentifier():
            raise depth.problem("layers", "the depth is a symbol", "for example depth: L")
        declared = Declared(depth.value, Dimension(), Symbol(depth.value).shape)
        scope = replace(scope, symbols={**scope.symbols, depth.value: declared})
    return scope


def _layers(raw: RawLayers | None, scope: Scope) -> tuple[Layers | None, Scope]:
    """One layer, and the scope in which assumptions may name its parts."""
    if raw is None:
        return None, scope
    for name, text in raw.symbols.items():
        if name in scope.symbols or name in scope.lets:
            raise text.problem("name-taken", f"{name!r} is already declared outside the layers")
    inner = declare(raw.symbols, {}, scope)
    inner = _lets(raw.lets, inner)
    after = located(raw.next, lambda tree: elaborate(tree, inner))
    assert scope.state is not None
    if after.shape != scope.state.shape:
        message = f"the next state is {after.shape}, the state {scope.state.shape}"
        raise raw.next.problem("shape", message)
    depth = Symbol(raw.depth.value) if raw.depth is not None else Symbol("L")
    symbols = tuple(inner.symbols[name] for name in raw.symbols)
    lets = tuple(inner.lets[name] for name in raw.lets)
    return Layers(scope.state, depth, symbols, lets, _bounded(after, raw.next)), inner


def _assumption(theorem: RawTheorem, name: str, scope: Scope) -> Assumption:
    text = theorem.assumptions[name]
    fact = located(text, lambda tree: elaborate_fact(tree, scope))
    return Assumption(name, fact, text.value.strip(), text.position())


def _statement(raw: RawClaim, scope: Scope) -> tuple[Step, ...]:
    if raw.says is not None:
        return (_single(raw.says, scope),)
    assert raw.steps is not None
    chain = links(raw.steps)
    if len(chain) < 2 or chain[0].op is not None:
        hint = "start with an expression, then lines that begin with ==, <=, >=, < or >"
        raise raw.steps.problem("steps", "a chain needs a first expression and at least one step", hint)
    sides = [located(link.expression, lambda tree: elaborate(tree, scope)) for link in chain]
    steps = []
    for link, left, right in zip(chain[1:], sides, sides[1:], strict=False):
        fact = _relation(link, left, right)
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
    return Step(fact, text.value.strip(), text.position())


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
    for name, (text, _) in raw.sweep.items():
        if name not in scope.symbols:
            hint = suggestion(name, scope.symbols)
            raise text.problem("unknown-name", f"`sweep` names {name!r}, which is not declared", hint)


def _check_growth(text: Text, steps: Iterable[Step]) -> None:
    """lhs <= O(f), lhs >= Omega(f), lhs == Theta(f); `== O(f)` is read as papers mean it."""
    allowed = {"O": ("<=", "=="), "Omega": (">=", "=="), "Theta": ("==",)}
    for step in steps:
        fact = step.fact
        if not isinstance(fact, Relation) or not isinstance(fact.right, Growth):
            continue
        if fact.op not in allowed[fact.right.kind]:
            hint = "write lhs <= O(f), lhs >= Omega(f) or lhs == Theta(f)"
            raise text.problem("growth", f"{fact.op} does not go with {fact.right.kind}(...)", hint)
