"""Pages of the queue, for those who work on the event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from registrations.actions.event_lock import RegistrationActor
from registrations.models import EventRegistration
from registrations.queries.queue import is_key
from registrations.states import Hand, RegistrationState
from tournaments.errors import DomainError
from tournaments.models import Event
from web.requests import PersonRequest
from web.views.staff.access import NOT_ASKED, REGISTRATIONS, answers_of, event_page
from web.words.refusals import explain

View = Callable[..., HttpResponse]
DECISIONS = {
    "accept": RegistrationState.ACCEPTED,
    "correct": RegistrationState.CORRECTION,
    "refuse": RegistrationState.REFUSED,
    "wait": RegistrationState.WAITING,
    "offer": RegistrationState.OFFERED,
    "withdraw": RegistrationState.WITHDRAWN,
    "reopen": RegistrationState.PENDING,
}
"""Buttons of the queue and of the page of a registration, and the state to which each moves it."""
DECISION_WORDS = {
    "accept": _("Accept"),
    "correct": _("Ask to correct"),
    "refuse": _("Refuse"),
    "wait": _("To the waiting list"),
    "offer": _("Offer a place"),
    "withdraw": _("Withdraw"),
    "reopen": _("Open again"),
    "move": _("Move"),
    "price": _("Charge the current fee"),
    "listed": _("Take rating and title of the list"),
    "check": _("Check the data again"),
    "enter": _("Make the entries again"),
    "write": _("Send the first mails"),
    "leave": _("Leave as they are"),
    "undo": _("Undo the last step"),
}


TOKENS = frozenset({"csrfmiddlewaretoken"})
SIGNED = NOT_ASKED | {"seen"}
"""Values about which no question asks: `seen` is another text on each page, and the revision says the same."""
MOST_ROWS = 500
"""Chosen rows that are kept."""


def by_of(request: PersonRequest, *about: object) -> RegistrationActor:
    """Return the person, with what was answered about players of two sections. about: as for `answers_of`."""
    sent = sorted((name, values) for name, values in request.POST.lists() if name not in SIGNED)
    return RegistrationActor(
        Hand.ORGANISER, request.user, both=answers_of(request, *(about or [request.path, *sent]))
    )


def two_sections_page(
    request: PersonRequest,
    event: Event,
    questions: Iterable[DomainError],
    *,
    decision: str,
    sent: Iterable[tuple[str, str]],
    back: str,
) -> HttpResponse:
    """Ask whether players of another section are entered here too. sent: what the button sends."""
    context = {
        "event": event,
        "decision": decision,
        "sentences": list(dict.fromkeys(map(explain, questions))),
        "sent": sent,
        "back": back,
    }
    return render(request, "registrations/staff/registration_two_sections.html", context, status=422)


def sent_again(request: PersonRequest, question: DomainError) -> list[tuple[str, str]]:
    """Return what a form sent, with the answer to a question about it."""
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name not in TOKENS]
    return [*sent, ("answer", question.answer)]


def keep_keys(request: PersonRequest, form: EventRegistration, keys: Iterable[int]) -> None:
    """Keep for which registrations this person did something last, so that undo finds them in any pile.

    Without keys nothing was done, and the former ones stay.
    """
    if found := list(keys):
        request.session[f"registrations_decided_{form.event_id}"] = found


def forget_keys(request: PersonRequest, form: EventRegistration) -> None:
    """Forget them after undo: a second press must not undo something else."""
    request.session.pop(f"registrations_decided_{form.event_id}", None)


def last_keys(request: PersonRequest, form: EventRegistration) -> list[int]:
    """Return the keys that `keep_keys` kept last."""
    return list(request.session.get(f"registrations_decided_{form.event_id}", ()))


def keep_chosen(request: PersonRequest, form: EventRegistration) -> None:
    """Keep which rows were chosen when a press did nothing, so that the list shows them chosen again."""
    rows = [each.partition(":")[0] for each in request.POST.getlist("chosen")[:MOST_ROWS]]
    chosen = {"all": request.POST.get("all", ""), "rows": [int(key) for key in rows if is_key(key)]}
    request.session[f"registrations_chosen_{form.event_id}"] = chosen


def take_chosen(request: PersonRequest, form: EventRegistration) -> dict[str, Any]:
    """Return what `keep_chosen` kept, once."""
    kept: dict[str, Any] | None = request.session.get(f"registrations_chosen_{form.event_id}")
    if kept is None:
        return {"all": "", "rows": []}
    del request.session[f"registrations_chosen_{form.event_id}"]
    return kept


def registrations_page(
    *methods: str, permission: str = REGISTRATIONS, archived: bool = False
) -> Callable[[View], View]:
    """Decorate `view(request, event, ...)` for people of the event. Without registration they get its settings.

    archived: as in `event_page`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: PersonRequest, event: Event, **parts: Any) -> HttpResponse:
            form = EventRegistration.objects.filter(event=event).first()
            if form is None:
                return redirect("registrations:registration-settings", event=event.slug)
            form.event = event
            answer: HttpResponse = view(request, form, **parts)
            return answer

        return event_page(*methods, permission=permission, archived=archived)(page)

    return decorate
