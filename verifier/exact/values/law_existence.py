"""Whether a declared law exists at a point: a variance, a chance, a covariance can be out of range."""

from fractions import Fraction

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import ONE, is_zero, sign
from verifier.exact.numbers.refusals import Imprecise, Unsupported
from verifier.exact.numbers.value_matrices import Matrix, entries, pivots
from verifier.exact.values.point_environment import Environment
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.walk import symbols_in


def exists(declared: kinds.Declared, env: Environment) -> bool:
    """Whether there is a random symbol with this law; a parameter without a value does not bear on it."""
    try:
        return _exists(declared, env)
    except Unsupported:
        return True


def _exists(declared: kinds.Declared, env: Environment) -> bool:
    match declared.kind:
        case kinds.Normal(_, _, _, cov) if cov is not None:
            return psd(env.value(cov))
        case kinds.Normal(_, std, row_corr, _):
            spread = all(sign(x) >= 0 for x in entries(env.value(std)))
            return spread and (
                row_corr is None or _equicorrelated(env.dim(declared.shape.rows), env, row_corr)
            )
        case kinds.Bernoulli(chance):
            return all(sign(x) >= 0 and sign(ONE - x) >= 0 for x in entries(env.value(chance)))
        case kinds.Uniform(low, high):
            return sign(env.scalar(high) - env.scalar(low)) >= 0
        case kinds.Iid(_, var) if var is not None:
            return sign(env.scalar(var)) >= 0
    return True


def second_moment(claim: Claim, fact: n.Fact) -> n.Node | None:
    """M, where the fact is all that is assumed of a vector x of any law, and says that Cov(x, x) == M or
    E(x @ x.T) == M. There is such an x, of mean 0, exactly if M is positive semidefinite."""
    match fact:
        case n.Relation("==", n.Covariance(n.Symbol(name), right), value) if right == n.Symbol(
            name, right.shape
        ):
            pass
        case n.Relation("==", n.Expectation(n.MatMul(n.Symbol(name), n.Transpose(right)), ()), value) if (
            right == n.Symbol(name, right.shape)
        ):
            pass
        case _:
            return None
    match claim.symbols[name].kind:
        case kinds.AnyLaw(None | n.Number(Fraction(numerator=0))):
            alone = sum(_names(assumption.fact, name) for assumption in claim.assumptions) == 1
            return value if alone else None
    return None


def _names(fact: n.Fact, name: str) -> bool:
    return name in symbols_in(fact)


def _equicorrelated(rows: int, env: Environment, row_corr: n.Node) -> bool:
    """(1 - rho) I + rho 1 1^T has the eigenvalues 1 - rho and 1 + (rows - 1) rho."""
    rho = env.scalar(row_corr)
    return rows == 1 or (sign(ONE - rho) >= 0 and sign(ONE + fmpq(rows - 1) * rho) >= 0)


def psd(value: Matrix) -> bool:
    """Symmetric, with no negative pivot."""
    size = range(len(value))
    if not all(is_zero(value[i][j] - value[j][i]) for i in size for j in size):
        return False
    if not all(isinstance(x, fmpq) for x in entries(value)):
        raise Imprecise("positive semidefiniteness of a matrix that is not rational")
    found = pivots(value)
    return found is not None and all(pivot >= 0 for pivot in found)
