"""A matplotlib figure as markup that a strict page may hold: no style, no script, no outside name.

Colours become the page's own, so that a picture follows the light and the dark scheme; text stays
text, in the page's font; identifiers are made unique on the page.
"""

import io
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from markupsafe import Markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"
# What figures are drawn in, and what the page puts in its place.
INK, ACCENT, SECOND, GRID = "#010101", "#020202", "#030303", "#040404"
PAGE_COLOURS = {
    INK: "currentColor",
    ACCENT: "var(--picture-a)",
    SECOND: "var(--picture-b)",
    GRID: "var(--line)",
}
DROPPED = {"metadata", "style", "title"}
KEPT_STYLES = {
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "opacity", "text-anchor",
    "font-size",
}  # fmt: skip
LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
FONT_SIZE = re.compile(r"(\d+(?:\.\d+)?)px")
REFERENCE = re.compile(r"url\(#([^)]+)\)")


def to_svg(figure: "Figure", title: str, name: str) -> Markup:
    """The figure, named `name` on its page; `title` is what a screen reader says of it."""
    import matplotlib

    stream = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    root = ET.fromstring(stream.getvalue())
    _clean(root, name, _referred(root))
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title", "stroke-linejoin": "round"}
    heading = ET.Element(f"{SVG}title", {"id": f"{name}-title"})
    heading.text = title
    root.insert(0, heading)
    ET.register_namespace("", SVG[1:-1])
    text = ET.tostring(root, encoding="unicode")
    return Markup(re.sub(r">\s+<", "><", text))


def _referred(root: ET.Element) -> set[str]:
    found = set()
    for node in root.iter():
        for value in node.attrib.values():
            found |= {match[1] for match in REFERENCE.finditer(value)}
        if XLINK in node.attrib:
            found.add(node.attrib[XLINK].removeprefix("#"))
    return found


def _clean(node: ET.Element, name: str, referred: set[str]) -> None:
    attributes = dict(node.attrib)
    node.attrib.clear()
    for key, value in attributes.items():
        if key == "style":
            node.attrib |= _styles(value, name)
        elif key == "id":
            if value in referred:
                node.attrib["id"] = f"{name}-{value}"
        elif key == XLINK:
            node.attrib["href"] = f"#{name}-{value.removeprefix('#')}"
        else:
            node.attrib[key] = _value(value, name)
    for child in node:
        _clean(child, name, referred)
    node[:] = [kept for child in node for kept in _worth_keeping(child)]


def _worth_keeping(node: ET.Element) -> list[ET.Element]:
    """The node itself; of a group that says nothing its children; nothing of what is not seen."""
    tag = node.tag.removeprefix(SVG)
    if tag in DROPPED or (tag == "defs" and not len(node)):
        return []
    if (
        tag == "path"
        and node.get("fill") == "none"
        and "stroke" not in node.attrib
        and "id" not in node.attrib
    ):
        return []
    if node.get("transform", "").startswith("rotate(-0 "):
        del node.attrib["transform"]
    return list(node) if tag == "g" and not node.attrib else [node]


def _styles(text: str, name: str) -> dict[str, str]:
    """Declarations as attributes, which a policy without inline style allows."""
    found = {}
    for part in text.split(";"):
        key, _, value = (piece.strip() for piece in part.partition(":"))
        if key == "font" and (size := FONT_SIZE.search(value)):
            found["font-size"] = size[1]
        elif key in KEPT_STYLES:
            found[key] = _value(value, name)
    return found


def _value(value: str, name: str) -> str:
    """A colour of the page, a reference within the picture, or numbers of no more digits than needed."""
    return PAGE_COLOURS.get(value) or _short(REFERENCE.sub(rf"url(#{name}-\1)", value))


def _short(value: str) -> str:
    """Two decimals are enough for a screen."""
    return LONG_NUMBER.sub(lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), value)
