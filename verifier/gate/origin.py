"""Where this program was installed from, so that a CI job can install the same: a release, or the repository.

Pip and uv leave a note beside what they install (PEP 610). A clone knows whence it was cloned."""

import json
import re
import subprocess
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any
from urllib.parse import unquote, urlsplit

NAME = "verify-claims"
PLACEHOLDER = "https://github.com/OWNER/verify"
GIT_SECONDS = 5.0
# An address that can stand in a public file, and between quotes in a shell: no user, no password, no query.
_PUBLIC = re.compile(r"https://[A-Za-z0-9.-]+(?::\d+)?/[A-Za-z0-9._~/+-]+")
_REVISION = re.compile(r"[A-Za-z0-9._/-]+")


@dataclass(frozen=True)
class Origin:
    """What pip is told to install. `is_known`: else somebody has to fill in where the repository is."""

    requirement: str
    is_known: bool


def origin() -> Origin:
    """Of the program that runs."""
    try:
        return origin_of(distribution(NAME))
    except PackageNotFoundError:
        return repository(PLACEHOLDER)


def origin_of(installed: Distribution) -> Origin:
    """A release by its version; else the repository, at the commit if it is known."""
    note = installed.read_text("direct_url.json")
    if note is None:
        return Origin(f"{NAME}=={installed.version}", True)
    try:
        return _from_note(json.loads(note))
    except (ValueError, TypeError, KeyError, AttributeError):
        return repository(PLACEHOLDER)


def _from_note(note: dict[str, Any]) -> Origin:
    url = str(note["url"])
    if "vcs_info" in note:
        commit = note["vcs_info"].get("commit_id", "") if note["vcs_info"].get("vcs") == "git" else ""
        return repository(url, str(commit))
    parts = urlsplit(url)
    return repository(_remote(unquote(parts.path)) if parts.scheme == "file" else PLACEHOLDER)


def repository(url: str, commit: str = "") -> Origin:
    """The repository at this address; where that is not a public one, it is left to be filled in."""
    if not _PUBLIC.fullmatch(url) or url == PLACEHOLDER:
        return Origin(f"{NAME} @ git+{PLACEHOLDER}", False)
    at = f"@{commit}" if _REVISION.fullmatch(commit) else ""
    return Origin(f"{NAME} @ git+{url}{at}", True)


def _remote(folder: str) -> str:
    """Where a clone came from; empty where that is not told."""
    words = ["git", "-C", folder, "remote", "get-url", "origin"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=GIT_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
