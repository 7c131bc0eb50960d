"""The conditions of title norms in words, and what the program does not check (B.01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evenboard_engine.regulations.norms import Code, NormCheck, NormCondition

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

NOT_CHECKED: Sequence[StrPromise] = (
    gettext_lazy(
        "The conditions of the tournament: registration, arbiters, time control, rounds a day (1.1)."
    ),
    gettext_lazy("Direct titles and norms of championships (1.2), and team events (1.4.1b)."),
    gettext_lazy(
        "Games that a player may leave out: later games, and games against opponents who lost (1.4.1e, 1.4.1f)."
    ),
    gettext_lazy(
        "Exemptions from the conditions on federations: national championships and large Swiss tournaments (1.4.3a to "
        "1.4.3d)."
    ),
    gettext_lazy("The lower number of titled opponents in a double round robin (1.4.5f)."),
    gettext_lazy("Whether the ratings and titles are those of the list in force on the first day (1.4.6a)."),
    gettext_lazy("Whether the player already has enough norms, games and the rating for the title (1.5)."),
)


def figure(condition: NormCondition) -> str:
    """Return the value of a condition and its bound: "7, at least 5"."""
    text = _("%(value)s, at most %(bound)s") if condition.most else _("%(value)s, at least %(bound)s")
    return text % _amounts(condition)


def short_figure(condition: NormCondition) -> str:
    """Return the value of a condition and its bound, for a narrow column: "7 (≥ 5)"."""
    return ("%(value)s (≤ %(bound)s)" if condition.most else "%(value)s (≥ %(bound)s)") % _amounts(condition)


def _amounts(condition: NormCondition) -> dict[str, str]:
    unit: Callable[[int], str] = _percent if condition.code is Code.SCORE else str
    return {"value": unit(condition.value), "bound": unit(condition.bound)}


def _percent(value: int) -> str:
    return _("%(number)s %%") % {"number": value}


def raised_sentence(check: NormCheck) -> str:
    """Return that the rating of an opponent was raised (1.4.6), "" if none was."""
    if check.raised is None:
        return ""
    return _("The lowest rating, %(rating)s, counts as %(floor)s.") % {
        "rating": check.raised,
        "floor": check.norm.floor,
    }
