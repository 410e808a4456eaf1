"""A folder of remembered results, each under the digest of all that it depends on.

An entry is written beside its place and moved there at once, so that concurrent runs see all of it or
nothing, and it carries its seal (`seal.py`): one that is damaged, or that somebody else put there, is one
that is not there. Nothing that goes wrong here can do more than make a run judge again.
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifier.run.seal import is_seal, key, sealed

FORMAT = 1
MAX_ENTRIES = 20_000


@dataclass(frozen=True)
class Store:
    """Results by key, below a folder."""

    folder: Path
    # Why something could not be written: a full disk, a folder of somebody else.
    trouble: set[str] = field(default_factory=set, compare=False)

    def get(self, name: str) -> Any | None:
        """What is remembered under a name; None if there is nothing, or nothing whole and of our own."""
        path = self._path(name)
        try:
            with path.open("rb") as file:
                seal, _, body = file.read().partition(b"\n")
            if not is_seal(seal.decode("ascii"), key(), name, body):
                return None
            os.utime(path)
            return json.loads(body)
        except (OSError, ValueError):
            return None

    def put(self, name: str, value: Any) -> bool:
        """Remember a value; whether that worked."""
        try:
            body = json.dumps(value, ensure_ascii=True, allow_nan=True, separators=(",", ":")).encode()
            seal, path = sealed(key(), name, body), self._path(name)
            self._prepare()
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(seal.encode() + b"\n" + body)
                os.replace(temporary, path)
            except BaseException:
                os.unlink(temporary)
                raise
        except OSError as error:
            self.trouble.add(error.strerror or str(error))
            return False
        except (TypeError, ValueError):
            return False
        return True

    def prune(self, most: int = MAX_ENTRIES) -> None:
        """Forget what was not asked for longest, so that the folder stays bounded."""
        with contextlib.suppress(OSError):
            count = sum(1 for _ in self._entries())
            if count <= most:
                return
            aged = sorted((entry.stat().st_mtime, entry.path) for entry in self._entries())
            for _, path in aged[: count - most * 3 // 4]:
                with contextlib.suppress(OSError):
                    os.unlink(path)

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self.folder / f"v{FORMAT}") as folders:
            for folder in folders:
                with os.scandir(folder) as files:
                    yield from (file for file in files if file.is_file())

    def _path(self, name: str) -> Path:
        return self.folder / f"v{FORMAT}" / name[:2] / f"{name}.json"

    def _prepare(self) -> None:
        """The folder is not part of anybody's repository or backup."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _CACHEDIR)):
            if not (self.folder / name).exists():
                (self.folder / name).write_text(text, encoding="ascii")


_CACHEDIR = "Signature: 8a477f597d28d172789f06886806bc55\n"
