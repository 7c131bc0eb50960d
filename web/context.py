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

from tournaments.models import Event, Round, Section, User
from tournaments.models.events import EventState
from tournaments.queries.events import SectionState
from tournaments.queries.field import current_round_of, round_mark_of, unfinished_rounds
from tournaments.queries.log import last_change
from tournaments.rights import PEOPLE, Right
from tournaments.rules import rights_in

UNDO_OFFERS = "undo_offers"
"""Where a session keeps what the person can undo, by section."""
# A longer line of rounds is shown in part: the first, the last, and those around the round of the page.
LONGEST_LINE = 12


@dataclass(frozen=True, slots=True)
class Tab:
    """A page in the navigation of a section. key: the `tab` that its page passes to `section_context`.

    kept: the address of this page for round 0, "" for a page without a round: static/js/frame.js puts the round there
    that was looked at last.
    """

    key: str
    label: str
    url: str
    current: bool
    kept: str = ""

    @property
    def letter(self) -> str:
        """Return the letter that opens the tab when it is typed after g; "" for none."""
        return LETTERS.get(self.key, "")


@dataclass(frozen=True, slots=True)
class TabGroup:
    """A group of pages in the frame of those who work on a section."""

    key: str
    label: str
    tabs: tuple[Tab, ...]

    @property
    def current(self) -> bool:
        return any(tab.current for tab in self.tabs)

    @property
    def url(self) -> str:
        return self.tabs[0].url


