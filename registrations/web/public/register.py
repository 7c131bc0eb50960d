"""The form of an event that players fill in."""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from base.cache import Cache
from base.networks import counted, network_of
from base.reader import READER
from registrations.actions.event_lock import PLAYER
from registrations.actions.mails import write_to_known
from registrations.actions.new_registrations import NewRegistration, register, take_held
from registrations.models import EventRegistration, Registration
from registrations.queries.places import EARLY, HIDDEN, SectionPlaces, places_of
from registrations.queries.rating_lists import Lists, find_listed, listed_under
from registrations.states import RegistrationState
from registrations.web.forms.registration import LATEST, PlayerDataForm, RegisterForm, new_stamp
from registrations.web.public.public_page import registration_visitor, remember_registration
from registrations.web.words.mails import payment_lines
from registrations.web.words.states import CLOSED_BECAUSE, KNOWN, KNOWN_WITHOUT_MAIL
from tournaments.errors import Busy, DomainError
from tournaments.models import Event, Section
from tournaments.queries.public_facts import public_facts_of_event
from tournaments.queries.rating_lists import sequence_of
from web.page_cache import from_anybody
from web.requests import PageRequest
from web.views.staff.access import posted
from web.words.refusals import explain

MOST_AN_HOUR = 60
"""Requests for a link or with a new mail address from one network in an hour. Each of them may send a mail."""
MOST_OF_EVENT = 1_000
"""Forms for one event in an hour, from all networks, if the organiser takes no more from one. Others are kept too."""
POSTS = 10
"""Requests with a form from one network in an hour, for each form that it may send. Then a sum is asked."""
SUM_LASTS = HOUR = 3_600  # seconds
SUM = "registrations.sum"
TURNED_AWAY = "registrations.turned_away"
BUSY = 6
"""How often the database is asked for its lock. On SQLite each time takes ten seconds."""
MOST_SEARCHES = 120
"""Searches and players chosen in an hour from one address: nobody copies the rating list from here."""
STAMP, TOKEN = "the-stamp-of-this-form", "the-token-of-this-visitor"
"""What stands in the empty form in the places of what each visitor gets alone."""
empty_forms: Cache[Hashable, str] = Cache(200)
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
    return counted(f"registrations:{what}:{network_of(request)}", HOUR) > (
        MOST_AN_HOUR if most is None else most
    )


def _is_flood(request: PageRequest, form: EventRegistration) -> bool:
    """Count a form that could be taken. Return whether very many came for this event, from this address or from all."""
    of_event, most = counted(f"registrations:form:{form.event_id}", HOUR), form.forms_an_hour
    return of_event > max(MOST_OF_EVENT, 5 * most) or too_many(request, f"form:{form.event_id}", most)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a request may write. problem: why not yet, or "". person: the right sum came with it.

    sum: two numbers that a person adds, and their signed text.
    """

    problem: str = ""
    sum: tuple[int, int, str] | None = None
    person: bool = False


def gate(request: PageRequest, form: EventRegistration, what: str, most: int | None = None) -> Gate:
    """Count a request of this network. Above the limit, the answer to a sum opens the way for one request.

    Before the answer nothing is written, so nobody fills the database. As many may answer as may send without it.
    """
    if not too_many(request, what, most):
        return Gate()
    if not _is_person(request, form.event):
        problem = _(
            "Very many forms came from your network. What you typed is still here. Add the two numbers and press the "
            "button once more: it shows that a person sends this."
        )
        return Gate(problem, new_sum(form.event))
    if not too_many(request, f"{what}:person", most):
        return Gate(person=True)
    if what == "posts":
        cache.set(f"{TURNED_AWAY}:{form.event_id}", timezone.now().isoformat(), timeout=3_600)
    again = timezone.localtime().replace(minute=0) + timedelta(hours=1)
    problem = _(
        "Very many forms came from your network. What you typed is still here. Press the button again after %(time)s, "
        "or write to the organiser. %(contact)s"
    )
    return Gate(problem % {"time": time_format(again.time()), "contact": form.event.contact})


def last_turned_away(event: Event) -> datetime | None:
    """Return when a form was refused last because very many came from its network, None in an hour without one."""
    moment = cache.get(f"{TURNED_AWAY}:{event.pk}")
    return datetime.fromisoformat(moment) if moment else None


def new_sum(event: Event) -> tuple[int, int, str]:
    first, second = 2 + secrets.randbelow(8), 2 + secrets.randbelow(8)
    return first, second, signing.dumps([first, second, secrets.token_urlsafe(12)], salt=f"{SUM}.{event.pk}")


def _is_person(request: PageRequest, event: Event) -> bool:
    """Return whether the request has the answer to a sum of this event that nobody has used."""
    typed = request.POST.get("sum", "").strip()
    try:
        first, second, key = signing.loads(
            request.POST.get("sum_of", ""), salt=f"{SUM}.{event.pk}", max_age=SUM_LASTS
        )
    except signing.BadSignature:
        return False
    right = typed.isdecimal() and len(typed) < 4 and int(typed) == first + second
    return right and cache.add(f"{SUM}:{key}", 1, timeout=SUM_LASTS)


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
@registration_visitor("GET", "HEAD", "POST")
def register_page(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Show the form, look a player up in the rating list, or take a registration."""
    stranger = not request.user.is_authenticated and "messages" not in request.COOKIES
    asks = request.method == "POST" or request.GET.keys() & {"q", "id"}
    return _empty_form(request, form) if stranger and not asks else _page(request, form)


