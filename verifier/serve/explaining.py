"""A claim at length, and the meaning of a code, as text for whoever asks through a server."""

import io
from typing import Any

from rich.console import Console

from verifier.expr.scope import suggestion
from verifier.judge.verdict import Verdict
from verifier.read.specs.loaded import Broken
from verifier.read.specs.message_codes import CODES
from verifier.report.explain import explain
from verifier.serve.judging import Refused

MOST_CHARACTERS = 12_000
WIDTH = 110


def explain_claim(item: Verdict | Broken) -> str:
    """How a claim was read and judged."""
    if isinstance(item, Broken):
        return str(item)
    file = io.StringIO()
    explain(item, Console(file=file, width=WIDTH, highlight=False, markup=False, emoji=False))
    text = file.getvalue().strip()
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}\n…"


def explain_word(code: str) -> dict[str, Any]:
    """What the code of a problem means."""
    code = code.strip("[]")
    entry = CODES.get(code)
    if entry is None:
        hint = suggestion(code, CODES) or "to explain a claim, give its path too"
        raise Refused(f"{code!r} is no code of a problem; {hint}")
    return {"code": code, "title": entry.title, "words": entry.words}
