"""Registrations that have changed since the page was opened: both values, and the same decision with one press.

In words, with who has changed it, and who else has which registration open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from base.reader import READER
from registrations.actions.requested_byes import TAKEN_BACK
from registrations.actions.transitions import ManyMoved
from registrations.models import Charge, EventRegistration, HistoryLine, Registration, WishedBye
from registrations.queries.conflict_check import (
    ChangedRegistration,
    differences,
    open_elsewhere,
    pack_shown,
    unpack_shown,
)
from registrations.queries.queue import QueueFilter
from registrations.states import MOVES, Hand, RegistrationState
from registrations.web.forms.money import shown_amount
from registrations.web.forms.registration import PlayerDataForm
from registrations.web.staff.access import DECISION_WORDS, DECISIONS
from tournaments.models import Event, Sex, Title
from web.requests import PersonRequest
from web.views.public.public_page import nothing_new
from web.words.refusals.registrations import limits_text

# What a page showed about a registration and what it is now, in words, with who has changed it.

LABELS: dict[str, Any] = {
    **{name: field.label for name, field in PlayerDataForm.base_fields.items()},
    "email": gettext_lazy("E-mail address"),
    "answers": gettext_lazy("Answers"),
    "rating_list": gettext_lazy("Rating list"),
    "state": gettext_lazy("State"),
    "balance": gettext_lazy("Fee owed"),
    "problems": gettext_lazy("To look at"),
    "proposed": gettext_lazy("Changed by the player"),
    "section": gettext_lazy("Section"),
    "age": gettext_lazy("Age"),
    "correction": gettext_lazy("Asked to correct"),
    "mail_failed": gettext_lazy("Mail failed"),
    "byes": gettext_lazy("Byes"),
    "labels": gettext_lazy("Labels"),
    "notes": gettext_lazy("Notes"),
    "fee": gettext_lazy("Fee"),
    "entry": gettext_lazy("Entry"),
}
HANDS = {
    Hand.PLAYER: pgettext_lazy("somebody who changed it", "the player"),
    Hand.ORGANISER: pgettext_lazy("somebody who changed it", "an organiser"),
    Hand.CLOCK: pgettext_lazy("somebody who changed it", "the program"),
}


@dataclass(frozen=True, slots=True)
class ChangeSince:
    """A line of the history since a page was shown."""

    at: datetime
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class Differing:
    """A registration that has changed since a page showed it. values: label, what the page showed, what it is now."""

    one: Registration
    values: Sequence[tuple[str, str, str]]
    since: Sequence[ChangeSince]
    possible: bool = True


def differing(found: ChangedRegistration, *, possible: bool = True) -> Differing:
    """Return a difference in words. possible: the same decision can still be made."""
    values = [
        (label_of(name), value_words(name, was), value_words(name, now)) for name, was, now in found.values
    ]
    since = [ChangeSince(step.at, step_hand(step), step_words(step)) for step in found.steps]
    return Differing(found.row.one, values, since, possible)


def label_of(name: str) -> str:
    return str(LABELS.get(name, name))


def value_words(name: str, value: Any) -> str:
    """Return a value of `registrations.queries.conflict_check` in words."""
    if name == "balance":
        return shown_amount(value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "proposed":
        value = [f"{label_of(key)}: {value_words(key, new)}" for key, new in value.items()]
    if isinstance(value, list):
        value = READER.listed([str(each) for each in value if each != ""], "comma") if value else ""
    if name == "problems":
        value = limits_text(value.split())
    if value in (None, ""):
        return _("nothing")
    if name == "state":
        return str(RegistrationState(value).label)
    if name in ("sex", "title"):
        return str((Sex if name == "sex" else Title)(value).label)
    return str(value)


def step_hand(step: HistoryLine) -> str:
    """Return who made a step: the name of the login, or in words."""
    return step.who or str(HANDS[Hand(step.hand)])


STEP_SENTENCES = {
    HistoryLine.Kind.MOVE: gettext_lazy("The state was changed."),
    HistoryLine.Kind.EDIT: gettext_lazy("The data was changed."),
    HistoryLine.Kind.PRESENT: gettext_lazy("The presence was changed."),
    HistoryLine.Kind.SECTION: gettext_lazy("The section was changed."),
    HistoryLine.Kind.ENTRY: gettext_lazy("The entry in the list of players was changed."),
    HistoryLine.Kind.LABEL: gettext_lazy("The labels were changed."),
    HistoryLine.Kind.NOTE: gettext_lazy("The note was changed."),
    HistoryLine.Kind.ORDER: gettext_lazy("The order of the waiting list was changed."),
    HistoryLine.Kind.MONEY: gettext_lazy("The account was changed."),
}
ACCOUNT = {
    Charge.Kind.FEE: gettext_lazy("A fee of %(sum)s was added."),
    Charge.Kind.REDUCTION: gettext_lazy("A reduction of %(sum)s was noted."),
    Charge.Kind.PAYMENT: gettext_lazy("A payment of %(sum)s was noted."),
    Charge.Kind.REPAYMENT: gettext_lazy("A repayment of %(sum)s was noted."),
    Charge.Kind.WAIVER: gettext_lazy("A fee of %(sum)s was waived."),
}
BYES = {**dict(WishedBye.State.choices), TAKEN_BACK: pgettext_lazy("bye", "taken back")}
EDITS = {
    "new_email": gettext_lazy("Somebody asked for a new e-mail address"),
    "link": gettext_lazy("The personal link again"),
    "joins": gettext_lazy("The player or a guardian put the event on the page across events"),
    "returned": gettext_lazy("The last mail came back"),
}
LABEL = {
    "on": gettext_lazy("The label “%(label)s” was given."),
    "off": gettext_lazy("The label “%(label)s” was taken away."),
}
PRESENCE = {
    "present": gettext_lazy("The player was marked as here."),
    "absent": gettext_lazy("The player was marked as not here."),
}


def step_words(step: HistoryLine, *, former: str = "", section: str = "") -> str:
    """Return what a step of the history was, as a sentence. former, section: the sections before and after it."""
    kind = HistoryLine.Kind(step.kind)
    names = [label_of(name) for name in step.fields if name in LABELS]
    if kind == HistoryLine.Kind.MOVE and step.to_state:
        state = RegistrationState(step.to_state).label
        if not step.from_state:
            return _("The state is now: %(state)s.") % {"state": state}
        former_state = RegistrationState(step.from_state).label
        return _("The state changed from “%(former)s” to “%(state)s”.") % {
            "former": former_state,
            "state": state,
        }
    if kind == HistoryLine.Kind.SECTION and former and section:
        return _("Moved from %(former)s to %(section)s.") % {"former": former, "section": section}
    if kind == HistoryLine.Kind.EDIT and step.fields[:1] and step.fields[0] in EDITS:
        return str(EDITS[step.fields[0]])
    if kind == HistoryLine.Kind.EDIT and names:
        return _("Changed: %(fields)s.") % {"fields": READER.listed(names, "comma")}
    if kind == HistoryLine.Kind.LABEL and step.before and step.fields[1:]:
        return str(LABEL[step.fields[1]]) % {"label": step.before["label"]}
    if kind == HistoryLine.Kind.BYE and step.fields:
        number, state = [*step.fields, ""][:2]
        states = [step.before.get("bye", ""), state]
        change = " → ".join(str(BYES[each]) for each in states if each)
        return _("Bye in round %(round)s: %(change)s.") % {"round": number, "change": change}
    if kind == HistoryLine.Kind.PRESENT and step.fields:
        return str(PRESENCE[step.fields[0]])
    if kind == HistoryLine.Kind.MONEY and "now" in step.before:
        price, new = (
            shown_amount(sum(cents for _name, cents in step.before[name])) for name in ("price", "now")
        )
        return _("The fee was changed from %(former)s to %(new)s.") % {"former": price, "new": new}
    if kind == HistoryLine.Kind.MONEY and "cents" in step.before:
        return str(ACCOUNT[Charge.Kind(step.fields[0])]) % {"sum": shown_amount(step.before["cents"])}
    return str(STEP_SENTENCES[kind])


CHANGED = "registration_changed"
LISTED = 50
"""Registrations that one page shows with both values."""
SENT = ("do", "reason", "to")


def without_changed(outcome: ManyMoved) -> tuple[ManyMoved, list[int]]:
    """Return the outcome without registrations that have changed since they were seen, and the keys of these."""
    stale = [one.pk for one, error in outcome.left if error.code == CHANGED]
    return ManyMoved(outcome.moved, [each for each in outcome.left if each[0].pk not in stale]), stale


def ask_again(
    request: PersonRequest,
    form: EventRegistration,
    wanted: QueueFilter,
    stale: Sequence[int],
    seen: Mapping[int, int],
) -> HttpResponse:
    """Show what the page showed and what it is now, with a form that decides about these registrations again.

    stale: their keys. seen: the revisions that the page showed.
    """
    asked, event = request.POST.get("do", ""), form.event
    since = {key: seen[key] for key in stale[:LISTED]}
    found = differences(event, unpack_shown(request.POST.get("seen", "")), since)
    changed = [differing(each, possible=may_still(asked, each.row.one)) for each in found]
    context = {
        "event": event,
        "decision": DECISION_WORDS[asked],
        "changed": changed,
        "more": max(0, len(stale) - LISTED),
        "possible": any(each.possible for each in changed),
        "sent": [
            *((name, request.POST[name]) for name in SENT if request.POST.get(name)),
            ("seen", pack_shown([each.row for each in found], event.start)),
            *wanted.pairs(),
        ],
        "back": wanted.address(),
    }
    return render(request, "registrations/staff/registration_changed.html", context, status=409)


def may_still(asked: str, one: Registration) -> bool:
    """Return whether a decision can still be made about the registration as it is now."""
    if asked not in DECISIONS:
        return one.is_live
    rule = MOVES.get((RegistrationState(one.state), DECISIONS[asked]))
    return rule is not None and Hand.ORGANISER in rule.hands


def repeated_decision(request: PersonRequest, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return what a form sent under these names, for hidden fields that send it again."""
    return [(name, value[:500]) for name in names for value in request.POST.getlist(name)[:40]]


# Who else has which registration open: beside each row of the queue, and on the page of one registration.


def open_elsewhere_news(request: PersonRequest, event: Event) -> HttpResponse:
    """Answer an open page: who else has which registration open, by its key. 204 if the page shows that already."""
    words = {
        key: ngettext(
            "%(names)s has this registration open", "%(names)s have this registration open", len(names)
        )
        % {"names": READER.listed(names)}
        for key, names in open_elsewhere(event, request.user).items()
    }
    mark = sha256(repr(sorted(words.items())).encode()).hexdigest()[:12]
    if request.GET.get("seen") == mark:
        return nothing_new()
    return JsonResponse({"mark": mark, "rows": words})
