"""Documents to raw theorems: every key known, every value of the right sort, nothing elaborated."""

import re
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import cast

from verifier.claim.model import Position, Severity, Source, VerdictName
from verifier.claim.problems import MAX_SHOWN, Gathered, Problem, SpecError
from verifier.expr.functions import RESERVED
from verifier.expr.scope import suggestion
from verifier.expr.unseen import hides
from verifier.read.specs import schema
from verifier.read.specs.raw import BrokenClaim, RawClaim, RawLayers, RawTheorem
from verifier.read.specs.yaml_document import Items, Table, Text, Value

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_THEOREM = re.compile(r"[^\s/#]+(/[^\s/#]+)+\Z")
_SLUG = re.compile(r"[^\s#\[\]]+\Z")
_NUMBER = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)(?:[ ]*/[ ]*([0-9]+))?")
_ORDER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
MAX_DIGITS = 60
MAX_ID = 200
MAX_EACH = 1_000
MAX_NAMES = 1_000


def read_theorem(value: Value) -> RawTheorem:
    """A document as a theorem. A wrong claim is a value; a wrong theorem raises SpecError."""
    table = table_of(value, "a claim file is a mapping of keys")
    found = Gathered()
    found.attempt(refuse_unknown, table, schema.THEOREM_KEYS)
    found.attempt(read_version, table)
    theorem = found.attempt(_theorem_id, table)
    title = found.attempt(_optional, table, "title")
    source = found.attempt(_source, table)
    symbols = found.attempt(named_texts, table, "symbols")
    lets = found.attempt(named_texts, table, "let")
    assumptions = found.attempt(texts_of, table, "assumptions")
    layers = found.attempt(_layers, table)
    claims = found.attempt(_claims, table)
    note = found.attempt(_optional, table, "note")
    letters = found.attempt(letters_of, table)
    found.check()
    assert theorem is not None
    assert source is not None
    assert claims is not None
    return RawTheorem(
        theorem.value,
        theorem,
        title or theorem.value,
        source,
        symbols or {},
        lets or {},
        assumptions or {},
        layers,
        claims,
        note,
        letters,
    )


def read_version(table: Table) -> None:
    version = _text(table, "schema") if "schema" in table.entries else None
    if version is not None and version.value != "1":
        message = f"schema {version.value} is not known"
        raise version.problem("schema", message, "this program reads schema: 1")


def _theorem_id(table: Table) -> Text:
    theorem = _text(table, "theorem")
    if not _THEOREM.match(theorem.value) or len(theorem.value) > MAX_ID or hides(theorem.value):
        raise theorem.problem("theorem", "a theorem is named document/slug", "for example paper/lemma-1")
    return theorem


def _claims(table: Table) -> tuple[RawClaim | BrokenClaim, ...]:
    claims: list[RawClaim | BrokenClaim] = []
    for key, entry in _required(table, "claims").entries.values():
        try:
            claims.append(_claim(key, entry))
        except SpecError as error:
            claims.append(BrokenClaim(key.value[:MAX_ID], key, error.problems))
    return tuple(claims)


def _claim(key: Text, value: Value) -> RawClaim:
    if not _SLUG.match(key.value) or len(key.value) > MAX_ID or hides(key.value):
        message = "a claim's name has no blanks, '#' or brackets, and nothing that cannot be seen"
        raise key.problem("claim-name", message)
    table = table_of(value, "a claim is a mapping of keys; its statement stands under `says`", key)
    refuse_unknown(table, schema.CLAIM_KEYS)
    if ("says" in table.entries) == ("steps" in table.entries):
        raise key.problem("claim", "a claim has either `says` or `steps`")
    each = _number_lists(table, "each")
    if prod(len(values) for _, values in each.values()) > MAX_EACH:
        raise key.problem("too-long", f"`each` makes more than {MAX_EACH:,} claims")
    return RawClaim(
        slug=key.value,
        key=key,
        says=_text(table, "says") if "says" in table.entries else None,
        steps=_text(table, "steps") if "steps" in table.entries else None,
        title=_optional(table, "title"),
        latex=_text(table, "latex") if "latex" in table.entries else None,
        label=_text(table, "label") if "label" in table.entries else None,
        letters=letters_of(table),
        expect=_expect(table),
        under=_list(table, "under"),
        where=_numbers(table, "where"),
        each=each,
        sweep=_number_lists(table, "sweep"),
        growing=_list(table, "as") or (),
        severity=_severity(table),
        note=_optional(table, "note"),
        uses=tuple(item.value.strip() for item in _list(table, "uses") or ()),
    )


def _layers(table: Table) -> RawLayers | None:
    if "layers" not in table.entries:
        return None
    key, value = table.entries["layers"]
    layers = table_of(value, "layers is a mapping of keys", key)
    refuse_unknown(layers, schema.LAYER_KEYS)
    depth = _text(layers, "depth") if "depth" in layers.entries else None
    symbols, lets = named_texts(layers, "symbols"), named_texts(layers, "let")
    return RawLayers(_text(layers, "state"), depth, symbols, lets, _text(layers, "next"))


# --- values of the right sort -------------------------------------------------------------------


