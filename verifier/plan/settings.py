"""Every limit and default of a run, in one frozen object."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.evidence import Trust

# Whose word a verdict may rest on: the kernel's alone, or that of engines too; and where nobody says so.
TRUSTED: "tuple[Trust, ...]" = ("checked", "engines")
DEFAULT_TRUST: "Trust" = "engines"


@dataclass(frozen=True)
class Engine:
    """An engine: the module whose `examine` is called, and the round in which it is asked.

    A witness speaks also of what is settled already. One that climbs is given closed forms in place
    of expectations, where there are any."""

    name: str
    module: str
    round: int
    is_witness: bool = False
    climbs: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether what it says is proved."""
        return not self.climbs and not self.is_witness


EXACT_ROUND = 1  # up to here, what is said is proved
RULES = Engine("rules", "verifier.prove.rules.engine", 0)
ENGINES = (
    RULES,
    Engine("rigorous", "verifier.prove.ranges.engine", 1),
    Engine("symbolic", "verifier.prove.engine", 1),
    Engine("search", "verifier.refute.engine", 2, climbs=True),
    Engine("numeric", "verifier.sample.engine", 3, is_witness=True),
)

# Where a proof is all that is wanted: how tight a bound is, is seen first where that takes no library.
FEW_POINTS = Engine("points", "verifier.exact.values.few_points", 0, is_witness=True)
LEAN_ENGINES = (*ENGINES[:1], Engine("touch", "verifier.prove.ranges.touch", 0), *ENGINES[1:])


def default_jobs() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


class NoCluster(Exception):
    """There is no cluster to run on; the message says why."""


@dataclass(frozen=True)
class Settings:
    """How a run is carried out."""

    seed: int = 0
    device: str = "auto"
    jobs: int = field(default_factory=default_jobs)
    # A claim is stopped by force after `seconds`; its engines plan for `soft_share` of that, so
    # that a hundred claims end within five minutes on two cores.
    seconds: float = 10.0
    soft_share: float = 0.5
    memory_bytes: int = 3 * 2**30
    # The chance that anything said on sampling in the whole run is wrong, shared over its questions.
    alpha: float = 1e-6
    questions: int = 2**13
    draws: int | None = None
    # Seconds in which proofs of a claim are looked for and checked, beside the others: plan/kernel_proofs.py.
    proving: float = 2.0
    # The same for what is offered beside the verdict: see proofs/beside.py.
    proving_beside: float = 1.0
    # Whose word a verdict may rest on: see judge/decide.py.
    trust: "Trust" = DEFAULT_TRUST
    # Whether somebody will look at pictures: some of them are sampled for their own sake.
    pictures: bool = False
    engines: tuple[Engine, ...] = ENGINES
    # Whether the kernel is asked alone too: about what is left open, and first where engines are not trusted.
    alone: bool = True
    # What the kernel shows before any engine is asked needs none of them, and exact arithmetic at a few
    # points is its second witness: no large library is loaded.
    lean: bool = False
    # The address of a scheduler of dask.distributed, to run there instead of here.
    cluster: str | None = None
    # The address of one whose idle workers may work out chunks of draws, for whoever examines a claim there.
    helpers: str | None = None

    def __post_init__(self) -> None:
        """Without a worker or time a run would never end, or never begin."""
        given = (self.jobs, self.seconds, self.memory_bytes, 1 if self.draws is None else self.draws)
        if not all(value > 0 for value in given):
            raise ValueError("jobs, seconds, memory and draws are positive")

    @property
    def soft_seconds(self) -> float:
        return self.seconds * self.soft_share
