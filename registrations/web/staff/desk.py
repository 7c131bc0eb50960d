"""The desk on the first morning: find a player by letters or a code, note presence and payment in one press."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from base.reader import READER, date_format
from base.text import isolated
from registrations.actions.desk import Differs, mark_at_desk
from registrations.actions.event_lock import RegistrationActor
from registrations.actions.money import pay_all
from registrations.actions.undo import last_steps, undo_many
from registrations.models import EventRegistration, Registration
from registrations.queries.desk import desk_list, desk_row, fees_of_event, not_ready, ready, seen_mark
from registrations.queries.mails import registration_of
from registrations.queries.queue import HERE, QueueFilter, found_by, is_key
from registrations.states import Hand
from registrations.web.forms.money import amount, shown_amount
from registrations.web.forms.registration import DeskCorrectionForm, number, read_mark
from registrations.web.staff.access import by_of, registrations_page
from registrations.web.words.queue import undone_sentences
from tournaments.actions.ledger import refuse_at_rest, transaction_or_busy
from tournaments.errors import DomainError
from tournaments.rights import Right
from web.context import section_url
from web.files import table_response
from web.requests import PersonRequest
from web.templatetags.page import WORKER
from web.views.staff.access import DESK, close_offer, keep_offer, login_state, other_login
from web.views.staff.byes import chosen_keys
from web.words.presence import overtaken_sentence
from web.words.refusals import explain

# What a helper at the desk reads.

DONE: Mapping[str, Promise] = {
    "here": gettext_lazy("%(name)s is here"),
    "both": gettext_lazy("%(name)s is here and has paid"),
    "paid": gettext_lazy("%(name)s has paid"),
    "away": gettext_lazy("%(name)s is not here"),
}


def differs_sentence(one: Registration, differs: Differs, currency: str) -> str:
    """Return both values: what was noted at this desk, and what somebody else has written since."""
    if differs.overtaken is not None:
        return overtaken_sentence(differs.overtaken)
    about = {
        "name": isolated(one.name),
        "by": differs.by or _("somebody"),
        "at": date_format(localtime(differs.at), "H:i") if differs.at else "–",
    }
    if differs.fact == "paid":
        money = {
            "now": f"{shown_amount(max(differs.now, 0))} {currency}",
            "paid": f"{shown_amount(differs.typed)} {currency}",
        }
        return _(
            "You noted that %(name)s paid %(paid)s. Meanwhile %(by)s changed the account (%(at)s): %(now)s is owed."
        ) % {**about, **money}
    return _(
        "You corrected “%(field)s” of %(name)s to “%(typed)s”. Meanwhile %(by)s changed it (%(at)s) to “%(now)s”."
    ) % {
        **about,
        "field": DeskCorrectionForm.base_fields[differs.fact].label,
        "typed": differs.typed or "",
        "now": differs.now or "",
    }


MOST = 8
LONGEST_NUMBER = 19
"""Digits: a larger number is no key of a row."""
CODE = re.compile(r"(?:^|\D)(\d{1,18})[^0-9a-f]([0-9a-f]{40})(?![0-9a-f])")
"""The end of a personal link. A scanner that believes in another keyboard types other signs around it."""
HEAD = (
    "Section",
    "Name",
    "Number",
    "Title",
    "Federation",
    "Club",
    "Rating",
    "Owed",
    "Paid",
    "Currency",
    "Telephone",
    "Present",
)


@registrations_page("GET", "HEAD", permission=DESK)
def desk(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Show the players whom the search finds, one big row each, and how many are ready for round 1."""
    refuse_at_rest(form.event)
    search = request.GET.get("q", "")[:200].strip()
    rows: list[Registration] = []
    if (code := CODE.search(search)) and (found := registration_of(form.event, f"{code[1]}-{code[2]}")):
        rows = _numbered(form, found.pk)
    elif search.isascii() and search.isdecimal() and len(search) < LONGEST_NUMBER:
        rows = _numbered(form, int(search))
    scanned = bool(rows)
    if scanned or code:
        search = ""  # the field is empty for the next code
    elif search:
        wanted = QueueFilter(pile="accepted", search=search[:80], sort="name")
        listed = found_by(form.event, wanted).select_related("section").annotate(here=HERE)
        rows = list(listed[:MOST])
    context = {
        "event": form.event,
        "registration": form,
        "search": search,
        "asked": bool(search or code),
        "scanned": scanned,
        "rows": rows,
        "counts": ready(form.event),
        "worker": WORKER if settings.OFFLINE_PAGES else "",
        "corrects": Right.SEE_REGISTRATIONS in request.rights,
        "form": DeskCorrectionForm(),
    }
    return render(request, "registrations/staff/desk.html", context)


def _numbered(form: EventRegistration, key: int) -> list[Registration]:
    """Return the registration with this number, in a list; no other one is looked for."""
    rows = Registration.objects.filter(event=form.event, pk=key, erased_at=None)
    return list(rows.select_related("section").annotate(here=HERE))


