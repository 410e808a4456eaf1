"""One run of the command: files in, the report as JSON out.

A file that was judged before, by this program and with these limits, is not even read as YAML: its part
of the report is remembered under the digest of its bytes. The others are loaded, and of their claims
only those are judged that were not judged before.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.gate.coverage import coverage_of
from verifier.plan.settings import Settings
from verifier.read.specs.spec_files import PREAMBLE, content_of, files_of, strays_of
from verifier.report.view import VERDICTS, Json
from verifier.run.digests import file_key
from verifier.run.interrupt import never
from verifier.run.result_store import Store
from verifier.spool import spooled

if TYPE_CHECKING:
    from verifier.judge.verdict import Run
    from verifier.read.specs.loaded import Loaded

# Runs of up to so many times more questions than the settings provide for are looked up.
MOST_DOUBLINGS = 8
# A file may hold thousands of claims, so not many of them.
FILES_IN_MEMORY = 8


@dataclass(frozen=True)
class Request:
    """What is to be judged, and how."""

    paths: tuple[Path, ...]
    settings: Settings
    store: Store | None = None
    only: str | None = None
    exactly: bool = False
    command: str = ""
    stop: Callable[[], bool] = never
    proofs: bool = False  # whether every verdict shall come with its proof
    loaded: "Loaded | None" = None  # claims that are in no file: a line, or standard input


def report_of(request: Request) -> Json:
    """The report; expression trees are made only for files that are not remembered."""
    started = time.monotonic()
    files = _files(request.paths)
    if files is None or request.store is None or request.loaded is not None:
        return run_of(request)[0]
    known = _known(files, request)
    missing = [file for file, part in zip(files, known.parts, strict=True) if part is None]
    made = _judge(missing, request, known.asked, known.level) if missing else _empty(request)
    if made is None or (not missing and _level(known.asked, request) != known.level):
        # The chance of an error is shared over the questions of a run: what was said among fewer of them,
        # or among more, does not count.
        known = _nothing(files, request)
        made = _judge(files, request, 0, known.level)
    assert made is not None
    names: set[str] = set()
    claims = spooled(_in_order(files, known, made, names))
    if len(names) != len(claims):
        # Only a load of everything says which of two is the second.
        return run_of(request)[0]
    how = made["run"] | {
        "seconds": time.monotonic() - started,
        "remembered": made["run"]["remembered"] + len(claims) - len(made["claims"]),
    }
    errors = [*(problem for part in known.parts if part for problem in part["errors"]), *made["errors"]]
    errors.sort(key=_place_among(files))
    return _chosen(_assembled(claims, errors, how), request)


def run_of(request: Request) -> tuple[Json, "Run"]:
    """The same with every tree in hand, for pages and explanations."""
    from verifier.read.specs.load import load_paths
    from verifier.report.json import mark_of, to_json
    from verifier.report.progress import watching
    from verifier.run.memory import Memory
    from verifier.run.selection import select
    from verifier.run.verify import verify

    loaded = load_paths(request.paths) if request.loaded is None else request.loaded
    every = [mark_of(entry) for entry in loaded.entries] if request.only else None
    if request.only and loaded.entries:
        loaded = select(loaded, request.only, request.exactly)
    memory = Memory(request.store, request.settings, with_proofs=request.proofs)
    with watching(loaded.tally.ready) as progress:
        run = verify(loaded, request.settings, progress, request.command, memory, request.stop)
    report = to_json(run)
    marks = report["claims"] if every is None else every
    return report | {"coverage": coverage_of(_files(request.paths) or [], marks)}, run


def _files(paths: Iterable[Path]) -> list[Path] | None:
    """Every file once; None where a path holds none, or a link that is not followed: those are for the loader
    to complain about."""
    found: dict[Path, Path] = {}
    paths = tuple(paths)
    if strays_of(paths):
        return None
    for path in paths:
        files = list(files_of(path))
        if not files:
            return None
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def unremembered(request: Request) -> list[str]:
    """Why what was judged could not be kept, in words; it will be judged again."""
    store = request.store
    return (
        [] if store is None else [f"nothing is remembered in {store.folder}: {why}" for why in store.trouble]
    )


# --- files that are remembered --------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """What is remembered of each file, None for nothing, from runs of how many questions, and how many of
    them these files ask."""

    parts: Sequence[Json | None]
    level: int
    asked: int


def _known(files: Sequence[Path], request: Request) -> Known:
    for doublings in range(MOST_DOUBLINGS):
        level = request.settings.questions << doublings
        settings = replace(request.settings, questions=level)
        parts = spooled((_remembered(file, request, settings) for file in files), FILES_IN_MEMORY)
        if any(part is not None for part in parts):
            return Known(parts, level, sum(part["asked"] for part in parts if part is not None))
    return _nothing(files, request)


def _nothing(files: Sequence[Path], request: Request) -> Known:
    return Known([None] * len(files), request.settings.questions, 0)


def _in_order(files: Sequence[Path], known: Known, made: Json, names: set[str]) -> Iterator[Json]:
    """The claims of all files, those that are remembered in their place; their ids go to `names`."""
    fresh = _by_file(made["claims"], [f for f, part in zip(files, known.parts, strict=True) if part is None])
    for part in known.parts:
        for claim in next(fresh)[1] if part is None else part["claims"]:
            names.add(claim["id"])
            yield claim


def _by_file(claims: Iterable[Json], files: Sequence[Path]) -> Iterator[tuple[Path, list[Json]]]:
    """Each file with its claims; they come in the order of the files."""
    groups = groupby(claims, key=lambda claim: claim["file"])
    name, group = next(groups, (None, iter(())))
    for file in files:
        if name != str(file):
            yield file, []
            continue
        yield file, list(group)
        name, group = next(groups, (None, iter(())))


def _place_among(files: Sequence[Path]) -> Callable[[Json], int]:
    places = {str(file): place for place, file in enumerate(files)}
    return lambda problem: places.get(problem["file"], len(places))


def _level(asked: int, request: Request) -> int:
    """How many questions a run provides for that asks so many."""
    return max(request.settings.questions, 1 << max(asked - 1, 0).bit_length())


def _remembered(file: Path, request: Request, settings: Settings) -> Json | None:
    """A file's part of the report, if neither it nor what it points at has changed."""
    assert request.store is not None
    content = _digest(file)
    part = request.store.get(file_key(str(file), content, settings)) if content is not None else None
    if not isinstance(part, dict) or not {"claims", "errors", "needs", "asked"} <= part.keys():
        return None
    unchanged = all(_digest(Path(name)) == digest for name, digest in part["needs"].items())
    return part if unchanged else None


