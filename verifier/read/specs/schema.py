"""The keys of a spec, in one table: the reader, its messages and the editor's JSON Schema use it."""

from typing import Any

from verifier.expr.declare import KINDS

VERDICTS = ("holds", "loose", "fails", "unrefuted", "inconclusive")
SEVERITIES = ("error", "warning", "note")

THEOREM_KEYS: dict[str, str] = {
    "schema": "the version of the claim language: 1",
    "theorem": "document/slug, unique in a run",
    "title": "what the theorem is about, in a few words",
    "source": "{document: ..., locator: ...}: where the write-up states it",
    "symbols": "each symbol and what it is",
    "let": "names for expressions, read in order",
    "assumptions": "named hypotheses, all in force unless a claim says `under`",
    "layers": "one layer of a deep network, for depth-L claims",
    "claims": "the statements to be judged",
    "note": "prose for the report",
    "names": "the write-up's letters and what they are called here, for `latex` and `label`",
}
PREAMBLE_KEYS: dict[str, str] = {
    "schema": "the version of the claim language: 1",
    "symbols": "each symbol and what it is, for every theorem after it",
    "let": "names for expressions, read with the theorem's own symbols",
    "assumptions": "named hypotheses; none is in force unless a claim names it under `under`",
    "names": "the write-up's letters and what they are called here, for `latex` and `label`",
}
CLAIM_KEYS: dict[str, str] = {
    "says": "the statement: one relation",
    "steps": "a chain of relations, one per line",
    "title": "what this claim is about, in a few words",
    "latex": "the right side or the relation as the write-up prints it",
    "label": "the label of the formula in the write-up; it must say the same",
    "names": "the write-up's letters and what they are called here, for this claim",
    "expect": "the verdict, or a list of verdicts, that the author expects",
    "under": "the names of the assumptions in force; [] for none",
    "where": "values that fix symbols",
    "each": "values of a symbol; one claim is made per value",
    "sweep": "where the numeric check looks",
    "as": "the growing symbols: n -> oo",
    "severity": "how bad it is when the claim is not as expected",
    "note": "prose for the report",
    "uses": "ids of claims or theorems that the write-up's argument rests on, for the report",
}
LAYER_KEYS: dict[str, str] = {
    "state": "the symbol that a layer maps to its next value",
    "depth": "the number of layers",
    "symbols": "what each layer draws afresh",
    "let": "names for expressions inside the layer",
    "next": "the state after the layer",
}
SOURCE_KEYS: dict[str, str] = {
    "document": "the write-up",
    "locator": "the place in it",
    "file": "its file, seen from this one, for `label`",
    "title": "the write-up's title, for the report; one theorem of it that says so is enough",
    "authors": "who wrote it: one text, or a list of names",
    "order": "where the theorem stands in the write-up: a number, by which the report lists theorems",
}


def json_schema() -> dict[str, Any]:
    """JSON Schema, draft 7, for editors: completion and a first check while typing."""
    text = {"type": "string"}
    number = {"type": ["number", "string"]}
    expression = {"type": ["string", "number"], "description": "an expression of the claim language"}

    def table(of: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": of}

    def keyed(keys: dict[str, str], types: dict[str, Any], required: list[str]) -> dict[str, Any]:
        properties = {key: {**types.get(key, text), "description": words} for key, words in keys.items()}
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": properties,
            "required": required,
        }

    kinds = "|".join(KINDS)
    symbols = table({"type": "string", "pattern": rf"^({kinds})\b", "examples": list(KINDS.values())})
    verdict = {"enum": list(VERDICTS)}
    one_or_many = [verdict, {"type": "array", "items": verdict, "minItems": 1}]
    claim = keyed(
        CLAIM_KEYS,
        {
            "expect": {"oneOf": one_or_many},
            "under": {"type": "array", "items": text},
            "uses": {"oneOf": [text, {"type": "array", "items": text}]},
            "where": table(number),
            "each": table({"type": "array", "items": number, "minItems": 1}),
            "sweep": table({"type": "array", "items": number, "minItems": 1}),
            "as": {"oneOf": [text, {"type": "array", "items": text}]},
            "severity": {"enum": list(SEVERITIES)},
            "names": table(text),
        },
        [],
    )
    claim["oneOf"] = [{"required": ["says"]}, {"required": ["steps"]}]
    source = {"authors": {"oneOf": [text, {"type": "array", "items": text}]}, "order": number}
    layers = keyed(LAYER_KEYS, {"symbols": symbols, "let": table(expression)}, ["state", "next"])
    theorem = keyed(
        THEOREM_KEYS,
        {
            "schema": {"const": 1},
            "source": {"oneOf": [text, keyed(SOURCE_KEYS, source, [])]},
            "symbols": symbols,
            "let": table(expression),
            "assumptions": table(text),
            "layers": layers,
            "claims": table(claim),
            "names": table(text),
        },
        ["theorem", "claims"],
    )
    del theorem["required"]
    shared = {"symbols": symbols, "let": table(expression), "assumptions": table(text), "names": table(text)}
    preamble = keyed(PREAMBLE_KEYS, {"schema": {"const": 1}, **shared}, [])
    words = "declarations for every theorem after it, in a document of its own"
    theorem["properties"]["preamble"] = {**preamble, "description": words}
    # A theorem, or a preamble: that of a folder has its keys at the top.
    parts = [{"required": ["theorem"]}, {"required": ["claims"]}]
    theorem["anyOf"] = [{"required": ["theorem", "claims"]}, {"not": {"anyOf": parts}}]
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "A claim file", **theorem}
