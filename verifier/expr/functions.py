"""The reserved names: how each is called, in one line. The reference and the messages read this."""

USAGE: dict[str, str] = {
    # linear algebra
    "norm": "norm(A), norm(A, 2), norm(v, 1), norm(v, oo)",
    "tr": "tr(A)",
    "inner": "inner(A, B)",
    "eye": "eye(n)",
    "ones": "ones(n), ones(n, m)",
    "zeros": "zeros(n), zeros(n, m)",
    "diag": "diag(v), diag(A)",
    "kron": "kron(A, B)",
    "vec_r": "vec_r(A)",
    "blockdiag": "blockdiag(expr, i, 1, n)",
    "matpow": "matpow(A, p)",
    "commutation": "commutation(m, n)",
    "hafnian": "hafnian(C)",
    # indices
    "sum": "sum(expr, i, 1, n), sum(expr, i, 1, oo), sum(expr, i, 1, n, j, 1, m, j != i)",
    "prod": "prod(expr, i, 1, n)",
    "esum": "esum(expr, i, 1, n, p)",
    # entrywise
    "sqrt": "sqrt(x)",
    "exp": "exp(x)",
    "log": "log(x)",
    "sin": "sin(x)",
    "cos": "cos(x)",
    "asin": "asin(x)",
    "acos": "acos(x)",
    "atan": "atan(x)",
    "tanh": "tanh(x)",
    "sigmoid": "sigmoid(x)",
    "relu": "relu(x)",
    "gelu": "gelu(x)",
    "silu": "silu(x)",
    "softplus": "softplus(x)",
    "abs": "abs(x)",
    "erf": "erf(x)",
    "min": "min(x, y)",
    "max": "max(x, y)",
    "Phi": "Phi(x)",
    "phi": "phi(x)",
    # row-wise
    "softmax": "softmax(A)",
    "rmsnorm": "rmsnorm(A)",
    "layernorm": "layernorm(A)",
    # combinatorics
    "factorial": "factorial(n)",
    "factorial2": "factorial2(n)",
    "binomial": "binomial(n, k)",
    # probability
    "E": "E(expr), E(expr, given=B)",
    "Var": "Var(expr)",
    "Cov": "Cov(f, g)",
    "P": "P(x >= t), P(x in [a, b], given=B)",
    "indicator": "indicator(x >= t)",
    # calculus
    "D": "D(Y, X)",
    "limit": "limit(expr, L, oo)",
    # extremes and growth
    "sup": "sup(expr, Z)",
    "inf": "inf(expr, Z)",
    "O": "O(f)",
    "Omega": "Omega(f)",
    "Theta": "Theta(f)",
    "order": "order(1e-2), order(1e-3, 1e-2)",
    # depth and assumptions
    "after": "after(X, L)",
    "all": "all(relation, i, 1, n), all(relation, eps)",
    "independent": "independent(f, g)",
}

# Functions that the language has beyond its first edition: a theorem may use their names for its own.
FREE = frozenset({"P", "indicator", "asin", "acos", "atan", "hafnian", "esum"})

RESERVED = (frozenset(USAGE) | {"oo", "pi", "in", "given"}) - FREE
