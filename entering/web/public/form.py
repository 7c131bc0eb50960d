"""The form of an event that players fill in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from entering.actions.desk import PLAYER
from entering.actions.mails import write_to_known
from entering.actions.registering import Wanted, register
from entering.machine import State
from entering.models import EventRegistration, Registration
from entering.queries.places import EARLY, HIDDEN, Places, places_of
from entering.queries.rating_lists import Lists, find_listed, listed_under
from entering.web.cookies import remember
from entering.web.forms.public import PersonForm, RegisterForm, new_stamp
from entering.web.visitors import visitor
from entering.web.words.mails import payment_lines
from entering.web.words.states import CLOSED_BECAUSE, KNOWN, KNOWN_WITHOUT_MAIL
from tournaments.errors import DomainError
from tournaments.models import Section
from tournaments.networks import network_of
from tournaments.queries.rating_lists import sequence_of
from tournaments.reader import READER
from tournaments.web.requests import PageRequest
from tournaments.web.views.staff.access import posted
from tournaments.web.words.refusals import explain

MOST_AN_HOUR = 60
"""Forms for one event, and other requests, from one address. A club may send a team from one computer."""
MOST_OF_EVENT = 1_000
"""Forms for one event in an hour, from all addresses. More are kept too, and the organiser looks at them first."""
MOST_POSTS = 600
"""Requests with a form from one address in an hour. More are refused: they would fill the disk."""
MOST_SEARCHES = 120
"""Searches and players chosen in an hour from one address: nobody copies the rating list from here."""
FIELDS_OF = {
    "registration_known": "fide_id",
    "listed_otherwise": "fide_id",
    "registration_limits": "section",
    "registration_list_full": "section",
    "registration_closed": "section",
    "bye_not_in_rules": "byes",
    "round_out_of_range": "byes",
    "no_byes_here": "byes",
    "name_required": "name",
    "form_of_another": "stamp",
}


def too_many(request: PageRequest, what: str, most: int | None = None) -> bool:
    """Count a request of this network. Return whether there were too many in this hour."""
    return _counted(f"{what}:{network_of(request)}") > (MOST_AN_HOUR if most is None else most)


def _counted(what: str) -> int:
    """Count one more in this hour. Return how many there were."""
    hour = timezone.now().strftime("%Y%m%d%H")
    key = f"entering:{what}:{hour}"
    cache.add(key, 0, timeout=3_600)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out between the two lines
        return 0


def _is_flood(request: PageRequest, form: EventRegistration) -> bool:
    """Count a form that could be taken. Return whether very many came for this event, from this address or from all."""
    of_event = _counted(f"form:{form.event_id}")
    return of_event > MOST_OF_EVENT or too_many(request, f"form:{form.event_id}")


def _is_preview(request: PageRequest, form: EventRegistration, closed: Mapping[int, str]) -> bool:
    """Return whether an organiser sees the form before visitors do: the event is private, or the form opens later."""
    early = bool(closed) and set(closed.values()) <= {HIDDEN, EARLY}
    return early and request.user.has_perm("tournaments.run_section", form.event)


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()


class _Check(CsrfViewMiddleware):
    """The check of Django, which here refuses no page: what was typed stays in the form."""

    def refuses(self, request: PageRequest) -> bool:
        """Return whether the cookie ran out, or another login took its place, since the form was opened."""
        return self.process_view(request, _nothing, (), {}) is not None

    def _reject(self, _request: HttpRequest, _reason: str) -> HttpResponse:
        return HttpResponse(status=403)


CHECK = _Check(_nothing)


@csrf_exempt
@visitor("GET", "HEAD", "POST")
def register_page(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Show the form, look a player up in the rating list, or take a registration."""
    now, everything = timezone.now(), places_of(form.event)
    closed = {key: each.closed_because(form, now) for key, each in everything.items()}
    preview = _is_preview(request, form, closed)
    places = {
        key: each
        for key, each in everything.items()
        if not closed[key] or (preview and not each.section.taken_away)
    }
    main, search = _main(places), request.GET.get("q", "")[:80].strip()
    asks = main is not None and bool(search or request.GET.get("id"))
    stopped = asks and too_many(request, "search", MOST_SEARCHES)
    initial = _initial(request, None if stopped else main)
    if len({sequence_of(each.section) for each in places.values()}) > 1:
        initial.pop("rating", None)  # the section that is chosen says which rating counts
    typed = RegisterForm(posted(request), form=form, places=places, initial=initial)
    if request.method == "POST":
        if typed.is_of_robot:
            hidden = _(
                "Your browser or a program filled in a field that people do not see. It is empty now. "
                "Send the form again."
            )
            typed.add_error(None, hidden)
        if CHECK.refuses(request):
            typed.add_error(None, _("This page was open for too long. Send the form again."))
        if _counted(f"posts:{network_of(request)}") > MOST_POSTS:
            typed.add_error(None, _("Too many forms came from your address. Try again in an hour."))
        if typed.is_valid() and (answer := _sent(request, form, typed)):
            return answer
    context = {
        "event": form.event,
        "registration": form,
        "form": typed,
        "stamp": new_stamp(form.event)
        if not typed.is_bound or "stamp" in typed.errors
        else typed.data["stamp"],
        "places": list(places.values()),
        "payment": payment_lines(form) if any(each.limits.fee for each in places.values()) else [],
        "preview": preview,
        "closed": [
            (everything[key].section, CLOSED_BECAUSE[why])
            for key, why in closed.items()
            if why in CLOSED_BECAUSE and not preview
        ],
        "opens_later": form.opens_at is not None and now < form.opens_at,
        "search": search,
        "looks_up": main is not None and Lists(main).there,
        "today": timezone.localdate(now),
        "hits": find_listed(main, search) if main and search and not stopped else [],
        "stopped": stopped,
    }
    return render(request, "entering/public/register.html", context, status=422 if typed.errors else 200)


