"""The signs, operators and functions that the reader knows."""

RELATIONS = {
    "=": "==", ":=": "==", "=:": "==", r"\triangleq": "==", r"\le": "<=", r"\ge": ">=", "<": "<", ">": ">",
}  # fmt: skip
DEFINITIONS = frozenset({":=", "=:", r"\triangleq"})

# Relations of mathematics that the claim language does not have: never read as one that it has.
_FOREIGN = """
approx sim simeq cong equiv propto lesssim gtrsim ll gg ne to mapsto implies iff asymp prec succ preceq succeq
preccurlyeq succcurlyeq subset mid
"""
FOREIGN = frozenset(f"\\{name}" for name in _FOREIGN.split())

COMMANDS = {
    r"\log": "log", r"\ln": "log", r"\exp": "exp", r"\sin": "sin", r"\cos": "cos", r"\tanh": "tanh",
    r"\arcsin": "asin", r"\arccos": "acos", r"\arctan": "atan", r"\max": "max", r"\min": "min",
    r"\tr": "tr", r"\Tr": "tr", r"\diag": "diag", r"\Var": "Var", r"\Cov": "Cov", r"\softmax": "softmax",
    r"\erf": "erf", r"\E": "E", r"\Pr": "P", r"\det": "det", r"\rank": "rank", r"\ReLU": "relu",
    r"\relu": "relu", r"\trace": "tr", r"\cosh": "cosh", r"\sinh": "sinh",
}  # fmt: skip

# Words in upright type: \operatorname{tr}, \mathrm{softmax}, \text{ReLU}.
WORDS = {
    "tr": "tr", "Tr": "tr", "trace": "tr", "diag": "diag", "Diag": "diag", "softmax": "softmax",
    "Var": "Var", "Cov": "Cov",
    "E": "E", "exp": "exp", "log": "log", "ln": "log", "tanh": "tanh", "erf": "erf", "sigmoid": "sigmoid",
    "relu": "relu",
    "ReLU": "relu", "gelu": "gelu", "GELU": "gelu", "silu": "silu", "SiLU": "silu", "softplus": "softplus",
    "rmsnorm": "rmsnorm", "RMSNorm": "rmsnorm", "layernorm": "layernorm", "LayerNorm": "layernorm",
    "max": "max", "min": "min", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "Pr": "P", "Prob": "P",
    "det": "det", "rank": "rank", "rk": "rank", "logsumexp": "logsumexp", "sign": "sign", "sgn": "sign",
    "Tr.": "tr", "cov": "Cov", "var": "Var", "cosh": "cosh", "sinh": "sinh", "sin": "sin", "cos": "cos",
}  # fmt: skip

UPRIGHT = frozenset({r"\operatorname", r"\mathrm", r"\text", r"\textrm", r"\mathbf", r"\mathsf", r"\textbf"})
BOLD = frozenset({r"\mathbf", r"\boldsymbol", r"\mathbb", r"\mathrm", r"\mathds"})
# A 1 in these is a vector; a double-struck one may be an indicator.
HEAVY = frozenset({r"\mathbf", r"\boldsymbol"})
GROWTH = {r"\Theta": "Theta", r"\Omega": "Omega", "O": "O"}
NORMS = {
    "F": "fro", "Fro": "fro", "fro": "fro", "HS": "fro", "2": "2", "op": "2", "spec": "2", "1": "1",
    r"\infty": "oo", r"2\to2": "2", r"\ell2": "2", r"\ell_2": "2", r"\ell_1": "1", "*": "nuc", r"\ast": "nuc",
}  # fmt: skip
# What formulas print and the language may not have: read if it has it, refused by this name if not.
LATER = {
    "det": "determinants", "rank": "ranks", "psd": "order of matrices (psd)", "inv": "inverses",
    "logsumexp": "logsumexp", "sign": "signs", "cosh": "cosh", "sinh": "sinh",
}  # fmt: skip
BRACKETS = {"(": ")", "[": "]", r"\{": r"\}"}
SUMS = {r"\sum": "sum", r"\prod": "prod"}
EXTREMES = {r"\sup": "sup", r"\inf": "inf"}

# What ends a product: no factor begins with one of these.
STOPS = frozenset(
    {"+", "-", ")", "]", r"\}", "}", ",", ";", r"\rangle", "/", r"\otimes", r"\odot", r"\\", r"\cdot",
     r"\times", "*", r"\circ", "!", "^", "_", "'", r"\in", r"\pm", r"\mp", *RELATIONS, *FOREIGN}
)  # fmt: skip

# Commands that papers use and the language has nothing for.
NOT_YET = {
    r"\int": "integrals", r"\iint": "integrals", r"\arg": "arg min", r"\argmin": "arg min",
    r"\argmax": "arg max", r"\begin": "cases or matrices in print", r"\limsup": "upper limits",
    r"\liminf": "lower limits", r"\bigcup": "sets", r"\bigcap": "sets", r"\exists": "existence",
    r"\varlimsup": "upper limits", r"\varliminf": "lower limits", r"\lambda_{\max}": "eigenvalues",
}  # fmt: skip
# Functions of which a power after the bracket is a power of the value, in everybody's print.
POWERS_OUTSIDE = frozenset(
    {"relu", "gelu", "silu", "softplus", "sigmoid", "tanh", "erf", "max", "min", "abs"}
)
# f = O(g) is an upper bound, and f = Omega(g) a lower one.
GROWS = {"O": "<=", "Omega": ">="}
LOEWNER = (r"\preceq", r"\succeq", r"\preccurlyeq", r"\succcurlyeq")
# An upright T is a transpose whatever else is called T.
TRANSPOSES = frozenset(
    (font, "T") for font in (r"\mathsf", r"\mathrm", r"\text", r"\textsf", r"\mathtt", r"\sf")
)
