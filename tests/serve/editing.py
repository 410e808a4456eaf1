"""An editor, as far as tests need one: it opens texts, types, and waits for what the server says of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types as T
from pygls.lsp.client import LanguageClient

from tests.serve.wire import COMMAND, environment

PATIENCE = 60.0


class Desk:
    """The client's side of a session."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.said: dict[str, list[T.Diagnostic]] = {}
        self.times: dict[str, int] = {}
        self.heard = asyncio.Event()

    def note(self, params: T.PublishDiagnosticsParams) -> None:
        self.said[params.uri] = list(params.diagnostics)
        self.times[params.uri] = self.times.get(params.uri, 0) + 1
        self.heard.set()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, language: str, text: str) -> str:
        uri = self.uri(name)
        item = T.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(T.DidOpenTextDocumentParams(item))
        return uri

    def type(self, uri: str, text: str, version: int = 2) -> None:
        document = T.VersionedTextDocumentIdentifier(uri=uri, version=version)
        change = T.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(T.DidChangeTextDocumentParams(document, [change]))

    async def until(
        self, uri: str, wanted: Callable[[list[T.Diagnostic]], bool], seconds: float = PATIENCE
    ) -> list[T.Diagnostic]:
        """What is said of a text, once it is what is waited for."""
        async with asyncio.timeout(seconds):
            while uri not in self.said or not wanted(self.said[uri]):
                self.heard.clear()
                await self.heard.wait()
        return self.said[uri]

    async def hover(self, uri: str, line: int, column: int) -> str | None:
        where = T.HoverParams(T.TextDocumentIdentifier(uri), T.Position(line, column))
        found = await self.client.text_document_hover_async(where)
        if found is None:
            return None
        assert isinstance(found.contents, T.MarkupContent)
        return found.contents.value

    async def hints(self, uri: str) -> list[tuple[int, str]]:
        whole = T.Range(T.Position(0, 0), T.Position(10_000, 0))
        found = await self.client.text_document_inlay_hint_async(
            T.InlayHintParams(T.TextDocumentIdentifier(uri), whole)
        )
        return [(hint.position.line, str(hint.label)) for hint in found or ()]

    async def actions(self, uri: str, line: int) -> dict[str, T.TextEdit]:
        at = T.Range(T.Position(line, 0), T.Position(line, 0))
        found = await self.client.text_document_code_action_async(
            T.CodeActionParams(T.TextDocumentIdentifier(uri), at, T.CodeActionContext([]))
        )
        edits = {}
        for action in found or ():
            assert isinstance(action, T.CodeAction)
            assert action.edit is not None
            assert action.edit.changes is not None
            (edits[action.title],) = action.edit.changes[uri]
        return edits


@asynccontextmanager
async def desk(folder: Path) -> AsyncIterator[Desk]:
    """A session with a server that was started in the folder."""
    client = LanguageClient("tests", "0")
    made = Desk(client, folder)

    @client.feature(T.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def note(params: T.PublishDiagnosticsParams) -> None:
        made.note(params)

    await client.start_io(*COMMAND, "lsp", "--stdio", cwd=folder, env=environment())
    await client.initialize_async(T.InitializeParams(capabilities=T.ClientCapabilities(
        notebook_document=T.NotebookDocumentClientCapabilities(T.NotebookDocumentSyncClientCapabilities())
    )))  # fmt: skip
    client.initialized(T.InitializedParams())
    yield made
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


def edited(text: str, edit: T.TextEdit) -> str:
    """The text after an edit; ASCII, so that all units are the same."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: edit.range.start.line]) + edit.range.start.character
    end = sum(len(line) + 1 for line in lines[: edit.range.end.line]) + edit.range.end.character
    return text[:start] + edit.new_text + text[end:]
