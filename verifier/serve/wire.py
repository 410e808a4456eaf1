"""Data on their way to somebody's program: compact, and without characters that show as something else."""

import json
from typing import Any

from verifier.expr.unseen import inert


def compact(data: Any) -> str:
    """JSON in one line."""
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def harmless(data: Any) -> Any:
    """Data with every text made inert: a stranger's words may hold what turns or hides a line."""
    match data:
        case str():
            return "\n".join(map(inert, data.split("\n")))
        case dict():
            return {str(key): harmless(value) for key, value in data.items()}
        case list() | tuple():
            return [harmless(value) for value in data]
    return data
