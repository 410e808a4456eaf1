"""What the fork server loads once for all workers: the exact engines, and what SymPy loads on its first
simplification."""

import sympy.physics.units  # noqa: F401

import verifier.exact.values.few_points
import verifier.proofs.propose
import verifier.prove.engine
import verifier.prove.ranges.engine
import verifier.prove.ranges.sos.eliminate_roots
import verifier.prove.rules.engine
import verifier.run.worker  # noqa: F401
from verifier.kernel.rules import rules

rules()  # which loads them