def table_of(value: Value, message: str, key: Text | None = None) -> Table:
    if isinstance(value, Table):
        return value
    # An empty value (`claims:` with nothing below) is an empty table.
    if isinstance(value, Text) and not value.value and key is not None:
        return Table({}, key.position())
    raise SpecError(Problem(_position(value), "structure", message))


def _position(value: Value) -> Position:
    return value.position() if isinstance(value, Text) else value.position


def refuse_unknown(table: Table, keys: Mapping[str, str]) -> None:
    unknown = [key for key, _ in table.entries.values() if key.value not in keys]
    problems = []
    for key in unknown[:MAX_SHOWN]:
        hint = suggestion(key.value, keys) or f"known here: {', '.join(keys)}"
        if not _NAME.match(key.value):
            hint = "quote expressions inside { }: a comma there ends a value"
        problems.append(key.problem("unknown-key", f"unknown key {key.value!r}", hint).problem)
    if problems:
        raise SpecError(*problems)


def _text(table: Table, name: str) -> Text:
    if name not in table.entries:
        raise SpecError(Problem(table.position, "missing-key", f"the key {name!r} is missing"))
    key, value = table.entries[name]
    if not isinstance(value, Text) or not value.value.strip():
        raise key.problem(
            "structure",
            f"{name!r} must be a text",
            "quote an expression that begins with [ or {, or that stands inside { } and has a comma",
        )
    return value


def _required(table: Table, name: str) -> Table:
    if name not in table.entries:
        raise SpecError(Problem(table.position, "missing-key", f"the key {name!r} is missing"))
    key, value = table.entries[name]
    return table_of(value, f"{name!r} is a mapping", key)


def _optional(table: Table, name: str) -> str | None:
    return _text(table, name).value.strip() if name in table.entries else None


def texts_of(table: Table, name: str) -> dict[str, Text]:
    """A mapping from names to texts; absent is empty."""
    if name not in table.entries:
        return {}
    key, value = table.entries[name]
    inner = table_of(value, f"{name!r} is a mapping", key)
    if len(inner.entries) > MAX_NAMES:
        raise key.problem("too-long", f"more than {MAX_NAMES:,} names under {name!r}", "split the theorem")
    return {word: _text(inner, word) for word in inner.entries}


def letters_of(table: Table) -> dict[str, Text] | None:
    """The map from the write-up's letters to names; absent is not the same as empty."""
    return texts_of(table, "names") if "names" in table.entries else None


def named_texts(table: Table, name: str) -> dict[str, Text]:
    """The same, where the keys are names that expressions use."""
    found = texts_of(table, name)
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
    inner = table_of(value, "source is {document: ..., locator: ...}", key)
    refuse_unknown(inner, schema.SOURCE_KEYS)
    return Source(
        _optional(inner, "document"),
        _optional(inner, "locator"),
        _optional(inner, "file"),
        _optional(inner, "title"),
        tuple(name.value.strip() for name in _list(inner, "authors") or ()),
        _order(inner),
    )


def _order(table: Table) -> Fraction | None:
    """Where a theorem stands in its write-up: 12, or 12.5 for one that was put in between."""
    if "order" not in table.entries:
        return None
    text = _text(table, "order")
    if not _ORDER.fullmatch(text.value.strip()):
        hint = "write 12, or 12.5 to put one between two others"
        raise text.problem("structure", "`order` is a number", hint)
    return Fraction(text.value.strip())


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


def _expect(table: Table) -> tuple[VerdictName, ...] | None:
    words = _list(table, "expect")
    if words == ():
        raise table.entries["expect"][0].problem("expect", "no verdict is expected", "leave `expect` out")
    for word in words or ():
        _one_of(word, "expect", schema.VERDICTS)
    return None if words is None else cast(tuple[VerdictName, ...], tuple(word.value for word in words))


def _severity(table: Table) -> Severity:
    if "severity" not in table.entries:
        return "error"
    word = _text(table, "severity")
    _one_of(word, "severity", schema.SEVERITIES)
    return cast(Severity, word.value)


def _one_of(word: Text, name: str, allowed: tuple[str, ...]) -> None:
    if word.value not in allowed:
        hint = suggestion(word.value, allowed) or f"one of {', '.join(allowed)}"
        raise word.problem(name, f"{name} cannot be {word.value!r}", hint)


def number(text: Text) -> Fraction:
    """A rational: 3, -0.5, 1e-3 or 1/2."""
    word = text.value.strip()
    match = _NUMBER.fullmatch(word) if len(word) <= MAX_DIGITS else None
    if match is None or (match[2] and int(match[2]) == 0):
        shown = word if len(word) <= MAX_DIGITS else f"{word[:MAX_DIGITS]}..."
        raise text.problem("number", f"{shown!r} is not a number", "write 3, 0.5, 1e-3 or 1/2")
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
    return list(table_of(value, f"{name!r} is a mapping from symbols to values", key).entries.values())


def _item(key: Text, value: Value) -> Text:
    if not isinstance(value, Text):
        raise key.problem("structure", f"the value of {key.value} is not a number")
    return value
