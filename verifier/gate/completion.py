"""`verify --completion SHELL`: a script that completes options and paths, made from the options."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.read.specs.spec_files import SUFFIXES

SHELLS = ("bash", "zsh", "fish")
COMMANDS = {
    "draft": "write down what a paper states, as claims",
    "check": "check proofs against claim files",
    "serve": "judge claims on a page in the browser",
    "lsp": "serve editors",
    "mcp": "serve agents",
}
_ENDINGS = "|".join(suffix[1:] for suffix in SUFFIXES)


@dataclass(frozen=True)
class Option:
    """An option as shells see it. `value`: what follows, as "words", "folder", "file", "other" or nothing."""

    names: tuple[str, ...]
    help: str
    value: str | None
    words: tuple[str, ...] = ()


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for one of SHELLS."""
    options = tuple(_options(parser))
    match shell:
        case "bash":
            return _bash(options)
        case "zsh":
            return _zsh(options)
        case "fish":
            return _fish(options)
    raise ValueError(f"{shell!r} is none of {', '.join(SHELLS)}")


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        if not action.option_strings:
            continue
        words = tuple(map(str, action.choices or ()))
        help_text = re.sub(r"\s+", " ", (action.help or "") % {"prog": parser.prog})
        yield Option(tuple(action.option_strings), help_text, _value(action, words), words)


def _value(action: argparse.Action, words: tuple[str, ...]) -> str | None:
    if action.nargs == 0:
        return None
    if words:
        return "words"
    if action.type is Path:
        return "folder" if action.metavar == "DIR" else "file"
    return "other"


# --- bash -----------------------------------------------------------------------------------------------


def _bash(options: tuple[Option, ...]) -> str:
    every = " ".join(name for option in options for name in option.names)
    cases = "\n".join(
        f"        {'|'.join(option.names)}) {_bash_value(option)} ;;" for option in options if option.value
    )
    return f"""\
# verify --completion bash >> ~/.bash_completion
_verify() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local IFS=$'\\n'
    # bash takes --format=json for three words.
    [[ $cur == "=" ]] && cur=
    [[ $prev == "=" ]] && prev=${{COMP_WORDS[COMP_CWORD-2]}}
    case $prev in
{cases}
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(IFS=' ' compgen -W "{every}" -- "$cur"))
        return
    fi
    COMPREPLY=($(compgen -d -- "$cur"; compgen -f -- "$cur" | grep -E '\\.({_ENDINGS})$'))
    ((COMP_CWORD == 1)) && COMPREPLY+=($(IFS=' ' compgen -W "{" ".join(COMMANDS)}" -- "$cur"))
}}
complete -o filenames -F _verify verify
"""


def _bash_value(option: Option) -> str:
    found = {
        "words": f"""COMPREPLY=($(IFS=' ' compgen -W "{" ".join(option.words)}" -- "$cur"))""",
        "folder": 'COMPREPLY=($(compgen -d -- "$cur"))',
        "file": 'COMPREPLY=($(compgen -f -- "$cur"))',
        "other": "COMPREPLY=()",
    }
    return f"{found[option.value or 'other']}; return"


# --- zsh ------------------------------------------------------------------------------------------------


def _zsh(options: tuple[Option, ...]) -> str:
    specs = "\n".join(f"    {_zsh_option(option, name)} \\" for option in options for name in option.names)
    commands = " ".join(f"'{name}:{words}'" for name, words in COMMANDS.items())
    return f"""\
#compdef verify
# verify --completion zsh > a folder of $fpath/_verify
_verify_paths() {{
    local -a commands=({commands})
    ((CURRENT == 2)) && _describe command commands
    _files -g '*.({_ENDINGS})'
}}
_verify() {{
  _arguments \\
{specs}
    '*:path:_verify_paths'
}}
if [[ $funcstack[1] == _verify ]]; then _verify "$@"; else compdef _verify verify; fi
"""


def _zsh_option(option: Option, name: str) -> str:
    words = re.sub(r"([\[\]:\\])", r"\\\1", option.help).replace("'", "'\\''")
    value = {
        None: "",
        "words": f":value:({' '.join(option.words)})",
        "folder": ":folder:_files -/",
        "file": ":file:_files",
        "other": ":value: ",
    }[option.value]
    return f"'{name}[{words}]{value}'"


# --- fish -----------------------------------------------------------------------------------------------


def _fish(options: tuple[Option, ...]) -> str:
    lines = ["# verify --completion fish > ~/.config/fish/completions/verify.fish"]
    for name, words in COMMANDS.items():
        lines.append(f"complete -c verify -n __fish_use_subcommand -a {name} -d {_quoted(words)}")
    return "\n".join([*lines, *map(_fish_option, options)]) + "\n"


def _fish_option(option: Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    value = {
        None: "",
        "words": f" -x -a {_quoted(' '.join(option.words))}",
        "folder": " -x -a '(__fish_complete_directories)'",
        "file": " -r",
        "other": " -x",
    }[option.value]
    return f"complete -c verify {names}{value} -d {_quoted(option.help)}"


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
