"""Norms of derivatives: factor by factor, and by way of what stands in between."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

from verifier.expr import nodes as N
from verifier.expr.walk import distinct, substitute
from verifier.kernel.context import Context
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.norms import ONE, Pairs, magnitude, size_of, square_of
from verifier.kernel.rules.regular import depends, is_free, unnamed

MOST_BETWEEN = 5
STEEPEST: dict[str, tuple[int, int]] = {
    "relu": (1, 1), "tanh": (1, 1), "sin": (1, 1), "cos": (1, 1), "atan": (1, 1), "abs": (1, 1),
    "softplus": (1, 1), "sigmoid": (1, 4), "Phi": (2, 5), "phi": (1, 4), "erf": (6, 5), "gelu": (113, 100),
    "silu": (11, 10), "softmax": (1, 2),
}  # no slope is larger  # fmt: skip


def slopes(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \left\|\frac{\partial (A B)}{\partial X}\right\|_2 \le
    \left\|\frac{\partial A}{\partial X}\right\|_2 \|B\|_2 +
    \|A\|_2 \left\|\frac{\partial B}{\partial X}\right\|_2} \qquad
    \frac{|f'| \le c}{\Gamma \vdash \left\|\frac{\partial f(A)}{\partial X}\right\|_2 \le
    c \left\|\frac{\partial A}{\partial X}\right\|_2}

    And so on, down to the variable, whose derivative has norm 1: sums, multiples, transposes, inner products
    (with Frobenius norms), functions entry by entry (c is 1 for relu, tanh, sin, cos, atan, abs and softplus,
    1/4 for sigmoid and phi, 2/5 for Phi, 6/5 for erf, 113/100 for gelu, 11/10 for silu) and softmax (1/2).
    The derivative of a number has one row: its norms are all the same. For a function entry by entry also
    with Frobenius norms on both sides. The variable is varied freely, and nothing that depends on it has an
    assumed value.
    """
    match atom:
        case N.Norm(N.Derivative(of, by), kind) if is_free(context, by) and _knows(context, of, by):
            bound = _slope(context, of, by)
            if bound is not None and (kind == "2" or (kind == "fro" and of.shape.is_scalar)):
                yield atom, unfolded(context, bound)
            match unnamed(context, of):
                case N.Apply(function, (inner,)) if function in STEEPEST and kind == "fro":
                    steepest = N.Number(Fraction(*STEEPEST[function]))
                    yield atom, N.Multiply(steepest, N.Norm(N.Derivative(inner, by)))
        case N.Derivative(of, by) if (
            atom.shape.is_scalar and is_free(context, by) and _knows(context, of, by)
        ):
            bound = _slope(context, of, by)
            if bound is not None:
                yield square_of(atom), square_of(unfolded(context, bound))
                yield size_of(atom), unfolded(context, bound)


def _knows(context: Context, of: N.Node, by: N.Node) -> bool:
    parts = (part for part in distinct(of) if isinstance(part, N.Let | N.After))
    return not any(
        isinstance(part, N.After) or (part.name in context.held and depends(context, part, by))
        for part in parts
    )


def _slope(context: Context, node: N.Node, by: N.Node) -> N.Node | None:
    """A bound of the spectral norm of a Jacobian, of what depends on the variable, if one is known."""
    if node == by:
        return ONE

    def of(part: N.Node) -> N.Node | None:
        return _slope(context, part, by)

    match node:
        case N.Let(_, body) | N.Negate(body) | N.Transpose(body) | N.VecR(body):
            return of(body)
        case N.Add(left, right) | N.Subtract(left, right) if left.shape == right.shape:
            terms = [of(part) for part in (left, right) if depends(context, part, by)]
            return _total(terms)
        case N.Multiply(c, inner) if c.shape.is_scalar and not depends(context, c, by):
            return _scaled(magnitude(context, c), of(inner))
        case N.Multiply(inner, c) if c.shape.is_scalar and not depends(context, c, by):
            return _scaled(magnitude(context, c), of(inner))
        case N.Divide(inner, c) if c.shape.is_scalar and not depends(context, c, by):
            return _scaled(N.Divide(ONE, magnitude(context, c)), of(inner))
        case N.MatMul(left, right) | N.Inner(left, right):
            kind: N.NormKind = "fro" if isinstance(node, N.Inner) else "2"
            pairs = [pair for pair in ((left, right), (right, left)) if depends(context, pair[0], by)]
            return _total([_scaled(N.Norm(other, kind), of(moving)) for moving, other in pairs])
        case N.Apply(function, (inner,)) | N.RowWise(function, inner) if function in STEEPEST:
            return _scaled(N.Number(Fraction(*STEEPEST[function])), of(inner))
    return None


def _scaled(factor: N.Node, bound: N.Node | None) -> N.Node | None:
    if bound is None or factor == ONE:
        return bound
    return factor if bound == ONE else N.Multiply(factor, bound)


def _total(terms: list[N.Node | None]) -> N.Node | None:
    found: N.Node | None = None
    for term in terms:
        if term is None:
            return None
        found = term if found is None else N.Add(found, term)
    return found


def chain_rule(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{Y \text{ depends on } X \text{ through } Z \text{ alone}}
    {\Gamma \vdash \|\partial Y / \partial X\| \le \|\partial Y / \partial Z\|\,\|\partial Z / \partial X\|}

    Z is a name that stands in Y; if zeros are put for it, nothing is left that reaches X. Also by way of
    several such names. The norms on the right are spectral norms, or but for one of them where the left
    one is a Frobenius norm; or all are Frobenius norms.
    """
    match atom:
        case N.Norm(N.Derivative(of, by), "fro" | "2" as kind):
            pass
        case _:
            return
    names = list(_between(context, of, by))[:MOST_BETWEEN]
    for count in range(1, len(names) + 1):
        for chosen in combinations(names, count):
            steps = [N.Derivative(outer, inner) for outer, inner in pairwise((of, *chosen, by))]
            if all(_passes(context, step.of, inner.of, by) for step, inner in pairwise(steps)):
                yield from ((atom, bound) for bound in _products(steps, kind))


def _products(steps: list[N.Derivative], kind: N.NormKind) -> Iterator[N.Node]:
    choices: list[list[N.NormKind]] = [["2"] * len(steps)] if kind == "2" else [["fro"] * len(steps)]
    if kind == "fro":
        choices += [["fro" if at == own else "2" for at in range(len(steps))] for own in range(len(steps))]
    for kinds in choices:
        norms = [N.Norm(step, each) for step, each in zip(steps, kinds, strict=True)]
        product: N.Node = norms[0]
        for norm in norms[1:]:
            product = N.Multiply(product, norm)
        yield product


def _between(context: Context, of: N.Node, by: N.Node) -> Iterator[N.Node]:
    """Names through which all goes, the outermost first."""
    if any(isinstance(part, N.After | N.Extreme | N.Limit | N.Expectation) for part in distinct(of)):
        return
    for part in distinct(of):
        if isinstance(part, N.Let) and part not in (of, by) and _passes(context, of, part, by):
            yield part


def _passes(context: Context, of: N.Node, middle: N.Node, by: N.Node) -> bool:
    """Whether the middle stands in the tree and depends on the variable, and nothing else there does."""
    rest = substitute(of, {middle: N.Zeros(middle.shape)})
    return rest != of and depends(context, middle, by) and not depends(context, rest, by)