@dataclass(frozen=True, slots=True)
class RoundStop:
    """A round in the line of rounds. state: done, live, draft or later. url: "" for a round without a page.

    key: the key that leads there, "," for the round before the one that is shown and "." for the one after it.
    """

    number: int
    state: str
    url: str
    current: bool
    gap_before: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class ResultPages:
    """Where a person changes a result: the form of its correction, or while the round is in play that of its entry.

    states: those of the rounds, by number.
    """

    section: Section
    states: Mapping[int, str]
    corrects: bool
    enters: bool

    def of(self, number: int, board: int, *, adjourned: bool) -> str:
        """Return the address for a board of a round; "" if the person may not change its result, or nobody may."""
        state = self.states.get(number, Round.State.DRAFT)
        if state == Round.State.FINISHED and not adjourned:
            return section_url("correct", self.section, number=number, board=board) if self.corrects else ""
        if state == Round.State.DRAFT or not self.enters:
            return ""
        return section_url("board-result", self.section, number=number, board=board)


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
    "corrections": "o",
    "crosstable": "x",
    "fairness": "f",
    "check-in": "i",
    "names": "n",
    "screens": "w",
    "prizes": "z",
    "tie-breaks": "k",
}
# Tabs with a page for each round, and the name of that page.
BY_ROUND = {
    "results": "results",  # for people who run the section: enter-results
    "pairings": "pairings",
    "names": "names",
    "standings": "standings",
    "aro": "aro",
    "corrections": "corrections",
}
# The tab under which visitors find a page that has a tab of its own for arbiters.
FOR_VISITORS = {
    "names": "pairings",
    **dict.fromkeys(("crosstable", "fairness", "statistics", "published"), "standings"),
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

    tab: the key of a tab (`_groups`). round_number: the round that the page shows, or None.
    """
    rights = rights_in(request.user, section)
    staff, at_rest = Right.SEE in rights, section.event.is_archived
    rounds = [row for row in section.played_rounds.order_by("number") if staff or not row.is_draft]
    unfinished = unfinished_rounds(section) if section.fixed_rounds else frozenset()
    latest = current_round_of(section, rounds, unfinished)
    return {
        "event": section.event,
        "section": section,
        "is_staff_here": staff,
        **_navigation(section, tab, rights, rounds, latest, round_number),
        "stops": _stops(section, _states(rounds, latest, unfinished), tab, round_number, latest, rights),
        "latest_round": latest,
        "awaited_round": _awaited(section, rounds),
        "last_change": partial(last_change, section),
        "stays": _stays(request),
        "news": _news(request, section, rounds, unfinished),
        "result_pages": ResultPages(
            section,
            {row.number: row.state for row in rounds},
            corrects=Right.DIRECT in rights and not at_rest,
            enters={Right.SEE, Right.RESULTS} <= rights and not section.is_closed and not at_rest,
        ),
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


def _navigation(
    section: Section,
    tab: str,
    rights: frozenset[Right],
    rounds: Sequence[Round],
    latest: Round | None,
    shown: int | None,
) -> dict[str, Any]:
    """Return the groups of pages and the tabs of the current group; for visitors the tabs alone.

    The pages keep the round that this page shows, unless it is the one that people are busy with.
    """
    if not rights & {Right.SEE, Right.RESULTS, Right.SEE_PRESENCE}:
        return {"tabs": _tabs(section, FOR_VISITORS.get(tab, tab), latest)}
    last = rounds[-1].number if rounds else 0
    number = shown if shown and shown <= last and shown != (latest.number if latest else None) else None
    groups = _groups(section, tab, rights, latest, number)
    group = next((each for each in groups if each.current), None)
    whole_event = rights & {Right.MANAGE} | (PEOPLE if Right.NAME in rights else frozenset())
    return {
        "tab_groups": groups,
        "tabs": group.tabs if group else (),
        "event_tabs": event_tabs(section.event, whole_event, ""),
        "here": tab,
        "kept_round": shown and (number or 0),
    }


def _tabs(section: Section, tab: str, latest: Round | None) -> list[Tab]:
    def page(key: str, label: str, name: str) -> Tab:
        return Tab(key, label, section_url(name, section), key == tab)

    return [
        page("pairings", pgettext("a tab", "Pairings"), "pairings"),
        page("results", _("Results"), "results"),
        *([page("rounds", _("All rounds"), "all-rounds")] if section.fixed_rounds else []),
        page("standings", pgettext("a tab", "Standings"), "standings"),
        *([page("aro", pgettext("a tab", "ARO list"), "aro")] if "aro" in section.lists else []),
        page("players", _("Players"), "players"),
    ]


def _groups(
    section: Section, tab: str, rights: frozenset[Right], latest: Round | None, number: int | None
) -> list[TabGroup]:
    """Return the five groups with the pages that the person may open, without those that are empty."""
    sees, fixed = Right.SEE in rights, section.fixed_rounds
    at = number or (latest.number if latest else 1)

    def page(key: str, label: str, *, name: str = "", shown: bool = True, always: bool = False) -> list[Tab]:
        if not shown:
            return []
        name = name or key
        chosen = at if always else number if key in BY_ROUND else None
        url = section_url(name, section, **({} if chosen is None else {"number": chosen}))
        kept = section_url(name, section, number=0) if key in BY_ROUND else ""
        return [Tab(key, label, url, key == tab, kept)]

    enters = latest is not None and Right.RESULTS in rights
    groups = [
        TabGroup(
            "round",
            _("Round"),
            (
                *page("cockpit", _("Cockpit"), shown=sees),
                *page("results", _("Results"), name="enter-results" if enters else "results", always=enters),
                *page("pairings", pgettext("a tab", "Pairings")),
                *page("rounds", _("All rounds"), name="all-rounds", shown=fixed),
                *page("corrections", _("Corrections"), shown=sees, always=True),
                *page("incidents", _("Incidents"), shown=latest is not None and Right.SEE_RESULTS in rights),
            ),
        ),
        TabGroup(
            "lists",
            _("Lists"),
            (
                *page("standings", pgettext("a tab", "Standings")),
                *page("aro", pgettext("a tab", "ARO list"), shown="aro" in section.lists),
                *page("published", _("Published"), shown=bool(section.lists) and "aro" not in section.lists),
                *page("crosstable", _("Crosstable")),
                *page("fairness", _("Fairness"), shown=not fixed),
                *page("statistics", _("Statistics"), shown=sees or section.is_closed),
            ),
        ),
        TabGroup(
            "players",
            _("Players"),
            (
                *page("entries", _("Entries"), shown=sees),
                *page("check-in", _("Check-in"), shown=Right.SEE_PRESENCE in rights and not fixed),
                *page("byes", _("Byes"), shown=sees and not fixed),
                *page("names", _("By name")),
                *page("players", _("Starting list")),
                *page("hall-map", _("Hall map"), shown=bool(section.hall_rooms)),
            ),
        ),
        TabGroup(
            "paper",
            _("Paper and screens"),
            (
                *page("documents", _("Documents"), shown=sees),
                *page("screens", _("Screens"), shown=sees),
                *page("other-sites", _("For other web sites"), shown=sees),
            ),
        ),
        TabGroup(
            "section",
            _("Section"),
            (
                *page("settings", _("Settings"), shown=sees),
                *page("prizes", _("Prizes"), shown=sees),
                *page("tie-breaks", _("Tie-breaks"), shown=sees),
                *page("log", _("Log"), shown=sees),
                *page("rules", _("Rules")),
            ),
        ),
    ]
    return [group for group in groups if group.tabs]


def section_tab_url(tab: str, state: SectionState) -> str:
    """Return the page of another section that has this tab, or the page that the section opens with."""
    section, row = state.section, state.round
    for group in _groups(section, tab, state.rights, row, None):
        for page in group.tabs:
            if page.current:
                return page.url
    return section_url("section", section)


# The pages of an event and of the server, which have no groups.

OF_ACCOUNT = (
    "account",
    "password",
    "result-keys",
    "language",
    "mail",
    "own-programs",
    "second-factor",
    "new-phone",
)
OF_PEOPLE = ("people", "invite", "made-login", "make-login", "remove-person", "password-link", "own-boards")


def event_tabs(event: Event, rights: frozenset[Right], here: str, *, registers: bool = False) -> list[Tab]:
    """Return the pages of an event that the person may open. here: the name of this address."""
    asks = registers and bool(rights & {Right.SEE_REGISTRATIONS, Right.DESK})
    manages = Right.MANAGE in rights
    archived = event.state == EventState.ARCHIVED
    life = "tournaments:event-life", _("Next year, archive or delete")
    edit = life if archived else ("tournaments:edit-event", _("Edit event"))
    queue = "registrations" if manages or Right.SEE_REGISTRATIONS in rights else "registration-desk"
    shown = [
        ("tournaments:event", _("Overview"), ("event/", "new-section"), True),
        (f"registrations:{queue}", _("Registration"), ("registrations:",), manages or asks),
        ("tournaments:people", _("People"), OF_PEOPLE, Right.SEE_PEOPLE in rights),
        ("tournaments:hall-screens", _("Screens"), ("hall-screen",), Right.RUN in rights),
        ("tournaments:event-rating-lists", _("Rating lists"), ("event-rating-list",), manages),
        (
            "tournaments:programs",
            _("Access for programs"),
            ("programs", "webhooks"),
            manages and not archived,
        ),
        (*edit, ("edit-event", "event-life", "delete-event", "next-year"), manages),
    ]
    return [
        Tab(name, label, reverse(name, args=[event.slug]), f"{here}/".startswith(of))
        for name, label, of, may in shown
        if may
    ]


def server_tabs(user: User, here: str) -> list[Tab]:
    """Return the pages of the server that the person may open."""
    pages = [
        ("home", _("All events"), ("home", "new-event", "load-copy"), True),
        ("tournaments:rating-lists", _("Rating lists"), ("rating-list",), user.keeps_lists or user.owns_site),
        ("tournaments:site", _("Site"), ("site",), user.owns_site),
        ("tournaments:spare", _("Spare"), ("spare",), user.owns_site),
        ("status", _("Status"), ("status",), user.owns_site),
        ("account", _("Account"), OF_ACCOUNT, True),
    ]
    return [Tab(name, label, reverse(name), here.startswith(of)) for name, label, of, may in pages if may]


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
    base = tab if tab in BY_ROUND else FOR_VISITORS.get(tab, "pairings")
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
            key={-1: ",", 1: "."}.get(number - shown, "") if shown else "",
        )
        for number in numbers
    ]


def _in_view(rounds: int, around: int) -> Iterable[int]:
    if rounds <= LONGEST_LINE:
        return range(1, rounds + 1)
    first = max(1, min(around - 4, rounds - 9))
    return sorted({1, rounds, *range(first, min(first + 9, rounds) + 1)})
