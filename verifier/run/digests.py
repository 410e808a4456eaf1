"""What every remembered result depends on: this program, what it computes with, and the settings."""

import contextlib
import hashlib
import json
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import verifier
from verifier.plan.settings import Settings

# Where the work is done, and by how many.
NO_MATTER = ("jobs", "cluster", "helpers")
LIBRARIES = ("sympy", "python-flint", "mpmath", "torch", "numpy")


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, ensure_ascii=True).encode()).hexdigest()


def file_key(file: str, content: str, settings: Settings) -> str:
    """The key of a whole file's results: its name, which messages show, and the digest of its content."""
    return digest(["file", file, content, *settings_data(settings)])


def settings_data(settings: Settings) -> list[Any]:
    """All that bears on a verdict; how many processes share the work does not."""
    named = [
        [item.name, repr(getattr(settings, item.name))]
        for item in fields(settings)
        if item.name not in NO_MATTER
    ]
    return [named, program_digest()]


@cache
def program_digest() -> str:
    """The sources and the versions below them: a verdict of another program is not remembered."""
    from importlib.metadata import PackageNotFoundError, version  # which loads what reads letters

    made = hashlib.sha256(f"{sys.version_info[:3]} {sys.platform}".encode())
    for name in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            made.update(f"{name} {version(name)}".encode())
    root = Path(verifier.__file__).parent
    for path in sorted(root.rglob("*.py")):
        made.update(path.relative_to(root).as_posix().encode())
        made.update(hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()