def _empty_form(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Return the empty form, made once for all strangers until something about the registration or the event changes,
    or a minute is over: the clock and the rating lists change it too.

    Each stranger gets an own key and an own token. With those of somebody else, a form would lead to the registration
    of the other, and another site could send one.
    """
    facts, minute = public_facts_of_event(form.event.slug), timezone.now().timestamp() // 60
    columns = [getattr(form, column.attname) for column in EventRegistration._meta.concrete_fields]  # noqa: SLF001

    def work() -> str:
        visit = from_anybody(request, {}, get_language() or settings.LANGUAGE_CODE)
        visit.user, visit.resolver_match = AnonymousUser(), request.resolver_match
        return _page(visit, form, stamp=STAMP, csrf_token=TOKEN).content.decode()  # type: ignore[arg-type]

    key = (form.pk, get_language(), request.scheme, request.get_host(), request.path)
    page = empty_forms.make(key, work, basis=(facts, columns, minute))
    return HttpResponse(page.replace(STAMP, new_stamp(form.event)).replace(TOKEN, get_token(request)))


def _page(request: PageRequest, form: EventRegistration, **holes: str) -> HttpResponse:
    """Answer with the form, or take it. holes: what stands in the place of what only this visitor gets."""
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
    way = Gate()
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
        way = gate(request, form, "posts", POSTS * form.forms_an_hour)
        if way.problem:
            typed.add_error(None, way.problem)
        if typed.is_valid() and (answer := _sent(request, form, typed, person=way.person)):
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
        "moment": now,
        "today": timezone.localdate(now),
        "hits": find_listed(main, search) if main and search and not stopped else [],
        "stopped": stopped,
        "sum": new_sum(form.event)
        if way.person
        else way.sum,  # the answer counted, and another field is wrong
        **holes,
    }
    return render(request, "registrations/public/register.html", context, status=422 if typed.errors else 200)


def _main(places: dict[int, SectionPlaces]) -> Section | None:
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


def _sent(
    request: PageRequest, form: EventRegistration, typed: RegisterForm, *, person: bool
) -> HttpResponse | None:
    """Take the registration; None if it is refused, with the reason in the form. person: shown by a sum."""
    values = typed.values()
    rounds, key = values.pop("byes", []), values.pop("stamp")
    section, joins = values.pop("section"), values.pop("joins")
    values["language"] = get_language() or ""
    agreed = request.POST.get("agreed", "")
    held = _is_flood(request, form) and not person
    wanted = NewRegistration(section, values, rounds, key, held=held, joins=joins, agreed=agreed)
    try:
        one = _registered(form, wanted)
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
        token = signing.dumps(one.pk, salt=_held_salt(form))
        return redirect(f"{reverse('registrations:registration-sent', args=[form.event.slug])}?held={token}")
    return _taken(form, one)


def _registered(form: EventRegistration, wanted: NewRegistration) -> Registration:
    """Take the registration. A person who has typed all of it rather waits than sends it again."""
    for _try in range(BUSY - 1):
        with suppress(Busy):
            return register(event=form.event, wanted=wanted, by=PLAYER)
    return register(event=form.event, wanted=wanted, by=PLAYER)


def _held_salt(form: EventRegistration) -> str:
    return f"registrations.held.{form.event_id}"


def _taken(form: EventRegistration, one: Registration) -> HttpResponse:
    """Lead to what comes next for a registration that was taken."""
    if form.confirm_by_mail or one.state == RegistrationState.SUBMITTED or one.email_proved:
        # whoever sends the form again need not be the person who reads the mails
        return redirect("registrations:registration-sent", event=form.event.slug)
    return remember_registration(redirect("registrations:own-registration", event=form.event.slug), one)


def taken_from_list(one: Registration, typed: Mapping[str, Any]) -> str:
    """Return what the player did not type and the rating list has, as a sentence; "" if nothing was taken."""
    if not one.rating_list:
        return ""
    taken = [
        f"{PlayerDataForm.base_fields[name].label} {getattr(one, name)}"
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


@registration_visitor("GET", "HEAD", "POST")
def sent(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Say what happens next. Of very many forms, each player presses once more, and goes on as the others do."""
    token = (request.POST if request.method == "POST" else request.GET).get("held", "")
    one = _held(form, token) if token else None
    if (
        request.method == "POST" and one is not None
    ):  # it changes one registration, once, so it needs no limit
        if one.is_held:
            one = take_held(event=form.event, registration_id=one.pk, by=PLAYER)
        return _taken(form, one)
    context = {
        "event": form.event,
        "registration": form,
        "sends_mail": settings.MAIL_IS_SET_UP,
        "held": one is not None and one.is_held,
        "placed": one is not None and one.takes_place,
        "token": token,
    }
    return render(request, "registrations/public/register_sent.html", context)


def _held(form: EventRegistration, token: str) -> Registration | None:
    """Return the registration that a form made, by what its answer said; None if we did not say it."""
    try:
        key = signing.loads(token, salt=_held_salt(form), max_age=LATEST)
    except signing.BadSignature:
        return None
    return Registration.objects.filter(event=form.event_id, pk=key).first()
