"""The page of a person across events. Its address is random, and it shows what the person has joined."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.models.entries import names_for_visitors
from tournaments.queries.persons_page import persons_page as sections_of

from .public_page import PRIVATE
from .standings import sign_of, words_of


@require_safe
def persons_page(request: HttpRequest, person: str) -> HttpResponse:
    """Show the sections of a person, newest first. 404 once nothing is joined any more.

    It is made for each visitor, so that it is gone in the moment in which the person withdraws.
    """
    with names_for_visitors():
        rows = [
            (
                row,
                [
                    (
                        turn,
                        opponent,
                        sign_of(turn),
                        words_of(
                            turn, opponent.shown_name if opponent else "", free=row.entry.section.fixed_rounds
                        ),
                    )
                    for turn, opponent in row.turns
                ],
            )
            for row in sections_of(person)
        ]
        if not rows:
            raise Http404
        context = {"person": rows[0][0].entry.player, "rows": rows}
        answer = render(request, "public/persons_page.html", context)
    for name, value in PRIVATE.items():
        answer[name] = value
    return answer
