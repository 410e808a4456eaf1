"""Growth of what is 0 where all fixed matrices are: no Omega(f) holds there, and no Theta(f)."""

import sympy as sp

from verifier.evidence import Counterexample, Finding
from verifier.expr import nodes as n
from verifier.expr.symbols import FixedMatrix
from verifier.expr.walk import walk
from verifier.prove.growth.running_ratios import LADDER
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.scalar_relation import Reading

FREE = ("matrix", "vector", "symmetric", "psd")


def refuted(reading: Reading) -> Finding | None:
    """The left side vanishes with the fixed matrices at every size, and the right side does not."""
    claim, translator = reading.claim, reading.translator
    used = reading.left.free_symbols | reading.right.free_symbols
    atoms = {atom: node for atom, node in translator.atoms.items() if atom in used}
    parts = [p for node in atoms.values() for p in walk(node) if isinstance(p, n.Symbol | n.Member)]
    names = {part.name for part in parts if _is_free(reading, part.name)}
    spoken = claim.spoken_of
    if not names or names & spoken or not all(_vanishes(node, names) for node in atoms.values()):
        return None
    zero = dict.fromkeys(atoms, sp.Integer(0))
    left, right = (side.subs(zero) for side in (reading.left, reading.right))
    if sp.expand(left) != 0 or sign(right, translator.spans) != "positive":
        return None
    sizes = {symbol.name: list(LADDER) for symbol in claim.growing}
    zeros = dict.fromkeys(sorted(names), "0")
    example = Counterexample({**zeros, **sizes}, 0.0, None, ratios=(0.0,) * len(LADDER))
    reason = "the left side is 0 where the fixed matrices are"
    return reading.finding("false", "proved", reason=reason, counterexample=example)


def _is_free(reading: Reading, name: str) -> bool:
    declared = reading.claim.symbols.get(name)
    return declared is not None and isinstance(declared.kind, FixedMatrix) and declared.kind.family in FREE


def _vanishes(node: n.Node, names: set[str]) -> bool:
    """Whether the node is 0 where these symbols are, seen from its form."""
    match node:
        case n.Symbol(name) | n.Member(name):
            return name in names
        case n.Norm(arg) | n.Trace(arg) | n.Transpose(arg) | n.Negate(arg) | n.Entry(arg) | n.Row(arg):
            return _vanishes(arg, names)
        case n.Let(_, arg) | n.DiagPart(arg) | n.DiagMatrix(arg) | n.VecR(arg) | n.Sum(arg):
            return _vanishes(arg, names)
        case n.MatMul(left, right) | n.Multiply(left, right) | n.Inner(left, right) | n.Kron(left, right):
            return _vanishes(left, names) or _vanishes(right, names)
        case n.Add(left, right) | n.Subtract(left, right):
            return _vanishes(left, names) and _vanishes(right, names)
        case n.Divide(left, right):
            return _vanishes(left, names) and not any(_is_named(part, names) for part in walk(right))
        case n.Power(base, n.Number(k)) | n.MatPower(base, n.Number(k)):
            return k > 0 and _vanishes(base, names)
    return False


def _is_named(part: n.Node, names: set[str]) -> bool:
    return isinstance(part, n.Symbol | n.Member) and part.name in names
