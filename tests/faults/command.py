"""The command with stand-in engines, for tests that interrupt it or take its disk away."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.faults.test_stages import ENGINES
from verifier.cli import main
from verifier.gate import choices
from verifier.gate.config import Config
from verifier.plan.settings import Settings

chosen = choices.settings_of


def with_stand_ins(said: Mapping[str, Any], config: Config) -> Settings:
    return replace(chosen(said, config), engines=ENGINES, alone=False)


if __name__ == "__main__":
    choices.settings_of = with_stand_ins
    sys.exit(main())
