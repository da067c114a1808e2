"""Every question of the page: the model of its fields, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from simulator.live.drafts import AskCheck, AskEdit, AskNew, Nothing, begun, checked, drafted, edited, rulebooks
from simulator.live.questions import Answers, AskCompare, AskKnown, AskPlace, AskReach, AskSave, AtMoment

QUESTIONS: Mapping[str, tuple[type[BaseModel], Callable[[Answers, Any], dict[str, Any]]]] = {
    "open": (AtMoment, Answers.open),
    "script": (AtMoment, Answers.script),
    "moment": (AtMoment, Answers.moment),
    "reach": (AskReach, Answers.reach),
    "known": (AskKnown, Answers.known),
    "compare": (AskCompare, Answers.compare),
    "place": (AskPlace, Answers.place),
    "headings": (AskPlace, Answers.headings),
    "way": (AskPlace, Answers.way),
    "why_not": (AskPlace, Answers.why_not),
    "save": (AskSave, Answers.save),
    "picture": (AskReach, Answers.picture),
    "geojson": (AskReach, Answers.geojson),
    "rulebooks": (Nothing, rulebooks),
    "new": (AskNew, begun),
    "draft": (AtMoment, drafted),
    "edit": (AskEdit, edited),
    "check": (AskCheck, checked),
}
