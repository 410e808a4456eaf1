"""Whether a mean exists: the one place that says if the mean of an absolute value is finite."""

from verifier.claim.integrability.answer import Answer
from verifier.claim.integrability.means_of_statement import Standing, is_finite, standing
from verifier.claim.integrability.under_the_mean import bodies, exchanges

__all__ = ["Answer", "Standing", "bodies", "exchanges", "is_finite", "standing"]
