"""How a claim was read, in plain words: the author compares this with what was meant."""

from collections.abc import Iterable
from dataclasses import dataclass

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Assumption, Claim, Layers, Origin
from verifier.expr.nodes import (
    Covariance,
    Every,
    Expectation,
    Extreme,
    Fact,
    Limit,
    Member,
    Node,
    Number,
    Symbol,
    Variance,
)
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, Positive
from verifier.expr.unicode import to_unicode
from verifier.expr.walk import children, distinct
from verifier.expr.words import describe, say_fact


@dataclass(frozen=True)
class Use:
    """A name, its formula, and what is said of it."""

    name: str
    formula: str
    words: str


@dataclass(frozen=True)
class Reading:
    """A claim in words, part by part."""

    symbols: tuple[Use, ...]
    lets: tuple[Use, ...]
    layers: tuple[str, ...]
    assumptions: tuple[Use, ...]
    opening: str
    sentences: tuple[str, ...]
    closing: tuple[str, ...]

    @property
    def statement(self) -> tuple[str, ...]:
        """The statement line by line; a chain has one line per step."""
        if len(self.sentences) == 1:
            return f"{self.opening}: {self.sentences[0]}", *self.closing
        steps = (f"Step {place}: {words}" for place, words in enumerate(self.sentences, start=1))
        return f"{self.opening}, step by step:", *steps, *self.closing

    @property
    def words(self) -> tuple[str, ...]:
        """The whole, line by line."""
        lines = [f"{use.formula} is {use.words}." for use in self.symbols]
        lines += [f"{use.formula} stands for {use.words}." for use in self.lets]
        lines += self.layers
        lines += [f"Assumed ({use.name}): {use.formula}. {use.words}" for use in self.assumptions]
        return (*lines, *self.statement)


def read_claim(claim: Claim) -> Reading:
    """The claim in words."""
    used = names_in(claim)
    symbols = tuple(
        Use(name, _name(name), describe(item)) for name, item in claim.symbols.items() if name in used
    )
    lets = tuple(
        Use(let.name, _name(let.name), to_unicode(let.body)) for let in claim.lets if let.name in used
    )
    layers = _layers(claim.layers) if claim.layers is not None else ()
    assumptions = tuple(
        Use(item.name, to_unicode(item.written or item.fact), use_of(item)) for item in claim.assumptions
    )
    return Reading(
        symbols,
        lets,
        layers,
        assumptions,
        _opening(claim, used),
        tuple(f"{say_fact(step.fact)}." for step in claim.steps),
        tuple(_closing(claim, used)),
    )


def in_words(claim: Claim) -> list[str]:
    """The same, line by line."""
    return list(read_claim(claim).words)


def origins(claim: Claim) -> list[str]:
    """Each symbol as it was declared and where, or why it was taken for this."""
    used = names_in(claim)
    return [
        f"{name}: {item.says}   ({origin_words(item)})"
        for name, item in claim.origins.items()
        if name in used
    ]


def origin_words(item: Origin) -> str:
    """declared in paper.tex, line 12; or inferred, with the reason."""
    if item.inferred is not None:
        return f"inferred: {item.inferred}"
    words = f": {item.words}" if item.words else ""
    return f"declared in {item.position.file}, line {item.position.line}{words}"


def use_of(assumption: Assumption) -> str:
    """What an assumption does to the claim."""
    if assumption.assumed_value is not None:
        name, value = (to_unicode(part) for part in assumption.assumed_value)
        return (
            f"{name} takes the value {value} once derivatives are taken; "
            "the function that made it is differentiated at that value."
        )
    if assumption.substitution is not None:
        name, value = (to_unicode(part) for part in assumption.substitution)
        return f"{name} is replaced by {value} once derivatives are taken."
    if assumption.independence is not None:
        left, right = assumption.independence.left, assumption.independence.right
        return (
            f"The expectation of a product of powers of {to_unicode(left)} and {to_unicode(right)} "
            "is taken as the product of the expectations."
        )
    return "Only values that satisfy this are considered."


# --- the statement -------------------------------------------------------------------------------


