"""How an identifier is typeset: `sigma_q` is a sigma with a q below it, `xbar` an x with a bar.

A name is read as letter, accent, subscripts: `W_Q_1` has two subscripts, `x1` has one.
"""

import re
from dataclasses import dataclass
from typing import Literal

Accent = Literal["bar", "hat", "tilde", "dot", "check"]

ACCENTS: tuple[Accent, ...] = ("bar", "hat", "tilde", "dot", "check")

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "lamda": "λ", "lam": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "omicron": "ο", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "upsilon": "υ", "phi": "φ", "varphi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "ell": "ℓ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A letter (or a word), perhaps with an accent, and its subscripts from left to right."""

    base: str
    accent: Accent | None = None
    subscripts: tuple[str, ...] = ()


def read_name(name: str) -> Name:
    """The parts of an identifier."""
    head, *rest = [part for part in name.split("_") if part] or [name]
    accent, head = _accent(head)
    if rest and accent is None and rest[0] in ACCENTS and _is_letter(head):
        accent, rest = rest[0], rest[1:]
    numbered = re.fullmatch(r"([^\W\d]+)(\d+)", head)
    if numbered and _is_letter(numbered[1]):
        head, rest = numbered[1], [numbered[2], *rest]
    return Name(_letter(head), accent, tuple(_letter(part) for part in rest))


def _accent(head: str) -> tuple[Accent | None, str]:
    """`xbar` is a bar over x; `crossbar` is a word."""
    for accent in ACCENTS:
        if head.endswith(accent) and _is_letter(head[: -len(accent)]):
            return accent, head[: -len(accent)]
    return None, head


def _is_letter(text: str) -> bool:
    return len(text) == 1 or text in GREEK


def _letter(text: str) -> str:
    return GREEK.get(text, text)
