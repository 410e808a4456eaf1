"""Claims as test items: `pytest --verify`, or `verify_paths = claims paper.tex` in the configuration.

Without either, the plugin does nothing and imports nothing. Claims are judged together when the first of
them runs, those that pytest selected and no others, and what is remembered is not judged again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verifier.read.specs.loaded import Broken, Ready
    from verifier.report.view import Json


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("verify", "claims of write-ups")
    group.addoption("--verify", action="store_true", help="collect claims as tests")
    parser.addini("verify_paths", "files and folders whose claims are tests", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ClaimFile | None:
    """A file with claims, below one of the configured paths or anywhere with `--verify`."""
    config = parent.config
    wanted = [config.rootpath / name for name in config.getini("verify_paths")]
    if not config.getoption("--verify") and not any(file_path.is_relative_to(path) for path in wanted):
        return None
    from verifier.read.specs.spec_files import holds_claims

    return ClaimFile.from_parent(parent, path=file_path) if holds_claims(file_path) else None


class ClaimFile(pytest.File):
    """A claim file or a write-up; each claim is an item."""

    def collect(self) -> Iterator[pytest.Item]:
        from verifier.read.specs.load import load_paths
        from verifier.read.specs.loaded import Ready

        loaded = load_paths([self.path])
        for entry in loaded.entries:
            name = entry.claim.id if isinstance(entry, Ready) else entry.id
            yield ClaimItem.from_parent(self, name=name, entry=entry)
        for problem in loaded.problems:
            yield ProblemItem.from_parent(self, name=str(problem.position.line), words=str(problem))


class ClaimFailed(Exception):
    """The gate stops the claim; the message says why."""


class ClaimItem(pytest.Item):
    """One claim."""

    def __init__(self, *, entry: Ready | Broken, **more: Any) -> None:
        super().__init__(**more)
        self.entry = entry
        self.add_marker("claim")

    def runtest(self) -> None:
        from verifier.report.view import details, headline, is_unproved

        claim = _judged(self)
        place = claim["place"]
        if claim["stale"]:
            self.warn(pytest.PytestWarning(f"{self.name}: {claim['stale']}"))
        if is_unproved(claim):
            self.warn(pytest.PytestWarning(f"{self.name}: {headline(claim)}"))
        if claim["gate"] == "fails":
            lines = [f"{place['file']}:{place['line']}: {headline(claim)}"]
            lines += [f"    {claim['statement']}"] if claim["statement"] else []
            lines += [f"    {name}: {words}" for name, words in details(claim)]
            raise ClaimFailed("\n".join(lines))
        if claim["gate"] != "passes":
            pytest.xfail(f"{claim['gate']}: {headline(claim)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, ClaimFailed) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        from verifier.read.specs.loaded import Ready

        position = self.entry.claim.position if isinstance(self.entry, Ready) else self.entry.position
        return self.path, position.line - 1, self.name


class ProblemItem(pytest.Item):
    """What is wrong with a whole file."""

    def __init__(self, *, words: str, **more: Any) -> None:
        super().__init__(**more)
        self.words = words

    def runtest(self) -> None:
        raise ClaimFailed(self.words)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return self.words

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


_VERDICTS = pytest.StashKey[dict[str, "Json"]]()


def _judged(item: ClaimItem) -> Json:
    """The item's part of the report. The first that asks has all selected claims judged, except that under
    pytest-xdist each process judges its own."""
    known = item.config.stash.setdefault(_VERDICTS, {})
    if item.nodeid not in known:
        alone = hasattr(item.config, "workerinput")
        items = [item] if alone else [other for other in item.session.items if isinstance(other, ClaimItem)]
        known.update(_judge(items, item.config))
    return known[item.nodeid]


def _judge(items: list[ClaimItem], config: pytest.Config) -> dict[str, Json]:
    from verifier.gate.choices import policy_of, settings_of, store_of
    from verifier.gate.config import find_config
    from verifier.gate.policy import judge_run
    from verifier.read.specs.loaded import Loaded
    from verifier.report.json import to_json
    from verifier.run.memory import Memory
    from verifier.run.verify import verify

    chosen = find_config(config.rootpath)
    settings = settings_of({}, chosen)
    memory = Memory(store_of(None, chosen, config.rootpath), settings)
    run = verify(Loaded(tuple(item.entry for item in items)), settings, memory=memory)
    report = judge_run(to_json(run), policy_of(chosen))
    return {item.nodeid: claim for item, claim in zip(items, report["claims"], strict=True)}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "claim: a claim of a write-up")
