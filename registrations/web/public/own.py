"""A player's own registration, opened by the personal link. Looking is GET and changes nothing; acting is POST."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings as conf
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.zones import today_in
from evenboard_engine import ByeKind
from registrations.actions.edits import ask_new_address, change_registration, prove_mail, take_new_address
from registrations.actions.event_lock import PLAYER
from registrations.actions.mails import send_link_again
from registrations.actions.requested_byes import drop_bye, wish_bye
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, Registration, SectionRegistration, WishedBye
from registrations.queries.conflict_check import last_edit
from registrations.queries.mails import registration_of, token_of
from registrations.queries.persons_page import choice_of
from registrations.queries.places import MISFITS, OVER, PAIRED, place_in_list, places_of
from registrations.queries.problems import needs_guardian
from registrations.queries.queue import is_key
from registrations.states import MOVES, Hand, RegistrationState
from registrations.web.forms.money import shown_amount
from registrations.web.forms.registration import ConflictCheckPlayerForm, PlayerDataForm, mail
from registrations.web.public import persons_page
from registrations.web.public.public_page import (
    registration_visitor,
    remember_registration,
    remembered_registration,
)
from registrations.web.public.register import Gate, gate, new_sum, tell_known
from registrations.web.words.mails import payment_lines, pays_now
from registrations.web.words.states import CLOSED_BECAUSE, STANDS_STILL, WAITS_UNFIT, WHAT, WITHOUT_MAIL
from tournaments.errors import DomainError
from tournaments.models.rounds import rounds_paired
from tournaments.queries.byes import gives_half_bye
from web.qr import public_url, qr_svg, reaches_phones
from web.requests import PageRequest
from web.views.staff.access import DESK, posted
from web.words.refusals import explain

EVE = timedelta(days=1)
"""The desk opens on the day before the first day."""
MASKED = ("birth_date", "phone")
"""Fields that the page does not show. Empty, they stay as they are."""
BUTTONS = {
    "confirm": RegistrationState.PENDING,
    "take": RegistrationState.ACCEPTED,
    "withdraw": RegistrationState.WITHDRAWN,
}


@registration_visitor("GET", "HEAD")
def open_link(request: PageRequest, form: EventRegistration, secret: str) -> HttpResponse:
    """Remember the registration in this browser, and lead to the page whose address has no secret.

    On the days of the event, a person of the desk is led to the player at the desk.
    """
    one = registration_of(form.event, secret)
    if one is None:
        return _nothing(request, form, 404)
    if _is_at_desk(request, form):
        return redirect(f"{reverse('registrations:registration-desk', args=[form.event.slug])}?q={one.pk}")
    answer = redirect("registrations:own-registration", event=form.event.slug)
    remember_registration(answer, one)
    return answer


def _is_at_desk(request: PageRequest, form: EventRegistration) -> bool:
    """Return whether the phone of a helper at the desk has scanned the code that a player shows."""
    event = form.event
    is_now = event.start - EVE <= today_in(event.time_zone) <= event.end
    return is_now and request.user.has_perm(DESK, event)


@registration_visitor("GET", "HEAD", "POST")
def own(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Show the player's registration, or do what a button of the page says."""
    one = remembered_registration(request, form.event)
    if one is None:
        return _nothing(request, form, 410 if request.method == "POST" else 200)
    if request.method != "POST":
        return _page(request, form, one)
    seen = request.POST.get("revision", "")
    revision = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 9 else -1
    try:
        return _act(request, form, one, revision)
    except DomainError as error:
        return _refused(request, form, one, error)


def _act(request: PageRequest, form: EventRegistration, one: Registration, revision: int) -> HttpResponse:
    asked = request.POST.get("do", "")
    if asked in BUTTONS:
        # who confirms or withdraws may do so however the registration has changed
        if asked == "take" and (differs := _differs(request, one)):
            return _page(request, form, one, differs=differs, status=409)
        move_registration(registration_id=one.pk, to=BUTTONS[asked], by=PLAYER)
        if asked == "confirm":
            prove_mail(registration_id=one.pk)
    elif asked in persons_page.BUTTONS:
        persons_page.choose(request, choice_of(one, form), asked)
    elif asked in ("bye", "no-bye"):
        number = request.POST.get("round", "")
        act = wish_bye if asked == "bye" else drop_bye
        act(
            registration_id=one.pk,
            round_number=int(number) if number.isdecimal() and len(number) < 4 else 0,
            by=PLAYER,
        )
    elif asked == "address":
        wanted = NewAddressForm(request.POST)
        way = gate(request, form, "address")
        if way.problem:
            wanted.add_error(None, way.problem)
        if not wanted.is_valid():
            total = new_sum(form.event) if way.person else way.sum
            return _page(request, form, one, address=wanted, total=total, status=422)
        ask_new_address(registration_id=one.pk, address=wanted.cleaned_data["email"])
    elif asked == "change":
        typed = OwnForm(request.POST, form=form, one=one)
        if not typed.is_valid():
            return _page(request, form, one, typed=typed, status=422)
        try:
            change_registration(
                registration_id=one.pk,
                values=typed.columns(),
                by=PLAYER,
                seen_revision=revision,
                seen=typed.seen_columns(),
                agreed=request.POST.get("agreed", ""),
            )
        except DomainError as error:  # what was typed stays
            return _refused(request, form, one, error, typed)
        messages.info(request, _("Your changes are saved."))
    return redirect("registrations:own-registration", event=form.event.slug)


