"""Why something was refused: results and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

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
            "Round %(round)s: %(count)s result waits on a device of %(who)s (last connection %(at)s).",
            "Round %(round)s: %(count)s results wait on a device of %(who)s (last connection %(at)s).",
            count,
        ),
        "here": ngettext(
            "Round %(round)s: %(count)s player is marked as here only on a device of %(who)s (last connection %(at)s).",
            "Round %(round)s: %(count)s players are marked as here only on a device of %(who)s (last connection "
            "%(at)s).",
            count,
        ),
        "away": ngettext(
            "Round %(round)s: %(count)s player is marked as not here only on a device of %(who)s (last connection "
            "%(at)s).",
            "Round %(round)s: %(count)s players are marked as not here only on a device of %(who)s (last connection "
            "%(at)s).",
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
