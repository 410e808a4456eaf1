"""Means that are finite."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import children, walk
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import Defined
from verifier.kernel.rules.regular import is_smooth


def finite(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{|f| \le p(x) \qquad x \text{ has all moments}}{\Gamma \vdash \mathrm{E} f < \infty}

    f is bounded, or at most a polynomial in draws of normal, uniform or binary laws: made of sums and
    products, softmax, functions such as relu and tanh, their derivatives, and norms of these. Or the law
    gives the mean in closed form. For a variance, the same of f**2. No assumption speaks of the draws, whose
    law would be another one; and derivatives are of smooth functions where a draw takes single values.
    """
    match goal:
        case Holds(N.Relation("<", left, N.Infinity())) | Holds(N.Relation(">", N.Infinity(), left)):
            pass
        case _:
            raise Rejected("statement", "a number that is below infinity")
    if premises or context.layers is not None or any(isinstance(part, N.After) for part in walk(left)):
        raise Rejected("premises", "a finite mean needs no premise, and knows no layers")
    while isinstance(left, N.Let) and left.name not in context.held:
        left = left.body
    match left:
        case N.Expectation(body, ()):
            mean = left
        case N.Variance(body):
            mean = N.Expectation(N.Power(body, N.Number(Fraction(2))), ())
        case _:
            raise Rejected("statement", "a mean or a variance")
    _draws_as_declared(context, mean)
    if not Defined(context, frozenset(), {}).has_mean(mean):
        raise Rejected("no-mean", "not known to be at most a polynomial in draws that have all moments")


def _draws_as_declared(context: Context, mean: N.Expectation) -> None:
    drawn = frozenset(filter(context.is_random, context.reach(mean.body)))
    parts = [part for fact in context.assumptions for part in children(fact)]
    if any(drawn & context.reach(part) for part in parts):
        raise Rejected("condition", "an assumption about what is drawn")
    binary = any(isinstance(context.symbols[name].kind, K.Bernoulli | K.Rademacher) for name in drawn)
    slopes = (part for part in walk(mean.body) if isinstance(part, N.Derivative))
    if binary and not all(is_smooth(context, part.of, part.by) for part in slopes):
        raise Rejected("no-mean", "a slope that has no value at an outcome")


RULES = (Rule("finite", "integrals", finite),)
