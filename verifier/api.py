"""The same as the command, for programs: load, verify, and verdicts as frozen values."""

from pathlib import Path

from verifier.claim.load import load_paths, load_text
from verifier.claim.loaded import Loaded
from verifier.judge.verdict import Run, Verdict
from verifier.run.settings import Settings
from verifier.run.verify import verify

__all__ = ["Loaded", "Run", "Settings", "Verdict", "load", "load_text", "verify"]


def load(*paths: str | Path) -> Loaded:
    """The claims of files and folders."""
    return load_paths(Path(path) for path in paths)
