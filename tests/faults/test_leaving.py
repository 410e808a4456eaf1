"""Writers that are killed, and folders that go, in the middle of it: what is there is whole."""

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom

from tests.report.examples import example_run
from verifier.report.html import VERDICTS, write_report
from verifier.run.result_store import Store

SEED = SystemRandom().randrange(2**32)


def killed(work: Callable[[int], object], most: float) -> None:
    """Do it again and again in a process that is killed after a while."""
    writer = os.fork()
    if writer == 0:
        number = 0
        while True:
            work(number)
            number += 1
    time.sleep(Random(SEED).uniform(most / 4, most))
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)


def test_a_report_whose_writer_was_killed_is_whole(tmp_path: Path) -> None:
    print(f"seed {SEED}")
    run = example_run()
    run = replace(run, verdicts=run.verdicts[-2:])
    write_report(run, tmp_path)
    killed(lambda number: write_report(replace(run, seed=number), tmp_path), 1.0)
    pages = [page for page in tmp_path.rglob("*.html") if not page.name.startswith(".")]
    assert len(pages) == 2 + len(run.verdicts)  # the front page, the rules
    assert all(page.read_text().rstrip().endswith("</html>") for page in pages)
    assert len(json.loads((tmp_path / VERDICTS).read_text())["claims"]) == len(run.verdicts)


def test_a_cache_whose_writer_was_killed_is_whole(tmp_path: Path) -> None:
    print(f"seed {SEED}")
    store, names = Store(tmp_path), [f"{at:02x}" * 32 for at in range(50)]
    killed(lambda number: store.put(names[number % 50], [number] * 5_000), 0.3)
    values = [value for name in names if (value := store.get(name)) is not None]
    assert values
    assert all(len(set(value)) == 1 for value in values)
    assert all(store.put(name, 1) for name in names)


def test_a_cache_that_is_removed_meanwhile_costs_a_word(tmp_path: Path) -> None:
    store, over = Store(tmp_path / "cache"), threading.Event()

    def remove() -> None:
        while not over.is_set():
            shutil.rmtree(store.folder, ignore_errors=True)

    remover = threading.Thread(target=remove)
    remover.start()
    try:
        for at in range(300):
            name = f"{at % 256:02x}" * 32
            kept, found = store.put(name, at), store.get(name)
            assert kept in (True, False)
            assert found in (at, None)
    finally:
        over.set()
        remover.join()
    assert all(store.trouble)
    assert store.put("ab" * 32, 1)
    assert store.get("ab" * 32) == 1
