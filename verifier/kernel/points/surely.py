"""Laws that exist whatever their symbols are: a point need not say more of them."""

from verifier.expr import nodes as N
from verifier.expr import symbols as S
from verifier.expr.walk import walk
from verifier.kernel.context import Context
from verifier.kernel.core.derive import names_in


def surely_exists(context: Context, kind: S.Kind) -> bool:
    """Whether the form of a law's parameters shows that it exists at every value of the symbols."""
    match kind:
        case S.Normal(std=std, row_corr=None, cov=None):
            return _never_negative(context, std)
        case S.Normal(std=std, row_corr=N.Number(value), cov=None):
            return 0 <= value <= 1 and _never_negative(context, std)
        case S.Iid(_, var):
            return var is None or _never_negative(context, var)
        case S.Rademacher() | S.AnyLaw() | S.Sequence() | S.JointWith():
            return True
        case S.Normal(cov=N.Symbol(name)) if name in context.symbols:
            return context.symbols[name].kind == S.FixedMatrix("psd")
        case S.Uniform(N.Number(low), N.Number(high)):
            return low <= high
        case S.Uniform(N.Number(low), high) if low <= 0:
            return _never_negative(context, high)
        case S.Bernoulli(N.Number(chance)):
            return 0 <= chance <= 1
    return False


def _never_negative(context: Context, node: N.Node) -> bool:
    """A product of positive symbols, their powers and roots."""
    match node:
        case N.Number(value):
            return value >= 0
        case N.Symbol(name) if name in context.symbols:
            return isinstance(context.symbols[name].kind, S.Positive | S.Dimension | S.IndexOf)
        case N.Multiply(left, right) | N.Add(left, right):
            return _never_negative(context, left) and _never_negative(context, right)
        case N.Divide(left, right):
            return _never_negative(context, left) and _positive(context, right)
        case N.Power(base, N.Number(value)):
            return _positive(context, base) or (value > 0 and _never_negative(context, base))
        case N.Apply("sqrt", (arg,)):
            return _never_negative(context, arg)
        case N.Let(_, body):
            return not names_in(node) & context.held.keys() and _never_negative(context, body)
    return False


def _positive(context: Context, node: N.Node) -> bool:
    zero = any(isinstance(part, N.Number) and part.value == 0 for part in walk(node))
    return not zero and _never_negative(context, node)
