"""An event in which everything that people type is hostile: markup, quotes, a formula, letters from right to left."""

from __future__ import annotations

from html.parser import HTMLParser

from evenboard_engine import ByeKind, Colour
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds import draw_initial_colour, pair_next_round, publish_round
from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.web.staff.conftest import enter, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.byes import request_bye
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.entries import add_participant, edit_participant, withdraw_participant
from tournaments.actions.entry_lists import import_entries
from tournaments.actions.events import edit_event
from tournaments.actions.forbidden_pairs import forbid_pair, keep_apart
from tournaments.actions.hall import set_hall_message
from tournaments.actions.incidents import note_incident
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in, open_check_in
from tournaments.actions.prizes import set_prizes
from tournaments.actions.results import confirm_result
from tournaments.actions.sections import (
    close_section,
    create_section,
    edit_section,
    leave_fide_mode,
)
from tournaments.actions.undo import undo
from tournaments.entry_data import EntryData, ImportRow
from tournaments.models import Event, EventRole, PrizeCategory, PrizePlan, Section
from tournaments.seating import SeatingStep, SeatMove

MARK = "x-h"
"""An element that no template has."""
ATTRIBUTE = "onfocus"
"""An attribute that no template has."""


def hostile(what: str) -> str:
    """Return a text that begins an element, ends an attribute in either kind of quotes, is a formula in a table, and
    has letters of five scripts, one of them from right to left.
    """
    return f'=<{MARK} {ATTRIBUTE}=1>O\'Neil & "Söhne" {ATTRIBUTE}=2 ЖΩ王עב {what}'


class _Finder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if comes_from_text(tag, attrs):
            self.found.append(self.get_starttag_text() or tag)


def comes_from_text(tag: str, attrs: list[tuple[str, str | None]]) -> bool:
    """Return whether an element came from a hostile text."""
    return tag.startswith(MARK) or ATTRIBUTE in dict(attrs)


def escaped_twice(html: str) -> list[str]:
    return [text for text in ("&amp;lt;", "&amp;quot;", "&amp;#x27;", "&amp;amp;") if text in html]


def injected(html: str) -> list[str]:
    """Return the elements of a page that came from a hostile text, and texts that were escaped twice."""
    finder = _Finder()
    finder.feed(html)
    return finder.found + escaped_twice(html)


