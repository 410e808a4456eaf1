"""`verify mcp`: few tools with small schemas, for agents that write mathematics.

What an agent names is a path below the folder in which the server was started. What it sends is read as a
stranger's: bounded, parsed and never run. Claims are judged as the command judges them, one call at a time.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from verifier import __version__
from verifier.expr.unseen import inert
from verifier.judge.verdict import Run, Verdict
from verifier.serve import commands
from verifier.serve.answers import answer, answers, assumption_answer, known_of, remembered
from verifier.serve.explaining import explain_claim, explain_word
from verifier.serve.judging import Judge, Refused, Stop, judge_in
from verifier.serve.wire import compact, harmless

T = TypeVar("T")
Json = dict[str, Any]
Tool = Callable[..., Awaitable[CallToolResult]]
# Files whose last verdicts are kept, to tell what changed.
MOST_FILES = 64
MOST_CLAIMS = 2000

INSTRUCTIONS = (
    "Judges whether mathematical claims are true. judge_line takes one statement, judge_file a claim file or "
    "a write-up. Every verdict has `known`: true, false or unknown. An unknown says in `unknown` why, and is "
    "no evidence either way. `holds` and `loose` are proved; `fails` comes with a counterexample. "
    "`proof: checked` means that a small kernel accepted the proof, `trusted` that an engine is believed. "
    "After an edit, judge_file says what changed."
)

Line = Annotated[
    str, Field(description="one relation, as norm(A @ B) <= norm(A) * norm(B)", max_length=20_000)
]
Given = Annotated[
    list[str] | None,
    Field(
        description='declarations, assumptions, growth: ["W: normal(n, m)", "rho < 1", "n -> oo"]; '
        "shapes that follow from the line need none",
        max_length=200,
    ),
]
Path_ = Annotated[str, Field(description="a file or folder, seen from the server's folder", max_length=4096)]
Content = Annotated[str | None, Field(description="judge this text instead of what the file holds")]
Claim = Annotated[str | None, Field(description="a claim's id, or a part of it", max_length=1000)]


class Agents:
    """What the tools share: the judge, and the verdicts that this session has seen."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.seen: OrderedDict[str, Json] = OrderedDict()
        self.turn = CapacityLimiter(1)

    async def aside(self, work: Callable[[Stop], T]) -> T:
        """Do it beside the conversation, one at a time; who cancels ends it."""
        gone = threading.Event()
        try:
            return await to_thread.run_sync(
                lambda: work(gone.is_set), abandon_on_cancel=True, limiter=self.turn
            )
        finally:
            gone.set()

    def run(self, path: str, text: str | None, claim: str | None, stop: Stop) -> Run:
        """The run of a file, or of a text in its place."""
        if text is None:
            return self.judge.file(path, claim, stop)
        place = self.judge.place(path)
        return self.judge.text(text, str(place), place.suffix, stop, claim)

    def with_changes(self, path: str, run: Run) -> Json:
        """The answer, with what changed since this path was judged last."""
        key = str(self.judge.place(path))
        found = answers(run, self.seen.get(key))
        if len(run.verdicts) <= MOST_CLAIMS and not run.interrupted:
            self.seen[key] = remembered(run)
            self.seen.move_to_end(key)
            while len(self.seen) > MOST_FILES:
                self.seen.popitem(last=False)
        return found


def server_of(judge: Judge) -> MCPServer[Any]:
    """The server with its tools."""
    server: MCPServer[Any] = MCPServer(
        "verify", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR", subscriptions=False
    )
    agents = Agents(judge)
    for make in (_judging, _understanding):
        for tool in make(agents):
            server.add_tool(
                _told(tool), structured_output=False, annotations=ToolAnnotations(read_only_hint=True)
            )
    return server


def _told(tool: Tool) -> Tool:
    """The tool, which tells an agent why something is refused."""

    @wraps(tool)
    async def asked(*args: Any, **kwargs: Any) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except Refused as refused:
            raise ToolError(inert(str(refused))) from None

    return asked


def _judging(agents: Agents) -> list[Tool]:
    async def judge_line(line: Line, given: Given = None) -> CallToolResult:
        """Is one statement true? Gives verdict, known (true, false, unknown), counterexample, correction."""
        run = await agents.aside(lambda stop: agents.judge.line(line, *(given or ()), stop=stop))
        return _result(answer(run.verdicts[0]))

    async def judge_file(path: Path_, claim: Claim = None, text: Content = None) -> CallToolResult:
        """Are the claims of a file true (.yaml, .tex, .md, .ipynb)? And what changed since the last call?"""
        run = await agents.aside(lambda stop: agents.run(path, text, claim, stop))
        return _result(answers(run) if claim is not None else agents.with_changes(path, run))

    async def check_proof(
        path: Path_,
        folder: Annotated[str, Field(description="what `verify PATH --proofs FOLDER` wrote")],
    ) -> CallToolResult:
        """Does the kernel accept the proofs in a folder, for the claims of a file? No engine is asked."""
        places = (agents.judge.path(folder), agents.judge.path(path))
        return _result(await agents.aside(lambda stop: commands.checked(*places, stop)))

    return [judge_line, judge_file, check_proof]


def _understanding(agents: Agents) -> list[Tool]:
    async def explain(
        word: Annotated[str, Field(description="a claim's id, or the code of a problem", max_length=1000)],
        path: Annotated[str | None, Field(description="the claim's file", max_length=4096)] = None,
    ) -> CallToolResult:
        """How a claim was read and judged, step by step; or what the code of a problem means."""
        if path is None:
            return _result(explain_word(word))
        run = await agents.aside(lambda stop: agents.judge.file(path, word, stop))
        return _result({"explanations": [explain_claim(item) for item in run.verdicts[:3]]})

    async def assumptions(path: Path_, claim: Claim = None) -> CallToolResult:
        """Which assumptions matter: is each needed, unneeded, or is that unknown?"""
        run = await agents.aside(lambda stop: agents.judge.file(path, claim, stop))
        found = [
            {
                "id": item.id,
                "known": known_of(item),
                "assumptions": [assumption_answer(part) for part in item.assumptions],
            }
            for item in run.verdicts[:MOST_CLAIMS]
            if isinstance(item, Verdict)
        ]
        return _result({"claims": found} | {key: answers(run)[key] for key in ("problems",) if run.problems})

    async def draft(path: Path_) -> CallToolResult:
        """A claim file made from a paper's own statements; what was guessed or refused is marked in it."""
        place = agents.judge.path(path)
        return _result(await agents.aside(lambda stop: commands.drafted(place, stop)))

    return [explain, assumptions, draft]


def _result(data: Json) -> CallToolResult:
    """The data for programs, and the same as one line of text for those that read text alone."""
    data = harmless(data)
    return CallToolResult(content=[TextContent(type="text", text=compact(data))], structured_content=data)


def main() -> int:
    """Serve on standard input and output until the other side leaves."""
    try:
        judge = judge_in(Path.cwd())
    except Refused as refused:
        print(f"verify: {refused}", file=sys.stderr)
        return 2
    anyio.run(server_of(judge).run_stdio_async)
    return 0