def _opening(claim: Claim, used: frozenset[str]) -> str:
    """For every n ≥ 1, as d → ∞."""
    subject = _for_every(claim, used)
    growth = [f"{to_unicode(symbol)} → ∞" for symbol in claim.growing]
    parts = ([f"for {subject}"] if subject else []) + ([f"as {_and(growth)}"] if growth else [])
    words = ", ".join(parts) or "always"
    return words[0].upper() + words[1:]


def _closing(claim: Claim, used: frozenset[str]) -> Iterable[str]:
    """What expectations are over, and which symbols are fixed."""
    averaged = [_name(name) for name in claim.symbols if name in used & claim.random]
    if claim.layers is not None and any(item.is_random for item in claim.layers.symbols):
        averaged.append("what the layers draw")
    if averaged and any(_takes_moments(step.fact) for step in claim.steps):
        yield f"Expectations are over {_and(averaged)}."
    if claim.where:
        fixed = [f"{_name(name)} = {to_unicode(Number(value))}" for name, value in claim.where.items()]
        yield f"Here {_and(fixed)}."


def _for_every(claim: Claim, used: frozenset[str]) -> str:
    """every n, d ≥ 1, every σ > 0 and every X (n-by-d matrix); not what is bound, grows or is given."""
    bound = {name for step in claim.steps for name in _bound(step.fact)}
    bound |= {symbol.name for symbol in claim.growing} | claim.where.keys()
    bound |= {item.substitution[0].name for item in claim.assumptions if item.substitution is not None}
    spoken = {node.name for step in claim.steps for node in distinct(step.fact) if isinstance(node, Symbol)}
    every = (item.fact for item in claim.assumptions if isinstance(item.fact, Every))
    bound |= {symbol.name for fact in every for symbol in fact.over} - spoken
    items = [item for name, item in claim.symbols.items() if name in used - bound]
    dims = [_name(item.name) for item in items if isinstance(item.kind, Dimension)]
    positive = [_name(item.name) for item in items if isinstance(item.kind, Positive)]
    parts = [
        f"every {', '.join(names)} {sign}" for names, sign in ((dims, "≥ 1"), (positive, "> 0")) if names
    ]
    for item in items:
        if not item.is_random and not isinstance(item.kind, Dimension | Positive):
            parts.append(f"every {_named(item)}")
    outside = {name for step in claim.steps for name in _free_random(claim, step.fact)}
    values = [_name(item.name) for item in items if item.name in outside]
    return _and(parts + ([f"every value that {_and(values)} can take"] if values else []))


def _named(item: Declared) -> str:
    words = describe(item).removeprefix("any ")
    if isinstance(item.kind, FixedMatrix):
        words = words.removesuffix(", fixed")
    return f"{_name(item.name)} ({words})"


def _free_random(claim: Claim, part: Node | Fact) -> Iterable[str]:
    """Random symbols that no expectation averages."""
    if isinstance(part, Expectation | Variance | Covariance):
        return
    if isinstance(part, Symbol | Member) and part.name in claim.random:
        yield part.name
    for child in children(part):
        yield from _free_random(claim, child)


def _bound(part: Node | Fact) -> Iterable[str]:
    """Symbols that a supremum or a limit ranges over."""
    match part:
        case Extreme(_, _, over):
            yield from (symbol.name for symbol in over)
        case Limit(_, variable, _):
            yield variable.name
    for child in children(part):
        yield from _bound(child)


def _takes_moments(part: Node | Fact) -> bool:
    return isinstance(part, Expectation | Variance | Covariance) or any(map(_takes_moments, children(part)))


# --- layers --------------------------------------------------------------------------------------


def _layers(layers: Layers) -> tuple[str, ...]:
    state = to_unicode(layers.state)
    lines = [f"{to_unicode(layers.depth)} layers act on {state}, one after the other."]
    lines += [f"Each layer draws {_name(item.name)} afresh: {describe(item)}." for item in layers.symbols]
    lines += [f"In a layer, {_name(let.name)} stands for {to_unicode(let.body)}." for let in layers.lets]
    return (*lines, f"A layer maps {state} to {to_unicode(layers.next)}.")


def _name(name: str) -> str:
    return to_unicode(Symbol(name))


def _and(items: list[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
