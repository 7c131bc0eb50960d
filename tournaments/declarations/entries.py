"""Entries of players: their data, pairing numbers, byes, forbidden pairs, and who leaves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models.log import Integrity

from .declaration import (
    UNAFFECTED,
    Action,
    ActionKind,
    Form,
    Row,
    Sentence,
    Undo,
    always,
    has,
    never_undone,
    now,
    of_row,
    reverted,
    text,
    value_at,
    was,
)

RENUMBERS = frozenset({Integrity.REGENERATION})
"""For an action that may give new pairing numbers after round 1."""

ADD_PARTICIPANT = reverted(
    "add_participant",
    _("player entered"),
    always(_("%(subject)s entered")),
    integrity=RENUMBERS,
    kind=ActionKind.ENTRY,
)

EDIT_PARTICIPANT = reverted(
    "edit_participant",
    _("entry changed"),
    always(_("Entry of %(subject)s changed")),
    integrity=RENUMBERS,
    shows_values=True,
)

EDIT_PLAYER = Action(
    name="edit_player",
    title=_("person changed in another section"),
    sentence=always(_("%(subject)s was changed in another section of the event")),
    undo=Undo.FOLLOWS,
    integrity=RENUMBERS,
    shows_values=True,
)

ERASE_PLAYER = Action(
    name="erase_player",
    title=_("personal data of a player erased"),
    sentence=always(_("Personal data of a player erased, who is now %(subject)s")),
    undo=Undo.STAYS,
    integrity=UNAFFECTED,
)

REMOVE_PARTICIPANT = reverted(
    "remove_participant", _("entry removed"), always(_("Entry of %(subject)s removed")), integrity=RENUMBERS
)

MOVE_ENTRY_AWAY = reverted(
    "move_entry_away",
    _("player moved to another section"),
    always(_("%(subject)s moved to %(section)s"), section=now("section")),
    integrity=RENUMBERS,
)

MOVE_ENTRY_HERE = reverted(
    "move_entry_here",
    _("player came from another section"),
    always(_("%(subject)s came from %(section)s"), section=now("section")),
    integrity=RENUMBERS,
    kind=ActionKind.ENTRY,
)

MOVE_ENTRIES_AWAY = reverted(
    "move_entries_away",
    _("players moved to another section"),
    always(
        ngettext_lazy(
            "%(count)s player moved to %(section)s", "%(count)s players moved to %(section)s", "count"
        ),
        section=now("section"),
        count=was("entries", form=Form.COUNT),
    ),
    integrity=RENUMBERS,
)

MOVE_ENTRIES_HERE = reverted(
    "move_entries_here",
    _("players came from another section"),
    always(
        ngettext_lazy(
            "%(count)s player came from %(section)s", "%(count)s players came from %(section)s", "count"
        ),
        section=now("section"),
        count=now("entries", form=Form.COUNT),
    ),
    integrity=RENUMBERS,
    kind=ActionKind.ENTRY,
)

REMOVE_PARTICIPANTS = reverted(
    "remove_participants",
    _("entries removed"),
    always(
        ngettext_lazy("%(count)s entry removed", "%(count)s entries removed", "count"),
        count=was("entries", form=Form.COUNT),
    ),
    integrity=RENUMBERS,
)

IMPORT_ENTRIES = reverted(
    "import_entries",
    _("entries imported"),
    always(
        _("Players imported from %(file)s (added: %(added)s, changed: %(changed)s)"),
        file=of_row("subject", form=Form.FILE),
        added=now("added", form=Form.COUNT),
        changed=now("changed", form=Form.COUNT),
    ),
    integrity=RENUMBERS,
    kind=ActionKind.ENTRY,
)

KEEP_FOR_ARBITER = Action(
    name="keep_for_arbiter",
    title=_("new players wait for an arbiter"),
    sentence=always(
        ngettext_lazy(
            "%(count)s new player waits for an arbiter", "%(count)s new players wait for an arbiter", "count"
        ),
        count=now("count", form=Form.COUNT),
    ),
    undo=Undo.STAYS,
    integrity=UNAFFECTED,
)

LEAVE_LATE_PLAYER = Action(
    name="leave_late_player",
    title=_("new player after round 1 not accepted"),
    sentence=always(_("New player after round 1 not accepted")),
    undo=Undo.STAYS,
    integrity=UNAFFECTED,
)

ORDER_EQUALS = reverted(
    "order_equals",
    _("order of equal ratings changed"),
    always(
        _("Players with rating %(subject)s renumbered: %(numbers)s"),
        numbers=now("numbers", form=Form.NUMBERS),
    ),
    integrity=frozenset({Integrity.EXCHANGE}),
)

WITHDRAW_PARTICIPANT = reverted(
    "withdraw_participant",
    _("player withdrawn"),
    always(_("%(subject)s withdrawn")),
    kind=ActionKind.WITHDRAWAL,
)

EXPEL_PARTICIPANT = reverted(
    "expel_participant", _("player expelled"), always(_("%(subject)s expelled")), kind=ActionKind.WITHDRAWAL
)

READMIT_PARTICIPANT = reverted(
    "readmit_participant", _("player plays again"), always(_("%(subject)s plays again"))
)


def _decided(row: Row) -> str:
    points = value_at(row, ("after", "points"))
    return "taken" if isinstance(points, int) and points < 0 else "added"


DECIDE_POINTS = reverted(
    "decide_points",
    _("points decided by the arbiter"),
    Sentence(
        {
            "added": text(
                _("%(subject)s: %(points)s added after round %(round)s"),
                points=now("points", form=Form.POINTS),
            ),
            "taken": text(
                _("%(subject)s: %(points)s taken away after round %(round)s"),
                points=now("points", form=Form.POINTS),
            ),
        },
        _decided,
    ),
)

REQUEST_BYE = reverted(
    "request_bye",
    _("bye given"),
    Sentence(
        {
            "one": text(_("Round %(round)s: %(bye)s for %(subject)s"), bye=now("kind", form=Form.BYE)),
            "several": text(
                _("Rounds %(rounds)s: %(bye)s for %(subject)s"),
                rounds=now("rounds", form=Form.ROUNDS),
                bye=now("kind", form=Form.BYE),
            ),
        },
        lambda row: "several" if has(row, ("after", "rounds")) else "one",
    ),
    integrity=frozenset({Integrity.FULL_POINT_BYE}),
    kind=ActionKind.BYE,
)

CANCEL_BYE = reverted(
    "cancel_bye",
    _("bye cancelled"),
    always(_("Round %(round)s: %(bye)s for %(subject)s cancelled"), bye=was("kind", form=Form.BYE)),
)

ALLOW_HALF_BYES = reverted(
    "allow_half_byes",
    _("right to half-point byes changed"),
    Sentence(
        {
            "": text(_("%(subject)s may no longer ask for half-point byes")),
            "allowed": text(_("%(subject)s may ask for half-point byes")),
        },
        lambda row: "allowed" if value_at(row, ("after", "half_bye_allowed")) is True else "",
    ),
)

RENEW_PERSONS_LINK = never_undone(
    "renew_persons_link",
    _("new link to a player’s page across events"),
    always(_("%(subject)s: new link to the page across events; the former link is worthless")),
)

FIX_BOARD = reverted(
    "fix_board",
    _("fixed board changed"),
    Sentence(
        {
            "": text(_("%(subject)s no longer has a fixed board")),
            "board": text(_("%(subject)s plays at board %(board)s in all rounds"), board=now("fixed_board")),
            "step_free": text(
                _("%(subject)s plays at board %(board)s, which is step-free, in all rounds"),
                board=now("fixed_board"),
            ),
        },
        lambda row: (
            ""
            if value_at(row, ("after", "fixed_board")) is None
            else "step_free"
            if value_at(row, ("after", "step_free")) is True
            else "board"
        ),
    ),
)

FORBID_PAIR = reverted("forbid_pair", _("pair forbidden"), always(_("%(subject)s must not meet")))

CHANGE_FORBIDDEN_PAIR = reverted(
    "change_forbidden_pair",
    _("rounds of a forbidden pair changed"),
    always(_("Rounds of the forbidden pair %(subject)s changed")),
)

ALLOW_PAIR = reverted("allow_pair", _("pair no longer forbidden"), always(_("%(subject)s may meet again")))


def _about_rule(row: Row) -> str:
    values = value_at(row, ("after",)) or value_at(row, ("before",)) or {}
    return "named" if row.subject else str(values.get("apart", "club"))


KEEP_APART = reverted(
    "keep_apart",
    _("players kept apart by a rule"),
    Sentence(
        {
            "named": text(_("Players of %(subject)s must not meet")),
            "club": text(_("Players of the same club must not meet")),
            "team": text(_("Players of the same team must not meet")),
            "federation": text(_("Players of the same federation must not meet")),
        },
        _about_rule,
    ),
)

CHANGE_RULE = reverted(
    "change_rule",
    _("rule that keeps players apart changed"),
    Sentence(
        {
            "named": text(_("The rule that keeps players of %(subject)s apart changed")),
            "club": text(_("The rule that keeps players of the same club apart changed")),
            "team": text(_("The rule that keeps players of the same team apart changed")),
            "federation": text(_("The rule that keeps players of the same federation apart changed")),
        },
        _about_rule,
    ),
)

END_RULE = reverted(
    "end_rule",
    _("rule that keeps players apart ended"),
    Sentence(
        {
            "named": text(_("Players of %(subject)s may meet again")),
            "club": text(_("Players of the same club may meet again")),
            "team": text(_("Players of the same team may meet again")),
            "federation": text(_("Players of the same federation may meet again")),
        },
        _about_rule,
    ),
)
