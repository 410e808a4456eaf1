"""Both sides of a relation in one frame: the workspace is made, and made larger when it is too small."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Dimension
from verifier.prove.bounds.partial_isometries import spectral
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.matrix_forms import NeedsSplit
from verifier.prove.forms.refusal import Exhausted, Refusal
from verifier.prove.forms.workspace import Workspace
from verifier.prove.lower.expectation_of_laws import Integrator
from verifier.prove.lower.lower import Lowering
from verifier.prove.lower.lowering import walked

T = TypeVar("T")
_SPARE = (10, 24, 60)


def read(
    claim: Claim, nodes: Iterable[N.Node], clock: Clock, use: Callable[[Lowering], T], record: bool = False
) -> T:
    """use(lowering), with a workspace large enough for the trees."""
    trees = list(nodes)
    split: dict[tuple[str, str], tuple[Dim, ...]] = {}
    sizes = list(_SPARE)
    while True:
        clock.check()
        space = Workspace(claim, _scalar_tensors(claim, trees), _dims(claim), split, sizes[0])
        integrator = Integrator(space, None, record)
        lowering = Lowering(space, integrator, clock, largest=spectral)
        integrator.lower = lowering.value
        try:
            return use(lowering)
        except Exhausted:
            if len(sizes) == 1:
                raise Refusal("fewer different roots and denominators") from None
            sizes.pop(0)
        except NeedsSplit as need:
            _note_split(claim, split, need)


def _note_split(claim: Claim, split: dict[tuple[str, str], tuple[Dim, ...]], need: NeedsSplit) -> None:
    """From now on, one side of a declared matrix is a pair of indices."""
    declared = claim.symbols.get(need.tensor)
    if declared is None or declared.copies is not None:
        raise Refusal("a function whose rows are pairs")
    side = "row" if need.axis == 0 and declared.shape.rows.constant != 1 else "col"
    if (need.tensor, side) in split:
        raise Refusal(f"{need.tensor} with its rows or columns read in two ways")
    split[need.tensor, side] = need.dims


def _scalar_tensors(claim: Claim, trees: Iterable[N.Node]) -> frozenset[str]:
    """Scalars that an assumption substitutes, where derivatives are taken before that."""
    found: set[str] = set()
    if any(isinstance(node, N.Derivative) for tree in trees for node in walked(tree)):
        for assumption in claim.assumptions:
            if assumption.substitution is not None and assumption.substitution[0].shape.is_scalar:
                name = assumption.substitution[0].name
                if not isinstance(claim.symbols[name].kind, Dimension):
                    found.add(name)
    return frozenset(found)


def _dims(claim: Claim) -> dict[str, Dim]:
    """Dimensions that are fixed, or that an assumption sets equal to others."""
    found: dict[str, Dim] = {}
    for name, value in claim.where.items():
        if name in claim.symbols and isinstance(claim.symbols[name].kind, Dimension):
            found[name] = Dim.of(int(value))
    for assumption in claim.assumptions:
        match assumption.substitution:
            case (symbol, node) if isinstance(claim.symbols[symbol.name].kind, Dimension):
                dim = _dim(claim, node)
                if dim is None or symbol.name in dim.names:
                    raise Refusal(f"the assumption on {symbol.name} as a dimension")
                found[symbol.name] = dim
    for _ in range(len(found)):
        found = {name: dim.replace(found) for name, dim in found.items()}
    return found


def _dim(claim: Claim, node: N.Node) -> Dim | None:
    match node:
        case N.Number(value) if value.denominator == 1:
            return Dim.of(int(value))
        case N.Symbol(name) if isinstance(claim.symbols[name].kind, Dimension):
            return Dim.of(name)
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
            a, b = _dim(claim, left), _dim(claim, right)
            if a is None or b is None:
                return None
            return a + b if isinstance(node, N.Add) else a - b if isinstance(node, N.Subtract) else a * b
    return None
