"""Refusals that more than one action of registrations raises."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from tournaments.errors import Refusal, Stale

# registrations. problems: codes of registrations/queries/problems.py
REGISTRATION_CHANGED = Refusal(
    "registration_changed",
    _(
        "Somebody else changed the registration of %(name)s meanwhile. Nothing was done. Look at it as it is now."
    ),
    raises=Stale,
)

# a whole list, and the offers that follow
DECISION_TO_CONFIRM = Refusal(
    "decision_to_confirm",
    _("Look at what this decision does. Nothing is done yet."),
    params=("registrations", "unfit", "offered"),
)

# those of people who wait and would get a place
OFFERS_TO_CONFIRM = Refusal(
    "offers_to_confirm",
    _("These settings offer places to people who wait. Nothing is saved yet."),
    params=("registrations",),
)

REGISTRATION_OVER = Refusal(
    "registration_over", _("The registration of %(name)s is withdrawn, refused or expired.")
)

REGISTRATION_MOVE = Refusal(
    "registration_move",
    _("The registration of %(name)s has changed its state. This is no longer possible."),
    params=("state", "to"),
)

REGISTRATION_STARTED = Refusal(
    "registration_started",
    _(
        "Round 1 is paired. The registration waits for the arbiter, who sees it in the cockpit and accepts or "
        "refuses it."
    ),
)

SECTION_HIDDEN = Refusal("section_hidden", _("The section %(section)s is hidden. Show it again first."))

REGISTRATION_CLOSED = Refusal("registration_closed", _("Registration for this section is closed."))

FORM_OF_ANOTHER = Refusal(
    "form_of_another",
    _("This form was sent with another name before. Send it again to register %(name)s too."),
)

REGISTRATION_KNOWN = Refusal("registration_known", _("There is a registration with this FIDE ID already."))

REGISTRATION_LIMITS = Refusal("registration_limits", params=("section", "problems"))

REGISTRATION_LIST_FULL = Refusal(
    "registration_list_full", _("%(section)s is full, and so is its waiting list.")
)

REGISTRATION_NOT_UNDONE = Refusal(
    "registration_not_undone",
    _(
        "Nothing about %(name)s can be undone: the mail about the last decision is sent, the last step was "
        "more than a day ago or nobody of the event made it, or something has changed since."
    ),
)

REGISTRATION_ADDRESS_OFTEN = Refusal(
    "registration_address_often",
    _("You have asked for a new e-mail address several times today. Ask the organiser to change it."),
)

SECTION_FULL = Refusal("section_full", _("%(section)s has no free place, or other players wait for one."))
