"""Which decisions were made, or undone, about how many registrations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.utils.translation import ngettext_lazy

from registrations.machine import State
from registrations.models import Step

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
    State.ACCEPTED: ngettext_lazy(
        "The acceptance of %(count)s registration is undone.",
        "The acceptance of %(count)s registrations is undone.",
        "count",
    ),
    State.CORRECTION: ngettext_lazy(
        "%(count)s player is no longer asked to correct the registration.",
        "%(count)s players are no longer asked to correct their registrations.",
        "count",
    ),
    State.REFUSED: ngettext_lazy(
        "The refusal of %(count)s registration is undone.",
        "The refusal of %(count)s registrations is undone.",
        "count",
    ),
    State.WAITING: ngettext_lazy(
        "The move of %(count)s registration to the waiting list is undone.",
        "The move of %(count)s registrations to the waiting list is undone.",
        "count",
    ),
    State.OFFERED: ngettext_lazy(
        "The offer of %(count)s place is undone.", "The offers of %(count)s places are undone.", "count"
    ),
    State.WITHDRAWN: ngettext_lazy(
        "The withdrawal of %(count)s registration is undone.",
        "The withdrawal of %(count)s registrations is undone.",
        "count",
    ),
    State.PENDING: ngettext_lazy(
        "%(count)s registration is no longer to check.",
        "%(count)s registrations are no longer to check.",
        "count",
    ),
    Step.Kind.SECTION: ngettext_lazy(
        "The move of %(count)s registration to another section is undone.",
        "The move of %(count)s registrations to another section is undone.",
        "count",
    ),
    Step.Kind.ENTRY: ngettext_lazy(
        "The change of %(count)s entry is undone.", "The changes of %(count)s entries are undone.", "count"
    ),
    Step.Kind.LABEL: ngettext_lazy(
        "The change of the labels of %(count)s registration is undone.",
        "The change of the labels of %(count)s registrations is undone.",
        "count",
    ),
    Step.Kind.NOTE: ngettext_lazy("%(count)s note is deleted.", "%(count)s notes are deleted.", "count"),
    Step.Kind.ORDER: ngettext_lazy(
        "The waiting list has its former order: %(count)s registration is back at its number.",
        "The waiting list has its former order: %(count)s registrations are back at their numbers.",
        "count",
    ),
    Step.Kind.MONEY: ngettext_lazy(
        "The last change of the account of %(count)s registration is undone.",
        "The last change of the accounts of %(count)s registrations is undone.",
        "count",
    ),
    Step.Kind.BYE: ngettext_lazy(
        "The decision about a bye of %(count)s player is undone.",
        "The decisions about byes of %(count)s players are undone.",
        "count",
    ),
    Step.Kind.EDIT: ngettext_lazy(
        "%(count)s registration has its former data again.",
        "%(count)s registrations have their former data again.",
        "count",
    ),
}
"""By the state to which the undone step led, or by its kind."""


def undone_sentences(steps: Iterable[Step]) -> Iterator[str]:
    """Say what was undone, and for how many."""
    counts = Counter(
        State(step.to_state) if step.kind == Step.Kind.MOVE else Step.Kind(step.kind) for step in steps
    )
    for what, count in counts.items():
        yield UNDONE[what] % {"count": count}
