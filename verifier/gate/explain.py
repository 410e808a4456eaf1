"""What a message means: the text behind `verify --explain CODE`."""

import sys
import textwrap

from verifier.expr.scope import suggestion
from verifier.read.specs.message_codes import CODES

WIDTH = 88


def is_code(word: str) -> bool:
    return word.strip("[]") in CODES


def explain_code(code: str) -> int:
    """Print the meaning of a code; returns the exit status."""
    code = code.strip("[]")
    entry = CODES.get(code)
    if entry is None:
        hint = suggestion(code, CODES) or f"known codes: {', '.join(CODES)}"
        print(
            f"verify: {code!r} is no code of a message; to explain a claim, give its path too",
            file=sys.stderr,
        )
        print("\n".join(textwrap.wrap(hint, WIDTH)), file=sys.stderr)
        return 2
    print(f"{code}: {entry.title}\n")
    print("\n".join(textwrap.wrap(entry.words, WIDTH)))
    return 0
