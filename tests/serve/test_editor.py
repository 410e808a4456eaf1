"""`verify lsp` spoken to over standard input and output: verdicts at the formulas, in every kind of text."""

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path

import pytest
from lsprotocol import types as T

from tests.serve.editing import Desk, desk, edited
from tests.serve.wire import CLAIMS, COMMAND, environment
from verifier.serve.editor.incoming import CHUNK, HEADER, MOST, NOTHING, Incoming

LATEX = r"""\documentclass{article}
\begin{document}
\begin{equation}\label{eq:square}
  (x + y)^2 = x^2 + y^2
\end{equation}
%%claim
% theorem: paper/square
% symbols: {x: real, y: real}
% claims:
%   square:
%     label: eq:square
%     says: (x + y)**2 == x**2 + y**2
%%end
\end{document}
"""
MARKDOWN = """# Notes 𝛼

```claim
theorem: notes/less
symbols: {x: real}
claims:
  less: {title: 𝛼𝛽, says: x**2 >= 1}
```
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "verify.toml").write_text("jobs = 1\n")
    return tmp_path


def session(folder: Path, talk: Callable[[Desk], Awaitable[None]]) -> None:
    async def held() -> None:
        async with desk(folder) as made:
            await talk(made)

    asyncio.run(asyncio.wait_for(held(), 120))


def codes(found: list[T.Diagnostic]) -> list[str]:
    return sorted(str(item.code) for item in found)


def test_a_claim_file_while_one_types(folder: Path) -> None:
    async def talk(made: Desk) -> None:
        uri = made.open("toy.yaml", "yaml", CLAIMS)
        first = await made.until(uri, lambda found: len(found) == 1)
        assert codes(first) == ["unknown-name"]
        assert (first[0].range.start.line, first[0].range.start.character) == (10, 14)
        found = await made.until(uri, lambda found: "fails" in codes(found))
        (fails,) = (item for item in found if item.code == "fails")
        assert fails.severity == T.DiagnosticSeverity.Error
        assert (fails.range.start.line, fails.range.start.character, fails.range.end.character) == (7, 10, 35)
        assert "left side 4, right side 2" in fails.message

        words = await made.hover(uri, 7, 12)
        assert words is not None
        for part in ("**fails**", "We read this as", "(x + y)² = x² + y²", "checked by the kernel"):
            assert part in words
        assert await made.hints(uri) == [(5, "✓ holds, certified"), (7, "✗ fails, proved")]

        offers = await made.actions(uri, 7)
        fixed = edited(CLAIMS, next(edit for title, edit in offers.items() if "correction" in title))
        accepted = edited(CLAIMS, next(edit for title, edit in offers.items() if "Accept" in title))
        assert "    expect: fails\n    says: (x + y)**2 ==" in accepted

        # Typing fast: only the last text counts, and claims that did not change keep their verdicts.
        for version in range(2, 12):
            made.type(uri, CLAIMS.replace("x + q", f"x + {'q' * version}"), version)
        made.type(uri, fixed.replace("x + q == 0", "x - x == 0"), 20)
        await made.until(uri, lambda found: found == [])
        made.type(uri, accepted.replace("x + q == 0", "x - x == 0"), 21)
        found = await made.until(uri, lambda found: codes(found) == ["fails"])
        assert found[0].severity == T.DiagnosticSeverity.Information
        assert "as expected" in found[0].message

    session(folder, talk)


def test_a_run_for_a_text_that_has_changed_is_ended(folder: Path) -> None:
    """With ten minutes for each claim, and one run at a time, the next text is judged at once."""
    (folder / "verify.toml").write_text("jobs = 1\nseconds = 600\n")
    head = "theorem: a/b\nsymbols: {x: real, y: real, z: real}\nclaims:\n"
    long = "  long: {says: 'sin(x**3 + tanh(y)*z) + cos(x*y*z)**2 <= exp(x**2 + y**2) + 3/2'}\n"

    async def talk(made: Desk) -> None:
        uri = made.open("a.yaml", "yaml", head + long)
        await made.until(uri, lambda found: True)
        await asyncio.sleep(1.0)
        assert await made.hints(uri) == [(3, "… judging")]
        made.type(uri, f"{head}  short: {{says: x >= 0}}\n")
        await made.until(uri, lambda found: codes(found) == ["fails"], 30)

    session(folder, talk)


def test_write_ups_and_cells_of_notebooks(folder: Path) -> None:
    async def talk(made: Desk) -> None:
        tex = made.open("paper.tex", "latex", LATEX)
        found = await made.until(tex, lambda found: len(found) == 2)
        assert sorted(item.range.start.line for item in found) == [3, 11]  # the formula, and its claim
        assert codes(found) == ["fails", "fails"]
        assert (
            edited(LATEX, (await made.actions(tex, 11))["Accept the verdict: expect: fails"]).count("\n%  ")
            == 4
        )

        markdown = made.open("notes.md", "markdown", MARKDOWN)
        (found,) = [await made.until(markdown, lambda found: codes(found) == ["fails"])]
        # Two letters of the title take two units each in UTF-16.
        line = MARKDOWN.splitlines()[6]
        assert found[0].range.start.character == line.index("x**2") + 2
        assert await made.hover(markdown, 0, 0) is None

        cells = [
            T.NotebookCell(T.NotebookCellKind.Code, "cell:1"),
            T.NotebookCell(T.NotebookCellKind.Code, "cell:2"),
            T.NotebookCell(T.NotebookCellKind.Markup, "cell:3"),
        ]
        texts = ["%%claim\n" + CLAIMS, "theorem: this is no claim cell", MARKDOWN]
        made.client.notebook_document_did_open(
            T.DidOpenNotebookDocumentParams(
                T.NotebookDocument(made.uri("n.ipynb"), "jupyter-notebook", 1, cells),
                [
                    T.TextDocumentItem(cell.document, "python", 1, text)
                    for cell, text in zip(cells, texts, strict=True)
                ],
            )
        )
        found = await made.until("cell:1", lambda found: codes(found) == ["fails", "unknown-name"])
        assert {str(item.code): item.range.start.line for item in found} == {"unknown-name": 11, "fails": 8}
        await made.until("cell:3", lambda found: codes(found) == ["fails"])
        assert made.said["cell:2"] == []

    session(folder, talk)


def test_broken_and_hostile_texts_and_requests(folder: Path) -> None:
    secret = folder.parent / "secret.yaml"
    secret.write_text(CLAIMS)

    async def talk(made: Desk) -> None:
        # A request about a text that nobody opened reads nothing.
        assert await made.hover(secret.as_uri(), 7, 12) is None
        assert await made.actions(secret.as_uri(), 7) == {}
        assert await made.hints("file:///etc/passwd") == []
        other = made.open("settings.yaml", "yaml", "key: [unfinished")
        assert await made.until(other, lambda found: True) == []
        for at, text in enumerate([
            "theorem: [", "theorem: a/b\nclaims: {c: {says: !!python/object:os.system x}}",
            "theorem: a/b\nclaims:\n  c: {says: '" + "(" * 4000 + "'}", "theorem: a/b\n" + "{" * 3000,
            "theorem: a/b\nclaims: {c: {says: 'x \u202e== 1'}}",
        ]):  # fmt: skip
            uri = made.open(f"bad{at}.yaml", "yaml", text)
            found = await made.until(uri, lambda found: len(found) > 0)
            assert all(item.severity == T.DiagnosticSeverity.Error for item in found)
            assert all("\u202e" not in item.message for item in found)
        long = made.open("long.yaml", "yaml", "theorem: a/b\n# " + "x" * 2_100_000)
        found = await made.until(long, lambda found: len(found) > 0)
        assert codes(found) == ["refused"]
        # Places outside of a text.
        assert await made.hover(other, 4_000_000, 4_000_000) is None
        with pytest.raises(Exception, match=r"(?i)not found|no/such"):
            await made.client.protocol.send_request_async("no/such/method", {})
        uri = made.open("fine.yaml", "yaml", "theorem: a/b\nsymbols: {x: real}\nclaims: {c: {says: x >= 0}}")
        await made.until(uri, lambda found: codes(found) == ["fails"])
        made.client.text_document_did_close(T.DidCloseTextDocumentParams(T.TextDocumentIdentifier(uri)))
        assert await made.until(uri, lambda found: found == []) == []
        assert await made.hover(uri, 2, 20) is None

    session(folder, talk)


def test_bytes_that_are_no_message(folder: Path) -> None:
    """The message after them is answered, and the end of the input ends the server."""

    def message(data: object) -> bytes:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"capabilities": {}, "processId": None},
    }
    hover = {"jsonrpc": "2.0", "id": 8, "method": "textDocument/hover", "params": {"x": 1}}
    huge = b"Content-Length: 99999999999\r\n\r\n{}"  # more than there is memory, and than is sent
    wrong = [b"nonsense\r\n", *map(message, (b"{", b"[]", {"jsonrpc": "2.0", "id": 7}, hover))]
    sent = b"".join(
        [*wrong, message(hello), *wrong, message({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}), huge]
    )
    done = subprocess.run(
        [*COMMAND, "lsp"], input=sent, cwd=folder, env=environment(), capture_output=True, timeout=60
    )
    assert b'"id":1,' in done.stdout.replace(b" ", b"") or b'"id":1}' in done.stdout.replace(b" ", b"")
    assert b"serverInfo" in done.stdout
    assert b'"id":2' in done.stdout.replace(b" ", b"")
    assert b"Traceback" not in done.stdout
    assert (done.returncode, b"MemoryError" in done.stderr) == (0, False)


def test_a_message_beyond_any_text_is_read_past() -> None:
    size = MOST + CHUNK + 1
    source = Incoming(BytesIO(b"x" * size + b"next\n"))
    assert source.read(size) == NOTHING
    assert source.readline() == b"next\n"
    assert Incoming(BytesIO(b"abc")).read(10**11) == NOTHING
    assert Incoming(BytesIO(b"abc")).read(3) == b"abc"
    assert len(Incoming(BytesIO(b"y" * 10**6)).readline()) == HEADER
