"""Configuration of a repository: `verify.toml`, or `[tool.verify]` in `pyproject.toml`.

The nearest one from the working folder upwards counts. Its paths are relative to the file, the command
line wins over it, and a key that is not known is an error that names the nearest one that is.
"""

import difflib
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifier.gate.outputs import FORMATS
from verifier.gate.policy import MAY_FAIL_ON, REQUIRED, SEVERITIES
from verifier.plan.settings import TRUSTED

KEYS = {
    "paths": "the files and folders to judge when none is named",
    "fail-on": "verdicts that fail a claim without `expect`",
    "require": "what a claim without `expect` must rest on",
    "trust": "whose word a verdict may rest on",
    "fail-at": "the mildest severity that turns the run red",
    "baseline": "a JSON report of an earlier run",
    "min-coverage": "per cent of the write-up's statements that must have a claim",
    "outputs": "a table from formats to files",
    "cache": "where verdicts are remembered; false for nowhere",
    "seconds": "limit per claim",
    "memory": "limit per claim, in GiB",
    "jobs": "worker processes",
    "seed": "seed of all random draws",
    "device": "where to sample",
    "draws": "most draws of one estimate",
}
LIMITS = ("seconds", "memory", "jobs", "seed", "device", "draws", "trust")
DEVICES = ("auto", "cpu", "cuda", "mps")


class ConfigError(Exception):
    """The configuration is wrong; the message names the file and the key."""


@dataclass(frozen=True)
class Config:
    """What the configuration says; None where it says nothing."""

    paths: tuple[str, ...] = ()
    fail_on: tuple[str, ...] | None = None
    require: str | None = None
    fail_at: str | None = None
    baseline: Path | None = None
    min_coverage: float | None = None
    outputs: tuple[tuple[str, Path], ...] = ()
    cache: Path | bool | None = None
    options: dict[str, Any] = field(default_factory=dict)
    folder: Path | None = None


def find_config(start: Path) -> Config:
    """The nearest configuration at or above a folder; the repository's root is the last place looked at."""
    for folder in (start, *start.parents):
        for name in ("verify.toml", "pyproject.toml"):
            table = _table(folder / name)
            if table is not None:
                return read_config(table, folder / name)
        if (folder / ".git").exists():
            break
    return Config()


def _table(path: Path) -> dict[str, Any] | None:
    try:
        with path.open("rb") as file:
            whole = tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        # A broken pyproject.toml that may not even speak of us is for others to complain about.
        if path.name == "pyproject.toml":
            return None
        raise ConfigError(f"{path}: {error}") from None
    if path.name == "verify.toml":
        return whole
    found = whole.get("tool", {}).get("verify")
    return found if isinstance(found, dict) else None


def read_config(table: dict[str, Any], path: Path) -> Config:
    """The table as typed values; raises ConfigError at the first that is wrong."""
    for key in table:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(KEYS)}"
            raise ConfigError(f"{path}: unknown key {key!r}; {hint}")
    read = _Reader(table, path)
    cache = table.get("cache")
    baseline = read.text("baseline")
    return Config(
        paths=tuple(read.place(text) for text in read.texts("paths") or ()),
        fail_on=read.words("fail-on", MAY_FAIL_ON),
        require=read.word("require", tuple(REQUIRED)),
        fail_at=read.word("fail-at", SEVERITIES),
        baseline=Path(read.place(baseline)) if baseline else None,
        min_coverage=read.number("min-coverage", most=100.0),
        outputs=tuple(read.outputs()),
        cache=cache
        if isinstance(cache, bool) or cache is None
        else Path(read.place(read.text("cache") or "")),
        folder=Path(read.place(".")),
        options={key: value for key in LIMITS if (value := read.limit(key)) is not None},
    )


@dataclass(frozen=True)
class _Reader:
    table: dict[str, Any]
    path: Path

    def wrong(self, key: str, words: str) -> ConfigError:
        return ConfigError(f"{self.path}: {key} {words}")

    def place(self, text: str) -> str:
        """A path of the configuration, as seen from the working folder."""
        return os.path.relpath(self.path.parent / text)

    def text(self, key: str) -> str | None:
        value = self.table.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(key, "must be a text")
        return value

    def texts(self, key: str) -> list[str] | None:
        value = self.table.get(key)
        if value is None:
            return None
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
            raise self.wrong(key, "must be a list of texts")
        return values

    def words(self, key: str, allowed: tuple[str, ...]) -> tuple[str, ...] | None:
        found = self.texts(key)
        for word in found or ():
            if word not in allowed:
                raise self.wrong(key, f"cannot be {word!r}; one of {', '.join(allowed)}")
        return None if found is None else tuple(found)

    def word(self, key: str, allowed: tuple[str, ...]) -> str | None:
        found = self.words(key, allowed)
        if found is not None and len(found) != 1:
            raise self.wrong(key, "must be one word")
        return found[0] if found else None

    def number(self, key: str, most: float) -> float | None:
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, "must be a number")
        if not 0 <= value <= most:  # nan is not, either
            raise self.wrong(key, f"must be between 0 and {most:g}")
        return value

    def whole(self, key: str) -> int | None:
        value = self.table.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise self.wrong(key, "must be a whole number")
        return value

    def limit(self, key: str) -> float | str | None:
        """A limit; those of the command line are checked by its options."""
        value: float | str | None
        match key:
            case "device":
                return self.word(key, DEVICES)
            case "trust":
                return self.word(key, TRUSTED)
            case "seed":
                return self.whole(key)
            case "jobs" | "draws":
                value = self.whole(key)
            case _:
                value = self.number(key, most=1e6)
        if value is not None and value <= 0:
            raise self.wrong(key, "must be positive")
        return value

    def outputs(self) -> list[tuple[str, Path]]:
        table = self.table.get("outputs", {})
        if not isinstance(table, dict):
            raise self.wrong("outputs", "must be a table from formats to files")
        for form, place in table.items():
            if form not in FORMATS:
                raise self.wrong("outputs", f"has no format {form!r}; one of {', '.join(FORMATS)}")
            if not isinstance(place, str):
                raise self.wrong(f"outputs.{form}", "must be a text")
            # Whoever may propose a change of a repository may not write elsewhere with it.
            home = self.path.parent.resolve()
            if not (home / place).resolve().is_relative_to(home):
                raise self.wrong(f"outputs.{form}", "leads out of this folder; give it with --output")
        return [(form, Path(self.place(place))) for form, place in table.items()]