def _keep(file: Path, part: Json, before: str | None, request: Request, settings: Settings) -> None:
    assert request.store is not None
    if before is not None and before == _digest(file):
        request.store.put(file_key(str(file), before, settings), part)


def _digest(file: Path) -> str | None:
    try:
        return hashlib.sha256(content_of(file)).hexdigest()
    except OSError:
        return None


# --- files that are not ---------------------------------------------------------------------------


def _judge(files: Sequence[Path], request: Request, asked_before: int, level: int) -> Json | None:
    """The report of these files; what is whole and final of it is remembered. None if this is no longer a
    run of as many questions as those that were answered before."""
    from verifier.read.specs.load import load_paths
    from verifier.report.json import to_json
    from verifier.report.progress import watching
    from verifier.run.memory import Memory
    from verifier.run.selection import select
    from verifier.run.verify import verify

    before = {file: _digest(file) for file in files}
    loaded = load_paths(files)
    questions = loaded.tally.questions
    # The preamble of a folder counts where there is none, too: one may be written.
    needs = {str(file): (str(file.parent / PREAMBLE), *loaded.needs.get(str(file), ())) for file in files}
    digests = {name: _digest(Path(name)) for names in needs.values() for name in names}
    settings = replace(request.settings, questions=_level(asked_before + sum(questions.values()), request))
    if asked_before and settings.questions != level:
        return None
    if request.only and loaded.entries:
        loaded = select(loaded, request.only, request.exactly)
    memory = Memory(request.store, settings)
    with watching(loaded.tally.ready) as progress:
        run = verify(loaded, settings, progress, request.command, memory, request.stop)
    report = to_json(run)
    errors: dict[str, list[Json]] = {}
    for problem in report["errors"]:
        errors.setdefault(problem["file"], []).append(problem)
    elsewhere = errors.keys() - set(map(str, files))  # a preamble that was not asked for, say
    for file, found in _by_file(report["claims"], files):
        whole = not request.only and not elsewhere and not any(claim["id"] in memory.lost for claim in found)
        if whole and "duplicate-id" not in str(found):
            part = {
                "claims": found,
                "errors": errors.get(str(file), []),
                "needs": {name: digests[name] for name in needs[str(file)]},
                "asked": questions.get(str(file), 0),
            }
            _keep(file, part, before[file], request, settings)
    assert request.store is not None
    request.store.prune()
    return report


def _empty(request: Request) -> Json:
    from verifier.run.versions import versions

    how = {
        "seed": request.settings.seed,
        "device": request.settings.device,
        "seconds": 0.0,
        "versions": versions(),
        "command": request.command,
        "remembered": 0,
        "interrupted": False,
    }
    return {"claims": [], "errors": [], "run": how}


def _assembled(claims: Sequence[Json], errors: list[Json], how: Json) -> Json:
    counts = Counter(claim["verdict"] for claim in claims)
    summary = {name: counts[name] for name in VERDICTS}
    return {"schema": 1, "summary": summary, "claims": claims, "errors": errors, "run": how}


def _chosen(report: Json, request: Request) -> Json:
    """The claims that are meant; coverage is of all."""
    files = _files(request.paths) or []
    if not request.only:
        coverage = coverage_of(files, report["claims"])
    else:
        from verifier.read.specs.load import load_paths
        from verifier.report.json import mark_of
        from verifier.run.selection import matching

        coverage = coverage_of(files, map(mark_of, load_paths(files).entries))
        wanted = matching([claim["id"] for claim in report["claims"]], request.only, request.exactly)
        claims = spooled(claim for claim in report["claims"] if claim["id"] in wanted)
        report = _assembled(claims, report["errors"], report["run"])
    return report | {"coverage": coverage}
