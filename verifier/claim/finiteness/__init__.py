"""Whether a mean exists: the one place that says if the mean of an absolute value is finite."""

from verifier.claim.finiteness.answer import Answer
from verifier.claim.finiteness.exchange import bodies, exchanges
from verifier.claim.finiteness.statement import Standing, is_finite, standing

__all__ = ["Answer", "Standing", "bodies", "exchanges", "is_finite", "standing"]
