"""Rounds: paired by the rules or by hand, checked, published, and taken apart again."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models.log import Integrity

from .declaration import (
    ActionKind,
    Form,
    Row,
    Sentence,
    always,
    never_undone,
    now,
    reverted,
    text,
    value_at,
)

# Rounds: paired, checked, published, and taken apart again.

DRAW_INITIAL_COLOUR = reverted(
    "draw_initial_colour",
    _("initial-colour drawn"),
    Sentence(
        {
            "by lot": text(
                _("Initial-colour drawn by lot: %(colour)s"), colour=now("initial_colour", form=Form.COLOUR)
            ),
            "set": text(_("Initial-colour set: %(colour)s"), colour=now("initial_colour", form=Form.COLOUR)),
        },
        lambda row: "by lot" if value_at(row, ("after", "by_lot")) else "set",
    ),
)

DRAW_LOTS = reverted(
    "draw_lots",
    _("numbers drawn by lot"),
    Sentence(
        {
            "free": text(
                _("Pairing numbers drawn by lot with the seed %(seed)s; %(rounds)s rounds"),
                seed=now("seed"),
                rounds=now("rounds"),
            ),
            "apart": text(
                _(
                    "Pairing numbers drawn by lot, federations apart, with the seed %(seed)s; %(rounds)s rounds"
                ),
                seed=now("seed"),
                rounds=now("rounds"),
            ),
        },
        lambda row: "apart" if value_at(row, ("after", "restricted")) else "free",
    ),
)

SET_LOTS = reverted(
    "set_lots",
    _("drawn numbers typed"),
    always(_("Pairing numbers set as drawn; %(rounds)s rounds"), rounds=now("rounds")),
)


def _way(row: Row) -> str:
    if value_at(row, ("after", "left_out")):
        return "left out"
    return "by itself" if value_at(row, ("after", "by_itself")) else ""


PAIR_NEXT_ROUND = reverted(
    "pair_next_round",
    _("round paired"),
    Sentence(
        {
            "": text(
                ngettext_lazy(
                    "Round %(round)s paired: %(count)s board",
                    "Round %(round)s paired: %(count)s boards",
                    "count",
                ),
                count=now("pairs", form=Form.COUNT),
            ),
            "left out": text(
                ngettext_lazy(
                    "Round %(round)s paired: %(count)s board. Players not kept apart: %(groups)s",
                    "Round %(round)s paired: %(count)s boards. Players not kept apart: %(groups)s",
                    "count",
                ),
                count=now("pairs", form=Form.COUNT),
                groups=now("left_out", form=Form.ROUNDS),
            ),
            "by itself": text(
                ngettext_lazy(
                    "Round %(round)s paired by itself after the last result, as it was prepared: %(count)s board",
                    "Round %(round)s paired by itself after the last result, as it was prepared: %(count)s boards",
                    "count",
                ),
                count=now("pairs", form=Form.COUNT),
            ),
        },
        _way,
    ),
    kind=ActionKind.PAIRING,
)

PAIR_AHEAD = reverted(
    "pair_ahead",
    _("round to be prepared"),
    always(
        ngettext_lazy(
            "Round %(round)s to be prepared, with %(count)s game open",
            "Round %(round)s to be prepared, with %(count)s games open",
            "count",
        ),
        count=now("boards", form=Form.COUNT),
    ),
)

STOP_AHEAD = reverted(
    "stop_ahead",
    _("preparation of a round stopped"),
    always(_("Round %(round)s is no longer prepared")),
)

TAKE_OFFER = reverted(
    "take_offer",
    _("round paired as offered"),
    always(
        ngettext_lazy(
            "Round %(round)s paired as offered, because the rules could not finish it: %(count)s board",
            "Round %(round)s paired as offered, because the rules could not finish it: %(count)s boards",
            "count",
        ),
        count=now("pairs", form=Form.COUNT),
    ),
    kind=ActionKind.PAIRING,
)


def _checked(row: Row) -> str:
    kind = "same" if value_at(row, ("after", "same")) else "different"
    if value_at(row, ("after", "nothing")):
        return "nothing"
    return f"{kind}_offer" if value_at(row, ("after", "offer")) else kind


CHECK_ROUND = never_undone(
    "check_round",
    _("round checked"),
    Sentence(
        {
            "same": text(_("Round %(round)s checked: same as the pairing by the rules")),
            "different": text(_("Round %(round)s checked: different from the pairing by the rules")),
            "same_offer": text(_("Round %(round)s checked: same as the offer")),
            "different_offer": text(_("Round %(round)s checked: different from the offer")),
            "nothing": text(_("Round %(round)s checked: the rules give no round")),
        },
        _checked,
    ),
)

PUBLISH_ROUND = reverted(
    "publish_round", _("round published"), always(_("Round %(round)s published")), kind=ActionKind.PUBLICATION
)

BACKUP_FAILED = never_undone(
    "backup_failed",
    _("copy not written"),
    always(_("No copy of the section could be written after round %(round)s was published")),
)

UNPUBLISH_ROUND = reverted(
    "unpublish_round", _("round unpublished"), always(_("Round %(round)s unpublished"))
)

UNPAIR_ROUND = reverted("unpair_round", _("round unpaired"), always(_("Round %(round)s unpaired")))


def _edition(row: Row) -> str:
    kind = "aro" if value_at(row, ("after", "lists")) == ["aro"] else "others"
    return kind if value_at(row, ("after", "edition")) == 1 else f"{kind} corrected"


PUBLISH_LISTS = reverted(
    "publish_lists",
    _("list published"),
    Sentence(
        {
            "aro": text(_("ARO list after round %(round)s published")),
            "aro corrected": text(
                _("ARO list after round %(round)s published again: edition %(edition)s"),
                edition=now("edition"),
            ),
            "others": text(_("List after round %(round)s published")),
            "others corrected": text(
                _("List after round %(round)s published again: edition %(edition)s"), edition=now("edition")
            ),
        },
        _edition,
    ),
)


# A round paired or changed by hand.

MOST_BOARDS = 8
"""The sentence about a change names its boards up to this number."""

START_BY_HAND = reverted(
    "start_by_hand",
    _("pairing by hand started, because the rules could not finish the round"),
    always(_("Round %(round)s: pairing by hand started, because the rules could not finish it")),
    kind=ActionKind.PAIRING,
)

BEGIN_MANUAL_PHASE = reverted(
    "begin_manual_phase", _("pairing by hand started"), always(_("Round %(round)s: pairing by hand started"))
)


def _move(row: Row) -> str:
    move: str = value_at(row, ("after", "move")) or "swap"
    if move == "engine" and value_at(row, ("after", "offer")):
        return "offer"
    if move == "swap" and len(value_at(row, ("before", "pool")) or ()) == 2:
        return "pair"  # neither of the two was paired
    return move


SEAT_MOVE = Sentence(
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
            "few": text(_("%(move)s (%(boards)s)"), move=SEAT_MOVE, boards=now("boards", form=Form.BOARDS)),
            "none or many": text("%(move)s", move=SEAT_MOVE),
        },
        _boards,
    ),
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

LEAVE_NOTICE = reverted(
    "leave_notice",
    _("notice hidden"),
    always(_("Notice hidden: %(notice)s"), notice=now("code", form=Form.NOTICE)),
)
TAKE_NOTICE_BACK = reverted(
    "take_notice_back",
    _("notice shown again"),
    always(_("Notice shown again: %(notice)s"), notice=now("code", form=Form.NOTICE)),
)
