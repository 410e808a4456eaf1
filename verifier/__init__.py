"""verify: does a write-up's formula hold?

    from verifier import judge, load, verify

    judge("norm(A @ B) <= norm(A) * norm(B)")
    run = verify(load("claims/"))
    for verdict in run.verdicts:
        print(verdict)

Everything is loaded on demand: `import verifier` takes milliseconds. `docs/python.md` tells the rest; in a
notebook, `%load_ext verifier`.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from verifier.api import (
        AssumptionVerdict,
        Broken,
        Claim,
        Counterexample,
        Loaded,
        Position,
        Problem,
        Proof,
        Run,
        Settings,
        StepVerdict,
        Verdict,
        judge,
        load,
        load_text,
        verify,
    )

__all__ = [
    "AssumptionVerdict", "Broken", "Claim", "Counterexample", "Loaded", "Position", "Problem", "Proof", "Run",
    "Settings", "StepVerdict", "Verdict", "__version__", "judge", "load", "load_text", "verify",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """The public names live in `verifier.api`; importing them costs only whoever uses them."""
    if name in __all__:
        import importlib

        if name == "judge":
            # A room has the same name, and would stand here once it is loaded: it can be called too.
            return importlib.import_module("verifier.judge")
        return getattr(importlib.import_module("verifier.api"), name)
    raise AttributeError(f"module 'verifier' has no attribute {name!r}")


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """`%load_ext verifier` in a notebook."""
    _notebook().load(shell)


def unload_ipython_extension(shell: "InteractiveShell") -> None:
    """`%unload_ext verifier`."""
    _notebook().unload(shell)


def _notebook() -> Any:
    import importlib

    return importlib.import_module("verifier.serve.notebook")