@registrations_page("GET", "HEAD", permission=DESK)
def people(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Return what a device keeps to work without a network; 204 if nothing has changed since `seen`.

    at: since when the device needs what has changed; without it, it gets everybody. token, user: of this login.
    """
    if request.GET.get("seen") == seen_mark(form):
        return HttpResponse(status=204)
    at = number(request.GET.get("at", ""))
    since = datetime.fromtimestamp(at / 1000, UTC) if 0 < at < 10**13 else None
    found = desk_list(form, since)
    shown = {name: getattr(found, name) for name in found.__slots__}
    return JsonResponse(
        {**shown, **login_state(request)},
        json_dumps_params={"ensure_ascii": False},
    )


@registrations_page("POST", permission=DESK)
def mark(request: PersonRequest, form: EventRegistration, registration: int) -> HttpResponse:
    """Note that a player is here, has paid, or both; or that it was a mistake; or correct what was read aloud.

    A script gets JSON: the player as shown now. 409: with both values of what somebody else has changed meanwhile.
    user: who noted it. What somebody else noted in this browser is not written under another name.
    """
    wants_json = request.headers.get("Accept", "").startswith("application/json")
    if refusal := other_login(request):
        return refusal
    rows = Registration.objects.select_related("section")
    one = rows.filter(event=form.event, pk=registration, erased_at=None).first()
    answer, status = _mark(request, form, one) if one is not None else ({}, 404)
    if wants_json:
        return JsonResponse(answer, status=status)
    for level, name in ((messages.INFO, "done"), (messages.WARNING, "sentence"), (messages.INFO, "opened")):
        if name in answer:
            messages.add_message(request, level, answer[name])
    for sentence in answer.get("differs", {}).values():
        messages.warning(request, sentence)
    return redirect(reverse("registrations:registration-desk", args=[form.event.slug]))


def _mark(request: PersonRequest, form: EventRegistration, one: Registration) -> tuple[dict[str, Any], int]:
    """Note it. Return the answer to a script, with its status."""
    asked, fields = request.POST.get("do", ""), {}
    if asked == "correct":
        typed = DeskCorrectionForm(request.POST)
        if not typed.is_valid():
            [[problem, *_], *_] = typed.errors.values()
            return {"sentence": str(problem)}, 422
        fields = typed.fields_of_mark()
    try:
        after, differs = mark_at_desk(
            registration_id=one.pk, mark=read_mark(request.POST, one.balance, fields), by=by_of(request)
        )
    except DomainError as error:
        return {"sentence": explain(error)}, error.status
    answer: dict[str, Any] = {"person": desk_row(after)}
    if after.section.check_in_round != one.section.check_in_round:
        opened = gettext("The check-in of %(section)s for round 1 is open now.")
        answer["opened"] = opened % {"section": after.section.name}
    if differs:
        answer["differs"] = {each.fact: differs_sentence(after, each, form.currency) for each in differs}
        return answer, 409
    if asked in DONE:
        answer["done"] = DONE[asked] % {"name": after.name}
    return answer, 200


@registrations_page("GET", "HEAD", "POST")
def pay_chosen(request: PersonRequest, form: EventRegistration, section: str) -> HttpResponse:
    """Name the chosen entries (player) of a section that owe something. With their total, a POST notes that it is paid.

    ?first=7&last=8: a POST undoes these steps of the histories, which such a press has made: the event was locked.
    """
    of = get_object_or_404(form.event.sections, slug=section)
    by = RegistrationActor(Hand.ORGANISER, request.user)
    ends = [request.GET.get(name, "") for name in ("first", "last")]
    if request.method == "POST" and all(map(is_key, ends)):
        first, last = map(int, ends)
        paid = Registration.objects.filter(event=form.event, steps__pk__range=(first, last)).distinct()
        steps = last_steps(list(paid), by, timezone.now())
        keys = [key for key, step in steps.items() if first <= step.pk <= last]
        outcome = undo_many(event_id=form.event_id, keys=keys, by=by)
        for sentence in undone_sentences(outcome.undone.values()):
            messages.info(request, sentence)
        close_offer(request, of)
        return redirect(section_url("entries", of))
    sent = request.POST if request.method == "POST" else request.GET
    chosen = chosen_keys(sent)
    owing = list(
        Registration.objects.filter(event=form.event, participant__in=chosen, balance__gt=0).order_by("name")
    )
    total = sum(one.balance for one in owing)
    if request.method == "POST" and sent.get("total") == str(total):
        pressed = timezone.now()
        with transaction_or_busy():
            for one in owing:
                pay_all(registration_id=one.pk, by=by)
        logged = [step.pk for step in last_steps(owing, by, timezone.now()).values() if step.at >= pressed]
        sentence = READER.listed([_("Fees paid"), f"{shown_amount(total)} {form.currency}".strip()], "colon")
        if logged:
            query = urlencode({"first": min(logged), "last": max(logged)})
            of.refresh_from_db(fields=["revision"])
            keep_offer(request, {of: [of.revision]}, sentence, f"{request.path}?{query}")
    elif not owing:
        messages.info(request, _("The chosen players owe nothing."))
    else:
        context = {"event": form.event, "of": of, "owing": owing, "total": total, "currency": form.currency}
        return render(request, "registrations/staff/desk_paid.html", context)
    return redirect(section_url("entries", of))


@registrations_page("GET", "HEAD", permission=DESK)
def missing(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Show who is not ready for round 1, on a page that is also the sheet."""
    phones = Right.SEE_REGISTRATIONS in request.rights
    context = {
        "event": form.event,
        "registration": form,
        "lists": [
            (section, rows, sum(row.owed for row in rows), sum(row.paid for row in rows))
            for section, rows in not_ready(form.event, phones=phones)
        ],
        "fees": fees_of_event(form.event),
        "phones": phones,
        "counts": ready(form.event),
    }
    return render(request, "registrations/staff/desk_missing.html", context)


@registrations_page("GET", "HEAD", permission=DESK)
def missing_file(request: PersonRequest, form: EventRegistration, kind: str = "csv") -> HttpResponse:
    """Return the same list for spreadsheets."""
    table = (
        (
            *(section.name, row.name, row.number, row.title, row.federation, row.club, row.rating),
            *(amount(row.owed), amount(row.paid), form.currency, row.phone, "yes" if row.here else ""),
        )
        for section, rows in not_ready(form.event, phones=Right.SEE_REGISTRATIONS in request.rights)
        for row in rows
    )
    return table_response(lambda write: write(HEAD, table), f"{form.event.slug}-missing", kind)
