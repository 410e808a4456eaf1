"""Claims about positive semidefinite matrices, as claims about any matrix.

    P is psd     iff     P = L.T @ L for some square matrix L

so that what is true for every L is true for every P, and the other way round. In forms it is split:

    inner(a, P @ b) = inner(L @ a, L @ b),     inner(a, P @ a) = norm(L @ a)**2
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.expr.walk import rebuild, substitute, walk
from verifier.reformulate.function_families import Instance


def with_roots(claim: Claim, step: Step) -> Instance | None:
    """The claim with L.T @ L for each psd matrix of the relation; None where it has none, or where one
    of them is more than a value: a variable of a derivative, or a part of a law."""
    used = {node.name for node in walk(step.fact) if isinstance(node, N.Symbol)}
    names = [name for name, symbol in claim.symbols.items() if name in used and _is_psd(symbol)]
    if not names or claim.layers is not None or _inseparable(claim, step) & set(names):
        return None
    symbols = {name: symbol for name, symbol in claim.symbols.items() if name not in names}
    values: dict[N.Node, N.Node] = {}
    roots: dict[N.Node, N.Symbol] = {}
    for name in names:
        shape = claim.symbols[name].shape
        root = N.Symbol(_fresh(claim, f"{name}_root"), shape)
        symbols[root.name] = Declared(root.name, FixedMatrix("matrix"), shape)
        values[N.Symbol(name, shape)] = N.MatMul(N.Transpose(root), root)
        roots[N.Symbol(name, shape)] = root
    changed = replace(
        claim,
        symbols=symbols,
        assumptions=tuple(replace(item, fact=substitute(item.fact, values)) for item in claim.assumptions),
        lets=tuple(substitute(let, values) for let in claim.lets),
    )
    fact = substitute(rebuild(step.fact, lambda node: _split(node, roots)), values)
    return Instance(changed, replace(step, fact=fact), (f"{' and '.join(names)} written as L.T @ L",))


def _split(node: N.Node, roots: Mapping[N.Node, N.Symbol]) -> N.Node:
    """Forms in a psd matrix as products of two halves."""
    match node:
        case N.Inner(left, N.MatMul(middle, right)) if middle in roots:
            return _halves(roots[middle], left, right)
        case N.Inner(N.MatMul(middle, left), right) if middle in roots:
            return _halves(roots[middle], left, right)
        case N.MatMul(N.Transpose(left), N.MatMul(middle, right)) | N.MatMul(
            N.MatMul(N.Transpose(left), middle), right
        ) if middle in roots and node.shape.is_scalar:
            return _halves(roots[middle], left, right)
    return rebuild(node, lambda child: _split(child, roots))


def _halves(root: N.Symbol, left: N.Node, right: N.Node) -> N.Node:
    first, second = N.MatMul(root, left), N.MatMul(root, right)
    return N.Power(N.Norm(first), N.Number(Fraction(2))) if left == right else N.Inner(first, second)


def _is_psd(symbol: Declared) -> bool:
    return isinstance(symbol.kind, FixedMatrix) and symbol.kind.family == "psd"


def _fresh(claim: Claim, name: str) -> str:
    while name in claim.symbols or any(let.name == name for let in claim.lets):
        name += "_"
    return name


def _inseparable(claim: Claim, step: Step) -> set[str]:
    """Symbols that stand where only a symbol may, or that a law is declared with."""
    roots: list[N.Node] = [
        value
        for symbol in claim.symbols.values()
        for item in fields(symbol.kind)
        if isinstance(value := getattr(symbol.kind, item.name), N.Node)
    ]
    roots += [item.substitution[0] for item in claim.assumptions if item.substitution is not None]
    facts = [step.fact, *(item.fact for item in claim.assumptions)]
    for node in (node for fact in facts for node in walk(fact)):
        match node:
            case N.Derivative(_, by):
                roots.append(by)
            case N.Extreme(_, _, over):
                roots += over
    return {node.name for root in roots for node in walk(root) if isinstance(node, N.Symbol)}
