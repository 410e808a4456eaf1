"""A draft written anew after the paper changed: what its author changed by hand is kept.

Each part of a draft (the preamble, a theorem) holds a seal: a digest of what was drafted. A part whose seal
still fits was not touched and is renewed; any other part is the author's, and stays as it is.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SEAL = re.compile(r"# drafted \(([0-9a-f]{12})\)")
_THEOREM = re.compile(r"^theorem:[ \t]*(\S+)", re.MULTILINE)
# What a draft says beside its claims: it is written anew each time, and is nobody's.
_REMARK = re.compile(
    r"# (?:refused, line |A draft of the claims of |What is marked `inferred`|The paper has more;|drafted \(|"
    r"The paper says something else by now:|\| |.*, line [0-9]+: no claim was read$)"
)


@dataclass(frozen=True)
class Part:
    """The preamble, or a theorem: its lines, and the remarks that stand behind it."""

    name: str
    lines: tuple[str, ...]
    remarks: tuple[str, ...]
    seal: str | None

    @property
    def digest(self) -> str:
        """Of what it says; the lines of the paper that it names do not count."""
        said = [re.sub(r"# line [0-9]+", "# line", line.rstrip()) for line in self.lines if line.strip()]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:12]

    @property
    def is_untouched(self) -> bool:
        return self.seal == self.digest

    def text(self, remarks: tuple[str, ...], seal: str | None) -> Iterator[str]:
        yield from ("---",) if self.name else ()
        if seal is not None and self.lines:
            yield f"# drafted ({seal}); as long as nobody changes it by hand, --update writes it anew"
        yield from self.lines
        yield from remarks


@dataclass(frozen=True)
class Updated:
    """The text, and by name what was kept, renewed, added and left out."""

    text: str
    kept: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()  # kept, though the paper says something else by now

    @property
    def summary(self) -> str:
        counts = (
            (len(self.renewed), "renewed"), (len(self.added), "new"), (len(self.kept),
            "kept as you changed it"),
            (len(self.differing), "of these where the paper says something else by now"),
            (len(self.gone), "gone with the paper's theorem"),
        )  # fmt: skip
        return ", ".join(f"{count} {what}" for count, what in counts if count) or "nothing changed"


def sealed(text: str) -> str:
    """A draft with a seal on each of its parts."""
    return _joined(line for part in _parts(text) for line in part.text(part.remarks, part.digest))


def updated(old: str, new: str) -> Updated:
    """The new draft, with the parts of the old one that its author changed."""
    before = {part.name: part for part in _parts(old)}
    lines: list[str] = []
    found: dict[str, list[str]] = {key: [] for key in ("kept", "renewed", "added", "gone", "differing")}
    drafted = list(_parts(new))
    for part in drafted:
        own = before.get(part.name)
        if own is None or own.is_untouched or (own.seal is None and not own.lines):
            lines += part.text(part.remarks, part.digest)
            if own is None:
                found["added"].append(part.name)
            elif own.digest != part.digest:
                found["renewed"].append(part.name)
            continue
        found["kept"].append(part.name)
        differs = own.seal is not None and part.digest not in (own.seal, own.digest)
        if differs:
            found["differing"].append(part.name)
        lines += own.text(_told(part) + part.remarks if differs else part.remarks, own.seal)
    names = {part.name for part in drafted}
    for own in before.values():
        if own.name in names or not own.lines:
            continue
        if own.is_untouched:
            found["gone"].append(own.name)
        else:
            found["kept"].append(own.name)
            lines += own.text((), own.seal)
    return Updated(_joined(lines), **{key: tuple(filter(None, value)) for key, value in found.items()})


def _told(part: Part) -> tuple[str, ...]:
    """What would be drafted now, beside a part that its author changed."""
    return ("# The paper says something else by now:", *(f"# | {line}" for line in part.lines))


def _parts(text: str) -> Iterator[Part]:
    """The parts of a draft in order; the first, without a name, is what stands before the theorems."""
    for count, piece in enumerate(re.split(r"^---[ \t]*\n", text, flags=re.MULTILINE)):
        lines = piece.splitlines()
        seal = next((match[1] for line in lines if (match := _SEAL.match(line))), None)
        own = tuple(line for line in lines if not _REMARK.match(line))
        while own and not own[-1].strip():
            own = own[:-1]
        remarks = tuple(line for line in lines if _REMARK.match(line) and _is_new(line))
        named = _THEOREM.search(piece)
        yield Part(named[1] if named else "" if not count else f"part {count}", own, remarks, seal)


def _is_new(remark: str) -> bool:
    """Seals, and what an earlier update told, are written where they belong."""
    return not remark.startswith(("# drafted (", "# The paper says something else", "# | "))


def _joined(lines: "Iterator[str] | list[str]") -> str:
    return "\n".join(lines) + "\n"
