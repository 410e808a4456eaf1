"""The blocks of a Markdown page, line by line: paragraphs, theorems, proofs, directives and divs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.read.kinds import kind_of
from verifier.read.lexer import Source
from verifier.read.spans import Span
from verifier.read.words import plain

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,}|:{3,})[ \t]*(.*)")
_OPTION = re.compile(r"[ \t]*:(\w+):[ \t]*(.*)")
_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+(.*)")
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}[ \t]*(.*)")
_CLASS = re.compile(r"(?<=[{\s])\.([A-Za-z]+)")
_DIV = re.compile(r"\{[^}#]*#([\w:.-]+)[^}]*\}")
_BOLD = re.compile(
    r"[ \t>]*(?:\*\*|__)(Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Example|Claim|Fact"
    r"|Proof)"
    r"[ \t]*([\w.]*)[ \t]*(?:\(([^)\n]*)\))?[.:]?[ \t]*(?:\*\*|__)[ \t]*(?:\(([^)\n]*)\))?[.:]?"
)
_KINDS = "Theorem|Lemma|Proposition|Corollary|Definition|Assumption"
# `Lemma 3.1 (Name). Let ...` without any mark, at the beginning of a paragraph; and the same as a heading.
_PLAIN = re.compile(
    rf"[ \t>]*({_KINDS})[ \t]+([A-Z]?\.?[0-9][\w.]*?)[ \t]*(?:\(([^)\n]*)\))?[.:][ \t]+(?=[A-Z$])"
)
_HEADED = re.compile(
    rf"({_KINDS})\b[ \t]*([A-Z]?[0-9.]*)[ \t]*(?:[(\uff08]([^)\uff09\n]*)[)\uff09])?[.:]?[ \t]*"
)
_PROOF_SECTION = re.compile(r"(?:Proofs?|Derivation)\b(?: of\b.*)?[.:]?", re.IGNORECASE)
_ASSUMPTIONS = re.compile(r"(?:Standing |Main )?(?:Assumptions|Hypotheses)[.:]?", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:Assumption )?([A-Z]?[0-9][0-9.]*)[.:)]?(?:[ \t]+|$)(.*)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_SENTENCE_END = re.compile(r"[.!?\u25a1\u220e][\s$*_)\]}\\]*$")
_DISPLAY = re.compile(r"[ \t>]*(?:\$\$|\\\[|\\begin\{)")
_ITALIC_PROOF = re.compile(r"[ \t>]*[*_]{1,2}Proof\b([^*_\n]*)[*_]{1,2}")


MAX_LINES_BACK = 40  # so far back it is looked for the end of a sentence


@dataclass
class Block:
    """Lines that belong together: a paragraph, or all that a directive holds."""

    kind: str
    start: int
    title: str | None = None
    label: str | None = None
    number: str | None = None
    fence: str | None = None
    lines: list[tuple[int, str]] = field(default_factory=list)
    displays: list[tuple[Span, str | None]] = field(default_factory=list)  # blocks of mathematics inside it
    is_paused: bool = False  # an empty line stands behind what was read

    def goes_on(self, line: str) -> bool:
        """Whether a theorem goes on in this line, behind an empty one: its last sentence is open, and the
        line is a display, begins with a small letter, or follows a colon or a comma."""
        said = " ".join(text for _, text in self.lines[-MAX_LINES_BACK:]).rstrip()
        if not said:
            return True
        if _SENTENCE_END.search(said):
            return False
        small = line.strip()[:1].islower() or (line.strip()[:1] == "$" and not line.strip().startswith("$$"))
        return bool(_DISPLAY.match(line)) or small or said.endswith((":", ","))


class Scan:
    """One pass over a page; blocks of colons nest, those of backticks hold code or mathematics."""

    def __init__(self, source: Source, title: str | None) -> None:
        self.source = source
        self.title = title
        # One stray sign would turn every display after it inside out: then an empty line ends a display.
        self.is_odd = source.text.count("$$") % 2 == 1
        self.strays: list[int] = []
        self.sections: list[tuple[int, str]] = []  # headings over proofs and assumptions, with their depths
        self.assumed: tuple[str, str] | None = None  # number and title of the assumption under this heading

    def _lines(self, first: int) -> Iterator[tuple[int, str]]:
        starts = self.source.starts
        for at, start in enumerate(starts[first:], start=first):
            end = starts[at + 1] - 1 if at + 1 < len(starts) else len(self.source.text)
            yield start, self.source.text[start:end]

    def blocks(self, first: int) -> Iterator[Block]:
        stack: list[Block] = []
        code: str | None = None
        open_math, opened_at = False, 0
        for start, line in self._lines(first):
            fence = _FENCE.match(line)
            current = stack[-1] if stack else None
            if code is not None:
                if fence and fence[1].startswith(code) and not fence[2].strip():
                    code = None
                continue
            if fence is not None and not open_math:
                if current is not None and fence[1] == current.fence and not fence[2].strip():
                    yield from self._closed(stack)
                    continue
                opened = self._fenced(fence, start)
                if opened is None:
                    code = fence[1] if fence[1][0] != ":" else None
                else:
                    if current is not None and current.fence is None and opened.kind != "math":
                        yield stack.pop()
                    stack.append(opened)
                continue
            if open_math and self.is_odd and not line.strip():
                self.strays.append(opened_at)
                open_math = False
            current = self._line(stack, start, line, open_math)
            if current is not None:
                yield current
            if line.count("$$") % 2:
                open_math, opened_at = not open_math, start
        yield from reversed(stack)

    def _closed(self, stack: list[Block]) -> Iterator[Block]:
        """A block at its end; a block of mathematics belongs to the one that it stands in."""
        done = stack.pop()
        if done.kind != "math" or not stack or not done.lines:
            yield done
            return
        start, (last, line) = done.lines[0][0], done.lines[-1]
        end = last + len(line)
        stack[-1].displays.append((Span(start, end, (start, end), "", True), done.label))

    def _line(self, stack: list[Block], start: int, line: str, open_math: bool) -> Block | None:
        """A line of text; the paragraph that it ends, if it ends one."""
        inside = bool(stack) and stack[-1].fence is not None
        heading = _HEADING.match(line)
        if inside and not open_math and (option := _OPTION.match(line)) and not stack[-1].lines:
            if option[1] in ("label", "name"):
                stack[-1].label = option[2].strip()
            return None
        if heading is not None and not open_math:
            if inside:
                stack[-1].title = stack[-1].title or plain(heading[2])
                return None
            self.title = self.title or plain(heading[2])
            if self._goes_into(len(heading[1]), plain(heading[2])) and stack and stack[-1].kind == "proof":
                return None
        in_proof = bool(self.sections) and self.sections[-1][1] == "proof" and not inside
        if in_proof and stack and stack[-1].kind == "proof" and heading is None and not _BOLD.match(line):
            stack[-1].lines.append((start, "" if _RULE.fullmatch(line) else line))
            return None
        if not inside and stack and not open_math and heading is None and self._waits(stack[-1], line):
            return None
        ends = (not line.strip() or heading is not None) and not open_math and not inside
        bold = None if inside or open_math else _BOLD.match(line)
        if bold is None and not inside and not open_math and (not stack or stack[-1].is_paused):
            bold = _PLAIN.match(line)
        proof = None if inside or open_math or bold else _ITALIC_PROOF.match(line)
        done = stack.pop() if stack and not inside and (ends or bold or proof) else None
        if done is None and stack and not inside and stack[-1].is_paused:
            if stack[-1].goes_on(line):
                stack[-1].is_paused = False
            else:
                done = stack.pop()
        if heading is not None and not open_math and not inside:
            self._headed(stack, start, plain(heading[2]))
        if ends:
            return done
        if bold is not None:
            title = next((text for text in bold.groups()[2:] if text), None)
            number = bold[2].rstrip(".") or None
            stack.append(Block(bold[1].lower(), start, title, None, number))
            start, line = start + bold.end(), line[bold.end() :]
        elif proof is not None:
            stack.append(Block("proof", start, proof[1].strip(" .:") or None))
            start, line = start + proof.end(), line[proof.end() :]
        elif not stack:
            stack.append(self._paragraph(start))
        stack[-1].lines.append((start, line))
        return done

    def _goes_into(self, level: int, heading: str) -> bool:
        """Notes a heading; whether what is under it belongs to the proof above."""
        self.sections = [item for item in self.sections if item[0] < level]
        self.assumed = None
        if self.sections and self.sections[-1][1] == "proof":
            return True
        named = _NUMBERED.fullmatch(heading)
        if self.sections and self.sections[-1][1] == "assumption" and named is not None:
            self.assumed = named[1].rstrip("."), named[2]
        elif _PROOF_SECTION.fullmatch(heading):
            self.sections.append((level, "proof"))
        elif _ASSUMPTIONS.fullmatch(heading):
            self.sections.append((level, "assumption"))
        return False

    def _paragraph(self, start: int) -> Block:
        """A paragraph of the running text, of a proof, or of an assumption, by the heading above."""
        if self.sections and self.sections[-1][1] == "proof":
            return Block("proof", start)
        if self.assumed is not None:
            return Block("assumption", start, self.assumed[1] or None, None, self.assumed[0])
        return Block("text", start)

    def _waits(self, block: Block, line: str) -> bool:
        """An empty line behind a paragraph: whether it ends there, the next line tells."""
        if line.strip() or (block.kind == "text" and len(block.lines) > MAX_LINES_BACK):
            return False
        block.is_paused = True
        return True

    def _headed(self, stack: list[Block], start: int, heading: str) -> None:
        """A heading that names a theorem opens it."""
        named = _HEADED.fullmatch(heading)
        if named is not None:
            number = named[2].rstrip(".") or None
            stack.append(Block(named[1].lower(), start, named[3], None, number))

    def _fenced(self, fence: re.Match[str], start: int) -> Block | None:
        """The block that a fence opens; None where it holds code."""
        mark, info = fence[1], fence[2].strip()
        directive, div = _DIRECTIVE.match(info), _DIV.match(info)
        if div is not None:
            label = div[1]
            return Block(kind_of(label.split("-")[0]) or "text", start, None, label, None, mark)
        classes = [kind_of(name) for name in _CLASS.findall(info)] if mark[0] == ":" else []
        if any(classes):
            return Block(next(kind for kind in classes if kind), start, None, None, None, mark)
        if directive is None:
            return None if mark[0] != ":" else Block("text", start, fence=mark)
        name, title = directive[1], directive[2].strip() or None
        if name == "math":
            return Block("math", start, None, None, None, mark, [(start, title)] if title else [])
        if name.startswith("prf:"):
            kind = kind_of(name[4:]) or name[4:]
            return Block(kind, start, plain(title) if title else None, None, None, mark)
        quiet = {"note", "admonition", "important", "tip", "warning", "dropdown", "theorem", "lemma", "proof"}
        if name in quiet:
            return Block(kind_of(name) or "text", start, None, None, None, mark)
        return None
