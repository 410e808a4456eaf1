"""Chunks of draws of one claim, spread over the workers of a cluster.

The process that examines a claim asks the scheduler for threads that have nothing to do, and hands chunks to
them; each worker keeps processes for chunks, apart from itself, as it does for claims. Whatever happens
to one of them, the chunk is worked out where the claim is.
"""

import importlib
import io
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from verifier.plan.settings import Settings
from verifier.run.digests import program_digest
from verifier.run.process import NotStarted, Worker, start

if TYPE_CHECKING:
    from torch import Tensor

    from verifier.sample.draw_chunks import Chunk, Recipe

# dask's own types are incomplete; of a client and a future little is used.
Client = Any
Future = Any
PRELOAD = "verifier.run.preload_torch"

_CONNECT = 5.0
# The longest that a chunk may take before its process is taken for lost.
_LONGEST = 120.0
_KEPT = 4
_IMPORTANT = 10  # a claim waits for it


def shared(settings: Settings) -> AbstractContextManager[None]:
    """Inside, what is sampled is shared with the helpers, if there are any."""
    return _shared(settings, settings.helpers) if settings.helpers is not None else nullcontext()


@contextmanager
def _shared(settings: Settings, address: str) -> Iterator[None]:
    from verifier.sample.draw_chunks import helped_by

    helper = Cluster(address, settings)
    try:
        with helped_by(helper):
            yield
    finally:
        helper.close()


class Cluster:
    """The idle workers of a scheduler; it is called when there is work for them."""

    def __init__(self, address: str, settings: Settings) -> None:
        self.address, self.settings = address, settings
        self.client: Client | None = None

    def free(self) -> int:
        """Threads without a task; none if the scheduler does not answer."""
        try:
            if self.client is None:
                distributed = importlib.import_module("distributed")
                self.client = distributed.Client(self.address, timeout=_CONNECT, set_as_default=False)
            threads: int = sum(self.client.nthreads().values())
            busy: int = sum(map(len, self.client.processing().values()))
            return max(threads - busy, 0)
        except (ImportError, OSError, ValueError):
            return 0

    def ask(self, recipe: "Recipe", chunk: "Chunk") -> "Under":
        assert self.client is not None
        order = (recipe, chunk, self.settings, program_digest())
        return Under(self.client.submit(chunk_there, *order, pure=False, priority=_IMPORTANT))

    def close(self) -> None:
        if self.client is not None:
            self.client.close(timeout=_CONNECT)


class Under:
    """A chunk on its way."""

    def __init__(self, future: Future) -> None:
        self.future = future

    def within(self, seconds: float) -> "Tensor | None":
        if not seconds and not self.future.done():
            self.forget()
            return None
        try:
            return unpacked(self.future.result(timeout=seconds or _CONNECT))
        except Exception:  # lost, late or refused: all the same to the one who asked
            self.forget()
            return None

    def forget(self) -> None:
        with suppress(Exception):
            self.future.cancel()


# --- at the helper's ------------------------------------------------------------------------------------

_idle: list[Worker] = []
_lock = threading.Lock()


def chunk_there(recipe: "Recipe", chunk: "Chunk", settings: Settings, program: str) -> bytes | None:
    """On the cluster: the values of a chunk, from a process that is kept for chunks."""
    if program != program_digest():
        return None
    with _lock:
        worker = _idle.pop() if _idle else None
    try:
        worker = worker or _hired(settings)
        worker.connection.send((recipe, chunk))
        values: bytes | None = worker.connection.recv_bytes() if worker.connection.poll(_LONGEST) else None
    except (NotStarted, OSError, EOFError):
        values = None
    if worker is not None:
        _keep(worker, values)
    return values or None


def _hired(settings: Settings) -> Worker:
    context = get_context("forkserver")
    context.set_forkserver_preload([PRELOAD])
    return start(context, settings, serve_chunks)


def _keep(worker: Worker, values: bytes | None) -> None:
    """For the next chunk, unless it was lost over this one."""
    if values is None or not worker.is_fresh:
        worker.kill()
        return
    with _lock:
        _idle.append(worker)


def serve_chunks(connection: Connection, settings: Settings) -> None:
    """Work out chunks until the other end is closed; nothing is the answer to what cannot be."""
    from verifier.run.worker import at_the_mercy_of_the_parent
    from verifier.sample.draw_chunks import sampler_of
    from verifier.sample.engine import one_thread

    at_the_mercy_of_the_parent(settings)
    known: OrderedDict[str, Any] = OrderedDict()
    with suppress(EOFError, OSError), one_thread():
        while True:
            recipe, chunk = connection.recv()
            try:
                if recipe.name not in known:
                    known[recipe.name] = sampler_of(recipe)
                known.move_to_end(recipe.name)
                answer = packed(known[recipe.name].statistic(*chunk))
            except Exception:  # the one who asked will meet it too, and tell
                answer = b""
            connection.send_bytes(answer)
            while len(known) > _KEPT:
                known.popitem(last=False)


def packed(values: "Tensor") -> bytes:
    import numpy as np

    file = io.BytesIO()
    np.save(file, values.detach().cpu().numpy(), allow_pickle=False)
    return file.getvalue()


def unpacked(data: bytes) -> "Tensor":
    import numpy as np
    import torch

    return torch.from_numpy(np.load(io.BytesIO(data), allow_pickle=False))