class Hall:
    """A hostile event with one section: in the middle of play, by hand, before a round, or closed."""

    WHICH = ("middle", "by hand", "before", "closed")

    def __init__(self, which: str) -> None:
        self.event: Event = EventFactory(slug="hostile", federation="NED")
        self.user = UserFactory(
            username=hostile("username"),
            first_name=hostile("first name"),
            last_name=hostile("last name"),
            email="a@b.org",
            is_superuser=True,
        )
        EventRoleFactory(event=self.event, user=self.user, role=EventRole.Role.OWNER)
        self.colleague = EventRoleFactory(
            event=self.event, user=UserFactory(username=hostile("colleague"))
        ).user
        self.guest = UserFactory(username=hostile("guest"))
        self.actor = Actor(user=self.user, origin=hostile("origin"))
        edit_event(
            actor=self.actor,
            event=self.event,
            name=hostile("event"),
            city=hostile("city"),
            chief_arbiter=hostile("chief arbiter"),
            deputy_arbiters=f"{hostile('deputy one')}\n{hostile('deputy two')}",
            time_control=hostile("time control"),
        )
        self.event.refresh_from_db()
        self.section: Section = {
            "middle": self._middle,
            "by hand": self._by_hand,
            "before": self._before,
            "closed": self._closed,
        }[which]()

    def _section(self, slug: str, players: int = 8) -> Section:
        section = create_section(actor=self.actor, event=self.event, name=hostile(slug), rounds=5)
        section.slug = slug
        section.save(update_fields=["slug"])
        rows = [ImportRow(entry=self._entry(slug, number)) for number in range(1, players + 1)]
        import_entries(actor=self.actor, section_id=section.pk, rows=rows)
        of_all = PrizeCategory(hostile("prizes"), (100,) * 20)
        of_club = PrizeCategory(hostile("prizes 2"), (100,), club=hostile("club"))
        plan = PrizePlan((of_all, of_club), currency="=<x>", withdrawn=True)
        set_prizes(actor=self.actor, section_id=section.pk, plan=plan)
        draw_initial_colour(actor=self.actor, section_id=section.pk, colour=Colour.WHITE)
        section.refresh_from_db()
        return section

    def _entry(self, slug: str, number: int) -> EntryData:
        return EntryData(
            name=hostile(f"{slug} player {number}"),
            rating=2400 - 10 * max(number, 3) if number < 7 else 2300,
            club=hostile(f"{slug} club {number}"),
            note=hostile(f"{slug} note {number}"),
            rating_list="=<x-h>",
            federation="NED",
        )

    def key(self, section: Section, tpn: int) -> int:
        return section.participants.get(tpn=tpn).pk

    def _middle(self) -> Section:
        """Round 1 finished and corrected; round 2 with a result that two arbiters read differently, and open boards."""
        section, actor = self._section("middle", 9), self.actor
        set_hall_message(actor=actor, section_id=section.pk, message=hostile("message"))
        forbid_pair(
            actor=actor,
            section_id=section.pk,
            players=(self.key(section, 1), self.key(section, 2)),
            reason=hostile("forbidden"),
        )
        for value, strict in ((hostile("family"), True), (hostile("group"), False)):
            keep_apart(
                actor=actor,
                section_id=section.pk,
                kind="players",
                value=value,
                players=[self.key(section, tpn) for tpn in (range(3, 5) if strict else range(3, 10))],
                strict=strict,
                reason=hostile("rule"),
            )
        first = played(section)
        request_bye(actor=actor, participant_id=self.key(section, 9), round_number=3, kind=ByeKind.HALF)
        second = paired(section)
        corrected = first.games.get(board=2)
        correct_result(
            actor=actor,
            game_id=corrected.pk,
            result="1-0",
            seen_version=corrected.version,
            turned=True,
            reason=hostile("correction"),
            confirmed=True,
        )
        rated = first.games.get(board=1)
        correct_for_rating(
            actor=actor,
            game_id=rated.pk,
            result="0-1",
            seen_version=rated.version,
            reason=hostile("for rating"),
            confirmed=True,
        )
        game = enter(second.games.get(board=1), "1-0")
        other = Actor(user=self.colleague, origin="other")
        confirm_result(actor=other, game_id=game.pk, result="0-1", seen_version=game.version)
        for board in second.games.order_by("board")[1:3]:
            about = {"section_id": section.pk, "participant_id": board.white_id, "round_number": 2}
            note_incident(actor=actor, **about, kind="claim", note=hostile("incident"))
        withdraw_participant(
            actor=actor, participant_id=self.key(section, 8), reason=hostile("withdrawn"), expelled=True
        )
        late = EntryData(name=hostile("late"), rating=2100, first_round=4)
        late_entry = add_participant(actor=actor, section_id=section.pk, entry=late, asked=True)
        changed = EntryData(name=hostile("late, changed"), rating=2110, first_round=4)
        edit_participant(actor=actor, participant_id=late_entry.pk, entry=changed, asked=True)
        section.refresh_from_db()
        undo(actor=actor, section_id=section.pk, revision=section.revision, reason=hostile("undone"))
        return section

    def _by_hand(self) -> Section:
        """Round 1 was paired by hand, round 2 is a draft that is being changed by hand."""
        section, actor = self._section("by-hand"), self.actor
        leave_fide_mode(actor=actor, section_id=section.pk, reason=hostile("mode"), asked=True)
        row = paired(section, published=False)
        row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
        one, two = row.games.order_by("board")[:2]
        step = SeatingStep(SeatMove.SWAP, one.white_id, two.white_id)
        row, _ = change_by_hand(
            actor=actor, round_id=row.pk, seen_version=row.version, step=step, confirmed=True
        )
        row = end_manual_phase(
            actor=actor,
            round_id=row.pk,
            seen_version=row.version,
            reason=hostile("by hand"),
            confirmed=True,
        )
        row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
        for game in row.games.all():
            enter(game, "1-0")
        draft = pair_next_round(actor=actor, section_id=section.pk, after_round=1)
        draft = begin_manual_phase(actor=actor, round_id=draft.pk, seen_version=draft.version)
        game = draft.games.order_by("board")[0]
        step = SeatingStep(SeatMove.UNPAIR, game.white_id)
        change_by_hand(actor=actor, round_id=draft.pk, seen_version=draft.version, step=step, confirmed=True)
        section.refresh_from_db()
        return section

    def _before(self) -> Section:
        """Round 2 is not paired yet; the check-in is open, and some players have not come."""
        section = self._section("before")
        edit_section(actor=self.actor, section_id=section.pk, half_bye_limit=1)
        played(section)
        open_check_in(actor=self.actor, section_id=section.pk, after_round=1)
        check_in(actor=self.actor, participant_id=self.key(section, 1), round_number=2)
        section.refresh_from_db()
        return section

    def _closed(self) -> Section:
        section = self._section("closed", 4)
        played(section)
        close_section(actor=self.actor, section_id=section.pk, early=True, reason=hostile("closed early"))
        section.refresh_from_db()
        return section
