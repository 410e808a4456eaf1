"""What the command line, the environment and the configuration decide together."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from verifier.gate.baseline import read_baseline
from verifier.gate.config import LIMITS, Config
from verifier.gate.policy import Policy
from verifier.plan.settings import DEFAULT_TRUST, Settings
from verifier.run.result_store import Store

DEFAULT_CACHE = ".verify-cache"
# Where verdicts are remembered, for whoever cannot pass an option; empty for nowhere.
CACHE_VARIABLE = "VERIFY_CACHE"


def settings_of(said: Mapping[str, Any], config: Config) -> Settings:
    """Limits: what was said on the command line, else what the configuration says, else the defaults."""
    given = {name: said[name] for name in LIMITS if said.get(name) is not None}
    chosen = config.options | given
    made = Settings(
        seed=chosen.get("seed", 0),
        device=chosen.get("device", "auto"),
        seconds=chosen.get("seconds", 10.0),
        memory_bytes=int(chosen.get("memory", 3.0) * 2**30),
        draws=chosen.get("draws"),
        trust=chosen.get("trust", DEFAULT_TRUST),
        cluster=said.get("cluster"),
        pictures=said.get("report") is not None,
    )
    return replace(made, jobs=chosen["jobs"]) if "jobs" in chosen else made


def store_of(said: Path | None, config: Config, folder: Path | None = None) -> Store | None:
    """Where verdicts are remembered: the option, the environment, the configuration, else beside it."""
    variable = os.environ.get(CACHE_VARIABLE)
    if said is None and (config.cache is False or variable == ""):
        return None
    configured = config.cache if isinstance(config.cache, Path) else None
    beside = (folder or config.folder or Path()) / DEFAULT_CACHE
    return Store(said or (Path(variable) if variable else None) or configured or beside)


def policy_of(
    config: Config,
    fail_on: tuple[str, ...] | None = None,
    require: str | None = None,
    fail_at: str | None = None,
    baseline: Path | None = None,
    min_coverage: float | None = None,
) -> Policy:
    place = baseline or config.baseline
    return Policy(
        fail_on=fail_on if fail_on is not None else config.fail_on,
        require=require or config.require or "searched",
        fail_at=fail_at or config.fail_at or "note",
        baseline=read_baseline(place) if place else None,
        min_coverage=min_coverage if min_coverage is not None else config.min_coverage,
    )
