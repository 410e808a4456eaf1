"""A theorem's symbols, and claims about them."""

from tests.read.specs.marks import accepted
from verifier.claim.model import Claim

HEAD = """
    theorem: a/b
    symbols:
      n: dimension
      m: dimension
      x: real
      v: vector(n)
      A: matrix(n, m)
      W: normal(m, m)
"""


def claim(text: str) -> Claim:
    (only,) = accepted(HEAD + text).claims
    return only


def says(text: str, more: str = "") -> str:
    return f"{HEAD}    claims:\n      c:\n        says: {text}\n{more}"
