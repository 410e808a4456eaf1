"""Formulas of a page with hundreds of them, packed: letters in their places, and all compressed at its end.

A script of the page unpacks them and puts them in. Where none runs, the letters are read. On a page that
would be too heavy still whole articles are packed, and their headings alone stand in their places.
"""

import base64
import re
import zlib
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

FORMULA = re.compile(r"<math>.*?</math>")
WITH_PICTURES = re.compile(r"<math>.*?</math>|<svg [^\n]*?</svg>")
WITH_ARTICLES = re.compile(
    r'(?P<opening><article class="one" id="[^"]*")>(?P<all>\s*(?P<heading><h3>.*?</h3>).*?)</article>'
    rf"|{WITH_PICTURES.pattern}",
    re.DOTALL,
)
BETWEEN = "\x1e"  # what stands between two of them: no page has this letter
TITLE = re.compile(r"<title[^>]*>([^<]*)")
# Where the template wants them; the script finds them by this name.
HERE = '<script type="text/plain" id="formulas"></script>'
_UNSEEN = {0x2061: "", 0x2062: " "}  # function application, a product
_SCRIPTS = {
    "msup": "{}^{}",
    "msub": "{}_{}",
    "munder": "{}_{} ",
    "mover": "{}{}",
    "msubsup": "{}_{}^{}",
    "munderover": "{}_{}^{} ",
    "mfrac": "{}/{}",
    "msqrt": "√{}",
    "mroot": "{}^(1/{})",
}
_ROWS = {"mtable": "; ", "mtr": ", "}
_LONE = re.compile(r"√?\w+|.|\([^()]*\)")


def packed(pieces: Iterable[str], what: "re.Pattern[str]" = FORMULA) -> Iterator[str]:
    """The page with each formula in letters, and all of them where they are wanted, after the last. Pictures
    may go with them; in their places stands what they show in words."""
    squeezed, found = zlib.compressobj(9), list[bytes]()

    def letters_of(match: "re.Match[str]") -> str:
        parts = match.groupdict()
        found.append(squeezed.compress(f"{parts.get('all') or match[0]}{BETWEEN}".encode()))
        if parts.get("all"):
            return f"{parts['opening']} data-f>{parts['heading']}</article>"
        title = TITLE.search(match[0])
        return f"<span data-f>{title[1] if title else in_letters(match[0])}</span>"

    for piece in pieces:
        text = what.sub(letters_of, piece)
        if HERE in text:
            content = base64.b64encode(b"".join([*found, squeezed.flush()])).decode()
            text = text.replace(HERE, HERE.replace("><", f">{content}<"))
        yield text


def in_letters(formula: str) -> str:
    """Markup of a formula as a line of text, escaped."""
    words = _letters(ElementTree.fromstring(formula)).translate(_UNSEEN)
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _letters(item: ElementTree.Element) -> str:
    if len(item) == 0:
        text = item.text or ""
        return f" {text} " if item.tag == "mo" and text in "=<>≤≥≠∈+−⊙∣∘" else text
    parts = [_letters(part) for part in item]
    form = _SCRIPTS.get(item.tag)
    if form is None or form.count("{}") != len(parts):
        return _ROWS.get(item.tag, "").join(parts)
    return form.format(parts[0] if item.tag[1:4] in ("sub", "und") else _one(parts[0]), *map(_one, parts[1:]))


def _one(words: str) -> str:
    """In parentheses where it is more than a word."""
    return words if _LONE.fullmatch(words.strip()) else f"({words})"
