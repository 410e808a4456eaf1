"""Documents to raw theorems: every key known, every value of the right sort, nothing elaborated."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from verifier.claim import schema
from verifier.claim.document import Items, Table, Text, Value
from verifier.claim.model import Position, Severity, Source, VerdictName
from verifier.claim.problems import Problem, SpecError
from verifier.expr.functions import RESERVED
from verifier.expr.scope import suggestion

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_THEOREM = re.compile(r"[^\s/#]+(/[^\s/#]+)+\Z")
_SLUG = re.compile(r"[^\s#\[\]]+\Z")
MAX_EACH = 1_000


@dataclass(frozen=True)
class RawLayers:
    state: Text
    depth: Text | None
    symbols: Mapping[str, Text]
    lets: Mapping[str, Text]
    next: Text


@dataclass(frozen=True)
class RawClaim:
    """A claim's keys, as written."""

    slug: str
    key: Text
    says: Text | None = None
    steps: Text | None = None
    title: str | None = None
    latex: str | None = None
    expect: tuple[VerdictName, ...] | None = None
    under: tuple[Text, ...] | None = None
    where: Mapping[str, tuple[Text, Fraction]] = field(default_factory=dict)
    each: Mapping[str, tuple[Text, tuple[Fraction, ...]]] = field(default_factory=dict)
    sweep: Mapping[str, tuple[Text, tuple[Fraction, ...]]] = field(default_factory=dict)
    growing: tuple[Text, ...] = ()
    severity: Severity = "error"
    note: str | None = None

    def bindings(self) -> Iterator[dict[str, Fraction]]:
        """One set of values per claim that `each` makes."""
        names = list(self.each)
        for values in itertools.product(*(self.each[name][1] for name in names)):
            yield dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class BrokenClaim:
    """A claim whose keys are wrong; the others of its theorem still get their verdicts."""

    slug: str
    key: Text
    problem: Problem


@dataclass(frozen=True)
class RawTheorem:
    """A theorem's keys, as written."""

    id: str
    id_text: Text
    title: str
    source: Source
    symbols: Mapping[str, Text]
    lets: Mapping[str, Text]
    assumptions: Mapping[str, Text]
    layers: RawLayers | None
    claims: tuple[RawClaim | BrokenClaim, ...]
    note: str | None = None


def read_theorem(value: Value) -> RawTheorem:
    """A document as a theorem. A wrong claim is a value; a wrong theorem raises SpecError."""
    table = _table(value, "a claim file is a mapping of keys")
    _known(table, schema.THEOREM_KEYS)
    if "schema" in table.entries:
        version = _text(table, "schema")
        if version.value != "1":
            raise version.problem(
                "schema", f"schema {version.value} is not known", "this program reads schema: 1"
            )
    theorem = _text(table, "theorem")
    if not _THEOREM.match(theorem.value):
        raise theorem.problem("theorem", "a theorem is named document/slug", "for example paper/lemma-1")
    claims: list[RawClaim | BrokenClaim] = []
    for key, entry in _required(table, "claims").entries.values():
        try:
            claims.append(_claim(key, entry))
        except SpecError as error:
            claims.append(BrokenClaim(key.value, key, error.problem))
    return RawTheorem(
        theorem.value,
        theorem,
        _optional(table, "title") or theorem.value,
        _source(table),
        _named(table, "symbols"),
        _named(table, "let"),
        _texts(table, "assumptions"),
        _layers(table),
        tuple(claims),
        _optional(table, "note"),
    )


def _claim(key: Text, value: Value) -> RawClaim:
    if not _SLUG.match(key.value):
        raise key.problem("claim-name", "a claim's name has no blanks, '#' or brackets")
    table = _table(value, "a claim is a mapping of keys; its statement stands under `says`", key)
    _known(table, schema.CLAIM_KEYS)
    if ("says" in table.entries) == ("steps" in table.entries):
        raise key.problem("claim", "a claim has either `says` or `steps`")
    each = _number_lists(table, "each")
    if _product(len(values) for _, values in each.values()) > MAX_EACH:
        raise key.problem("too-long", f"`each` makes more than {MAX_EACH:,} claims")
    return RawClaim(
        slug=key.value,
        key=key,
        says=_text(table, "says") if "says" in table.entries else None,
        steps=_text(table, "steps") if "steps" in table.entries else None,
        title=_optional(table, "title"),
        latex=_optional(table, "latex"),
        expect=_choices(table, "expect", schema.VERDICTS),
        under=_list(table, "under"),
        where=_numbers(table, "where"),
        each=each,
        sweep=_number_lists(table, "sweep"),
        growing=_list(table, "as") or (),
        severity=cast(Severity, (_choices(table, "severity", schema.SEVERITIES) or ("error",))[0]),
        note=_optional(table, "note"),
    )


def _layers(table: Table) -> RawLayers | None:
    if "layers" not in table.entries:
        return None
    key, value = table.entries["layers"]
    layers = _table(value, "layers is a mapping of keys", key)
    _known(layers, schema.LAYER_KEYS)
    depth = _text(layers, "depth") if "depth" in layers.entries else None
    symbols, lets = _named(layers, "symbols"), _named(layers, "let")
    return RawLayers(_text(layers, "state"), depth, symbols, lets, _text(layers, "next"))


