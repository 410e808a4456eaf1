"""Expressions as a reader writes them, in one line: d·n·‖x̄‖² for d*n*norm(xbar)**2."""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.evidence import Counterexample
from verifier.expr.nodes import Node, Within
from verifier.expr.unicode import to_unicode
from verifier.report import markup
from verifier.report.decimals import decimals
from verifier.report.facts import SHORT
from verifier.report.worked import REST, free_letters


def pretty(claim: Claim, text: str | None) -> str | None:
    """An expression of the language in letters, as a reader writes it."""
    tree = None if text is None else markup.read(claim, text)
    if tree is None:
        return text
    is_range = isinstance(tree, Within) and text is not None and text.startswith("[")
    words = f"[{to_unicode(tree.low)}, {to_unicode(tree.high)}]" if is_range else to_unicode(tree)  # type: ignore[union-attr]
    return " ".join(filter(None, [words, decimals(tree)]))


def in_letters(claim: Claim, found: Counterexample) -> Counterexample:
    """With exact sides as a reader writes them."""
    left, right = (_letters(claim, text) for text in (found.lhs_exact, found.rhs_exact))
    return replace(found, lhs_exact=left, rhs_exact=right)


def _letters(claim: Claim, text: str | None) -> str | None:
    """A power series goes on."""
    if text is None or SHORT.fullmatch(text):
        return text
    tree = markup.read(claim, text.removesuffix(REST), free_letters(claim, text))
    if not isinstance(tree, Node):
        return text
    return f"{to_unicode(tree)}{' + ⋯' if text.endswith(REST) else ''}"
