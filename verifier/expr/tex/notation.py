"""The signs, operators and functions that the reader knows."""

RELATIONS = {"=": "==", r"\le": "<=", r"\ge": ">=", "<": "<", ">": ">"}

# Relations of mathematics that the claim language does not have: never read as one that it has.
_FOREIGN = """
approx sim simeq cong equiv propto lesssim gtrsim ll gg ne to mapsto implies iff asymp prec succ preceq succeq
subset mid
"""
FOREIGN = frozenset(f"\\{name}" for name in _FOREIGN.split())

COMMANDS = {
    r"\log": "log", r"\ln": "log", r"\exp": "exp", r"\sin": "sin", r"\cos": "cos", r"\tanh": "tanh",
    r"\arcsin": "asin", r"\arccos": "acos", r"\arctan": "atan", r"\max": "max", r"\min": "min",
    r"\tr": "tr", r"\Tr": "tr", r"\diag": "diag", r"\Var": "Var", r"\Cov": "Cov", r"\softmax": "softmax",
    r"\erf": "erf", r"\E": "E",
}  # fmt: skip

# Words in upright type: \operatorname{tr}, \mathrm{softmax}, \text{ReLU}.
WORDS = {
    "tr": "tr", "Tr": "tr", "trace": "tr", "diag": "diag", "softmax": "softmax", "Var": "Var", "Cov": "Cov",
    "E": "E", "exp": "exp", "log": "log", "ln": "log", "tanh": "tanh", "erf": "erf", "sigmoid": "sigmoid",
    "relu": "relu",
    "ReLU": "relu", "gelu": "gelu", "GELU": "gelu", "silu": "silu", "SiLU": "silu", "softplus": "softplus",
    "rmsnorm": "rmsnorm", "RMSNorm": "rmsnorm", "layernorm": "layernorm", "LayerNorm": "layernorm",
    "max": "max", "min": "min", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
}  # fmt: skip

UPRIGHT = frozenset({r"\operatorname", r"\mathrm", r"\text", r"\textrm", r"\mathbf", r"\mathsf", r"\textbf"})
BOLD = frozenset({r"\mathbf", r"\boldsymbol", r"\mathbb", r"\mathrm", r"\mathds"})
GROWTH = {r"\Theta": "Theta", r"\Omega": "Omega", "O": "O"}
NORMS = {"F": "fro", "2": "2", "1": "1", r"\infty": "oo", "op": "2"}
BRACKETS = {"(": ")", "[": "]", r"\{": r"\}"}
SUMS = {r"\sum": "sum", r"\prod": "prod"}
EXTREMES = {r"\sup": "sup", r"\inf": "inf"}

# What ends a product: no factor begins with one of these.
STOPS = frozenset(
    {"+", "-", ")", "]", r"\}", "}", ",", ";", r"\rangle", "/", r"\otimes", r"\odot", r"\\", r"\cdot",
     r"\times", "*", r"\circ", "!", "^", "_", "'", r"\in", r"\pm", r"\mp", *RELATIONS, *FOREIGN}
)  # fmt: skip
