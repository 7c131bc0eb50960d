"""Why something was refused: results and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER, date_format
from base.text import isolated


def _not_own_board(params: Mapping[str, Any]) -> str:
    return _(
        "Board %(board)s is not one of your boards (%(boards)s), so nothing was saved. Give the slip to an arbiter."
    ) % {"board": params["board"], "boards": READER.listed(params["boards"], "comma")}


def waiting_elsewhere(kind: str, number: int, who: str, count: int, at: datetime) -> str:
    """Say what a device of a person last said of what waits there."""
    sentence = {
        "results": ngettext(
            "Round %(round)s: %(count)s result waits on a device of %(who)s, last heard %(at)s.",
            "Round %(round)s: %(count)s results wait on a device of %(who)s, last heard %(at)s.",
            count,
        ),
        "here": ngettext(
            "Round %(round)s: %(count)s player is marked as here only on a device of %(who)s, last heard %(at)s.",
            "Round %(round)s: %(count)s players are marked as here only on a device of %(who)s, last heard %(at)s.",
            count,
        ),
        "away": ngettext(
            "Round %(round)s: %(count)s player is marked as not here only on a device of %(who)s, last heard %(at)s.",
            "Round %(round)s: %(count)s players are marked as not here only on a device of %(who)s, last heard "
            "%(at)s.",
            count,
        ),
    }[kind]
    return sentence % {
        "round": number,
        "count": count,
        "who": isolated(who),
        "at": date_format(localtime(at), "H:i"),
    }


def waiting_here(kind: str, count: int, place: str) -> str:
    """Say what waits on the device that asks."""
    sentence = {
        "results": ngettext(
            "%(place)s: %(count)s result typed on this device is not saved.",
            "%(place)s: %(count)s results typed on this device are not saved.",
            count,
        ),
        "here": ngettext(
            "%(place)s: %(count)s player is marked as here only on this device.",
            "%(place)s: %(count)s players are marked as here only on this device.",
            count,
        ),
        "away": ngettext(
            "%(place)s: %(count)s player is marked as not here only on this device.",
            "%(place)s: %(count)s players are marked as not here only on this device.",
            count,
        ),
        "desk": ngettext(
            "%(place)s: %(count)s payment or correction noted at the desk on this device is not saved.",
            "%(place)s: %(count)s payments or corrections noted at the desk on this device are not saved.",
            count,
        ),
    }[kind]
    return sentence % {"place": isolated(place), "count": count}


def _results_waiting(params: Mapping[str, Any]) -> str:
    here = [waiting_here(*each) for each in params["here"]]
    return " ".join([*here, *(waiting_elsewhere(*each) for each in params["devices"])])


SPECIAL = {"not_own_board": _not_own_board, "results_waiting": _results_waiting}
SENTENCES = {
    "unknown_result": gettext_lazy("%(result)s is not a result."),
    "stale_result": gettext_lazy("Board %(board)s: %(by)s entered %(theirs)s first."),
    "round_not_published": gettext_lazy("Round %(round)s is a draft. Publish it before you enter results."),
    "round_finished": gettext_lazy(
        "Round %(round)s is finished: the next round is paired, or the section is closed. Use Corrections "
        "to change its results."
    ),
    "adjourned_was_played": gettext_lazy(
        "The adjourned game on board %(board)s has begun, so its result cannot be %(result)s."
    ),
    "adjourned_to_confirm": gettext_lazy(
        "Board %(board)s was adjourned in round %(round)s and has counted as a draw in every pairing since then. "
        "%(result)s counts from now on and changes no round that is already paired. The report file records this."
    ),
    "nothing_to_confirm": gettext_lazy("Board %(board)s has no result yet, so there is nothing to confirm."),
    "reading_differs": gettext_lazy(
        "Board %(board)s: the slip says %(theirs)s. Round %(round)s is finished, so its result changes as "
        "a correction."
    ),
    "game_has_result": gettext_lazy("Board %(board)s already has a result."),
    "correction_not_needed": gettext_lazy(
        "Round %(round)s is not finished. Change its results on the page Results."
    ),
    "correction_too_late": gettext_lazy(
        "Round %(round)s is too old, or the section is closed. Its results can be corrected for rating "
        "only%(article)s."
    ),
    "correction_adjourned": gettext_lazy(
        "Board %(board)s is adjourned. Enter its result on the page Results."
    ),
    "correction_same": gettext_lazy("Board %(board)s already has this result."),
    "correction_unconfirmed": gettext_lazy(
        "Round %(round)s, board %(board)s: look at the changes below, then confirm the correction."
    ),
    "points_of_teams": gettext_lazy(
        "The section comes from the file of a team event, whose report has points of teams only."
    ),
    "points_after_round": gettext_lazy(
        "Round %(round)s is not published. Points can be decided after rounds 1 to %(last)s."
    ),
    "points_out_of_range": gettext_lazy("Write at most %(most)s points, and not 0."),
    "points_below_zero": gettext_lazy("%(name)s would have less than 0 points. Take away fewer points."),
    "points_unconfirmed": gettext_lazy(
        "The points of %(name)s change after round %(round)s: %(before)s becomes %(after)s. Rounds that are "
        "already paired, up to round %(last)s, do not change. The standings and the next pairing count the new "
        "points. Players and the public see the decision, and the report file has it with its reason."
    ),
}