def _differs(request: PageRequest, one: Registration) -> list[tuple[str, str, str]]:
    """Return section and fee, if the place that the player takes is not the one that the page showed: both values."""
    section, owed = request.POST.get("section"), request.POST.get("owed")
    found = []
    if section is not None and section != str(one.section_id):
        former = one.event.sections.filter(pk=int(section) if is_key(section) else 0).first()
        found.append((_("Section"), former.name if former else "", one.section.name))
    if owed is not None and owed != str(one.balance):
        former_sum = shown_amount(int(owed)) if is_key(owed.removeprefix("-")) else ""
        found.append((_("Fee"), former_sum, shown_amount(one.balance)))
    return found


def _refused(
    request: PageRequest,
    form: EventRegistration,
    one: Registration,
    error: DomainError,
    typed: OwnForm | None = None,
) -> HttpResponse:
    """Show the registration as it is now, with the reason. A FIDE ID of somebody else is told to that person."""
    one.refresh_from_db()
    if typed is not None and error.code == "overtaken":
        theirs = error.params["theirs"]
        last = last_edit(one, theirs)
        by = _("the organiser") if last and last.hand == Hand.ORGANISER else ""
        typed = typed.ask(theirs, (by, last.at if last else None), OwnForm(form=form, one=one))
        return _page(request, form, one, typed=typed, status=error.status)
    fide_id = typed.cleaned_data.get("fide_id", one.fide_id) if typed else one.fide_id
    problem = explain(error)
    if typed is not None:
        typed.question = error.params.get("question", "")
    if error.code == "registration_known" and fide_id is not None:
        problem = f"{problem} {tell_known(form, fide_id)}"
    differs = _differs(request, one) if error.code == "registration_changed" else ()
    return _page(request, form, one, typed=typed, problem=problem, differs=differs, status=error.status)


@registration_visitor("GET", "HEAD", "POST")
def new_address(request: PageRequest, form: EventRegistration, proof: str) -> HttpResponse:
    """Ask whether mails shall come to the new address, behind the link in a mail to it."""
    one = registration_of(form.event, proof, new_address=True)
    if one is None:
        return _nothing(request, form, 404)
    if request.method == "POST":
        answer = redirect("registrations:own-registration", event=form.event.slug)
        return remember_registration(answer, take_new_address(registration_id=one.pk, address=one.new_email))
    context = {"event": form.event, "registration": form, "one": one}
    return render(request, "registrations/public/own_new_address.html", context)


class AgainForm(forms.Form):
    email = mail(gettext_lazy("E-mail address"), required=True, autocomplete="email")


class NewAddressForm(forms.Form):
    email = mail(gettext_lazy("New e-mail address"), required=True, autocomplete="email")


class OwnForm(ConflictCheckPlayerForm):
    """What a player may change: all, or the fields that the organiser asked to correct."""

    masked = MASKED

    def __init__(self, *args: Any, one: Registration, **options: Any) -> None:
        initial = {name: getattr(one, name, "") for name in PlayerDataForm.base_fields if name not in MASKED}
        initial |= {f"answer_{number}": answer for number, answer in enumerate(one.answers)}
        super().__init__(*args, initial=initial, **options)
        self.one = one
        self.of_minor = needs_guardian(one, self.registration)
        marked = one.correction.get("fields", []) if one.state == RegistrationState.CORRECTION else []
        if marked:
            self.of_minor = True  # what the organiser asks for is shown
            for name in set(self.fields) - set(marked):
                del self.fields[name]
        for name in MASKED:
            if name in self.fields and getattr(one, name):
                self.fields[name].help_text = _(
                    "A value is saved, but not shown here. Leave the field empty to keep it."
                )

    def clean_birth_date(self) -> str:
        return super().clean_birth_date() or self.one.birth_date


