"""What a claim states, as the kernel is asked about it, and as a proof's file repeats it for people."""

from collections.abc import Mapping
from dataclasses import replace

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim, Step
from verifier.expr.nodes import Fact
from verifier.expr.scope import Scope
from verifier.expr.text import to_text
from verifier.expr.words import describe
from verifier.kernel.context import Context, Layers
from verifier.kernel.judgement import Fails, Holds, Judgement

Statement = Mapping[str, object]  # JSON, see `stated`


def context_of(claim: Claim) -> Context:
    """What the claim is made under, its assumptions as their author wrote them."""
    return Context(
        symbols=claim.symbols,
        assumptions=tuple(assumed(claim).values()),
        where=claim.where,
        dims=claim.dims,
        growing=claim.growing,
        layers=_layers(claim),
    )


def _layers(claim: Claim) -> Layers | None:
    if claim.layers is None:
        return None
    drawn = {item.name: item for item in claim.layers.symbols}
    return Layers(claim.layers.state, claim.layers.depth, drawn, claim.layers.next)


def assumed(claim: Claim) -> Mapping[str, Fact]:
    """The assumptions in force by name, as written."""
    return {item.name: item.written or item.fact for item in claim.assumptions}


def goal(step: Step, truth: bool) -> Judgement:
    """What a proof of the step, or of its contrary, concludes."""
    return Holds(step.fact) if truth else Fails(step.fact)


def inside_layers(claim: Claim) -> Scope:
    """What names mean inside a layer, of which assumptions may speak; the claim's own scope without one."""
    scope, layers = claim.scope, claim.layers
    if layers is None:
        return scope
    symbols = {**scope.symbols, **{item.name: item for item in layers.symbols}}
    lets = {**scope.lets, **{let.name: let for let in layers.lets}}
    return replace(scope, symbols=symbols, lets=lets, layered={})


def stated(claim: Claim) -> Statement:
    """The statement as it was read: what it says, under which assumptions, about what. Names that it does
    not rest on are left out."""
    used = names_in(claim)
    layers = claim.layers
    symbols = (*claim.symbols.values(), *(layers.symbols if layers is not None else ()))
    lets = (*claim.lets, *(layers.lets if layers is not None else ()))
    return {
        "says": [to_text(step.fact) for step in claim.steps],
        "under": {name: to_text(fact) for name, fact in assumed(claim).items()},
        "symbols": {item.name: describe(item) for item in symbols if item.name in used},
        "let": {let.name: to_text(let.body) for let in lets if let.name in used},
        "where": {name: str(value) for name, value in claim.where.items()},
        "layers": layers and f"{layers.state.name} -> {to_text(layers.next)}, {layers.depth.name} times",
        "as": [f"{symbol.name} -> oo" for symbol in claim.growing],
    }


def difference(proved: Statement, now: Statement) -> str | None:
    """Where a proof's statement is not that of the author's file, in words; None where they are the same."""
    before, after = _texts(proved, "says"), _texts(now, "says")
    for at, (then, says) in enumerate(zip(before, after, strict=False), start=1):
        if then != says:
            where = f"step {at}: " if len(after) > 1 else ""
            return f"{where}the proof is of `{then}`, the file says `{says}`"
    if len(before) != len(after):
        return f"the proof is of {len(before)} steps, the file has {len(after)}"
    dropped, added = (sorted({*_values(a)} - {*_values(b)}) for a, b in ((proved, now), (now, proved)))
    if dropped:
        return f"the proof assumes `{dropped[0]}`, the file does not"
    if added:
        return f"the file assumes `{added[0]}`, the proof is without it"
    for key, words in _DECLARED.items():
        if (found := _changed(proved.get(key), now.get(key))) is not None:
            return words.format(*found)
    return None


_DECLARED = {
    "let": "{0} stands for `{1}` in the proof, and for `{2}` in the file",
    "symbols": "{0} is {1} in the proof, and {2} in the file",
    "where": "{0} is {1} in the proof, and {2} in the file",
    "layers": "a layer is `{1}` in the proof, and `{2}` in the file",
    "as": "what grows is {1} in the proof, and {2} in the file",
}


def _texts(statement: Statement, key: str) -> list[str]:
    found = statement.get(key)
    return [str(item) for item in found] if isinstance(found, list) else []


def _values(statement: Statement) -> list[str]:
    """The assumptions; what they are called is no part of the statement."""
    found = statement.get("under")
    return [str(item) for item in found.values()] if isinstance(found, Mapping) else []


def _changed(then: object, now: object) -> tuple[str, str, str] | None:
    """The first name that is something else now."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for name in (*now, *then):
            if then.get(name) != now.get(name):
                return str(name), str(then.get(name, "nothing")), str(now.get(name, "nothing"))
        return None
    return None if then == now else ("", str(then), str(now))
