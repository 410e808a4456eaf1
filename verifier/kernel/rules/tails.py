"""Events: an indicator is at most what is at least 1 where the event happens."""

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_nonnegative, is_positive
from verifier.kernel.rules.norms import ONE, Pairs, size_of, square_of


def tails(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\Gamma \vdash 0 < t}{\Gamma \vdash 1_{x \ge t} \le \frac{|x|}{t}} \qquad
    \frac{\Gamma \vdash 0 < t}{\Gamma \vdash 1_{x \ge t} \le \frac{x^2}{t^2}}

    The sign of t is computed. Also for x > t, for t <= x, without the absolute value where x is never
    negative, and where x is an absolute value for what it is taken of. An indicator is at most 1.
    """
    match atom:
        case N.Indicator(N.Relation(">" | ">=", x, t)) | N.Indicator(N.Relation("<" | "<=", t, x)):
            pass
        case _:
            return
    yield atom, ONE
    if not (x.shape.is_scalar and is_positive(context, t)):
        return
    inside = x.args[0] if isinstance(x, N.Apply) and x.function == "abs" else x
    yield atom, N.Divide(square_of(inside), square_of(t))
    yield atom, N.Divide(x if is_nonnegative(context, x) else size_of(x), t)
