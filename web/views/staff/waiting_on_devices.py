"""Results and marks that wait in browsers: browsers report them, and forms ask about them before they come too late."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import wraps
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tournaments.actions.waiting_on_devices import ask_about_waiting, note_waiting
from tournaments.errors import NotSaved
from tournaments.models import Round, Section, WaitingOnDevice
from tournaments.models.rounds import rounds_paired
from tournaments.rights import Right
from tournaments.rules import held_in
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.words.refusals.results import waiting_elsewhere, waiting_here

from .access import View, answers_of, other_login, person_page

MOST_WAITING = 9_999
MOST_PLACES = 50
KINDS = frozenset({*WaitingOnDevice.Kind.values, "desk"})
"""Of what waits in a browser (static/js/waiting_on_devices/report.js). desk: payments and corrections."""
DEVICE = re.compile(r"[0-9-]{7,43}")
"""The name of a browser: static/js/waiting_on_devices/kept.js."""
REPORTED = re.compile(r"(results|here|away) ([0-9]{1,18}) ([0-9]{1,3}) ([0-9]{1,4})")
NOT_SENT_BACK = frozenset({"csrfmiddlewaretoken", "waiting", "device"})
"""Values of a form that its question does not send back."""
WITHOUT = {
    **dict.fromkeys(
        ("pair", "pair-all", "take-offer", "by-hand-start", "pair-again", "leave"),
        gettext_lazy("Pair anyway"),
    ),
    **dict.fromkeys(("publish", "publish-all", "publish-lists"), gettext_lazy("Publish anyway")),
    "close": gettext_lazy("Close the section anyway"),
    "close-check-in": gettext_lazy("Close the check-in anyway"),
}
"""By address, the button that answers the question about what waits in browsers."""


@person_page("POST")
def report(request: PersonRequest) -> HttpResponse:
    """Note all that a browser has not saved: results by round, marks by section and round. It counts where the person
    may save it. device: the name of the browser. user: who typed it, as in `other_login`.
    """
    if refusal := other_login(request):
        return refusal
    device = request.POST.get("device", "")
    if not DEVICE.fullmatch(device):
        return JsonResponse({}, status=400)
    note_waiting(user=request.user, device=device, rows=_reported(request))
    return JsonResponse({})


def _reported(request: PersonRequest) -> list[WaitingOnDevice]:
    """Return what the browser says, each as one text: kind, key of the round or the section, round, count."""
    lines = [
        (text[1], int(text[2]), int(text[3]), int(text[4]))
        for text in map(REPORTED.fullmatch, request.POST.getlist("waiting")[:MOST_PLACES])
        if text and int(text[4])
    ]
    results = WaitingOnDevice.Kind.RESULTS
    rounds = Round.objects.select_related("section__event").in_bulk(
        key for kind, key, *_rest in lines if kind == results
    )
    sections = Section.objects.select_related("event").in_bulk(
        key for kind, key, *_rest in lines if kind != results
    )
    found = []
    for kind, key, number, count in lines:
        row = rounds.get(key) if kind == results else None
        section = row.section if row else sections.get(key) if kind != results else None
        if section is not None and _may_save(request, section, kind):
            found.append(
                WaitingOnDevice(
                    section=section, number=row.number if row else number, round=row, kind=kind, count=count
                )
            )
    return found


def _may_save(request: PersonRequest, section: Section, kind: str) -> bool:
    rights = held_in(request.user, section).rights
    if kind == WaitingOnDevice.Kind.RESULTS:
        return Right.RESULTS in rights
    return Right.PRESENCE in rights or Right.DESK in rights


def _here(request: PersonRequest) -> list[list[Any]]:
    """Return what the form says of its browser: kind, number and place, each as one text ("results 5 Open, A").

    Marks are of the check-in, or of the desk of an event.
    """
    found = []
    for text in request.POST.getlist("waiting")[:MOST_PLACES]:
        kind, _space, rest = text.partition(" ")
        number, _space, place = rest.partition(" ")
        if kind in KINDS and number.isascii() and number.isdigit() and 0 < int(number[:5]) <= MOST_WAITING:
            found.append([kind, int(number[:5]), place[:300]])
    return found


def ask_first(
    request: PersonRequest, section: Section, *, but: WaitingOnDevice.Kind | None = None
) -> HttpResponse | None:
    """Return the page that asks while something waits in a browser, None if there is nothing to ask.

    but: the kind that does not matter.
    """
    asking = (request.user.pk, request.POST.get("device", ""))
    try:
        ask_about_waiting(section, answers_of(request), _here(request), asking, but=but)
    except NotSaved as question:
        page = render(
            request,
            "staff/waiting_on_devices_ask.html",
            _question(request, section, question),
            status=question.status,
        )
        page["HX-Push-Url"] = section_url("cockpit", section)
        return page
    return None


def _question(request: PersonRequest, section: Section, question: NotSaved) -> Mapping[str, Any]:
    last = rounds_paired(section)
    here, devices = question.params["here"], question.params["devices"]
    return {
        **section_context(request, section, "cockpit", last or None),
        "here": [waiting_here(*each) for each in here],
        "elsewhere": [waiting_elsewhere(*each) for each in devices],
        "kinds": {kind for kind, *_rest in (*here, *devices)},
        "sent": [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name not in NOT_SENT_BACK
        ],
        "answer": question.answer,
        "button": WITHOUT[(request.resolver_match.url_name if request.resolver_match else "") or ""],
        "last": last,
    }


def waiting_first(view: View) -> View:
    """Decorate a view of a form after which results or marks come too late: ask while they wait in a browser.

    The browser that sends the form says how many wait there (static/js/waiting_on_devices.js). The server knows what
    others last said.
    """

    @wraps(view)
    def asked(request: PersonRequest, section: Section, **parts: Any) -> HttpResponse:
        page = ask_first(request, section) if request.method == "POST" else None
        return page or view(request, section, **parts)

    return asked
