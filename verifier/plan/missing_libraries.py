"""Engines whose library is not there: they say so, and the others go on.

torch is by far the largest thing that is installed with this program, and some machines have no build of it.
What is proved is proved without; searching for counterexamples and sampling need it."""

import importlib
from importlib.util import find_spec
from types import ModuleType

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.plan.settings import Engine

TORCH = "torch"
MISSING = "torch, which is not installed (pip install torch)"
NOTICE = (
    "torch is not installed, so the engines `search` and `numeric` are silent: "
    "what the others prove or refute is said, the rest stays inconclusive (pip install torch)"
)


class Absent:
    """In the place of an engine that cannot be loaded."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name

    def __call__(self, claim: Claim, step: Step, budget: Budget) -> Finding:
        """What is missing, and how to get it."""
        return Finding(self.name, "unknown", missing=MISSING)


def is_torch(error: ImportError) -> bool:
    """Whether it is torch that could not be imported, and not something of ours."""
    return (error.name or "").partition(".")[0] == TORCH


def module_of(engine: Engine) -> ModuleType | None:
    """The engine's module; None where torch, on which it stands, is not there."""
    try:
        return importlib.import_module(engine.module)
    except ImportError as error:
        if not is_torch(error):
            raise
        return None


def without_torch() -> str | None:
    """What to tell a user who has no torch; it is not imported to find out."""
    try:
        return None if find_spec(TORCH) else NOTICE
    except (ImportError, ValueError):
        return NOTICE
