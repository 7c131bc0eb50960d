"""An event at work in words: the next step of each section, what is to be settled, and the plan of the day."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, ngettext, ngettext_lazy
from django.utils.translation import gettext as _

from base.cache import Cache
from base.reader import READER, date_format
from base.text import isolated
from evenboard_engine import Result
from tournaments.models import Game, Section, User
from tournaments.queries.cockpit import NextStep, cockpit
from tournaments.queries.events import EventWork, SectionState
from tournaments.rights import Right
from web.context import section_url
from web.words.last_steps import last_step_lines
from web.words.next_step_checks import device_words
from web.words.values import disputed_words, reader_words, result_sign


@dataclass(frozen=True, slots=True)
class SectionStep:
    """The next step of a section. urgency: the lowest number is pressed first. offered: the person may take it."""

    section: Section
    label: str
    url: str
    offered: bool
    urgency: int
    count: int = 0

    @property
    def name(self) -> str:
        """Return the step with its section, for the black button of the page."""
        return READER.listed([self.section.name, self.label], "colon")


StepWords = tuple[str, str, bool]
"""What a step says, its address, and whether the person may take it."""
BUTTONS = {
    NextStep.ADD_PLAYERS: (gettext_lazy("Import entries"), "import"),
    NextStep.SEE_BYES: (gettext_lazy("Byes and absences"), "byes"),
    NextStep.DRAW_COLOUR: (gettext_lazy("Draw the initial-colour by lot"), "cockpit"),
    NextStep.DRAW_LOTS: (gettext_lazy("Draw the numbers by lot"), "cockpit"),
    NextStep.SETTLE_ABSENT: (gettext_lazy("Check-in"), "check-in"),
    NextStep.PAIR: (gettext_lazy("Pair round %(n)s"), "cockpit"),
    NextStep.END_BY_HAND: (gettext_lazy("Continue pairing by hand"), "cockpit"),
    NextStep.CHECK: (gettext_lazy("Check round %(n)s"), "cockpit"),
    NextStep.PAIR_AGAIN: (gettext_lazy("Pair round %(n)s again"), "cockpit"),
    NextStep.PUBLISH: (gettext_lazy("Publish round %(n)s"), "cockpit"),
    NextStep.SETTLE_BOARDS: (
        ngettext_lazy("Decide about %(n)s board", "Decide about %(n)s boards", "n"),
        "cockpit",
    ),
    NextStep.ENTER_RESULTS: (gettext_lazy("Enter results"), "cockpit"),
    NextStep.PUBLISH_LIST: (gettext_lazy("Publish the list after round %(n)s"), "cockpit"),
    NextStep.CLOSE: (gettext_lazy("Close the section"), "close"),
}
"""The black button of a cockpit, and the page that has it or to which it leads."""
_steps: Cache[Hashable, StepWords] = Cache(500)


def section_step(state: SectionState, noted: int) -> SectionStep | None:
    """Return the next step of a section, which is the black button of its cockpit; None for a closed one.

    noted: grows with each action of the event that is of no section. The cockpit is asked only after an action in the
    section or the event, and not while games are in progress: the state has what counts then. Its queries are those of
    `cockpit`.
    """
    section, row, facts, rights = state.section, state.round, state.facts, state.rights
    if section.is_closed:
        return None
    if row and not row.is_draft and (facts["settle"] or facts["open"]):
        url, runs = section_url("enter-results", section, number=row.number), Right.RUN in rights
        count = facts["settle"] or facts["open"]
        words = BUTTONS[NextStep.SETTLE_BOARDS if facts["settle"] else NextStep.ENTER_RESULTS][0]
        if facts["clashes"]:
            url += "?show=clashes"
        return SectionStep(section, str(words % {"n": count}), url, runs, 0 if facts["settle"] else 6, count)
    label, url, offered = _steps.make(
        (section.pk, section.event.slug, get_language(), rights),
        lambda: _cockpit_step(section, rights),
        basis=(section.revision, noted),
    )
    if row is None:
        return SectionStep(section, label, url, offered, 5)
    if row.is_draft:
        return SectionStep(section, label, url, offered, 3)
    if row.number < section.rounds:
        return SectionStep(section, label, url, offered, 2, state.minutes or 0)
    return SectionStep(section, label, url, offered, 4)


def _cockpit_step(section: Section, rights: frozenset[Right]) -> StepWords:
    """Return the words and the address of the black button of a cockpit, and whether the person may press it."""
    state = cockpit(section)
    if state.last_steps:
        line = next(line for line in last_step_lines(state.last_steps, section, rights) if line.is_next)
        if line.button is None:
            return line.title, section_url("cockpit", section), False
        url = section_url("cockpit", section) if line.button.posts else line.button.url
        return line.button.name, url, True
    label, page = BUTTONS[state.step]
    number = state.next_round if state.step is NextStep.PAIR else state.current and state.current.number
    match state.step:
        case NextStep.PAIR if state.all_rounds:
            label = gettext_lazy("Pair all rounds, %(first)s to %(last)s")
        case NextStep.CHECK | NextStep.PUBLISH if state.drafts > 1:
            label, number = gettext_lazy("Publish all %(n)s drafts"), state.drafts
        case NextStep.PUBLISH_LIST if state.lists and state.lists.last:
            label = gettext_lazy("Publish the list after round %(n)s again")
        case NextStep.PUBLISH_LIST if "aro" in section.lists:
            label = gettext_lazy("Publish the ARO list after round %(n)s")
    needed = Right.ENTRIES if state.step is NextStep.ADD_PLAYERS else Right.RUN
    about = {"n": number, "first": state.next_round, "last": state.rounds}
    return str(label % about), section_url(page, section), needed in rights


def most_urgent(steps: Sequence[SectionStep | None]) -> SectionStep | None:
    """Return the step that the event waits for most: boards with two results, games without a slip, rounds to pair."""
    found = [step for step in steps if step and step.offered]
    return min(found, key=lambda step: (step.urgency, -step.count), default=None)


@dataclass(frozen=True, slots=True)
class SettleLine:
    """A matter to settle. pill: its style. about: boards and names. label, url: of the link that leads there."""

    pill: str
    word: str
    section: Section | None
    about: str
    sentence: str
    label: str
    url: str
    board: int | None = None


def settle_lines(work: EventWork, registrations: int, byes: int) -> Iterator[SettleLine]:
    """Yield what waits for an arbiter in all sections, the most urgent first; then registrations to check and byes to
    decide.
    """
    sections = {state.section.pk: state.section for state in work.states}
    for game in work.clashes:
        section = sections[game.round.section_id]
        readings = [
            _reading(game, game.entered_by, game.result, game.entered_at),
            _reading(game, game.second_by, game.second_result, game.second_at),
        ]
        url = f"{_results(section, game)}?show=clashes"
        yield _line(
            "bad", _("Two results"), section, game, READER.listed(readings, "comma"), _("Decide"), url
        )
    for game in work.disputed:
        section = sections[game.round.section_id]
        url = section_url("cockpit", section)
        yield _line("bad", _("Two results"), section, game, disputed_words(game), _("Decide"), url)
    for game in work.left:
        section = sections[game.round.section_id]
        gone = [isolated(side.player.name) for side in (game.white, game.black) if not side.is_active]
        sentence = _("Both have left the section.")
        if len(gone) == 1:
            sentence = _("%(name)s has left the section.") % {"name": gone[0]}
        yield _line(
            "bad", _("Has left"), section, game, sentence, _("Cockpit"), section_url("cockpit", section)
        )
    for game in work.ended:
        section = sections[game.round.section_id]
        sentence = _("%(by)s marked the game as finished at %(at)s. No result is entered.") % {
            "by": _who(game.over_by),
            "at": _clock(game.over_at),
        }
        url = f"{_results(section, game)}#board-{game.board}"
        yield _line("warn", _("No slip"), section, game, sentence, _("Add result"), url)
    for key, devices in work.devices.items():
        for device in device_words(devices):
            section, sentence = sections[key], " ".join(device.sentences)
            url = section_url("cockpit", section)
            yield SettleLine("warn", _("Not sent"), section, "", sentence, _("Cockpit"), url)
    queue = reverse("registrations:registrations", args=[work.event.slug])
    if registrations:
        sentence = ngettext(
            "%(n)s registration waits for a decision.",
            "%(n)s registrations wait for a decision.",
            registrations,
        )
        yield SettleLine(
            "", _("Registration"), None, "", sentence % {"n": registrations}, _("Registrations"), queue
        )
    if byes:
        sentence = ngettext("%(n)s bye is asked for.", "%(n)s byes are asked for.", byes) % {"n": byes}
        yield SettleLine("", _("Byes"), None, "", sentence, _("Registrations"), queue)


def _line(
    pill: str, word: str, section: Section, game: Game, sentence: str, label: str, url: str
) -> SettleLine:
    names = f"{isolated(game.white.player.name)} – {isolated(game.black.player.name)}"
    return SettleLine(pill, word, section, names, sentence, label, url, game.board)


def _results(section: Section, game: Game) -> str:
    return section_url("enter-results", section, number=game.round.number)


def _reading(game: Game, by: User | None, result: str, at: datetime | None) -> str:
    who = _who(by) if by else reader_words("", result, game.pressed) or "?"
    values = {"by": who, "result": result_sign(Result(result)) if result else "–", "at": _clock(at)}
    return _("%(by)s %(result)s at %(at)s") % values


def _who(user: User | None) -> str:
    return isolated(user.label) if user else "?"


def _clock(moment: datetime | None) -> str:
    return date_format(localtime(moment), "H:i") if moment else "?"


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A line of the plan of the day. state: past, now, or "" for what comes."""

    at: str
    words: str
    state: str


def plan_lines(work: EventWork, day: date) -> list[PlanLine]:
    """Return the rounds of the day with the sections that play them, and where today is now; [] for a day without."""
    now, today = localtime().time(), localtime().date()
    before: list[PlanLine] = []
    after: list[PlanLine] = []
    for start in work.plan:
        words = [
            READER.listed(
                [
                    READER.listed([isolated(section.name) for section in sections], "comma"),
                    _("Round %(number)s") % {"number": number},
                ],
                "colon",
            )
            for number, sections in start.rounds
        ]
        past = day < today or (day == today and start.at is not None and start.at <= now)
        at = date_format(start.at, "H:i") if start.at else ""
        (before if past else after).append(
            PlanLine(at, READER.listed(words, "semicolon"), "past" if past else "")
        )
    here = [PlanLine(date_format(now, "H:i"), _("Now"), "now")] if work.plan and day == today else []
    return [*before, *here, *after]
