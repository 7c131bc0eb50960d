"""A round paired or changed by hand."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.models.action_log import Integrity

from .declaration import (
    UNAFFECTED,
    Form,
    Kind,
    Row,
    Sentence,
    always,
    now,
    reverted,
    text,
    value_at,
)

MOST_BOARDS = 8
"""The sentence about a change names its boards up to this number."""

START_BY_HAND = reverted(
    "start_by_hand",
    _("pairing by hand started, because the rules could not finish the round"),
    always(_("Round %(round)s: pairing by hand started, because the rules could not finish it")),
    integrity=UNAFFECTED,
    kind=Kind.PAIRING,
)

BEGIN_MANUAL_PHASE = reverted(
    "begin_manual_phase",
    _("pairing by hand started"),
    always(_("Round %(round)s: pairing by hand started")),
    integrity=UNAFFECTED,
)


def _move(row: Row) -> str:
    move: str = value_at(row, ("after", "move")) or "swap"
    if move == "engine" and value_at(row, ("after", "offer")):
        return "offer"
    if move == "swap" and len(value_at(row, ("before", "pool")) or ()) == 2:
        return "pair"  # neither of the two was paired
    return move


MOVE = Sentence(
    {
        "swap": text(_("Round %(round)s by hand: places of %(subject)s exchanged")),
        "pair": text(_("Round %(round)s by hand: new pair of %(subject)s")),
        "unpair": text(_("Round %(round)s by hand: %(subject)s unpaired")),
        "colours": text(_("Round %(round)s by hand: colours exchanged for %(subject)s")),
        "bye": text(_("Round %(round)s by hand: bye for %(subject)s")),
        "half": text(_("Round %(round)s by hand: half-point bye for %(subject)s")),
        "zero": text(_("Round %(round)s by hand: zero-point bye for %(subject)s")),
        "engine": text(_("Round %(round)s by hand: all pairs by the rules again")),
        "proposal": text(_("Round %(round)s by hand: the pairs that break the fewest rules")),
        "offer": text(_("Round %(round)s by hand: all pairs as they were offered")),
    },
    _move,
)


def _boards(row: Row) -> str:
    return "few" if 0 < len(value_at(row, ("after", "boards")) or ()) <= MOST_BOARDS else "none or many"


CHANGE_BY_HAND = reverted(
    "change_by_hand",
    _("pairs changed by hand"),
    Sentence(
        {
            "few": text(_("%(move)s (%(boards)s)"), move=MOVE, boards=now("boards", form=Form.BOARDS)),
            "none or many": text("%(move)s", move=MOVE),
        },
        _boards,
    ),
    integrity=UNAFFECTED,
)


def _ended(row: Row) -> str:
    kind = "different" if row.integrity else "same"
    return f"{kind}_offer" if value_at(row, ("after", "offer")) else kind


END_MANUAL_PHASE = reverted(
    "end_manual_phase",
    _("pairing by hand ended"),
    Sentence(
        {
            "different": text(
                _("Round %(round)s: pairing by hand ended, different from the pairing by the rules")
            ),
            "same": text(_("Round %(round)s: pairing by hand ended, same as the pairing by the rules")),
            "different_offer": text(_("Round %(round)s: pairing by hand ended, different from the offer")),
            "same_offer": text(_("Round %(round)s: pairing by hand ended, same as the offer")),
        },
        _ended,
    ),
    integrity=frozenset({Integrity.MANUAL}),
)

BY_HAND = (START_BY_HAND, BEGIN_MANUAL_PHASE, CHANGE_BY_HAND, END_MANUAL_PHASE)
