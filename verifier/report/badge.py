"""A badge: how many claims stand, as a small SVG for a README. Flat, without fonts or links to fetch."""

from html import escape

from verifier.report.view import Json

GREEN, YELLOW, RED, GREY = "#2e7d32", "#b26a00", "#c62828", "#616161"
CHARACTER = 6.6
MARGIN = 10


def to_badge(report: Json) -> str:
    """`claims | 12 hold, 1 loose`, green when the run passes, red when it does not."""
    words, colour = message(report)
    left, right = (CHARACTER * len(text) + MARGIN for text in ("claims", words))
    width = left + right
    title = escape(f"claims: {words}")
    size = f'width="{width:.0f}" height="20"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{title}">
<title>{title}</title>
<clipPath id="r"><rect width="{width:.0f}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="{left:.1f}" height="20" fill="#424242"/>
<rect x="{left:.1f}" width="{right:.1f}" height="20" fill="{colour}"/>
</g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{left / 2:.1f}" y="14">claims</text>
<text x="{left + right / 2:.1f}" y="14">{escape(words)}</text>
</g>
</svg>
"""


def message(report: Json) -> tuple[str, str]:
    """The words and the colour."""
    counts = report["summary"]
    status = report.get("gate", {}).get("status", 0)
    if not report["claims"]:
        return "none found", GREY
    parts = [f"{counts['holds']} hold"]
    parts += [f"{counts[name]} {word}" for name, word in _WORDS.items() if counts[name]]
    undecided = counts["inconclusive"] or counts["unrefuted"] or counts["loose"]
    return ", ".join(parts), RED if status else YELLOW if undecided else GREEN


_WORDS = {
    "loose": "loose",
    "fails": "fail",
    "unrefuted": "unrefuted",
    "inconclusive": "open",
    "error": "in error",
}