def _nothing(request: PageRequest, form: EventRegistration, status: int) -> HttpResponse:
    return render(
        request,
        "registrations/public/own_none.html",
        {"event": form.event, "registration": form},
        status=status,
    )


def _page(
    request: PageRequest,
    form: EventRegistration,
    one: Registration,
    *,
    typed: OwnForm | None = None,
    address: NewAddressForm | None = None,
    problem: str = "",
    differs: Sequence[tuple[str, str, str]] = (),
    total: tuple[int, int, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the registration. differs: what the page showed otherwise: label, then, now. total: the sum of `Gate`."""
    limits = SectionRegistration.objects.filter(section=one.section_id).first()
    link = reverse("registrations:open-registration", args=[form.event.slug, token_of(one)])
    places = places_of(form.event, [one.section_id]).get(one.section_id)
    still = places.stands_still(form, timezone.now()) if places else ""
    unfit = one.state == RegistrationState.WAITING and still == MISFITS and not one.parked
    closed = (
        places.closed_because(form, timezone.now())
        if places and one.state == RegistrationState.OFFERED
        else ""
    )
    late = closed if closed in (PAIRED, OVER) else ""  # a place was offered before, and nobody takes it now
    allowed = {to for (state, to), rule in MOVES.items() if state == one.state and Hand.PLAYER in rule.hands}
    context = {
        "event": form.event,
        "registration": form,
        "one": one,
        "what": WAITS_UNFIT if unfit else CLOSED_BECAUSE[late] if late else _what(one),
        "deadline": None if late else one.deadline,
        "moment": timezone.now(),
        "address_form": (address or NewAddressForm()) if one.is_live and conf.MAIL_IS_SET_UP else None,
        "link": public_url(request, link),
        "code": qr_svg(public_url(request, link)) if reaches_phones(request) else "",
        "mailed": conf.MAIL_IS_SET_UP,
        "number": place_in_list(one, limits) if limits else None,
        "still": STANDS_STILL.get(still, "") if one.state == RegistrationState.WAITING and not unfit else "",
        "may": {name: to in allowed and not (late and name == "take") for name, to in BUTTONS.items()},
        "form": (typed or OwnForm(form=form, one=one)) if one.is_live else None,
        "rounds": _rounds(one) if one.is_live else [],
        "owed": shown_amount(one.balance) if pays_now(one, limits) and not late else "",
        "payment": payment_lines(form, one),
        "repaid": shown_amount(-one.balance) if one.balance < 0 else "",
        "problem": problem,
        "choice": choice_of(one, form),
        "differs": differs,
        "sum": total,
    }
    return render(request, "registrations/public/own.html", context, status=status)


def _rounds(one: Registration) -> list[tuple[int, WishedBye | None]]:
    """Return the rounds that are not paired, with the bye of the player; without one, only if the section gives it."""
    section, byes = one.section, {bye.round_number: bye for bye in one.byes.all()}
    if section.fixed_rounds:
        return []
    counted = sum(bye.kind == ByeKind.HALF and bye.state != bye.State.REFUSED for bye in byes.values())
    return [
        (number, byes.get(number))
        for number in range(rounds_paired(section) + 1, section.rounds + 1)
        if number in byes or gives_half_bye(section, number, counted + 1)
    ]


def _what(one: Registration) -> object:
    """Return what the state means for the player. No mail is promised that nobody sends."""
    state = RegistrationState(one.state)
    sends = conf.MAIL_IS_SET_UP and one.email
    return WHAT[state] if sends else WITHOUT_MAIL.get(state, WHAT[state])


@registration_visitor("GET", "HEAD", "POST")
def again(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Send the personal link again. The answer is the same for every address."""
    typed, way, done = AgainForm(posted(request)), Gate(), False
    if request.method == "POST":
        way = gate(request, form, "again")
        if way.problem:
            typed.add_error(None, way.problem)
        if typed.is_valid():
            done = True
            send_link_again(event=form.event, address=typed.cleaned_data["email"])
    context = {
        "event": form.event,
        "form": typed,
        "done": done,
        "sends_mail": conf.MAIL_IS_SET_UP,
        "sum": new_sum(form.event) if way.person else way.sum,
    }
    return render(
        request, "registrations/public/own_again.html", context, status=422 if typed.errors else 200
    )
