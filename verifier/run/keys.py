"""What a verdict depends on, as digests: the claim as written, the program, the settings.

Positions, titles and expectations are left out: moving a claim or expecting something else of it does
not change whether it is true. Every other field counts, those that are yet to be invented too.
"""

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from verifier.plan.settings import Settings
from verifier.read.specs.make_claim import Draft
from verifier.read.specs.raw import RawClaim, RawLayers, RawTheorem
from verifier.read.specs.yaml_document import Text
from verifier.run.digests import digest, settings_data

# How a claim is shown, compared with its write-up or gated.
NOT_PART_OF_THE_STATEMENT = frozenset(
    {"title", "note", "source", "key", "id_text", "claims", "slug", "expect", "severity", "latex", "label",
     "letters", "under", "each", "assumptions", "inferred"}
)  # fmt: skip


def claim_key(plan: Draft, settings: Settings) -> str:
    """Two claims with one key have one verdict. The id is in it: what is remembered is one claim's."""
    in_force = [[name, plan.theorem.assumptions[name].value] for name in plan.under]
    written = [plan.id, _plain(plan.theorem), _plain(plan.claim), _plain(plan.binding), in_force]
    return digest([*written, *settings_data(settings)])


def _plain(value: object) -> Any:
    match value:
        case Text():
            return value.value
        case Fraction():
            return str(value)
        case None | bool() | str() | int():
            return value
        case Mapping():
            return [[str(name), _plain(item)] for name, item in value.items()]
        case tuple() | list():
            return [_plain(item) for item in value]
        case RawTheorem() | RawClaim() | RawLayers():
            names = [item.name for item in fields(value) if item.name not in NOT_PART_OF_THE_STATEMENT]
            return [[name, _plain(getattr(value, name))] for name in names]
    raise TypeError(f"{type(value).__name__} is not part of a claim as written")
