"""Context for every page of a section: its name, the tabs, the line of rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.models import Round, Section
from tournaments.queries.field import current_round_of, round_mark_of, unfinished_rounds
from tournaments.queries.log import last_change
from tournaments.rights import Right
from tournaments.rules import rights_in

# A longer line of rounds is shown in part: the first, the last, and those around the round of the page.
LONGEST_LINE = 12


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a section. key: the `tab` that its page passes to `section_context`."""

    key: str
    label: str
    url: str
    current: bool

    @property
    def letter(self) -> str:
        """Return the letter that opens the tab when it is typed after g; "" for none."""
        return LETTERS.get(self.key, "")


@dataclass(frozen=True, slots=True)
class RoundStop:
    """A round in the line of rounds. state: done, live, draft or later. url: "" for a round without a page."""

    number: int
    state: str
    url: str
    current: bool
    gap_before: bool = False


LETTERS = {
    "cockpit": "c",
    "results": "r",
    "pairings": "p",
    "standings": "s",
    "aro": "a",
    "players": "y",
    "entries": "e",
    "byes": "b",
    "documents": "d",
    "log": "l",
    "settings": "t",
}
# Tabs with a page for each round, and the name of that page.
BY_ROUND = {
    "results": "results",  # for people who run the section: enter-results
    "pairings": "pairings",
    "names": "names",
    "standings": "standings",
    "aro": "aro",
}


def section_url(name: str, section: Section, **more: object) -> str:
    """Return the address of a page of a section. more: further parts of the address, such as number."""
    parts = {"event": section.event.slug, "section": section.slug, **more}
    return reverse(f"tournaments:{name}", kwargs=parts)


def section_context(
    request: HttpRequest, section: Section, tab: str, round_number: int | None = None
) -> dict[str, Any]:
    """Return the context of templates/section.html. Two or three SQL queries, for any number of players and rounds; one
    more where all rounds are fixed, and one more on pages that say when the section last changed (`last_change`).

    tab: cockpit, results, pairings, rounds, standings, aro, players, entries, byes, documents, log, settings.
    round_number: the round that the page shows, or None.
    """
    rights = rights_in(request.user, section)
    staff = Right.SEE in rights
    rounds = [row for row in section.played_rounds.order_by("number") if staff or not row.is_draft]
    unfinished = unfinished_rounds(section) if section.fixed_rounds else frozenset()
    latest = current_round_of(section, rounds, unfinished)
    return {
        "event": section.event,
        "section": section,
        "is_staff_here": staff,
        "tabs": _tabs(section, tab, rights, latest),
        "stops": _stops(section, _states(rounds, latest, unfinished), tab, round_number, latest, rights),
        "latest_round": latest,
        "awaited_round": _awaited(section, rounds),
        "last_change": partial(last_change, section),
        "stays": _stays(request),
        "news": _news(request, section, rounds, unfinished),
    }


def _awaited(section: Section, rounds: Sequence[Round]) -> int | None:
    """Return the number of the next round to be published, None after the last one."""
    number = max((row.number for row in rounds if not row.is_draft), default=0) + 1
    return None if section.is_closed or number > section.rounds else number


def _stays(request: HttpRequest) -> bool:
    """Return whether the page is about a round or a player: it says that a later round is out, and stays as it is.

    If cards loaded themselves again, each new round would make those of all players at the same moment.
    """
    parts = request.resolver_match.kwargs if request.resolver_match else {}
    return "number" in parts or "tpn" in parts


def _news(
    request: HttpRequest, section: Section, rounds: Sequence[Round], unfinished: Collection[int]
) -> str:
    """Return the address at which the open page asks whether the current round is still the same.

    A page that stays asks about the latest round that it knows, because only this one can be withdrawn. Where all
    rounds are fixed, and of a draft, it asks about its own.
    """
    published = [row for row in rounds if not row.is_draft]
    number = None
    if _stays(request) and request.resolver_match:
        own = request.resolver_match.kwargs.get("number")
        draft = any(row.is_draft and row.number == own for row in rounds)
        number = own if draft or section.fixed_rounds else published[-1].number if published else 0
    return news_address(section, number, round_mark_of(section, published, unfinished, number))


def news_address(section: Section, number: int | None, mark: str) -> str:
    """Return the address at which an open page asks that knows this mark of the round, or of the current one."""
    address = section_url("news", section, **({} if number is None else {"number": number}))
    return f"{address}?{urlencode({'seen': section.revision, 'round': mark})}"


def _tabs(section: Section, tab: str, rights: frozenset[Right], latest: Round | None) -> list[Tab]:
    def page(key: str, label: str, name: str, **more: object) -> Tab:
        return Tab(key, label, section_url(name, section, **more), key == tab)

    enters = Right.RESULTS in rights
    results = page("results", _("Results"), "enter-results", number=latest.number) if latest else None
    shown = [results] if enters and results else []
    middle = [
        page("pairings", pgettext("a tab", "Pairings"), "pairings"),
        *([] if enters else [page("results", _("Results"), "results")]),
        *([page("rounds", _("All rounds"), "all-rounds")] if section.fixed_rounds else []),
        page("standings", pgettext("a tab", "Standings"), "standings"),
        *([page("aro", pgettext("a tab", "ARO list"), "aro")] if "aro" in section.lists else []),
        page("players", _("Players"), "players"),
    ]
    takes_presence = Right.SEE_PRESENCE in rights and not section.fixed_rounds
    if Right.SEE not in rights:
        return [
            *shown,
            *([page("check-in", _("Check-in"), "check-in")] if takes_presence else []),
            *middle,
        ]
    return [
        page("cockpit", _("Cockpit"), "cockpit"),
        *shown,
        *middle,
        page("entries", _("Entries"), "entries"),
        *([] if section.fixed_rounds else [page("byes", _("Byes"), "byes")]),
        page("documents", _("Documents"), "documents"),
        page("log", _("Log"), "log"),
        page("settings", _("Settings"), "settings"),
    ]


def _states(rounds: Sequence[Round], current: Round | None, unfinished: Collection[int]) -> dict[int, str]:
    """Return the state of each round. Of several published rounds only the current one is live."""

    def state(row: Round) -> str:
        if row.is_draft:
            return "draft"
        if row.is_published and row == current:
            return "live"
        return "later" if row.pk in unfinished else "done"

    return {row.number: state(row) for row in rounds}


def _stops(
    section: Section,
    states: Mapping[int, str],
    tab: str,
    shown: int | None,
    latest: Round | None,
    rights: frozenset[Right],
) -> list[RoundStop]:
    last = max(states, default=0)
    base = tab if tab in BY_ROUND else "pairings"
    name = "enter-results" if Right.RESULTS in rights and base == "results" else BY_ROUND[base]
    reach = last + (base == "aro")  # there is an ARO list for the next round too
    numbers = list(_in_view(section.rounds, shown or (latest.number if latest else 1)))
    return [
        RoundStop(
            number=number,
            state=states.get(number, "later"),
            url=section_url(name, section, number=number) if number <= reach else "",
            current=number == shown,
            gap_before=number > 1 and number - 1 not in numbers,
        )
        for number in numbers
    ]


def _in_view(rounds: int, around: int) -> Iterable[int]:
    if rounds <= LONGEST_LINE:
        return range(1, rounds + 1)
    first = max(1, min(around - 4, rounds - 9))
    return sorted({1, rounds, *range(first, min(first + 9, rounds) + 1)})
