"""The page about the gate is true: its configuration is read, its options and keys are all there."""

import re
import tomllib
from pathlib import Path

from verifier.gate.config import KEYS, read_config
from verifier.gate.options import parser
from verifier.gate.outputs import FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "gate.md").read_text(encoding="utf-8")


def test_the_configuration_on_the_page_is_one() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    config = read_config(tomllib.loads(block), Path("verify.toml"))
    assert config.min_coverage == 50
    assert [form for form, _ in config.outputs] == ["sarif", "junit"]
    assert [key for key in KEYS if key not in block] == []


def test_every_format_and_every_option_of_the_gate_is_told() -> None:
    assert [form for form in FORMATS if f"| `{form}` |" not in PAGE] == []
    groups = {group.title: group for group in parser()._action_groups}
    options = [option for action in groups["gate"]._group_actions for option in action.option_strings]
    assert options
    assert [option for option in options if option not in PAGE] == []
