"""Statements for the kernel, written as claims."""

from collections.abc import Mapping
from typing import Any

from verifier.claim.model import Claim
from verifier.expr.nodes import Relation, Within
from verifier.kernel.check import Checked, check
from verifier.kernel.context import Context, Layers
from verifier.kernel.judgement import Fails
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.read.specs.load import load_text


def context_of(claim: Claim) -> Context:
    """What the claim is made under; assumptions as their author wrote them."""
    layers = claim.layers
    return Context(
        claim.symbols,
        tuple(assumption.written or assumption.fact for assumption in claim.assumptions),
        claim.where,
        claim.dims,
        claim.growing,
        None
        if layers is None
        else Layers(layers.state, layers.depth, {s.name: s for s in layers.symbols}, layers.next),
    )


def stated(
    says: str,
    symbols: Mapping[str, str] | None = None,
    under: tuple[str, ...] = (),
    extra: str = "",
    more: str = "",
) -> tuple[Context, Relation | Within]:
    """A context and what is said under it; `extra` is text of the theorem, `more` of the claim."""
    lines = ["schema: 1", "theorem: tests/points"]
    if symbols:
        lines += ["symbols:", *(f'  {name}: "{kind}"' for name, kind in symbols.items())]
    if extra:
        lines.append(extra)
    if under:
        lines += ["assumptions:", *(f'  a{k}: "{fact}"' for k, fact in enumerate(under))]
    lines += ["claims:", "  c:", f'    says: "{says}"', more]
    loaded = load_text("\n".join(lines) + "\n")
    assert not loaded.problems, loaded.problems
    assert loaded.claims, list(loaded.entries)
    (claim,) = loaded.claims
    return context_of(claim), claim.steps[0].fact


def checked(statement: tuple[Context, Relation | Within], data: Mapping[str, Any]) -> Checked:
    """The rule `point` on these data."""
    context, fact = statement
    goal = Fails(fact)
    return check(context, Proof("point", goal, (), data), goal)


def outcome(statement: tuple[Context, Relation | Within], point: Any) -> str:
    """`accepted`, or the reason of the rejection."""
    try:
        checked(statement, {"point": point})
    except Rejected as rejected:
        return rejected.reason
    return "accepted"
