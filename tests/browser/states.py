"""Sections in each state that a page can show, and the people who look at them."""

from __future__ import annotations

from collections.abc import Callable

from evenboard_engine.prizes import Method
from pairing.by_hand import begin_manual_phase, change_by_hand
from pairing.rounds import pair_all_rounds, publish_all_rounds
from registrations.actions.edits import ask_new_address, change_registration, label_many
from registrations.actions.event_lock import PLAYER
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration
from registrations.states import RegistrationState
from tests.browser.people import section_of_people
from tests.factories import (
    EACH_CLUB_APART,
    ByeFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    GameFactory,
    RoundFactory,
    UserFactory,
)
from tests.registrations.factories import ORGANISER, desk, sent
from tests.web.staff.conftest import enter, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.presence import check_in, open_check_in
from tournaments.actions.prizes import set_prizes
from tournaments.actions.results import confirm_result, mark_over
from tournaments.actions.sections import close_section
from tournaments.actions.stored_copies import take_copy
from tournaments.models import Bye, EventRole, Game, PrizeCategory, PrizePlan, Section, User
from tournaments.seating import SeatingStep, SeatMove


def empty() -> Section:
    return section_of_people(0, initial_colour="")


def asked() -> Section:
    """Check-in of round 2 is open, and three people are here."""
    section = section_of_people(9, rounds=7)
    played(section)
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=1)
    for entry in section.participants.order_by("tpn")[:3]:
        check_in(actor=Actor.command(), participant_id=entry.pk, round_number=2)
    return section


def running() -> Section:
    """Round 3 with a bye, results, an adjourned game, a clash, a board without a slip, and boards in play."""
    section = section_of_people(
        17, rounds=7, longer_than_30_days=True, period_starts=[4], players_confirm="beside"
    )
    women = PrizeCategory("Women", (10000,), sex="w", rating_to=2199)
    plan = PrizePlan((PrizeCategory("General", (50000, 30000, 20000), Method.HORT), women), currency="EUR")
    set_prizes(actor=Actor.command(), section_id=section.pk, plan=plan)
    played(section)
    played(section)
    entry = section.participants.get(tpn=16)
    request_bye(actor=Actor.command(), participant_id=entry.pk, round_number=3, kind="H")
    games = list(paired(section).games.order_by("board"))
    for game, result in zip(games, ("1-0", "1/2", "+:-", "adj", "0-1"), strict=False):
        enter(game, result)
    clash = games[0]
    clash.refresh_from_db()
    confirm_result(actor=Actor.command(), game_id=clash.pk, result="0-1", seen_version=clash.version)
    mark_over(actor=Actor.command(), game_id=games[6].pk, over=True, seen_version=games[6].version)
    people = section.participants
    ForbiddenPairFactory(section=section, first=people.get(tpn=5), second=people.get(tpn=6))
    section.apart_rules = [EACH_CLUB_APART]
    section.hall_rooms = "1-6/3 Main hall\n7-30 Room B, first floor"
    section.save(update_fields=["apart_rules", "hall_rooms"])
    take_copy(section, "asked")
    return section


def by_hand() -> Section:
    """Round 2 is a draft in which two players have changed places and two are not paired."""
    section = section_of_people(15, rounds=7)
    played(section)
    row = paired(section, published=False)
    row = begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    one, other, third = row.games.order_by("board")[:3]
    for step in (
        SeatingStep(SeatMove.SWAP, one.white_id, other.white_id),
        SeatingStep(SeatMove.UNPAIR, third.white_id),
    ):
        row, _concerns = change_by_hand(
            actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
        )
    return section


def table() -> Section:
    """A double round robin of seven: all rounds are published, round 1 is played, and a player has left."""
    section = section_of_people(
        7, rounds=14, system="round-robin", options={"cycles": "2"}, initial_colour=""
    )
    draw_lots(actor=Actor.command(), section_id=section.pk, seed="club night")
    pair_all_rounds(actor=Actor.command(), section_id=section.pk, after_round=0)
    publish_all_rounds(actor=Actor.command(), section_id=section.pk)
    for game in Game.objects.filter(round__section=section, round__number=1):
        enter(game, "1/2")
    withdraw_participant(actor=Actor.command(), participant_id=section.participants.get(tpn=7).pk)
    return section


def stuck() -> Section:
    """Round 1 of the tenth example of the Dubov System of 1997, which cannot finish round 2."""
    section = section_of_people(5, rounds=3, system="dubov-1997", initial_colour="w")
    tpns = {entry.tpn: entry for entry in section.participants.all()}
    row = RoundFactory(section=section, number=1)
    for board, (white, black, result) in enumerate(((1, 3, "1/2"), (4, 2, "0-1")), start=1):
        GameFactory(round=row, board=board, white=tpns[white], black=tpns[black], result=result)
    ByeFactory(participant=tpns[5], round_number=1, kind="U", source=Bye.Source.ALLOCATED)
    return section


def registering() -> Section:
    """Registrations of many kinds: the first one is accepted and was changed, and others wait for a place."""
    section = desk(fee=2500, capacity=5, young_age=20, young_off=1000, rating_to=2400, acceptance="hand")
    EventRegistration.objects.filter(event=section.event).update(
        intro="Bring your own pen.", asks_phone=True, questions=["Do you eat with us?"]
    )
    names = ("Hrubeš, Vojtěch", "Szűcs, Örs", "Lindqvist, Åke", "Tamm, Külli", "Berg, Bo", "Weiß, Götz")
    first, second, third, *_others = (sent(section, name, club="Rijswijk") for name in names)
    label_many(event=section.event, keys=[first.pk, second.pk], name="team", on=True, by=ORGANISER)
    for one in (first, second):
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    change_registration(registration_id=first.pk, values={"rating": 1900}, by=PLAYER)
    ask_new_address(registration_id=first.pk, address="new@example.org")
    move_registration(
        registration_id=third.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="Which club?"
    )
    return section


def closed() -> Section:
    section = section_of_people(9, rounds=2)
    played(section)
    played(section)
    close_section(actor=Actor.command(), section_id=section.pk)
    return section


STATES: dict[str, Callable[[], Section] | None] = {
    "nothing": None,
    "empty": empty,
    "check-in": asked,
    "running": running,
    "by hand": by_hand,
    "table": table,
    "closed": closed,
    "registering": registering,
}


def person(who: str, section: Section | None) -> User:
    if who == "stranger" or section is None:
        return UserFactory(is_superuser=who == "owner")
    return EventRoleFactory(event=section.event, role=EventRole.Role(who)).user
