"""The protocol: texts come in, marks go out.

What is parsed is told at once, verdicts as they come, and a run for a text that has changed since is ended.
Only texts that the editor has opened are read: a request about any other is answered with nothing."""

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as T
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from verifier import __version__
from verifier.claim.model import Claim
from verifier.judge.verdict import Verdict
from verifier.plan.messages import Event
from verifier.serve.editor import wire
from verifier.serve.editor.actions import actions
from verifier.serve.editor.completion import completions
from verifier.serve.editor.hover import hover
from verifier.serve.editor.incoming import Incoming
from verifier.serve.editor.marks import hints_of, marks_of
from verifier.serve.editor.page import Page, cell_page, key_of, preamble_cell, read_page
from verifier.serve.judging import Judge, Refused, judge_in

# While one types nothing is read; after so many seconds without a key, it is.
PAUSE = 0.15
MOST_KNOWN = 2000
LANGUAGES = {"yaml": ".yaml", "latex": ".tex", "tex": ".tex", "markdown": ".md", "quarto": ".qmd"}


@dataclass
class Open:
    """A document that the editor has opened, and the work on it."""

    page: Page
    stop: threading.Event = field(default_factory=threading.Event)
    task: "asyncio.Task[None] | None" = None


class Editor(LanguageServer):
    """The documents that are open. One run at a time: an editor shares its machine with its user."""

    def __init__(self, judge: Judge) -> None:
        cells = T.NotebookDocumentFilterWithNotebook(notebook="jupyter-notebook")
        sync = T.NotebookDocumentSyncOptions(notebook_selector=[cells])
        super().__init__("verify", __version__, notebook_document_sync=sync)
        self.judge = judge
        self.open: dict[str, Open] = {}
        self.known: dict[str, Verdict] = {}
        self.reading = ThreadPoolExecutor(1)
        self.judging = ThreadPoolExecutor(1)

    # --- texts that change ---------------------------------------------------------------------------

    def changed(self, uri: str, page: Page) -> None:
        """A text was opened or edited: what was running for it is outdated."""
        known = self.open.get(uri)
        self.close(uri)
        now = self.open[uri] = Open(page)
        pause = PAUSE if known is not None else 0.0
        now.task = asyncio.ensure_future(self._work(uri, now, pause))

    def close(self, uri: str) -> None:
        """The text is gone, or is another: nobody waits for its verdicts."""
        old = self.open.pop(uri, None)
        if old is not None:
            old.stop.set()
            if old.task is not None:
                old.task.cancel()

    def close_all(self) -> None:
        for uri in list(self.open):
            self.close(uri)

    async def _work(self, uri: str, now: Open, pause: float) -> None:
        """The work on a text; a bug in it is told, and costs this text its verdicts alone."""
        try:
            await asyncio.sleep(pause)
            await self._judge(uri, now)
        except Exception as error:
            words = f"verify failed with {type(error).__name__}: {error}"
            self.window_log_message(T.LogMessageParams(T.MessageType.Error, words))

    async def _judge(self, uri: str, now: Open) -> None:
        """Read, tell, judge, and tell each verdict as it comes."""
        loop = asyncio.get_running_loop()
        settings = self.judge.settings
        now.page = await loop.run_in_executor(self.reading, read_page, now.page, dict(self.known), settings)
        self.tell(uri, now)
        waiting = now.page.open_claims
        if not waiting.entries:
            return

        def heard(claim: Claim, event: Event | Verdict) -> None:
            if isinstance(event, Verdict) and not now.stop.is_set():
                loop.call_soon_threadsafe(self._judged, uri, now, event)

        await loop.run_in_executor(self.judging, self.judge.loaded, waiting, now.stop.is_set, heard)

    def _judged(self, uri: str, now: Open, verdict: Verdict) -> None:
        if now.stop.is_set():
            return
        now.page = now.page.with_verdict(verdict)
        for entry in now.page.loaded.ready:
            if entry.id == verdict.id and (key := key_of(entry, self.judge.settings)) is not None:
                self.known[key] = verdict
        while len(self.known) > MOST_KNOWN:
            del self.known[next(iter(self.known))]
        self.tell(uri, now)

    def tell(self, uri: str, now: Open) -> None:
        """The marks of a document, and that its hints are others now."""
        if self.open.get(uri) is not now:
            return
        lines, codec = now.page.lines, self.workspace.position_codec
        marks = [wire.diagnostic(mark, lines, codec) for mark in marks_of(now.page)]
        self.text_document_publish_diagnostics(T.PublishDiagnosticsParams(uri, marks))
        workspace = self.client_capabilities.workspace
        if (
            workspace is not None
            and workspace.inlay_hint is not None
            and workspace.inlay_hint.refresh_support
        ):
            self.workspace_inlay_hint_refresh(None)

    # --- what is asked of a document -----------------------------------------------------------------

    def place(self, uri: str, at: T.Position) -> tuple[Page, int, int] | None:
        """The page, and the line and column in characters; None for a document that is not open."""
        now = self.open.get(uri)
        if now is None:
            return None
        found = self.workspace.position_codec.position_from_client_units(now.page.lines, at)
        return now.page, found.line, found.character


