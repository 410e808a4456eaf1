"""What the fork server loads once for all workers: the exact engines, and what SymPy loads on its first
simplification."""

import sympy.physics.units  # noqa: F401

import verifier.rigorous.engine
import verifier.run.worker
import verifier.symbolic.engine  # noqa: F401
