"""Answers to the questions of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.http import HttpResponse
from django.test import Client

MOST = 4
"""Questions before one action."""


def answers_in(answer: HttpResponse | str) -> list[str]:
    """Return the answers that the form of a question sends: those of earlier questions, and its own."""
    html = answer if isinstance(answer, str) else answer.content.decode()
    return re.findall(r'name="answer"\s+value="([0-9a-f]{40})"', html)


def agreed(
    client: Client, path: str, sent: Mapping[str, object] | None = None, *, follow: bool = False
) -> HttpResponse:
    """Send a form, and say yes to each question. Return the last answer."""
    answer = client.post(path, sent or {}, follow=follow)
    for _ in range(MOST):
        if not (given := answers_in(answer)):
            break
        answer = client.post(path, {**(sent or {}), "answer": given}, follow=follow)
    return answer
