"""D(Y, X): seed the entries of X with jets, evaluate Y once, read the slopes."""

from itertools import count

from verifier.claim.integrability import bodies, exchanges
from verifier.exact.numbers import value_matrices as mx
from verifier.exact.numbers.constants import ONE
from verifier.exact.numbers.jets import Jet, slope
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values.point_environment import Environment
from verifier.expr import nodes as n

_levels = count(1)


def jacobian(env: Environment, of: n.Node, by: n.Node) -> Matrix:
    """Row i, column j: the derivative of entry i of `of` by entry j of `by`, row by row."""
    if not all(exchanges(env.context, body, by) for body in bodies(of)):
        raise Unsupported("a derivative of a mean of what jumps, or has no slope with a finite mean")
    level = next(_levels)
    if isinstance(by, n.Entry):
        whole = env.value(by.arg)
        row, col = env.integer(by.row), env.integer(by.col)
        if not (1 <= row <= len(whole) and 1 <= col <= len(whole[0])):
            raise Undefined(f"entry [{row}, {col}] of a matrix that has none")
        seeded = mx.build(*mx.size(whole), lambda i, j: _seed(whole, i, j, level, (row - 1, col - 1)))
        inner, width = _bound(env, by.arg, seeded), 1
    else:
        whole = env.value(by)
        cols = mx.size(whole)[1]
        seeded = mx.build(*mx.size(whole), lambda i, j: Jet(level, whole[i][j], {i * cols + j: ONE}))
        inner, width = _bound(env, by, seeded), len(mx.entries(seeded))
    outputs = mx.entries(inner.value(of))
    return mx.build(len(outputs), width, lambda i, j: slope(outputs[i], level, j))


def _seed(whole: Matrix, i: int, j: int, level: int, moved: tuple[int, int]) -> Value:
    return Jet(level, whole[i][j], {0: ONE}) if (i, j) == moved else whole[i][j]


def _bound(env: Environment, by: n.Node, seeded: Matrix) -> Environment:
    match by:
        case n.Symbol(name):
            return env.bind({(name, None): seeded})
        case n.Member(name, _, index):
            return env.bind({(name, env.integer(index)): seeded})
        case n.Let(name):
            return env.bind_let(name, seeded)
    raise Unsupported(f"a derivative with respect to a {type(by).__name__}")
