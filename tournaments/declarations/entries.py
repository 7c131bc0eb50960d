"""Entries of players: their data, pairing numbers, byes, forbidden pairs, and who leaves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.models.action_log import Integrity

from .declaration import UNAFFECTED, Action, Form, Kind, Undo, now, of_row, says, was

RENUMBERS = frozenset({Integrity.REGENERATION})
"""For an action that may give new pairing numbers after round 1."""

ADD_PARTICIPANT = Action(
    name="add_participant",
    title=_("player entered"),
    sentence=says(_("%(subject)s entered")),
    undo=Undo.REVERTS,
    integrity=RENUMBERS,
    silent=False,
    kind=Kind.ENTRY,
)

EDIT_PARTICIPANT = Action(
    name="edit_participant",
    title=_("entry changed"),
    sentence=says(_("Entry of %(subject)s changed")),
    undo=Undo.REVERTS,
    integrity=RENUMBERS,
    silent=False,
    shows_values=True,
)

EDIT_PLAYER = Action(
    name="edit_player",
    title=_("person changed in another section"),
    sentence=says(_("%(subject)s was changed in another section of the event")),
    undo=Undo.FOLLOWS,
    integrity=RENUMBERS,
    silent=False,
    shows_values=True,
)

REMOVE_PARTICIPANT = Action(
    name="remove_participant",
    title=_("entry removed"),
    sentence=says(_("Entry of %(subject)s removed")),
    undo=Undo.REVERTS,
    integrity=RENUMBERS,
    silent=False,
)

IMPORT_ENTRIES = Action(
    name="import_entries",
    title=_("entries imported"),
    sentence=says(
        _("Entries imported from %(file)s: %(added)s added, %(changed)s changed"),
        file=of_row("subject", form=Form.FILE),
        added=now("added", form=Form.COUNT),
        changed=now("changed", form=Form.COUNT),
    ),
    undo=Undo.REVERTS,
    integrity=RENUMBERS,
    silent=False,
    kind=Kind.ENTRY,
)

ORDER_EQUALS = Action(
    name="order_equals",
    title=_("order of equal ratings changed"),
    sentence=says(
        _("Players with rating %(subject)s renumbered: %(numbers)s"),
        numbers=now("numbers", form=Form.NUMBERS),
    ),
    undo=Undo.REVERTS,
    integrity=frozenset({Integrity.EXCHANGE}),
    silent=False,
)

WITHDRAW_PARTICIPANT = Action(
    name="withdraw_participant",
    title=_("player withdrawn"),
    sentence=says(_("%(subject)s withdrawn")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
    kind=Kind.WITHDRAWAL,
)

EXPEL_PARTICIPANT = Action(
    name="expel_participant",
    title=_("player expelled"),
    sentence=says(_("%(subject)s expelled")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
    kind=Kind.WITHDRAWAL,
)

READMIT_PARTICIPANT = Action(
    name="readmit_participant",
    title=_("player plays again"),
    sentence=says(_("%(subject)s plays again")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

REQUEST_BYE = Action(
    name="request_bye",
    title=_("bye given"),
    sentence=says(_("Round %(round)s: %(bye)s for %(subject)s"), bye=now("kind", form=Form.BYE)),
    undo=Undo.REVERTS,
    integrity=frozenset({Integrity.FULL_POINT_BYE}),
    silent=False,
    kind=Kind.BYE,
)

CANCEL_BYE = Action(
    name="cancel_bye",
    title=_("bye cancelled"),
    sentence=says(_("Round %(round)s: %(bye)s for %(subject)s cancelled"), bye=was("kind", form=Form.BYE)),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

ALLOW_HALF_BYES = Action(
    name="allow_half_byes",
    title=_("right to half-point byes changed"),
    sentence=says(_("Right to half-point byes of %(subject)s changed")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

FORBID_PAIR = Action(
    name="forbid_pair",
    title=_("pair forbidden"),
    sentence=says(_("%(subject)s must not meet")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

CHANGE_FORBIDDEN_PAIR = Action(
    name="change_forbidden_pair",
    title=_("rounds of a forbidden pair changed"),
    sentence=says(_("Rounds of the forbidden pair %(subject)s changed")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

ALLOW_PAIR = Action(
    name="allow_pair",
    title=_("pair no longer forbidden"),
    sentence=says(_("%(subject)s may meet again")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)
