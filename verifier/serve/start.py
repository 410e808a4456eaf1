"""`verify lsp` and `verify mcp`: a server on standard input and output, if its libraries are there."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NamedTuple

NO_LIBRARY = 2


class Server(NamedTuple):
    """A server: the module with its `main`, the library it speaks with, and the extra that brings it."""

    module: str
    library: str
    extra: str
    words: str


SERVERS = {
    "mcp": Server("verifier.serve.agents", "mcp", "agents", "Judge claims for agents that speak MCP."),
    "lsp": Server(
        "verifier.serve.editor.server", "pygls", "editor", "Judge claims in editors that speak LSP."
    ),
}


def main(name: str, argv: Sequence[str]) -> int:
    """Serve until the other side leaves; returns the exit status."""
    server = SERVERS[name]
    made = argparse.ArgumentParser(prog=f"verify {name}", description=server.words)
    made.epilog = (
        "Speaks on standard input and output. Files below the current folder alone are read. "
        f"To judge a path that is called `{name}`, write ./{name}."
    )
    made.parse_args([word for word in argv if word != "--stdio"])  # which many clients add
    if not _is_there(server.library):
        print(missing(f"verify {name}", server.extra), file=sys.stderr)
        return NO_LIBRARY
    status: int = importlib.import_module(server.module).main()
    return status


def missing(what: str, extra: str) -> str:
    """Which extra to install."""
    return f"verify: {what} needs the extra `{extra}`: pip install 'verify-claims[{extra}]'"


def _is_there(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except ValueError:  # it was tried before, and is not
        return False
