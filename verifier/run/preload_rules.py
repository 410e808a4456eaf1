"""What the fork server loads for one claim at a shell: the engines that need no large library."""

import verifier.proofs.propose
import verifier.rigorous.engine
import verifier.rigorous.touch
import verifier.run.worker
import verifier.search.proofs  # noqa: F401