def suffix_of(item: T.TextDocumentItem) -> str:
    """By the name of the file, or by what the editor calls its language."""
    return Path(to_fs_path(item.uri) or "").suffix or LANGUAGES.get(item.language_id, "")


def server_of(judge: Judge) -> Editor:
    server = Editor(judge)
    _texts(server)
    _notebooks(server)
    _requests(server)
    return server


def _texts(server: Editor) -> None:
    @server.feature(T.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: T.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.changed(item.uri, Page(item.text, to_fs_path(item.uri) or item.uri, suffix_of(item)))

    @server.feature(T.TEXT_DOCUMENT_DID_CHANGE)
    async def edited(params: T.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        known = server.open.get(uri)
        if known is not None:
            text = server.workspace.get_text_document(uri).source
            server.changed(uri, Page(text, known.page.file, known.page.suffix))

    @server.feature(T.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: T.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.close(uri)
        server.text_document_publish_diagnostics(T.PublishDiagnosticsParams(uri, []))


def _notebooks(server: Editor) -> None:
    """Each cell is a text of its own, under the preambles in the cells before it."""

    def refresh(notebook_uri: str) -> None:
        notebook = server.workspace.get_notebook_document(notebook_uri=notebook_uri)
        preambles: tuple[str, ...] = ()
        for cell in notebook.cells if notebook is not None else ():
            is_code = cell.kind == T.NotebookCellKind.Code
            source = server.workspace.get_text_document(cell.document).source
            page = cell_page(source, cell.document, is_code, preambles)
            said = preamble_cell(source) if is_code else None
            preambles = (*preambles, *([said] if said is not None else []))
            known = server.open.get(cell.document)
            if known is None or (known.page.text, known.page.preambles) != (page.text, page.preambles):
                server.changed(cell.document, page)

    @server.feature(T.NOTEBOOK_DOCUMENT_DID_OPEN)
    async def opened(params: T.DidOpenNotebookDocumentParams) -> None:
        refresh(params.notebook_document.uri)

    @server.feature(T.NOTEBOOK_DOCUMENT_DID_CHANGE)
    async def edited(params: T.DidChangeNotebookDocumentParams) -> None:
        structure = params.change.cells.structure if params.change.cells is not None else None
        for gone in (structure.did_close or ()) if structure is not None else ():
            server.close(gone.uri)
        refresh(params.notebook_document.uri)

    @server.feature(T.NOTEBOOK_DOCUMENT_DID_CLOSE)
    async def closed(params: T.DidCloseNotebookDocumentParams) -> None:
        for cell in params.cell_text_documents:
            server.close(cell.uri)


def _requests(server: Editor) -> None:
    @server.feature(T.TEXT_DOCUMENT_HOVER)
    async def hovered(params: T.HoverParams) -> T.Hover | None:
        place = server.place(params.text_document.uri, params.position)
        words = hover(*place) if place is not None else None
        return T.Hover(T.MarkupContent(T.MarkupKind.Markdown, words)) if words is not None else None

    @server.feature(T.TEXT_DOCUMENT_COMPLETION, T.CompletionOptions(trigger_characters=[" ", ":", "{", "["]))
    async def completed(params: T.CompletionParams) -> T.CompletionList:
        place = server.place(params.text_document.uri, params.position)
        found = completions(*place) if place is not None else []
        return T.CompletionList(is_incomplete=False, items=[wire.completion(choice) for choice in found])

    @server.feature(T.TEXT_DOCUMENT_INLAY_HINT)
    async def hinted(params: T.InlayHintParams) -> list[T.InlayHint]:
        now = server.open.get(params.text_document.uri)
        if now is None:
            return []
        wanted = range(params.range.start.line, params.range.end.line + 1)
        lines, codec = now.page.lines, server.workspace.position_codec
        return [wire.hint(item, lines, codec) for item in hints_of(now.page) if item.line in wanted]

    @server.feature(
        T.TEXT_DOCUMENT_CODE_ACTION,
        T.CodeActionOptions(code_action_kinds=[T.CodeActionKind.QuickFix, T.CodeActionKind.Refactor]),
    )
    async def offered(params: T.CodeActionParams) -> list[T.CodeAction]:
        uri = params.text_document.uri
        place = server.place(uri, params.range.start)
        if place is None:
            return []
        page, line, _ = place
        codec = server.workspace.position_codec
        marks = [mark for mark in marks_of(page) if mark.claim is not None]
        return [wire.action(item, uri, page.lines, marks, codec) for item in actions(page, line)]


def main() -> int:
    """Serve on standard input and output until the editor leaves."""
    try:
        server = server_of(judge_in(Path.cwd()))
    except Refused as refused:
        print(f"verify: {refused}", file=sys.stderr)
        return 2
    # Whatever a library prints goes to standard error: the wire carries the protocol alone.
    to_editor = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        server.start_io(Incoming(sys.stdin.buffer), to_editor)  # type: ignore[arg-type]
    finally:
        server.close_all()
    return 0
