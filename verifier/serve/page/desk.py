"""One text at a time: it is read at once, judged in the background, and dropped when another one comes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from verifier.claim.model import Claim
from verifier.judge.verdict import Run, Verdict
from verifier.read.specs.loaded import Broken, Ready
from verifier.serve.judging import Judge
from verifier.serve.page.typed import Typed

WAIT = 20.0  # seconds that a question about news may stay open


class Job:
    """A text that is being judged: its claims, and the verdicts that are there."""

    def __init__(self, number: int, typed: Typed) -> None:
        self.number, self.typed, self.loaded = number, typed, typed.loaded
        self.cancelled = threading.Event()
        self.news = threading.Condition()
        self.version = 0
        self.trying: dict[str, str] = {}
        self.verdicts: dict[str, Verdict | Broken] = {
            entry.id: entry for entry in self.loaded.entries if isinstance(entry, Broken)
        }
        self.run: Run | None = None
        self.trouble: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether there will be no more news."""
        return self.run is not None or self.trouble is not None or self.cancelled.is_set()

    @contextmanager
    def _told(self) -> Iterator[None]:
        with self.news:
            yield
            self.version += 1
            self.news.notify_all()

    def hear(self, claim: Claim, event: Any) -> None:
        """What is tried for a claim, or its verdict."""
        if self.cancelled.is_set():
            return
        if isinstance(event, Verdict):
            with self._told():
                self.verdicts[claim.id] = event
        elif (words := getattr(event, "words", None)) is not None:
            self.trying[claim.id] = str(words).partition(":")[0]

    def end(self, run: Run | None, trouble: str | None = None) -> None:
        """All is judged, or something went wrong."""
        with self._told():
            self.run, self.trouble = run, trouble

    def cancel(self) -> None:
        """Nobody asks for it any more."""
        self.cancelled.set()
        with self._told():
            pass

    def wait(self, seen: int) -> int:
        """Until there is something that was not seen yet, or for a while."""
        with self.news:
            self.news.wait_for(lambda: self.version > seen or self.is_over, timeout=WAIT)
            return self.version


class Desk:
    """Judges the newest text. `judge` works for one job at a time: the machine is somebody's laptop."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._lock = threading.Lock()
        self._working = threading.Lock()
        self._job: Job | None = None
        self._number = 0

    def submit(self, typed: Typed) -> Job:
        """Begin to judge; what was judged before is dropped, unless it is over."""
        with self._lock:
            if self._job is not None:
                self._job.cancel()
            self._number += 1
            job = self._job = Job(self._number, typed)
        threading.Thread(target=self._work, args=(job,), daemon=True).start()
        return job

    def job(self, number: int) -> Job | None:
        """The newest job, if it is the one that is meant."""
        job = self._job
        return job if job is not None and job.number == number else None

    def close(self) -> None:
        """Stop working."""
        with self._lock:
            if self._job is not None:
                self._job.cancel()
        with self._working:
            pass

    def _work(self, job: Job) -> None:
        with self._working:
            if job.cancelled.is_set():
                return
            if not any(isinstance(entry, Ready) for entry in job.loaded.entries):
                job.end(Run(tuple(job.verdicts.values()), job.loaded.problems))
                return
            try:
                run = self.judge.loaded(job.loaded, job.cancelled.is_set, job.hear)
            except Exception as error:  # a bug of ours costs this text its verdicts, and not the page
                job.end(None, f"the program failed with {type(error).__name__}: {error}")
                return
            if not job.cancelled.is_set():
                job.end(run)
