r"""A tree as LaTeX: `E(norm(S)**2)` is `\mathbb{E}\left[\left\|S\right\|_{\mathrm{F}}^{2}\right]`.

Plain ASCII where the names are, amsmath and amssymb only, for use within math mode.
"""

from verifier.expr.typeset.boxes import (
    Accented,
    Big,
    Box,
    Call,
    Digits,
    Fence,
    Fraction,
    Indexed,
    Letter,
    Line,
    Root,
    Script,
    Sign,
    Times,
    Words,
)
from verifier.expr.typeset.statements import Printable, lay_out_any
from verifier.expr.typeset.writing import on_paper, starts_with_digit, under_sign

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi",
    "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ℓ": "ell",
}  # fmt: skip

LETTERS = {
    "𝔼": r"\mathbb{E}",
    "ℙ": r"\mathbb{P}",
    "𝟙": r"\mathbf{1}",
    "ℝ": r"\mathbb{R}",
    "ℤ": r"\mathbb{Z}",
    "𝒩": r"\mathcal{N}",
    "𝒮": r"\mathcal{S}",
    "𝟏": r"\mathbf{1}",
    "𝟎": r"\mathbf{0}",
    "ο": "o",
} | {letter: f"\\{command}" for letter, command in GREEK.items()}

SIGNS = {
    "−": "-", "=": "=", "+": "+", "<": "<", ">": ">", "≠": r"\ne", "≤": r"\le", "≥": r"\ge", "≈": r"\approx",
    "⊙": r"\odot", "⊘": r"\oslash", "⊗": r"\otimes", "∘": r"\circ", "×": r"\times", "⊤": r"\top",
    "∞": r"\infty", "∂": r"\partial", "→": r"\to", "∈": r"\in", "∼": r"\sim", "∣": r"\mid", "±": r"\pm",
    "⊆": r"\subseteq", "…": r"\ldots", ",": ",", ":": ":", "!": "!", "!!": "!!",
}  # fmt: skip

FENCES = {"‖": r"\|", "|": "|", "⟨": r"\langle", "⟩": r"\rangle", "{": r"\{", "}": r"\}"}

BIG = {"sum": r"\sum", "prod": r"\prod", "lim": r"\lim", "sup": r"\sup", "inf": r"\inf"}

OPERATORS = {"exp", "log", "sin", "cos", "tanh", "min", "max"}

SPECIAL = {character: f"\\{character}" for character in "{}$&#_%"} | {
    "\\": r"\backslash{}",
    "^": r"\hat{}",
    "~": r"\sim{}",
}


def to_latex(item: Printable) -> str:
    """LaTeX for math mode."""
    return _write(lay_out_any(item))


def _write(box: Box) -> str:
    match box:
        case Letter(text, upright):
            return _letter(text, upright)
        case Digits(text):
            return LETTERS.get(text) or _escaped(text)
        case Sign(text):
            return SIGNS[text]
        case Words(text):
            return rf"\text{{{_escaped(text)}}}"
        case Line(items):
            return " ".join(_write(item) for item in items).replace(" , ", ", ")
        case Times(factors):
            return _times(factors)
        case Fraction(numerator, denominator, bar):
            command = r"\frac" if bar else r"\genfrac{}{}{0pt}{}"
            return f"{command}{{{_write(numerator)}}}{{{_write(denominator)}}}"
        case Fence(left, body, right):
            return rf"\left{FENCES.get(left, left)} {_write(body)} \right{FENCES.get(right, right)}"
        case Call(head, body):
            return f"{_write(head)}{_write(body)}"
        case Root(body):
            return rf"\sqrt{{{_write(body)}}}"
        case Accented(body, accent):
            return rf"\{accent}{{{_write(body)}}}"
        case Script(base, below, above):
            return _script(on_paper(base), below, above)
        case Indexed():
            return _write(on_paper(box))
        case Big(sign, under, over, such_that, body):
            return f"{_script_of(BIG[sign], under_sign(under, such_that), over)} {_write(body)}"
    raise TypeError(f"no LaTeX for {type(box).__name__}")


def _letter(text: str, upright: bool) -> str:
    if text in LETTERS:
        return LETTERS[text]
    if upright and len(text) == 1:
        return rf"\mathrm{{{_escaped(text)}}}"
    if upright:
        return rf"\{text}" if text in OPERATORS else rf"\operatorname{{{_escaped(text)}}}"
    return _escaped(text) if len(text) == 1 else rf"\mathit{{{_escaped(text)}}}"


def _times(factors: tuple[Box, ...]) -> str:
    text = _write(factors[0])
    for factor in factors[1:]:
        text += (r" \cdot " if starts_with_digit(factor) else r" \, ") + _write(factor)
    return text


def _script(base: Box, below: Box | None, above: Box | None) -> str:
    if isinstance(base, Script):  # an entry of a matrix: its indices are the subscript
        below, base = base.below, base.base
    return _script_of(_write(base), below, above)


def _script_of(base: str, below: Box | None, above: Box | None) -> str:
    marks = f"_{{{_write(below)}}}" if below is not None else ""
    return base + marks + (f"^{{{_write(above)}}}" if above is not None else "")


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)
