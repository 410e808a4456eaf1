"""`verify mcp` spoken to by the SDK's own client, and by one that speaks nonsense."""

import json
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.serve.wire import CLAIMS, COMMAND, PAPER, ROOT, environment
from verifier import Broken, Settings, Verdict, judge, load_text, verify
from verifier.judge.verdict import Run
from verifier.serve.answers import UNKNOWN, answer, answers, remembered, unknown_of

Json = dict[str, Any]
Call = Callable[..., Awaitable[tuple[bool, Json | str]]]


def conversation(folder: Path, talk: Callable[[Call, Client], Awaitable[None]]) -> None:
    """Let an agent talk with a server that was started in the folder."""
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp"], cwd=folder, env=environment()
    )

    async def held() -> None:
        with anyio.fail_after(90):
            async with Client(stdio_client(server)) as client:

                async def call(tool: str, **arguments: Any) -> tuple[bool, Json | str]:
                    result: Any = await client.call_tool(tool, arguments)
                    if result.is_error:
                        return False, result.content[0].text
                    assert json.loads(result.content[0].text) == result.structured_content
                    return True, result.structured_content

                await talk(call, client)

    anyio.run(held)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "verify.toml").write_text("jobs = 1\n")
    (inner / "toy.yaml").write_text(CLAIMS)
    (tmp_path / "secret.yaml").write_text("theorem: a/b\nclaims: {c: {says: 1 == secret}}\n")
    (inner / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    # What lies in a stranger's folder is not run, whatever it is called.
    (inner / "verifier.py").write_text("raise SystemExit('run')\n")
    return inner


def test_an_agent_judges_edits_and_judges_again(folder: Path) -> None:
    async def talk(call: Call, client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [
            "judge_line", "judge_file", "check_proof", "explain", "assumptions", "draft",
        ]  # fmt: skip
        assert all(len(json.dumps(tool.input_schema)) < 800 for tool in tools)
        assert all(tool.description and len(tool.description) < 120 for tool in tools)

        _, first = await call("judge_file", path="toy.yaml")
        assert isinstance(first, dict)
        verdicts = {item["id"].partition("#")[2]: item for item in first["verdicts"]}
        assert {name: item["known"] for name, item in verdicts.items()} == {
            "cube": "true", "square": "false", "unread": "unknown",
        }  # fmt: skip
        assert verdicts["unread"]["unknown"] == "unreadable"
        assert verdicts["unread"]["problems"][0]["line"] == 11
        assert verdicts["square"]["proof"] == "checked"
        assert "changes" not in first

        corrected = verdicts["square"]["corrected"]
        edited = CLAIMS.replace("== x**2 + y**2", f"== {corrected}")
        _, second = await call("judge_file", path="toy.yaml", text=edited)
        assert isinstance(second, dict)
        assert second["changes"] == [
            {"id": "toy/all#square", "what": "verdict", "before": "fails", "after": "holds"}
        ]
        assert (folder / "toy.yaml").read_text() == CLAIMS

        _, bought = await call("assumptions", path="toy.yaml", claim="cube")
        assert isinstance(bought, dict)
        ((part,),) = (claim["assumptions"] for claim in bought["claims"])
        assert (part["status"], part["without_it"]) == ("needed", {"x": -1})

        _, told = await call("explain", word="toy/all#cube", path="toy.yaml")
        assert isinstance(told, dict)
        assert "We read this as" in told["explanations"][0]
        _, code = await call("explain", word="drift")
        assert isinstance(code, dict)
        assert code["code"] == "drift"

    conversation(folder, talk)


def test_what_is_refused_is_told_and_the_server_lives_on(folder: Path) -> None:
    async def talk(call: Call, client: Client) -> None:
        for path in ("../secret.yaml", "link.yaml", "/etc/passwd", "gone.yaml", "\0"):
            fine, words = await call("judge_file", path=path)
            assert not fine, path
            assert "1 == secret" not in str(words)
        wrong: list[tuple[str, Json]] = [
            ("judge_line", {}),
            ("judge_line", {"line": 3}),
            ("judge_line", {"line": "x" * 30_000}),
            ("judge_line", {"line": "1 == 1", "given": {"x": 1}}),
            ("judge_file", {"path": "toy.yaml", "claim": "no such claim"}),
            ("judge_file", {"path": "toy.exe", "text": "x"}),
            ("explain", {"word": "drifft"}),
            ("check_proof", {"path": "toy.yaml", "folder": ".."}),
            ("no_such_tool", {}),
        ]
        for tool, arguments in wrong:
            fine, words = await call(tool, **arguments)
            assert not fine, (tool, arguments)
            assert words
        for line in ("x +", "((((((" * 900, "x\u202e == 1", "__import__('os')"):
            _, found = await call("judge_line", line=line)
            assert isinstance(found, dict)
            assert (found["known"], found["unknown"]) == ("unknown", "unreadable")
            assert found["problems"][0]["column"] >= 1
        _, found = await call("judge_line", line="x**2 >= 0", given=["x: real"])
        assert isinstance(found, dict)
        assert found["known"] == "true"

    conversation(folder, talk)


def test_papers_are_drafted_and_lines_of_latex_read(folder: Path) -> None:
    (folder / "paper.tex").write_text(PAPER)

    async def talk(call: Call, client: Client) -> None:
        _, made = await call("draft", path="paper.tex")
        assert isinstance(made, dict)
        (claim,) = load_text(made["draft"], str(folder / "draft.yaml")).claims
        assert claim.text == "(x + y)**2 == x**2 + y**2"
        _, found = await call("judge_file", path="paper.tex")
        assert isinstance(found, dict)
        assert [item["known"] for item in found["verdicts"]] == ["false"]
        fine, words = await call("draft", path="toy.yaml")
        assert not fine
        assert "no write-up" in str(words)
        for line, known in [
            (r"$\|AB\|_F \le \|A\|_F \|B\|_F$", "true"),
            (r"$\|AB\|_F = \|A\|_F \|B\|_F$", "false"),
        ]:
            _, verdict = await call("judge_line", line=line)
            assert isinstance(verdict, dict)
            assert verdict["known"] == known
            assert verdict["inferred"]["A"].startswith("matrix(")
            assert "‖" in verdict["read_as"]
            assert "place" not in verdict

    conversation(folder, talk)


def test_a_call_that_is_cancelled_ends_its_work(folder: Path) -> None:
    """With ten minutes for each claim, and one call at a time, the next call is answered at once."""
    (folder / "verify.toml").write_text("jobs = 1\nseconds = 600\n")

    async def talk(call: Call, client: Client) -> None:
        with anyio.move_on_after(2) as scope:
            await call("judge_line", line="sin(x**3 + tanh(y)*z) + cos(x*y*z)**2 <= exp(x**2 + y**2) + 3/2")
        assert scope.cancelled_caught
        with anyio.fail_after(30):
            _, found = await call("judge_line", line="x >= 0")
        assert isinstance(found, dict)
        assert found["known"] == "false"

    conversation(folder, talk)


def test_proofs_are_checked_by_the_kernel(folder: Path) -> None:
    written = [*COMMAND, "toy.yaml", "--proofs", "proofs", "--no-cache"]
    subprocess.run(written, cwd=folder, env=environment(), capture_output=True, timeout=60)

    async def talk(call: Call, client: Client) -> None:
        _, found = await call("check_proof", path="toy.yaml", folder="proofs")
        assert isinstance(found, dict)
        assert {item["id"]: (item["outcome"], item["verdict"]) for item in found["claims"]} == {
            "toy/all#cube": ("accepted", "holds"),
            "toy/all#square": ("accepted", "fails"),
        }
        (folder / "toy.yaml").write_text(CLAIMS.replace("x**3 >= 0", "x**3 >= 1"))
        _, found = await call("check_proof", path="toy.yaml", folder="proofs")
        assert isinstance(found, dict)
        assert found["claims"][0]["outcome"] == "rejected"

    conversation(folder, talk)


def test_a_message_that_is_none_gets_no_further(folder: Path) -> None:
    """Nonsense between the messages: what comes after it is answered."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "0"},
        },
    }
    lines = [b"nonsense", b"\xff\xfe", b"[" * 5000, b'{"jsonrpc": "2.0"}', json.dumps(hello).encode()]
    lines += [
        b'{"jsonrpc": "2.0", "id": 2, "method": "no/such/method"}',
        b'{"jsonrpc":"2.0","id":3,"method":"ping"}',
    ]
    with subprocess.Popen(
        [*COMMAND, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment(),
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"\n".join([*lines, b""]))
        server.stdin.flush()
        answered: dict[object, Json] = {}
        while 3 not in answered:
            message = json.loads(server.stdout.readline())
            answered[message.get("id")] = message
        server.stdin.close()
        assert server.wait(30) == 0
    assert answered[1]["result"]["serverInfo"]["name"] == "verify"
    assert "error" in answered[2]
    assert answered[3]["result"] == {}


# --- several kinds of not knowing ---------------------------------------------------------------------


def one(text: str, settings: Settings) -> Verdict | Broken:
    (item,) = verify(load_text(text), settings).verdicts
    return item


@pytest.mark.parametrize(
    ("line", "given", "kind"),
    [
        ("x + q[ == 0", [], "unreadable"),
        ("x >= 0", ["x**2 < 0"], "vacuous"),
        ("x**2 >= 0", [], None),
        ("x >= 0", [], None),
    ],
)
def test_an_unknown_says_why(line: str, given: list[str], kind: str | None) -> None:
    item = judge(line, *given, settings=Settings(jobs=1))
    assert unknown_of(item) == kind
    found = answer(item)
    assert found.get("unknown") == kind
    assert found["known"] == (
        "unknown" if kind else "true" if item.verdict in ("holds", "loose") else "false"
    )
    assert found.get("unknown_means") == (UNKNOWN[kind] if kind else None)


def test_a_run_that_is_cancelled_says_so() -> None:
    run = verify(load_text(CLAIMS), Settings(jobs=1), stop=lambda: True)
    kinds = [unknown_of(item) for item in run.verdicts]
    assert kinds == ["interrupted", "interrupted", "unreadable"]


def test_an_answer_of_many_claims_is_short_and_shows_the_bad_ones_first() -> None:
    claims = "".join(f"  c{at}: {{says: 1 == q}}\n" for at in range(80))
    run = verify(load_text(f"theorem: a/b\nclaims:\n  fine: {{says: 1 == 1}}\n{claims}"), Settings(jobs=1))
    found = answers(run)
    assert len(found["verdicts"]) == 50
    assert found["not_shown"] == 31
    assert all(item["verdict"] == "error" for item in found["verdicts"])
    assert answers(run, remembered(Run(())))["changes"][0]["what"] == "new"


def test_without_its_library_the_command_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['mcp'] = sys.modules['pygls'] = None;"
        "from verifier.cli import main; print(main(['mcp']), main(['lsp']))"
    )
    done = subprocess.run(
        [COMMAND[0], "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=60
    )
    assert done.stdout == "2 2\n", done.stderr
    assert "verify-claims[agents]" in done.stderr
    assert "verify-claims[editor]" in done.stderr


def test_the_page_tells_every_tool_and_every_kind() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    assert [
        kind for kind, words in UNKNOWN.items() if f"| `{kind}` | {words.partition(':')[0]}" not in page
    ] == []
    for tool in ("judge_line", "judge_file", "explain", "assumptions", "draft", "check_proof"):
        assert f"| `{tool}` |" in page
