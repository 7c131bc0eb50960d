"""Words of the organiser's queue: its buttons and conditions, decisions that were made, news of rating lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from base.reader import READER
from registrations.models import HistoryLine, Registration
from registrations.queries.list_news import Effect
from registrations.queries.queue import QueueCondition, Tag
from registrations.states import RegistrationState
from registrations.web.forms.money import amount
from registrations.web.staff.access import DECISION_WORDS
from tournaments.models import Section, Sex, Title
from tournaments.player_fields import REGISTERED
from web.words.refusals.registrations import LIMITS, limits_text

# Words of the organiser's queue.

SHORT = timedelta(hours=12)
"""A mail about an offer that ends earlier may be read too late."""

PILES = {
    "check": pgettext_lazy("list of registrations", "To check"),
    "fine": pgettext_lazy("list of registrations", "All fine"),
    "changed": pgettext_lazy("list of registrations", "Changed since accepted"),
    "listed": pgettext_lazy("list of registrations", "Other data in the rating list"),
    "unlisted": pgettext_lazy("list of registrations", "Accepted, but not playing"),
    "waiting": pgettext_lazy("list of registrations", "Waiting list"),
    "player": pgettext_lazy("list of registrations", "The player must act"),
    "owed": pgettext_lazy("list of registrations", "Fee owed"),
    "repay": pgettext_lazy("list of registrations", "To repay"),
    "unwritten": pgettext_lazy("list of registrations", "First mail not sent"),
    "mail": pgettext_lazy("list of registrations", "Mail failed"),
    "accepted": pgettext_lazy("list of registrations", "Accepted"),
    "over": pgettext_lazy("list of registrations", "Withdrawn, refused, expired"),
    "all": pgettext_lazy("list of registrations", "All"),
}
SORTS = {
    "time": gettext_lazy("by time"),
    "name": gettext_lazy("by name"),
    "rating": gettext_lazy("by rating"),
    "owed": gettext_lazy("by money owed"),
}


def to_telephone(ones: Iterable[Registration]) -> str:
    """Say whom to telephone, because the offer ends before a mail is surely read; "" for nobody."""
    soon = timezone.now() + SHORT
    names = [
        one.name
        for one in ones
        if one.state == RegistrationState.OFFERED and one.deadline and one.deadline < soon
    ]
    if not names:
        return ""
    sentence = gettext("Round 1 begins soon, so the offer ends in less than 12 hours. Telephone %(names)s.")
    return sentence % {"names": READER.listed(names, longest=10)}


# Which buttons the bar of the queue has: the usual ones of each list, the others under More.

BAR = {
    "changed": ("wait", "withdraw"),
    "listed": ("listed", "leave"),
    "unlisted": ("enter", "withdraw"),
    "waiting": ("offer", "accept"),
    "owed": ("withdraw",),
    "repay": ("reopen",),
    "unwritten": ("write", "accept"),
    "mail": ("mail",),
    "accepted": ("withdraw", "wait"),
    "over": ("reopen",),
}
"""By list. The others have Accept."""
REASON = ("check", "fine", "player", "waiting", "unwritten", "all")
"""Lists with people who can be refused or asked to correct something."""
REST = ("accept", "wait", "offer", "reopen", "withdraw", "price", "check")
WORDS = {**DECISION_WORDS, "mail": gettext_lazy("Send the mails again")}


def queue_buttons(pile: str) -> dict[str, Any]:
    """Return the buttons of the bar, and of those under More, with their words."""
    bar = BAR.get(pile, ("accept",))
    return {
        "bar": [(name, WORDS[name]) for name in bar],
        "rest": [(name, WORDS[name]) for name in REST if name not in bar],
        "reason_in_bar": pile in REASON,
    }


# What a person chooses from to make the conditions of the queue, in words.

TYPED = {
    "rating_from": gettext_lazy("Rating at least"),
    "rating_to": gettext_lazy("Rating at most"),
    "born_from": gettext_lazy("Year of birth at least"),
    "born_to": gettext_lazy("Year of birth at most"),
    "federation": gettext_lazy("Federation"),
    **{field.name: field.label for field in REGISTERED},
    "club": gettext_lazy("Club has the words"),
    "rating_list": gettext_lazy("Rating list has the words"),
    "answer": gettext_lazy("An answer has the words"),
    "since": gettext_lazy("Registered on this day (YYYY-MM-DD) or later"),
    "until": gettext_lazy("Registered on this day (YYYY-MM-DD) or earlier"),
}
"""Conditions with a value that is typed."""
FACTS = {
    "owed": gettext_lazy("owes money"),
    "repay": gettext_lazy("gets money back"),
    "paid": gettext_lazy("has paid"),
    "problem": gettext_lazy("something to look at"),
    "misfit": gettext_lazy("does not meet a limit of the section"),
    "listed": gettext_lazy("other rating or title in the rating list"),
    "changed": gettext_lazy("changed since accepted"),
    "message": gettext_lazy("has written a message"),
    "note": gettext_lazy("has a note"),
    "bye": gettext_lazy("asks for a bye"),
    "mail_failed": gettext_lazy("mail failed"),
    "no_mail": gettext_lazy("no e-mail address"),
    "consent": gettext_lazy("agrees to be in the public list"),
    "present": gettext_lazy("is here"),
}


@dataclass(frozen=True, slots=True)
class ConditionFields:
    """A line of the form with one condition; an empty one waits for another condition."""

    wanted: bool = True
    what: str = ""
    typed: str = ""


Groups = list[tuple[object, list[tuple[str, object]]]]


def condition_choices(sections: Iterable[Section], labels: Iterable[Tag]) -> Groups:
    """Return the groups of the list from which a condition is chosen, each with names and words."""
    groups: Groups = [
        (gettext_lazy("State"), [(f"state.{state.value}", state.label) for state in RegistrationState]),
        (gettext_lazy("Label"), [(f"label.{tag.key}", tag.name) for tag in labels]),
        (gettext_lazy("Section"), [(f"section.{section.pk}", section.name) for section in sections]),
        (gettext_lazy("Registration"), [(f"fact.{name}", words) for name, words in FACTS.items()]),
        (gettext_lazy("To look at"), [(f"problem.{name}", words) for name, words in LIMITS.items()]),
        (gettext_lazy("Type a value"), list(TYPED.items())),
        (gettext_lazy("Title"), [(f"title.{title.value}", title.label) for title in Title]),
        (pgettext_lazy("person", "Sex"), [(f"sex.{sex.value}", sex.label) for sex in Sex if sex.value]),
    ]
    return [(title, rows) for title, rows in groups if rows]


def condition_fields(conditions: Sequence[QueueCondition]) -> list[ConditionFields]:
    """Return a line for each condition, and an empty one."""
    return [*(ConditionFields(one.wanted, one.what, one.typed) for one in conditions), ConditionFields()]


# Which decisions were made, or undone, about how many registrations.

DONE = {
    "accept": ngettext_lazy("%(count)s registration accepted.", "%(count)s registrations accepted.", "count"),
    "correct": ngettext_lazy(
        "%(count)s player is asked to correct the registration.",
        "%(count)s players are asked to correct their registrations.",
        "count",
    ),
    "refuse": ngettext_lazy("%(count)s registration refused.", "%(count)s registrations refused.", "count"),
    "wait": ngettext_lazy(
        "%(count)s registration put on the waiting list.",
        "%(count)s registrations put on the waiting list.",
        "count",
    ),
    "offer": ngettext_lazy("%(count)s place offered.", "%(count)s places offered.", "count"),
    "withdraw": ngettext_lazy(
        "%(count)s registration withdrawn.", "%(count)s registrations withdrawn.", "count"
    ),
    "reopen": ngettext_lazy(
        "%(count)s registration opened again.", "%(count)s registrations opened again.", "count"
    ),
    "move": ngettext_lazy(
        "%(count)s registration moved to %(section)s.",
        "%(count)s registrations moved to %(section)s.",
        "count",
    ),
    "price": ngettext_lazy(
        "The current fee is charged for %(count)s registration.",
        "The current fee is charged for %(count)s registrations.",
        "count",
    ),
    "listed": ngettext_lazy(
        "%(count)s registration has rating and title of the list now.",
        "%(count)s registrations have rating and title of the list now.",
        "count",
    ),
    "leave": ngettext_lazy(
        "%(count)s registration left as it is.", "%(count)s registrations left as they are.", "count"
    ),
    "enter": ngettext_lazy("%(count)s entry made again.", "%(count)s entries made again.", "count"),
    "label": ngettext_lazy(
        "%(count)s registration has the label “%(label)s” now.",
        "%(count)s registrations have the label “%(label)s” now.",
        "count",
    ),
    "unlabel": ngettext_lazy(
        "The label “%(label)s” is removed from %(count)s registration.",
        "The label “%(label)s” is removed from %(count)s registrations.",
        "count",
    ),
    "order": ngettext_lazy(
        "%(count)s registration put at number %(number)s of the waiting list.",
        "%(count)s registrations put at number %(number)s of the waiting list.",
        "count",
    ),
    "check": ngettext_lazy(
        "The data are checked again. %(count)s registration has something else to look at.",
        "The data are checked again. %(count)s registrations have something else to look at.",
        "count",
    ),
}
"""By the button that was pressed."""

PRESS = {
    "accept": ngettext_lazy("Accept %(count)s registration", "Accept %(count)s registrations", "count"),
    "correct": ngettext_lazy(
        "Ask %(count)s player to correct the registration",
        "Ask %(count)s players to correct their registrations",
        "count",
    ),
    "refuse": ngettext_lazy("Refuse %(count)s registration", "Refuse %(count)s registrations", "count"),
    "wait": ngettext_lazy(
        "Put %(count)s registration on the waiting list",
        "Put %(count)s registrations on the waiting list",
        "count",
    ),
    "offer": ngettext_lazy("Offer %(count)s place", "Offer %(count)s places", "count"),
    "withdraw": ngettext_lazy("Withdraw %(count)s registration", "Withdraw %(count)s registrations", "count"),
    "reopen": ngettext_lazy(
        "Open %(count)s registration again", "Open %(count)s registrations again", "count"
    ),
    "move": ngettext_lazy("Move %(count)s registration", "Move %(count)s registrations", "count"),
    "price": ngettext_lazy(
        "Charge the current fee for %(count)s registration",
        "Charge the current fee for %(count)s registrations",
        "count",
    ),
    "listed": ngettext_lazy(
        "Take rating and title of the list for %(count)s registration",
        "Take rating and title of the list for %(count)s registrations",
        "count",
    ),
    "enter": ngettext_lazy("Make %(count)s entry again", "Make %(count)s entries again", "count"),
}
"""What the second button of a decision about a whole list says, by the first one."""

UNDONE = {
    RegistrationState.ACCEPTED: ngettext_lazy(
        "The acceptance of %(count)s registration is undone.",
        "The acceptance of %(count)s registrations is undone.",
        "count",
    ),
    RegistrationState.CORRECTION: ngettext_lazy(
        "%(count)s player is no longer asked to correct the registration.",
        "%(count)s players are no longer asked to correct their registrations.",
        "count",
    ),
    RegistrationState.REFUSED: ngettext_lazy(
        "The refusal of %(count)s registration is undone.",
        "The refusal of %(count)s registrations is undone.",
        "count",
    ),
    RegistrationState.WAITING: ngettext_lazy(
        "The move of %(count)s registration to the waiting list is undone.",
        "The move of %(count)s registrations to the waiting list is undone.",
        "count",
    ),
    RegistrationState.OFFERED: ngettext_lazy(
        "The offer of %(count)s place is undone.", "The offers of %(count)s places are undone.", "count"
    ),
    RegistrationState.WITHDRAWN: ngettext_lazy(
        "The withdrawal of %(count)s registration is undone.",
        "The withdrawal of %(count)s registrations is undone.",
        "count",
    ),
    RegistrationState.PENDING: ngettext_lazy(
        "%(count)s registration is no longer to check.",
        "%(count)s registrations are no longer to check.",
        "count",
    ),
    HistoryLine.Kind.SECTION: ngettext_lazy(
        "The move of %(count)s registration to another section is undone.",
        "The move of %(count)s registrations to another section is undone.",
        "count",
    ),
    HistoryLine.Kind.ENTRY: ngettext_lazy(
        "The change of %(count)s entry is undone.", "The changes of %(count)s entries are undone.", "count"
    ),
    HistoryLine.Kind.LABEL: ngettext_lazy(
        "The change of the labels of %(count)s registration is undone.",
        "The change of the labels of %(count)s registrations is undone.",
        "count",
    ),
    HistoryLine.Kind.NOTE: ngettext_lazy(
        "%(count)s note is deleted.", "%(count)s notes are deleted.", "count"
    ),
    HistoryLine.Kind.ORDER: ngettext_lazy(
        "The waiting list has its former order: %(count)s registration is back at its number.",
        "The waiting list has its former order: %(count)s registrations are back at their numbers.",
        "count",
    ),
    HistoryLine.Kind.MONEY: ngettext_lazy(
        "The last change of the account of %(count)s registration is undone.",
        "The last change of the accounts of %(count)s registrations is undone.",
        "count",
    ),
    HistoryLine.Kind.BYE: ngettext_lazy(
        "The decision about a bye of %(count)s player is undone.",
        "The decisions about byes of %(count)s players are undone.",
        "count",
    ),
    HistoryLine.Kind.EDIT: ngettext_lazy(
        "%(count)s registration has its former data again.",
        "%(count)s registrations have their former data again.",
        "count",
    ),
}
"""By the state to which the undone step led, or by its kind."""


def undone_sentences(steps: Iterable[HistoryLine]) -> Iterator[str]:
    """Say what was undone, and for how many."""
    counts = Counter(
        RegistrationState(step.to_state)
        if step.kind == HistoryLine.Kind.MOVE
        else HistoryLine.Kind(step.kind)
        for step in steps
    )
    for what, count in counts.items():
        yield UNDONE[what] % {"count": count}


# What a new rating list says otherwise about a registration, in sentences.


def effect_words(effect: Effect, currency: str) -> list[str]:
    """Return what a new rating list says otherwise about a registration, and what would follow, in sentences."""
    found = []
    if not effect.is_rated:
        found.append(_("The rating list no longer rates this player."))
    elif effect.rating != effect.former_rating:
        words = {"list": effect.label, "rating": effect.rating}
        found.append(_("Rating in the list %(list)s: %(rating)s.") % words)
    if effect.title != effect.former_title:
        found.append(_("Title in the list: %(title)s.") % {"title": effect.title})
    if effect.missed:
        reasons = limits_text(effect.missed)
        found.append(
            _("With the data of the list, the limits of the section are not met: %(reasons)s.")
            % {"reasons": reasons}
        )
    if effect.met:
        reasons = limits_text(effect.met)
        found.append(
            _("With the data of the list, this no longer applies: %(reasons)s.") % {"reasons": reasons}
        )
    if effect.fee != effect.former_fee:
        words = {"fee": amount(effect.fee), "former": amount(effect.former_fee), "currency": currency}
        found.append(_("The fee would be %(fee)s %(currency)s instead of %(former)s.") % words)
    return found
