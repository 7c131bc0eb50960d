"""Questions before an action. A yes counts for exactly what was asked about: anything else is asked again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.crypto import salted_hmac

from .errors import DomainError

MOST = 12
"""Answers that one request brings."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a request answers. about: everything that the request asks for. given: `DomainError.answer` of questions."""

    about: object
    given: frozenset[str] = frozenset()

    def to(self, question: DomainError, time: int = 1) -> str:
        """Return the text that says yes to this question about this request, and to no other one."""
        asked = [self.about, question.code, question.params, time]
        text = json.dumps(asked, default=_plain, ensure_ascii=False, sort_keys=True)
        return salted_hmac("tournaments.questions", text, algorithm="sha256").hexdigest()[:40]


Answer = Answers | bool
"""What a person has answered. A program that asks nobody, such as a command, says True."""


def ask(question: DomainError, answer: Answer, *, times: int = 1) -> None:
    """Raise the question unless the answer says yes to it; times=2: one yes after the other (level 4)."""
    if answer is True:
        return
    if isinstance(answer, Answers):
        for time in range(1, times + 1):
            question.answer, question.time = answer.to(question, time), time
            if question.answer not in answer.given:
                raise question
        return
    raise question


def says_yes(answer: Answer, question: DomainError) -> bool:
    """Return whether the answer agrees to the question, which is one of several in a request."""
    try:
        ask(question, answer)
    except DomainError:
        return False
    return True


def _plain(value: object) -> Any:
    try:
        return DjangoJSONEncoder().default(value)
    except TypeError:
        return sorted(map(str, value)) if isinstance(value, set | frozenset) else repr(value)
