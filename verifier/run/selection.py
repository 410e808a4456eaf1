"""Which of the claims that were found are meant."""

import fnmatch
from collections.abc import Sequence
from dataclasses import replace

from verifier.claim.load import Loaded, Ready


def select(loaded: Loaded, pattern: str, exactly: bool = False) -> Loaded:
    """Claims whose id contains the pattern, or matches it as a glob; file problems stay.

    `exactly`: where an id is the pattern, that claim alone."""
    ids = [(entry.claim.id if isinstance(entry, Ready) else entry.id) for entry in loaded.entries]
    wanted = matching(ids, pattern, exactly)
    kept = tuple(entry for entry, name in zip(loaded.entries, ids, strict=True) if name in wanted)
    return replace(loaded, entries=kept)


def matching(ids: Sequence[str], pattern: str, exactly: bool = False) -> set[str]:
    if exactly and pattern in ids:
        return {pattern}
    return {name for name in ids if pattern in name or fnmatch.fnmatchcase(name, pattern)}
