"""verify: does a write-up's formula hold?

    from verifier import load, verify

    run = verify(load("claims/"))
    for verdict in run.verdicts:
        print(verdict.id, verdict.verdict)

Everything is loaded on demand: `import verifier` takes milliseconds.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from verifier.api import Loaded, Run, Settings, Verdict, load, load_text, verify

__all__ = ["Loaded", "Run", "Settings", "Verdict", "__version__", "load", "load_text", "verify"]


def __getattr__(name: str) -> object:
    """The public names live in `verifier.api`; importing them costs only whoever uses them."""
    if name in __all__:
        import importlib

        return getattr(importlib.import_module("verifier.api"), name)
    raise AttributeError(f"module 'verifier' has no attribute {name!r}")
