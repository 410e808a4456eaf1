r"""The sentences of a paper that declare, read into the words of the claim language.

    passage → sentences of words and formulas → productions (a table) → facts → declarations

`Let $W \in \mathbb{R}^{m \times n}$ have i.i.d. $\mathcal{N}(0, \sigma^2)$ entries` is `W: normal(m, n,
std=sigma)`. A sentence is read whole or not at all: a word that no production has, a hedge, or something
that the language has no kind for makes it refused, with the reason."""

from verifier.read.prose.read import declarations, declarations_of
from verifier.read.prose.values import Declared, Refused

__all__ = ["Declared", "Refused", "declarations", "declarations_of"]
