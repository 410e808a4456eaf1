"""What the fork server loads once for all workers.

Importing torch starts no thread, so it is safe before a fork; running it would not be.
"""

import verifier.numeric.engine
import verifier.rigorous.engine
import verifier.run.worker
import verifier.search.engine
import verifier.symbolic.engine  # noqa: F401
