"""Faults between the engines: what the run does before, after and around them misbehaves on demand."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests.run.engines import misbehave
from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.plan import examine, table
from verifier.plan.known import Known
from verifier.plan.schedule import Row
from verifier.read.specs.make_claim import Draft

# By stage, the module that calls it and its name there; for a row of the table, and for what is asked
# afterwards, the table and its name in it.
STAGES = {
    "vacuity": ("ROWS", "assumptions"),
    "smaller": ("verifier.plan.asking", "smaller"),
    "illustrating": ("verifier.plan.asking", "illustrated"),
    "special-cases": ("ROWS", "special values"),
    "squeezing": ("ROWS", "a smaller right side"),
    "widening": ("ROWS", "a larger right side"),
    "relaxation": ("AFTERWARDS", "without assumptions"),
    "repair": ("AFTERWARDS", "more conditions"),
}


def installed(binding: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same, in a process whose stages are faulty from now on."""
    for stage, (module, name) in STAGES.items():
        match module:
            case "ROWS":
                table.ROWS = tuple(_row(stage, row) if row.name == name else row for row in table.ROWS)
            case "AFTERWARDS":
                examine.AFTERWARDS[name] = faulty(stage, examine.AFTERWARDS[name])
            case _:
                home = importlib.import_module(module)
                setattr(home, name, faulty(stage, getattr(home, name)))
    return binding


def _row(stage: str, row: Row) -> Row:
    """The row, faulty, and asked of a claim whose name says so, whatever is known."""
    turn = Known(lambda case: case.claim.id.endswith(f"-in-{stage}") or row.missing(case) is None)
    return replace(row, run=faulty(stage, row.run), when=(turn,))


def faulty(stage: str, inner: Callable[..., Any]) -> "Faulty":
    return inner if isinstance(inner, Faulty) else Faulty(stage, inner)


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
