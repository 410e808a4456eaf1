"""Configuration: found, typed, and wrong in words."""

from pathlib import Path

import pytest

from verifier.gate.choices import policy_of, settings_of, store_of
from verifier.gate.config import KEYS, Config, ConfigError, find_config

FULL = """
paths = ["claims", "paper.tex"]
fail-on = ["fails"]
fail-at = "warning"
baseline = "old.json"
min-coverage = 50
cache = "build/cache"
seconds = 5
memory = 2
jobs = 3
seed = 7
device = "cpu"
[outputs]
sarif = "out/report.sarif"
"""


def test_a_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "verify.toml").write_text(FULL)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep")
    config = find_config(tmp_path / "deep" / "er")
    assert config.paths == ("../claims", "../paper.tex")
    assert (config.fail_on, config.fail_at, config.min_coverage) == (("fails",), "warning", 50)
    assert config.outputs == (("sarif", Path("../out/report.sarif")),)
    assert config.cache == Path("../build/cache")
    settings = settings_of({}, config)
    assert (settings.seconds, settings.memory_bytes, settings.jobs, settings.seed) == (5, 2 * 2**30, 3, 7)
    assert settings_of({"seconds": 9.0, "seed": None}, config).seconds == 9
    assert set(KEYS) >= {line.partition(" ")[0] for line in FULL.splitlines() if " = " in line} - {"sarif"}


def test_pyproject_and_the_end_of_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.verify]\npaths = "claims"\n')
    assert find_config(tmp_path).paths == ("claims",)
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)
    assert find_config(inner) == Config()
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    assert find_config(tmp_path) == Config()
    (tmp_path / "pyproject.toml").write_text("not toml")
    assert find_config(tmp_path) == Config()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fail_on = []", "did you mean 'fail-on'"),
        ('fail-on = ["error"]', "cannot be 'error'"),
        ("fail-on = 3", "list of texts"),
        ('fail-at = ["note", "error"]', "one word"),
        ("min-coverage = true", "must be a number"),
        ("[outputs]\npdf = 'a'", "no format 'pdf'"),
        ("[outputs]\njson = 1", "must be a text"),
        ("outputs = 1", "must be a table"),
        ("[outputs]\njson = '../a.json'", "leads out of this folder"),
        ("[outputs]\njson = '/etc/a.json'", "leads out of this folder"),
        ("seconds = 'x'", "must be a number"),
        ("seconds = nan", "between 0 and 1e+06"),
        ("seconds = 0", "must be positive"),
        ("memory = true", "must be a number"),
        ("memory = -1.5", "between 0 and"),
        ("jobs = -3", "must be positive"),
        ("jobs = 1.5", "must be a whole number"),
        ("draws = 0", "must be positive"),
        ("seed = 'a'", "must be a whole number"),
        ("device = 3", "list of texts"),
        ("device = 'abacus'", "cannot be 'abacus'"),
        ("min-coverage = 101", "between 0 and 100"),
        ("baseline = 1", "must be a text"),
        ("paths = [", "verify.toml"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "verify.toml").write_text(text)
    with pytest.raises(ConfigError) as trouble:
        find_config(tmp_path)
    assert words in str(trouble.value)


def test_where_verdicts_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERIFY_CACHE", raising=False)
    assert store_of(None, Config(), tmp_path).folder == tmp_path / ".verify-cache"  # type: ignore[union-attr]
    assert store_of(None, Config(cache=Path("a"))).folder == Path("a")  # type: ignore[union-attr]
    assert store_of(None, Config(folder=Path("..")), None).folder == Path("../.verify-cache")  # type: ignore[union-attr]
    assert store_of(None, Config(cache=False)) is None
    monkeypatch.setenv("VERIFY_CACHE", "b")
    assert store_of(None, Config(cache=Path("a"))).folder == Path("b")  # type: ignore[union-attr]
    monkeypatch.setenv("VERIFY_CACHE", "")
    assert store_of(None, Config()) is None
    assert store_of(Path("c"), Config(cache=False)).folder == Path("c")  # type: ignore[union-attr]


def test_the_command_line_wins() -> None:
    config = Config(fail_on=("fails",), fail_at="error", min_coverage=10)
    policy = policy_of(config, fail_on=(), min_coverage=0)
    assert (policy.fail_on, policy.fail_at, policy.min_coverage) == ((), "error", 0)
