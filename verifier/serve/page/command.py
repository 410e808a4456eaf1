"""`verify serve [PATH ...]`: open the page; the report of the paths can be browsed there."""

import argparse
import signal
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from verifier.read.specs.load import load_paths
from verifier.run.interrupt import EXIT_STATUS
from verifier.serve.judging import Judge, Refused, judge_in
from verifier.serve.page.desk import Desk
from verifier.serve.page.server import HOST, Server
from verifier.serve.page.site import Site

USAGE_ERROR = 2
EPILOG = (
    "The page is for this machine alone: it is served on the loopback interface, to whoever knows the random "
    "token in its address, and loads nothing from elsewhere. To judge a path that is called `serve`, "
    "write ./serve."
)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="verify serve", description="Judge claims on a page in the browser.", epilog=EPILOG
    )
    made.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="judged too; their report can be browsed"
    )
    made.add_argument(
        "--port", type=_port, default=0, metavar="N", help="a port of this machine (default: a free one)"
    )
    made.add_argument("--no-browser", action="store_true", help="print the address and open nothing")
    return made


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value < 2**16:
        raise argparse.ArgumentTypeError("must be between 0 and 65535")
    return value


def main(argv: Sequence[str]) -> int:
    """Serve until interrupted; returns the exit status. A signal asks the server to end: an exception that is
    raised in the middle of a request, or of a callback, might be lost there."""
    args = parser().parse_args(argv)
    try:
        judge = judge_in(Path.cwd(), pictures=True)
        server = Server(Site(Desk(judge)), args.port)
    except Refused as error:
        return _trouble(str(error))
    except OSError as error:
        return _trouble(f"{HOST}:{args.port} cannot be served: {error.strerror or error}")
    with server, tempfile.TemporaryDirectory(prefix="verify-report-") as folder:
        stop = threading.Event()
        work = threading.Thread(
            target=write, args=(judge, args.paths, Path(folder), server.site, stop), daemon=True
        )
        work.start()
        print(f"verify is at {server.address}\nEnd it with Ctrl-C.", flush=True)
        if not args.no_browser:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: threading.Thread(target=server.shutdown, daemon=True).start())
        try:
            server.serve_forever()
        finally:
            stop.set()
            server.site.desk.close()
            work.join()
    return EXIT_STATUS


def write(judge: Judge, paths: Sequence[Path], folder: Path, site: Site, stop: threading.Event) -> None:
    """The report of the paths, which the site then has."""
    # Loaded before anybody waits for the first picture.
    import verifier.report.plots  # noqa: F401
    from verifier.report.html import write_report

    if not paths:
        return

    site.is_reporting = True
    try:
        run = judge.loaded(load_paths(paths), stop.is_set)
        if not stop.is_set():
            write_report(run, folder)
            site.report = folder
    except Exception as error:  # the page goes on without it
        print(f"verify: the report cannot be written: {error}", file=sys.stderr)
    finally:
        site.is_reporting = False


def _trouble(words: str) -> int:
    print(f"verify: {words}", file=sys.stderr)
    return USAGE_ERROR
