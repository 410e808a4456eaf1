"""Our values as the protocol's: places in the units that the editor counts in."""

from collections.abc import Sequence

from lsprotocol import types as T
from pygls.workspace import PositionCodec

from verifier.serve.editor.actions import Action
from verifier.serve.editor.completion import Choice
from verifier.serve.editor.marks import Hint, Level, Mark
from verifier.serve.editor.page import Span

SOURCE = "verify"
SEVERITIES: dict[Level, T.DiagnosticSeverity] = {
    "error": T.DiagnosticSeverity.Error,
    "warning": T.DiagnosticSeverity.Warning,
    "information": T.DiagnosticSeverity.Information,
    "hint": T.DiagnosticSeverity.Hint,
}
KINDS = {
    "name": T.CompletionItemKind.Variable,
    "kind": T.CompletionItemKind.Class,
    "function": T.CompletionItemKind.Function,
    "key": T.CompletionItemKind.Property,
    "word": T.CompletionItemKind.EnumMember,
}


def span(item: Span, lines: Sequence[str], codec: PositionCodec) -> T.Range:
    ends = (T.Position(item.line, column) for column in (item.start, item.end))
    return T.Range(*(codec.position_to_client_units(lines, end) for end in ends))


def diagnostic(mark: Mark, lines: Sequence[str], codec: PositionCodec) -> T.Diagnostic:
    return T.Diagnostic(
        span(mark.span, lines, codec),
        mark.message,
        severity=SEVERITIES[mark.level],
        code=mark.code,
        source=SOURCE,
    )


def hint(item: Hint, lines: Sequence[str], codec: PositionCodec) -> T.InlayHint:
    at = codec.position_to_client_units(lines, T.Position(item.line, item.column))
    return T.InlayHint(at, item.label, tooltip=item.tooltip, padding_left=True)


def completion(choice: Choice) -> T.CompletionItem:
    return T.CompletionItem(choice.label, kind=KINDS[choice.kind], detail=choice.detail or None)


def action(
    item: Action, uri: str, lines: Sequence[str], marks: Sequence[Mark], codec: PositionCodec
) -> T.CodeAction:
    edit = T.TextEdit(span(item.edit.span, lines, codec), item.edit.text)
    fixed = [diagnostic(mark, lines, codec) for mark in marks if mark.claim == item.fixes]
    return T.CodeAction(
        item.title,
        kind=T.CodeActionKind.QuickFix if item.kind == "fix" else T.CodeActionKind.Refactor,
        diagnostics=fixed or None,
        is_preferred=item.preferred or None,
        edit=T.WorkspaceEdit(changes={uri: [edit]}),
    )
