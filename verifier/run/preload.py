"""What the fork server loads once for all workers: the exact engines."""

import verifier.rigorous.engine
import verifier.run.worker
import verifier.symbolic.engine  # noqa: F401
