"""The engines on torch, for the fork server. Importing torch starts no thread, so it is safe before
a fork; running it would not be."""

import verifier.refute.engine
import verifier.sample.engine  # noqa: F401
