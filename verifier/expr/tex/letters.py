r"""Which name a printed letter stands for: the declared map first, then `\sigma_x` for `sigma_x`."""

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.scope import Scope
from verifier.expr.tex.tokens import Token, tokenize

_WORDS = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho sigma
tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell
"""
_STYLES = """
mathbf boldsymbol mathrm mathit mathsf mathcal mathbb mathfrak bar hat tilde vec dot ddot overline widehat
widetilde check breve underline
"""
GREEK = frozenset(f"\\{name}" for name in _WORDS.split())
FONTS = frozenset(f"\\{name}" for name in _STYLES.split())

Key = tuple[str, ...]


@dataclass(frozen=True)
class Letters:
    """The declared map, longest pieces first, and the names that are there to be meant."""

    keys: tuple[tuple[Key, str], ...]
    scope: Scope

    def pairs(self, names: list[S.Name]) -> bool:
        r"""Whether \sum_{i \ne j} may run over both, as far as can be told here."""
        return False

    @property
    def bars_are_frobenius(self) -> bool:
        return ("‖", r"\cdot", "‖") in dict(self.keys)

    def declared(self, tokens: list[Token], at: int) -> tuple[str, int] | None:
        """The name and the number of tokens of the longest declared piece that stands here."""
        for key, name in self.keys:
            if tuple(token.text for token in tokens[at : at + len(key)]) == key:
                return name, len(key)
        return None

    def knows(self, name: str) -> bool:
        scope = self.scope
        return name in scope.symbols or name in scope.lets or name in scope.values or name in scope.layered

    def is_number(self, name: str) -> bool:
        """Whether it is a symbol that is a number."""
        known = self.scope.symbols.get(name)
        return known is not None and known.shape.is_scalar


def letters(names: Mapping[str, str], scope: Scope) -> Letters:
    """The map as token sequences."""
    keys = [(tuple(token.text for token in tokenize(piece)), name) for piece, name in names.items()]
    return Letters(tuple(sorted(keys, key=lambda item: -len(item[0]))), scope)


def word(token: Token) -> str | None:
    """The plain word of one token inside a name: x, 1, sigma."""
    if token.is_letter:
        return token.text[0] + "_prime" * (len(token.text) - 1)
    if token.is_digit:
        return token.text
    return token.text[1:] if token.text in GREEK else None


def undeclared(shown: str, span: Span) -> ExprError:
    hint = f"declare it under `names:`, for example {{'{shown}': name}}"
    return ExprError("latex", f"{shown} is not a declared name", span, hint)
