"""One registration: its data, account, byes, mails, notes and history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.text import one_line
from registrations.actions.edits import add_note, change_registration, take_changes
from registrations.actions.erasing import erase_registration
from registrations.actions.mails import new_link, note_returned
from registrations.actions.money import charge
from registrations.actions.queue import enter_again
from registrations.actions.requested_byes import decide_bye
from registrations.actions.transitions import ABOUT_PEOPLE, move_registration
from registrations.actions.undo import undo_many
from registrations.models import Charge, EventRegistration, HistoryLine, LateMove, Mail, Registration
from registrations.models.records import TYPED_CHARGES
from registrations.queries.conflict_check import (
    changed_rows,
    differences,
    last_edit,
    pack_shown,
    unpack_shown,
)
from registrations.queries.places import limits_of
from registrations.queries.problems import account_lines, needs_guardian, others_of
from registrations.queries.queue import is_unlisted
from registrations.refusals import REGISTRATION_STARTED
from registrations.states import MOVES, Hand, RegistrationState
from registrations.web.forms.money import CentsField
from registrations.web.forms.registration import GUARDIAN, ConflictCheckPlayerForm, PlayerDataForm, mail
from registrations.web.staff.access import (
    DECISION_WORDS,
    DECISIONS,
    by_of,
    forget_keys,
    keep_keys,
    registrations_page,
    sent_again,
    two_sections_page,
)
from registrations.web.staff.conflict_check import (
    CHANGED,
    differing,
    may_still,
    open_elsewhere_news,
    repeated_decision,
    step_hand,
    step_words,
)
from registrations.web.words.problems import problems_of_rows
from registrations.web.words.queue import DONE, to_telephone, undone_sentences
from tournaments.errors import ERASE_NOT_CONFIRMED, DomainError
from tournaments.models import Event, Section
from web.requests import PersonRequest
from web.views.staff.access import actor_of, asks_for_part, event_page
from web.words.refusals import explain

YEAR = 4
"""Digits of a birth date of which only the year is known."""


class StaffForm(ConflictCheckPlayerForm):
    """All data of a registration. Organisers may save what a limit of the form forbids to players."""

    email = mail(gettext_lazy("E-mail address"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if known := self._year:
            self.fields["birth_date"].help_text = _("Only the year is known: %(year)s.") % {"year": known}

    @property
    def _year(self) -> str:
        known = str(self.initial.get("birth_date", ""))
        return known if len(known) == YEAR else ""

    def clean_birth_date(self) -> str:
        """A year alone does not fit into the field of a date: left empty, it stays."""
        return super().clean_birth_date() or self._year

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in ("guardian", "guardian_email"):
            self.errors.pop(name, None)
        return {"guardian": "", "guardian_email": "", **cleaned}


WORDS = {
    **DECISION_WORDS,
    "enter": gettext_lazy("Make the entry again"),
    "take": gettext_lazy("Take the changes"),
    "leave": gettext_lazy("Keep the earlier data"),
    "grant": gettext_lazy("Give the bye"),
    "refuse-bye": gettext_lazy("Refuse"),
}
"""The buttons of the page."""
WAITS = REGISTRATION_STARTED.error()
NOT_MARKED = ("message", "consent")
"""Fields of the form that nobody is asked to correct."""


@registrations_page("GET", "HEAD", "POST", archived=True)
def registration_page(request: PersonRequest, form: EventRegistration, registration: int) -> HttpResponse:
    """Show a registration, or do what a button of the page says."""
    found = Registration.objects.select_related("section").filter(event=form.event, pk=registration).first()
    if found is None:
        raise Http404
    found.event, request.open_registration = form.event, found.pk
    if request.method == "GET" and asks_for_part(request):
        return open_elsewhere_news(request, form.event)
    asked = request.POST.get("do", "") if request.method == "POST" else ""
    typed = StaffForm(request.POST if asked == "edit" else None, form=form, initial=_initial(found))
    typed.of_minor = needs_guardian(found, form)
    if getattr(request, "only_looks", False):
        typed.lock()
    problem, status, changed = "", 200, {}
    if request.method == "POST":
        try:
            if asked != "edit" or typed.is_valid():
                _act(request, form, found, asked, typed)
                if asked in ("undo", "link"):
                    forget_keys(request, form)
                else:
                    keep_keys(request, form, [found.pk])
                return redirect("registrations:registration", event=form.event.slug, registration=found.pk)
            status = 422
        except DomainError as error:
            if error.code in ABOUT_PEOPLE:
                return two_sections_page(
                    request,
                    form.event,
                    [error],
                    decision=str(WORDS[asked]),
                    sent=sent_again(request, error),
                    back=request.path,
                )
            problem, status = explain(error), error.status
            found.refresh_from_db()
            if error.code == "overtaken":
                last = last_edit(found, error.params["theirs"])
                by = (step_hand(last), last.at) if last else ("", None)
                fresh = StaffForm(form=form, initial=_initial(found))
                problem, typed = "", typed.ask(error.params["theirs"], by, fresh)
            elif error.code == CHANGED:
                changed = _changed(request, form, found, asked)
    mails = list(found.mails.all())
    context = {
        "event": form.event,
        "registration": form,
        "one": found,
        "form": typed,
        "problem": problem,
        "others": others_of([found]).get(found.pk, []),
        "problems": problems_of_rows([found], limits_of(form.event, [found.section_id])).get(found.pk, ""),
        "may": {
            name: (RegistrationState(found.state), to) in MOVES
            and Hand.ORGANISER in MOVES[RegistrationState(found.state), to].hands
            for name, to in DECISIONS.items()
        },
        "marks": [
            (name, field.label)
            for name, field in typed.fields.items()
            if name in PlayerDataForm.base_fields
            and name not in NOT_MARKED
            and (name not in GUARDIAN or typed.shows_guardian)
        ],
        "sends_mail": settings.MAIL_IS_SET_UP,
        "unlisted": is_unlisted(found),
        "proposed": [
            (PlayerDataForm.base_fields[name].label, getattr(found, name), new)
            for name, new in found.proposed.items()
        ],
        "charges": account_lines(found),
        "kinds": [(kind.value, kind.label) for kind in TYPED_CHARGES],
        "byes": found.byes.all(),
        "history": _history(found, mails),
        "may_return": any(mail.state == Mail.State.SENT for mail in mails),
        "sender": settings.DEFAULT_FROM_EMAIL,
        "notes": found.notes.select_related("user"),
        "erases": request.user.has_perm("tournaments.manage_event", form.event)
        and found.participant_id is None,
        "seen": pack_shown(changed_rows(form.event, [found.pk]), form.event.start, whole=True),
        **changed,
    }
    return render(request, "registrations/staff/registration.html", context, status=status)


def _changed(
    request: PersonRequest, form: EventRegistration, found: Registration, asked: str
) -> dict[str, Any]:
    """Return both values of what has changed since the page was opened, and what sends the same press again."""
    seen = unpack_shown(request.POST.get("seen", ""), whole=True)
    possible = (
        may_still(asked, found) if asked in DECISIONS else asked not in ("take", "leave") or found.proposed
    )
    since = {found.pk: _seen_revision(request) or 0}
    [each] = differences(form.event, seen, since, whole=True)
    words = str(WORDS.get(asked, ""))
    if asked in TYPED_CHARGES:
        words = _("Add to the account: %(kind)s %(amount)s") % {
            "kind": Charge.Kind(asked).label,
            "amount": request.POST.get("amount", "")[:20],
        }
    return {
        "differs": differing(each, possible=bool(possible)),
        "again": repeated_decision(request, ("do", "reason", "mark", "amount", "text", "round")),
        "again_words": words,
    }


@dataclass(frozen=True, slots=True)
class ShownHistoryLine:
    """A step or a mail. planned: it has not happened yet."""

    at: datetime
    what: str
    who: str = ""
    reason: str = ""
    mail: Mail | None = None
    planned: bool = False


def _history(found: Registration, mails: Sequence[Mail]) -> list[ShownHistoryLine]:
    """Return steps and mails in the order of time; what is planned comes last."""
    lines, section = [], found.section_id
    names = {each.pk: each.name for each in Section.objects.filter(event=found.event_id)}
    for step in reversed(list(found.steps.all())):
        former = step.before.get("section", 0) if step.kind == HistoryLine.Kind.SECTION else section
        words = step_words(step, former=names.get(former, ""), section=names.get(section, ""))
        lines.append(ShownHistoryLine(step.at, words, step_hand(step), step.reason))
        section = former
    lines.reverse()
    lines += [
        ShownHistoryLine(
            mail.sent_at or mail.not_before,
            mail.get_kind_display(),
            _("Mail"),
            mail=mail,
            planned=mail.state == Mail.State.QUEUED,
        )
        for mail in mails
    ]
    move = LateMove.objects.filter(participant=found.participant_id).select_related(
        "section", "user", "left_by"
    )
    lines += [line for each in move for line in _move_lines(each)]
    return sorted(lines, key=lambda line: (line.planned, line.at))


def _move_lines(move: LateMove) -> Iterator[ShownHistoryLine]:
    """Say who asked for a move to a section whose round 1 is paired, and which arbiter did not accept it."""
    section = {"section": move.section.name}
    yield ShownHistoryLine(
        move.at,
        _("The move to %(section)s waits for an arbiter.") % section,
        move.user.label if move.user else "",
    )
    if move.left_at is not None:
        who = move.left_by.label if move.left_by else ""
        yield ShownHistoryLine(move.left_at, _("The move to %(section)s was not accepted.") % section, who)


@event_page("POST")
def erase(request: PersonRequest, event: Event, registration: int) -> HttpResponse:
    """Erase what the registration says about the person. The organiser types the name to confirm."""
    found = Registration.objects.filter(event=event, pk=registration).first()
    if found is None:
        raise Http404
    if found.participant_id is not None:
        messages.warning(request, _("This player has an entry. Erase the player on the page of the entry."))
    elif one_line(request.POST.get("name", "")) != found.name:
        messages.warning(request, explain(ERASE_NOT_CONFIRMED.error()))
    else:
        erase_registration(registration_id=found.pk, actor=actor_of(request))
    return redirect("registrations:registration", event=event.slug, registration=found.pk)


def _initial(found: Registration) -> dict[str, Any]:
    initial = {name: getattr(found, name) for name in StaffForm.base_fields}
    initial |= {f"answer_{number}": answer for number, answer in enumerate(found.answers)}
    return {**initial, "birth_date": found.birth_date.replace("/", "-")}


def _seen_revision(request: PersonRequest) -> int | None:
    seen = request.POST.get("revision", "")
    return int(seen) if seen.isdecimal() and len(seen) < 9 else None


def _as_many(request: PersonRequest, form: EventRegistration, asked: str, wanted: tuple[int, int]) -> None:
    """Undo, or make the entry again, as the queue does with many. wanted: the key and the revision that was seen."""
    by = by_of(request)
    if asked == "undo":
        outcome = undo_many(event_id=form.event_id, keys=[wanted[0]], by=by, seen=dict([wanted]))
        sentences = list(undone_sentences(outcome.undone.values()))
    else:
        outcome = enter_again(event_id=form.event_id, wanted=[wanted], by=by)
        sentences = [DONE[asked] % {"count": 1}]
    for _one, error in outcome.left:
        if error.code != WAITS.code:
            raise error
        sentences = [explain(error)]
    for sentence in sentences:
        messages.info(request, sentence)


def _act(
    request: PersonRequest, form: EventRegistration, found: Registration, asked: str, typed: StaffForm
) -> None:
    by, key = by_of(request), found.pk
    revision = _seen_revision(request)
    if asked in DECISIONS:
        state = _decide(request, key, asked, revision)
        waits = asked == "accept" and state == RegistrationState.PENDING
        messages.info(request, explain(WAITS) if waits else DONE[asked] % {"count": 1})
    elif asked in ("undo", "enter"):
        _as_many(request, form, asked, (key, found.revision if revision is None else revision))
    elif asked == "edit":
        seen_values = typed.seen_columns()
        change_registration(
            registration_id=key,
            values=typed.columns(),
            by=by,
            seen_revision=revision if seen_values is None else None,
            seen=seen_values,
        )
        messages.info(request, _("The registration is saved."))
    elif asked in ("take", "leave"):
        take_changes(registration_id=key, by=by, take=asked == "take", seen_revision=revision)
    elif asked == "note":
        add_note(event=form.event, registration_id=key, by=by, text=request.POST.get("text", ""))
    elif asked in ("link", "returned"):
        _mail(request, form, key, asked)
    elif asked in TYPED_CHARGES:
        try:
            cents = CentsField().clean(request.POST.get("amount", ""))
        except Exception:  # noqa: BLE001 - replaced below
            cents = 0
        charge(
            registration_id=key,
            kind=asked,
            cents=cents,
            by=by,
            note=request.POST.get("text", ""),
            seen_revision=revision,
        )
    elif asked in ("grant", "refuse-bye"):
        number = request.POST.get("round", "")
        decide_bye(
            registration_id=key,
            round_number=int(number) if number.isdecimal() and len(number) < 4 else 0,
            grant=asked == "grant",
            by=by,
        )


def _decide(request: PersonRequest, key: int, asked: str, revision: int | None) -> str:
    """Decide as the button says. Return the state of the registration."""
    moved = move_registration(
        registration_id=key,
        to=DECISIONS[asked],
        by=by_of(request),
        seen_revision=revision,
        reason=request.POST.get("reason", ""),
        fields=tuple(name for name in request.POST.getlist("mark") if name in PlayerDataForm.base_fields),
    )
    if hurry := to_telephone([moved]):
        messages.warning(request, hurry)
    return moved.state


def _mail(request: PersonRequest, form: EventRegistration, key: int, asked: str) -> None:
    if asked == "returned":
        note_returned(event=form.event, keys=[key], by=by_of(request))
    else:
        new_link(registration_id=key, by=by_of(request))
        messages.info(request, _("A new link is on its way. Older links no longer work."))
