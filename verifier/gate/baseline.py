"""An earlier run to compare with: any JSON report is a baseline."""

import json
from collections.abc import Mapping
from pathlib import Path

from verifier.report.view import Json

# The keys of a claim that the gate compares; the others of a long report are let go.
COMPARED = ("id", "verdict", "fingerprint", "as_expected")


class BaselineError(Exception):
    """The baseline cannot be used; the message says why."""


def read_baseline(path: Path) -> Mapping[str, Json]:
    """The claims of an earlier run by id."""
    if path.exists() and not path.is_file():
        raise BaselineError(f"the baseline {path} is no regular file")
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        claims = {
            claim["id"]: {key: claim[key] for key in COMPARED if key in claim}
            for claim in report["claims"]
            if claim["verdict"]
        }
    except OSError as error:
        raise BaselineError(f"the baseline {path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        words = f"{path} is not a JSON report; write one with --output json={path}"
        raise BaselineError(words) from None
    return claims
