"""What a relation between means comes to as the noise in it vanishes.

    E f(m + s G)  ->  f(m)      as s -> 0

for a Gaussian G and a continuous f that grows at most like a power: s E|G|**k vanishes, and bounds the rest.
A bound that is approached by f(m), for some m, is approached by the mean, too.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.expr import nodes as N
from verifier.expr.symbols import Bernoulli, Declared, Normal, Positive, Rademacher, Uniform
from verifier.expr.walk import children, expand_lets, rebuild, substitute, symbols_in, walk

_ZERO = N.Number(Fraction(0))
_SLOW = {"abs", "relu", "tanh", "sigmoid", "gelu", "silu", "softplus", "sin", "cos", "erf", "Phi", "phi"}
_SLOW |= {"max", "min"}
_PLAIN = (
    N.Symbol | N.Number | N.Pi | N.Index | N.Add | N.Subtract | N.Multiply | N.Negate | N.MatMul | N.Transpose
    | N.Inner | N.Trace | N.Norm | N.Entry | N.Row | N.Sum | N.Ones | N.Zeros | N.Eye | N.DiagPart
    | N.DiagMatrix | N.VecR | N.Kron
)  # fmt: skip
_TEMPERED = Normal | Rademacher | Bernoulli | Uniform


def without_noise(claim: Claim, step: Step) -> tuple[Claim, Step] | None:
    """The claim in the limit of a vanishing scale, by which its right side does not change; None where no
    scale is seen to vanish."""
    if claim.layers is not None or claim.growing or any(item.assumed_value for item in claim.assumptions):
        return None
    fact = expand_lets(step.fact)
    for name in _scales(claim):
        noisy = {x.name: x for x in claim.symbols.values() if name in _names_of_law(x)}
        if not noisy or not all(_vanishes_with(claim, x, name) for x in noisy.values()):
            continue
        made = _limit(claim, fact, name, noisy)
        if made is not None:
            return claim, replace(step, fact=made)
    return None


def _scales(claim: Claim) -> list[str]:
    """Positive numbers that nothing else speaks of."""
    spoken = {x.name for item in claim.assumptions for x in walk(item.fact) if isinstance(x, N.Symbol)}
    taken = spoken | claim.where.keys()
    return [n for n, x in claim.symbols.items() if isinstance(x.kind, Positive) and n not in taken]


def _names_of_law(declared: Declared) -> set[str]:
    parts = [value for value in vars(declared.kind).values() if isinstance(value, N.Node)]
    return {x.name for part in parts for x in walk(part) if isinstance(x, N.Symbol)}


def _vanishes_with(claim: Claim, declared: Declared, name: str) -> bool:
    """Whether the symbol is its mean at scale 0, and nothing but its noise changes with the scale."""
    match declared.kind:
        case Normal(mean, std, None, None) if declared.copies is None:
            others = {x.name for x in walk(mean) if isinstance(x, N.Symbol)}
            return _is_multiple(std, name) and name not in others and not others & claim.random
    return False


def _is_multiple(node: N.Node, name: str) -> bool:
    """Whether it is 0 at scale 0."""
    match node:
        case N.Symbol(found):
            return found == name
        case N.Multiply(left, right):
            return _is_multiple(left, name) or _is_multiple(right, name)
        case N.Divide(left, right):
            return _is_multiple(left, name) and N.Symbol(name) not in walk(right)
    return False


def _limit(
    claim: Claim, fact: N.Relation | N.Within, name: str, noisy: dict[str, Declared]
) -> N.Relation | N.Within | None:
    fixed = [fact.right] if isinstance(fact, N.Relation) else [fact.low, fact.high]
    left = fact.left if isinstance(fact, N.Relation) else fact.arg
    touched = {name, *noisy}
    if any(isinstance(x, N.Symbol) and x.name in touched for side in fixed for x in walk(side)):
        return None
    still = _still(claim, left, name, noisy)
    if still is None or still == left:
        return None
    if isinstance(fact, N.Within):
        return replace(fact, arg=still)
    closed = {"<": "<=", ">": ">="}.get(fact.op, fact.op)
    return N.Relation("<=" if closed == "<=" else ">=", still, fact.right) if closed != "==" else None


def _still(claim: Claim, node: N.Node, name: str, noisy: dict[str, Declared]) -> N.Node | None:
    """The side at scale 0; None where it may jump there."""
    if not any(isinstance(x, N.Symbol) and (x.name == name or x.name in noisy) for x in walk(node)):
        return node
    values: dict[N.Node, N.Node] = {N.Symbol(x.name, x.shape): _mean(x) for x in noisy.values()}
    values[N.Symbol(name)] = _ZERO
    match node:
        case N.Expectation(body, ()) if _is_slow(claim, body):
            made = substitute(body, values)
            drawn = bool(claim.random_in(made))
            return N.Expectation(made) if drawn else made
        case N.Symbol(found):
            return _ZERO if found == name else None
        case N.Add() | N.Subtract() | N.Multiply() | N.Negate():
            pass
        case N.Divide(_, below) if not symbols_in(below) & {name, *noisy}:
            pass
        case N.Power(_, N.Number(k)) if k > 0 and k.denominator == 1:
            pass
        case _:
            return None
    parts = {id(child): _still(claim, child, name, noisy) for child in children(node)}
    if any(part is None for part in parts.values()):
        return None
    return rebuild(node, lambda child: parts[id(child)] or child)


def _mean(declared: Declared) -> N.Node:
    assert isinstance(declared.kind, Normal)
    mean = declared.kind.mean
    if mean.shape == declared.shape:
        return mean
    return N.Zeros(declared.shape) if mean == _ZERO else N.Multiply(mean, N.Ones(declared.shape))


def _is_slow(claim: Claim, node: N.Node) -> bool:
    """Whether it is continuous in what is drawn, which has all moments, and grows at most like a power."""
    drawn = symbols_in(node) & claim.random
    if not drawn:
        return True
    if not all(isinstance(claim.symbols[name].kind, _TEMPERED) for name in drawn):
        return False
    match node:
        case N.Apply(function, _):
            fine = function in _SLOW
        case N.RowWise(function):
            fine = function == "softmax"
        case N.Divide(_, below):
            fine = not symbols_in(below) & claim.random
        case N.Power(N.Norm() | N.Apply("abs" | "relu", _), N.Number(k)):
            fine = k > 0
        case N.Power(_, N.Number(k)):
            fine = k > 0 and k.denominator == 1
        case _:
            fine = isinstance(node, _PLAIN)
    return fine and all(_is_slow(claim, child) for child in children(node))
