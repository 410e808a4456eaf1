"""Faults between the engines: what the run does before, after and around them misbehaves on demand."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from tests.run.engines import misbehave
from verifier.claim.build import Draft
from verifier.claim.model import Claim
from verifier.evidence import Finding

# By stage, the module that calls it and its name there.
STAGES = {
    "vacuity": ("verifier.run.examine", "vacuity"),
    "smaller": ("verifier.run.asking", "smaller"),
    "illustrating": ("verifier.run.asking", "illustrated"),
    "special-cases": ("verifier.run.examine", "specialise"),
    "squeezing": ("verifier.run.examine", "squeeze"),
    "widening": ("verifier.run.examine", "widen"),
    "relaxation": ("verifier.run.examine", "relax"),
    "repair": ("verifier.run.examine", "mend"),
}


def installed(binding: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same, in a process whose stages are faulty from now on."""
    for stage, (module, name) in STAGES.items():
        home = importlib.import_module(module)
        if not isinstance(getattr(home, name), Faulty):
            setattr(home, name, Faulty(stage, getattr(home, name)))
    return binding


class Faulty:
    """A stage that acts if the name of the claim says so: `is-killed-in-smaller`; where findings are worked
    on, on the first that says something."""

    def __init__(self, stage: str, inner: Callable[..., Any]) -> None:
        self.stage, self.inner = stage, inner

    def __call__(self, *arguments: Any) -> Any:
        claim = arguments[0] if isinstance(arguments[0], Claim | Draft) else arguments[0].claim
        what, _, stage = claim.id.partition("#")[2].rpartition("-in-")
        nothing_yet = any(isinstance(part, Finding) and part.truth == "unknown" for part in arguments)
        if stage == self.stage and not nothing_yet:
            misbehave(what)
        return self.inner(*arguments)
