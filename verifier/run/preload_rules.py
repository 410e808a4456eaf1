"""What the fork server loads for one claim at a shell: the engines that need no large library."""

import verifier.exact.values.few_points
import verifier.proofs.propose
import verifier.prove.ranges.touch
import verifier.prove.rules.engine
import verifier.run.worker  # noqa: F401
from verifier.kernel.rules import rules

rules()  # which loads them
