"""The editor's schema says what the reader accepts."""

import json
import re

import pytest

from verifier.expr.declare import KINDS
from verifier.read.specs.schema import CLAIM_KEYS, LAYER_KEYS, PREAMBLE_KEYS, THEOREM_KEYS, json_schema

SCHEMA = json_schema()


def test_it_is_plain_json_of_draft_7() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"


def test_it_knows_the_keys_and_explains_each() -> None:
    claim = SCHEMA["properties"]["claims"]["additionalProperties"]
    layers = SCHEMA["properties"]["layers"]
    preamble = SCHEMA["properties"]["preamble"]
    whole = {**THEOREM_KEYS, "preamble": ""}
    tables = ((SCHEMA, whole), (claim, CLAIM_KEYS), (layers, LAYER_KEYS), (preamble, PREAMBLE_KEYS))
    for table, keys in tables:
        assert set(table["properties"]) == set(keys)
        assert table["additionalProperties"] is False
        assert all(entry["description"] for entry in table["properties"].values())
    assert SCHEMA["anyOf"][0] == {"required": ["theorem", "claims"]}
    assert claim["oneOf"] == [{"required": ["says"]}, {"required": ["steps"]}]


@pytest.mark.parametrize("kind", KINDS)
def test_it_completes_every_kind_of_symbol(kind: str) -> None:
    symbol = SCHEMA["properties"]["symbols"]["additionalProperties"]
    assert re.match(symbol["pattern"], KINDS[kind])
    assert not re.match(symbol["pattern"], f"un{kind}")
