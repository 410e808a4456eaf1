"""What an editor sends, with an end to the size of a message."""

from typing import BinaryIO

MOST = 64 * 2**20
HEADER, CHUNK = 4096, 2**16
NOTHING = b"[]"  # what is no message, and is answered as such


class Incoming:
    """A stream of messages, each announced with its length. One that is larger than any text is read past and
    counts as nonsense: its length is what somebody says, and memory is ours."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def readline(self) -> bytes:
        return self._source.readline(HEADER)

    def read(self, size: int) -> bytes:
        if size <= MOST:
            return self._source.read(size)
        while size > 0 and (part := self._source.read(min(size, CHUNK))):
            size -= len(part)
        return NOTHING
