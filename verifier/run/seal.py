"""The key that what is remembered is sealed with: an entry without the seal is not believed.

A folder of remembered verdicts may stand in a repository of strangers, where they can put into it what they
like. So the key is kept elsewhere, with the user; or it is given, to those who share a folder.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import tempfile
from functools import cache
from pathlib import Path

# The key itself, for whoever shares a folder or has no home.
KEY_VARIABLE = "VERIFY_CACHE_KEY"


def sealed(key: bytes, name: str, body: bytes) -> str:
    """The seal of an entry. It is bound to the entry's name: a true word about one claim is no word about
    another."""
    return hmac.new(key, name.encode() + b"\n" + body, hashlib.sha256).hexdigest()


def is_seal(seal: str, key: bytes, name: str, body: bytes) -> bool:
    return hmac.compare_digest(seal, sealed(key, name, body))


def key() -> bytes:
    """The key of this user, made when it is first asked for; raises OSError where it cannot be kept."""
    given = os.environ.get(KEY_VARIABLE)
    return given.encode() if given else _kept(_place())


def _place() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(state) / "verify" / "cache-key"


@cache
def _kept(place: Path) -> bytes:
    if not place.exists():
        _make(place)
    return place.read_bytes()


def _make(place: Path) -> None:
    """Whole or not at all; of two that make one at the same time, both use the first."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_hex(32).encode())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, place)
    finally:
        os.unlink(temporary)
