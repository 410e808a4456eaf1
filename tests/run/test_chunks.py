"""Chunks of draws of one claim over a real cluster: worked out elsewhere, with the same digits."""

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
import torch
from distributed import Client, LocalCluster

from verifier.claim.model import Claim
from verifier.judge.verdict import Run
from verifier.plan.settings import ENGINES, Settings
from verifier.read.specs.load import load_text
from verifier.report.json import to_json
from verifier.run.chunks import chunk_there, unpacked
from verifier.run.digests import program_digest
from verifier.run.verify import verify
from verifier.sample import draw_chunks as crew
from verifier.sample.draw_chunks import Chunk, Recipe
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.sampler import Sampler
from verifier.timer import worked

# The softmax has no closed form, and a draw is large: some chunks of draws, each of a moment.
SPEC = """
theorem: run/chunks
symbols: {n: dimension, d: dimension, W: "normal(d, d)", X: "normal(n, d)"}
claims:
  attention: {says: "E(norm(softmax(X @ W @ X.T / d) @ X)**2) == 93", where: {n: 24, d: 32}}
"""
WITNESS = tuple(engine for engine in ENGINES if engine.is_witness)
SETTINGS = Settings(jobs=1, seed=3, seconds=100.0, draws=2**15, engines=WITNESS, trust="engines")


def the_claim() -> Claim:
    (claim,) = load_text(SPEC).claims
    return claim


def sampler() -> Sampler:
    claim = the_claim()
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1, 0)))
    scene = prepare(claim, point, fact)
    (leaf,) = leaves_of(fact, scene.world).values()
    return Sampler(leaf, scene, Stream(0, point.key), 24, 2**30)


class Told:
    """A helper in this process, which answers some chunks and not others."""

    def __init__(self, answers: bool) -> None:
        self.answers, self.asked, self.forgotten = answers, list[Chunk](), 0

    def free(self) -> int:
        return 2

    def ask(self, recipe: Recipe, chunk: Chunk) -> "Told.Answer":
        self.asked.append(chunk)
        return Told.Answer(self, crew.sampler_of(recipe).statistic(*chunk) if self.answers else None)

    class Answer:
        def __init__(self, told: "Told", values: torch.Tensor | None) -> None:
            self.told, self.values = told, values

        def within(self, seconds: float) -> torch.Tensor | None:
            return self.values

        def forget(self) -> None:
            self.told.forgotten += 1


@pytest.mark.parametrize("answers", [True, False])
def test_a_recipe_gives_the_same_values_in_the_same_order(
    answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "WORTHWHILE", 0.0)
    alone, helped, helper = sampler(), sampler(), Told(answers)
    chunks = [(at, 1) for at in range(0, 5)]
    with crew.helped_by(helper):
        there = dict(islice(crew.worked_out(helped, chunks, worked() + 60), 9))
    assert list(there) == chunks
    assert all(torch.equal(there[chunk], alone.statistic(*chunk)) for chunk in chunks)
    # Of every three the first is our own.
    assert helper.asked == [(2, 1), (3, 1)]


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:  # type: ignore[no-untyped-call]
        yield made


def samples(run: Run) -> list[object]:
    (claim,) = to_json(run)["claims"]
    assert claim["samples"], claim["reason"]
    return [(s["at"], s["draws"], s["estimate"], s["low"], s["high"]) for s in claim["samples"]]


def chunks_of(cluster: LocalCluster) -> int:
    """How many the workers were given."""
    prefix = cluster.scheduler.task_prefixes.get("chunk_there")  # type: ignore[union-attr]
    return int(prefix.state_counts["processing"]) if prefix is not None else 0


def warm(cluster: LocalCluster) -> None:
    """A process for chunks at every worker, with the values that it must give."""
    ours = sampler()
    expected = ours.statistic(3, 2)
    with Client(cluster, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        order = (crew.recipe_of(ours), (3, 2), SETTINGS, program_digest())
        asked = [client.submit(chunk_there, *order, workers=[name], pure=False) for name in client.nthreads()]
        assert all(torch.equal(unpacked(future.result()), expected) for future in asked)
        assert client.submit(chunk_there, *order[:3], "of another program").result() is None


def test_chunks_are_worked_out_by_idle_workers_also_when_one_is_killed(cluster: LocalCluster) -> None:
    loaded, there = load_text(SPEC), replace(SETTINGS, cluster=cluster.scheduler_address)
    here = samples(verify(loaded, SETTINGS))
    warm(cluster)
    before = chunks_of(cluster)
    assert samples(verify(loaded, there)) == here
    assert chunks_of(cluster) > before

    def kill() -> None:
        """Whoever is at work on a chunk."""
        while not over.wait(0.01):
            for worker in list(cluster.scheduler.workers.values()):  # type: ignore[union-attr]
                if any(str(task.key).startswith("chunk_there") for task in worker.processing):
                    os.kill(cluster.workers[worker.name].pid, signal.SIGKILL)
                    return

    over = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    assert samples(verify(loaded, there)) == here
    over.set()
    killer.join()
