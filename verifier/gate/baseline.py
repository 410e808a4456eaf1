"""An earlier run to compare with: any JSON report is a baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import intern

from verifier.report.earlier import claims_of
from verifier.report.view import Json


class BaselineError(Exception):
    """The baseline cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Past:
    """What the gate compares of a claim of an earlier run."""

    verdict: str
    fingerprint: str | None = None
    as_expected: bool = False


def read_baseline(path: Path) -> Mapping[str, Past]:
    """The claims of an earlier run by id."""
    try:
        return {claim["id"]: past(claim) for claim in claims_of(path) if claim["verdict"]}
    except OSError as error:
        raise BaselineError(f"the baseline {path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        words = f"{path} is not a JSON report; write one with --output json={path}"
        raise BaselineError(words) from None


def past(claim: Json) -> Past:
    """The part of a claim that is kept: the others of a long report are let go."""
    return Past(intern(claim["verdict"]), claim.get("fingerprint"), bool(claim.get("as_expected")))
