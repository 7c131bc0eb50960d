"""What a player reads about the state of the registration, and why a waiting list stands still."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from registrations.states import RegistrationState

WHAT = {
    RegistrationState.SUBMITTED: _("Your registration is not confirmed yet. Press the button to confirm it."),
    RegistrationState.PENDING: _(
        "The organiser checks your registration. You get a mail when it is decided."
    ),
    RegistrationState.CORRECTION: _("The organiser asks you to correct something."),
    RegistrationState.WAITING: _("All places are taken. You get a mail when a place is free for you."),
    RegistrationState.OFFERED: _("A place is free for you. Take it or give it back."),
    RegistrationState.ACCEPTED: _("You have a place. You are in the list of players."),
    RegistrationState.WITHDRAWN: _("Your registration is withdrawn."),
    RegistrationState.REFUSED: _("The organiser has refused your registration."),
    RegistrationState.EXPIRED: _(
        "Your registration has expired, because the time to answer is over. You can register again."
    ),
}

WITHOUT_MAIL = {
    RegistrationState.PENDING: _(
        "The organiser checks your registration. Come back to this page to see the decision."
    ),
    RegistrationState.WAITING: _(
        "All places are taken. Come back to this page to see whether a place is free for you."
    ),
}
"""Where this server sends no mail, or the registration has no mail address."""

KNOWN = _("We have written to its e-mail address.")
KNOWN_WITHOUT_MAIL = _("Ask the organiser for its link.")
"""After the sentence that there is a registration with the FIDE ID already."""

WAITS_UNFIT = _(
    "Places are free, but your registration does not meet the limits of the section. The organiser decides about it."
)

CLOSED_BECAUSE = {
    "paired": _("Round 1 is paired. Ask the arbiter for a late entry."),
    "over": _("The section is finished."),
    "closed": _("The time to register is over."),
    "by_hand": _("The organiser takes no registrations for this section now."),
}
"""Why a form takes no registration for a section. Before it opens, the form says when."""

STANDS_STILL = {
    "closed": _("The waiting list does not move, because registration is closed."),
    "hidden": _("The waiting list does not move, because the section is hidden."),
    "paired": _("The waiting list does not move, because round 1 is paired."),
    "by_hand": _("The organiser offers places by hand."),
    "late": _("In the last 48 hours before the first day, the organiser offers places by hand."),
    "full": _("The list moves as soon as a place is free."),
    "misfits": _(
        "Places are free, but nobody on the waiting list meets the limits of the section. "
        "New registrations that meet them get these places."
    ),
}
