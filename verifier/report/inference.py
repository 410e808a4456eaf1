"""Rules of the kernel for readers: the inference rule on one line, and its conditions in words."""

import re

from verifier.kernel.rules import Rule

_PAIRS = """
vdash ⊢ Gamma Γ Delta Δ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ in ∈ notin ∉ varphi φ phi φ psi ψ sigma σ lambda λ
alpha α beta β mu μ pi π sum Σ prod Π int ∫ to → mapsto ↦ infty ∞ cdot · times × equiv ≡ models ⊨ subseteq ⊆
subset ⊂ cup ∪ cap ∩ forall ∀ exists ∃ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨ bot ⊥ top ⊤ Rightarrow ⇒
implies ⇒ sqrt √ partial ∂ nabla ∇ succeq ⪰ preceq ⪯ ldots … dots … cdots … langle ⟨ rangle ⟩ mid |
pm ± otimes ⊗ sim ∼ supseteq ⊇ colon : lVert ‖ rVert ‖ Phi Φ Omega Ω Theta Θ
"""
_SILENT = "left right mathbb mathrm mathcal mathit text operatorname displaystyle bar hat tilde"
_SIGNS = dict(zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True)) | dict.fromkeys(
    _SILENT.split(), ""
)
_SIGNS |= {"quad": ",", "qquad": ","}
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_LONG_INDEX = re.compile(r"([_^])\{([^{}]*[=<+ ][^{}]*)\}")
_SMALL = re.compile(r"\\tfrac\s*(\w)\s*(\w)")
_LONG_ROOT = re.compile(r"\\sqrt\{([^{}]*[-+ ][^{}]*)\}")
_BETWEEN = re.compile(r"\\qquad(?=\s*\\frac)")


def formula(rule: Rule) -> str:
    """The inference rule, in LaTeX."""
    return "\n".join(_paragraphs(rule)[:1])


def conditions(rule: Rule) -> list[str]:
    """What is said of it, and what it demands, paragraph by paragraph."""
    return [" ".join(part.split()) for part in _paragraphs(rule)[1:]]


def one_line(rule: Rule) -> str:
    """Γ ⊢ a = b  ⟹  Γ ⊢ a ≤ b: premises, then the conclusion; several rules one after the other."""
    parts = (" ".join(_plain(part).split()) for part in _BETWEEN.split(" ".join(formula(rule).split())))
    return "; ".join(part.replace(" ⟹ ", "  ⟹  ") for part in parts if part)


def _paragraphs(rule: Rule) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", rule.text) if part.strip()]


def _plain(latex: str) -> str:
    at = latex.find("\\frac")
    if at >= 0:
        above, after = _group(latex, at + len("\\frac"))
        below, after = _group(latex, after)
        parts = _plain(above).strip(), _plain(below).strip()
        if "vdash" in below:
            inner = " ".join(filter(None, [parts[0], "⟹", parts[1]]))
        else:
            inner = "/".join(map(_one, parts))
        return f"{_plain(latex[:at])}{inner}{_plain(latex[after:])}"
    latex = _LONG_ROOT.sub(r"\\sqrt(\1)", latex.replace(r"\mathbf{1}", "𝟏"))
    latex = _SMALL.sub(r"\1/\2", latex)
    latex = _LONG_INDEX.sub(r"\1(\2)", latex.replace("\\|", "‖"))
    words = _COMMAND.sub(lambda found: f"{_SIGNS.get(found[1], found[1])} ", latex)
    words = re.sub(r"\\[,;:! ]", " ", words)
    return re.sub(r"\s+([,;.)\]_^⟩])|(?<=[√⟨]) ", r"\1", re.sub(r"[{}\\$&]", "", words))


def _one(words: str) -> str:
    """In parentheses where a fraction would fall apart without."""
    return words if re.fullmatch(r"\S*", words) else f"({words})"


def _group(latex: str, at: int) -> tuple[str, int]:
    """What stands in the braces from here on, and where they end."""
    begin = latex.find("{", at)
    if begin < 0:
        return latex[at:], len(latex)
    depth = 0
    for end in range(begin, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[end], 0)
        if depth == 0:
            return latex[begin + 1 : end], end + 1
    return latex[begin + 1 :], len(latex)