# --- values of the right sort -------------------------------------------------------------------


def _table(value: Value, message: str, key: Text | None = None) -> Table:
    if isinstance(value, Table):
        return value
    # An empty value (`claims:` with nothing below) is an empty table.
    if isinstance(value, Text) and not value.value and key is not None:
        return Table({}, key.position())
    raise SpecError(Problem(_position(value), "structure", message))


def _position(value: Value) -> Position:
    return value.position() if isinstance(value, Text) else value.position


def _known(table: Table, keys: Mapping[str, str]) -> None:
    for key, _ in table.entries.values():
        if key.value not in keys:
            hint = suggestion(key.value, keys) or f"known here: {', '.join(keys)}"
            raise key.problem("unknown-key", f"unknown key {key.value!r}", hint)


def _text(table: Table, name: str) -> Text:
    if name not in table.entries:
        raise SpecError(Problem(table.position, "missing-key", f"the key {name!r} is missing"))
    key, value = table.entries[name]
    if not isinstance(value, Text) or not value.value.strip():
        raise key.problem(
            "structure", f"{name!r} must be a text", "quote an expression that begins with [ or {"
        )
    return value


def _required(table: Table, name: str) -> Table:
    if name not in table.entries:
        raise SpecError(Problem(table.position, "missing-key", f"the key {name!r} is missing"))
    key, value = table.entries[name]
    return _table(value, f"{name!r} is a mapping", key)


def _optional(table: Table, name: str) -> str | None:
    return _text(table, name).value.strip() if name in table.entries else None


def _texts(table: Table, name: str) -> dict[str, Text]:
    """A mapping from names to texts; absent is empty."""
    if name not in table.entries:
        return {}
    key, value = table.entries[name]
    inner = _table(value, f"{name!r} is a mapping", key)
    return {word: _text(inner, word) for word in inner.entries}


def _named(table: Table, name: str) -> dict[str, Text]:
    """The same, where the keys are names that expressions use."""
    found = _texts(table, name)
    if found:
        inner = table.entries[name][1]
        assert isinstance(inner, Table)
        for key, _ in inner.entries.values():
            check_name(key)
    return found


def check_name(key: Text) -> None:
    if not _NAME.match(key.value):
        raise key.problem("name", f"{key.value!r} is not a name", "letters, digits and _; no digit first")
    if key.value in RESERVED or key.value.startswith("__"):
        raise key.problem("reserved", f"{key.value!r} is reserved", "choose another name")


def _source(table: Table) -> Source:
    if "source" not in table.entries:
        return Source()
    key, value = table.entries["source"]
    if isinstance(value, Text):
        return Source(value.value)
    inner = _table(value, "source is {document: ..., locator: ...}", key)
    _known(inner, schema.SOURCE_KEYS)
    return Source(_optional(inner, "document"), _optional(inner, "locator"))


def _list(table: Table, name: str) -> tuple[Text, ...] | None:
    """A list of texts; a single text is a list of one."""
    if name not in table.entries:
        return None
    key, value = table.entries[name]
    values = value.values if isinstance(value, Items) else (value,)
    for item in values:
        if not isinstance(item, Text):
            raise key.problem("structure", f"{name!r} is a list of texts")
    return cast(tuple[Text, ...], values)


def _choices(table: Table, name: str, allowed: tuple[str, ...]) -> tuple[VerdictName, ...] | None:
    words = _list(table, name)
    for word in words or ():
        if word.value not in allowed:
            hint = suggestion(word.value, allowed) or f"one of {', '.join(allowed)}"
            raise word.problem(name, f"{name} cannot be {word.value!r}", hint)
    return None if words is None else cast(tuple[VerdictName, ...], tuple(word.value for word in words))


def number(text: Text) -> Fraction:
    """A rational: 3, -0.5, 1e-3 or 1/2."""
    word = text.value.strip()
    match = re.fullmatch(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)(?:\s*/\s*(\d+))?", word)
    if match is None or len(word) > 60 or (match[2] and int(match[2]) == 0):
        raise text.problem("number", f"{word!r} is not a number", "write 3, 0.5, 1e-3 or 1/2")
    return Fraction(match[1]) / int(match[2] or 1)


def _numbers(table: Table, name: str) -> dict[str, tuple[Text, Fraction]]:
    return {key.value: (key, number(_item(key, value))) for key, value in _entries(table, name)}


def _number_lists(table: Table, name: str) -> dict[str, tuple[Text, tuple[Fraction, ...]]]:
    found = {}
    for key, value in _entries(table, name):
        values = value.values if isinstance(value, Items) else (value,)
        if not values:
            raise key.problem("structure", f"{name} of {key.value} has no values")
        found[key.value] = (key, tuple(number(_item(key, item)) for item in values))
    return found


def _entries(table: Table, name: str) -> list[tuple[Text, Value]]:
    if name not in table.entries:
        return []
    key, value = table.entries[name]
    return list(_table(value, f"{name!r} is a mapping from symbols to values", key).entries.values())


def _item(key: Text, value: Value) -> Text:
    if not isinstance(value, Text):
        raise key.problem("structure", f"the value of {key.value} is not a number")
    return value


def _product(counts: Iterator[int]) -> int:
    total = 1
    for count in counts:
        total *= count
    return total
