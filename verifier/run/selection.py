"""Which of the claims that were found are meant."""

import fnmatch
from collections.abc import Sequence
from dataclasses import replace

from verifier.read.specs.claims_on_disk import kept
from verifier.read.specs.loaded import Loaded


def select(loaded: Loaded, pattern: str, exactly: bool = False) -> Loaded:
    """Claims whose id contains the pattern, or matches it as a glob; file problems stay.

    `exactly`: where an id is the pattern, that claim alone."""
    wanted = matching([entry.id for entry in loaded.entries], pattern, exactly)
    return replace(loaded, entries=kept(entry for entry in loaded.entries if entry.id in wanted))


def matching(ids: Sequence[str], pattern: str, exactly: bool = False) -> set[str]:
    if exactly and pattern in ids:
        return {pattern}
    return {name for name in ids if pattern in name or fnmatch.fnmatchcase(name, pattern)}
