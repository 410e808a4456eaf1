"""Problems, back from JSON, for whoever shows them with their line and a caret."""

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.report.view import Json


def problem_from_json(data: Json) -> Problem:
    place = Position(data["file"], data["line"], data["column"])
    return Problem(place, data["code"], data["message"], data["hint"], data["line_text"], data["width"])