def _main(places: dict[int, Places]) -> Section | None:
    """Return the section whose rating lists are asked: the first one that is open."""
    return next((each.section for each in places.values()), None)


def _initial(request: PageRequest, section: Section | None) -> dict[str, Any]:
    """Return what the rating list knows about the chosen FIDE ID."""
    initial: dict[str, Any] = {}
    number = request.GET.get("id", "")
    readable = number.isascii() and number.isdigit() and len(number) < 12
    listed = listed_under(section, int(number)) if section is not None and readable else None
    if listed is not None:
        names = ("name", "fide_id", "rating", "title", "federation", "sex")
        initial |= {name: getattr(listed, name) for name in names}
    return initial


def _sent(request: PageRequest, form: EventRegistration, typed: RegisterForm) -> HttpResponse | None:
    """Take the registration; None if it is refused, with the reason in the form."""
    values = typed.values()
    rounds, key = values.pop("byes", []), values.pop("stamp")
    section = values.pop("section")
    values["language"] = get_language() or ""
    agreed = request.POST.get("agreed", "")
    wanted = Wanted(section, values, rounds, key, held=_is_flood(request, form), agreed=agreed)
    try:
        one = register(event=form.event, wanted=wanted, by=PLAYER)
    except DomainError as error:
        reason = explain(error)
        if error.code == "registration_known":
            reason = f"{reason} {tell_known(form, values['fide_id'])}"
        typed.question = error.params.get("question", "")
        field = FIELDS_OF.get(error.code)
        typed.add_error(field if field in typed.fields else None, reason)
        return None
    if taken := taken_from_list(one, values):
        messages.info(request, taken)
    if one.is_held:
        return redirect(f"{reverse('entering:registration-sent', args=[form.event.slug])}?held=1")
    if form.confirm_by_mail or one.state == State.SUBMITTED or one.email_proved:
        # whoever sends the form again need not be the person who reads the mails
        return redirect("entering:registration-sent", event=form.event.slug)
    return remember(redirect("entering:own-registration", event=form.event.slug), one)


def taken_from_list(one: Registration, typed: Mapping[str, Any]) -> str:
    """Return what the player did not type and the rating list has, as a sentence; "" if nothing was taken."""
    if not one.rating_list:
        return ""
    taken = [
        f"{PersonForm.base_fields[name].label} {getattr(one, name)}"
        for name in ("rating", "title", "federation")
        if getattr(one, name) and not typed.get(name)
    ]
    values = {"list": one.rating_list, "values": READER.listed(taken)}
    return _("Taken from the rating list %(list)s: %(values)s.") % values if taken else ""


def tell_known(form: EventRegistration, fide_id: int) -> str:
    """Write to the player whose registration has the FIDE ID. Return what the person who typed it reads about that."""
    if not settings.MAIL_IS_SET_UP:
        return str(KNOWN_WITHOUT_MAIL)
    write_to_known(event=form.event, fide_id=fide_id)
    return str(KNOWN)


@visitor("GET", "HEAD")
def sent(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Say what happens next. The page is the same for everybody."""
    context = {"event": form.event, "registration": form, "sends_mail": settings.MAIL_IS_SET_UP}
    context["held"] = "held" in request.GET
    return render(request, "entering/public/sent.html", context)
