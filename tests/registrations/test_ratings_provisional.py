"""The provisional rating of a registered player without a rating: of the registration, or of the section."""

from __future__ import annotations

import pytest

from evenboard_engine import Colour
from evenboard_engine.trf import as_paired, read_report, to_tournament
from pairing.rounds import draw_initial_colour, pair_next_round
from registrations.actions.transitions import move_many
from registrations.models import SectionRegistration
from registrations.states import RegistrationState
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.entry_data import EntryData
from tournaments.files.report_writing import tournament_report
from tournaments.models import Game, Participant, Section


@pytest.mark.django_db
def test_a_section_may_give_a_provisional_rating() -> None:
    into = desk(acceptance="complete", unrated_as=1000)
    one = sent(into, rating=None)
    assert (one.state, one.problem_codes, one.rating) == (RegistrationState.ACCEPTED, [], None)
    entry = Participant.objects.get()
    assert (entry.rating, entry.rating_source, entry.official_rating) == (1000, "provisional", None)
    SectionRegistration.objects.update(acceptance="hand")
    two, rated = sent(into, rating=None), sent(into, rating=1500)
    wanted = [(each.pk, each.revision) for each in (two, rated)]
    outcome = move_many(event_id=into.event_id, wanted=wanted, to=RegistrationState.ACCEPTED, by=ORGANISER)
    assert (len(outcome.moved), outcome.left) == (2, [])
    ratings = Participant.objects.exclude(pk=entry.pk).order_by("rating")
    assert list(ratings.values_list("rating", "rating_source")) == [(1000, "provisional"), (1500, "typed")]


@pytest.mark.django_db
def test_the_minimum_rating_of_a_section_counts_where_registrations_have_none_of_their_own() -> None:
    into = desk(acceptance="complete")
    Section.objects.update(minimum_rating=1400)
    into.refresh_from_db()
    low, unrated = sent(into, "Low, A", rating=1200), sent(into, "None, B", rating=None)
    assert (low.state, unrated.state, unrated.problem_codes) == (
        RegistrationState.ACCEPTED,
        RegistrationState.ACCEPTED,
        [],
    )
    SectionRegistration.objects.update(unrated_as=1000)
    sent(into, "Lower, C", rating=None)
    add_participant(actor=Actor.command(), section_id=into.pk, entry=EntryData(name="Desk, D", rating=0))
    entries = Participant.objects.order_by("tpn").values_list("player__name", "rating", "rating_source")
    assert list(entries) == [
        ("Desk, D", 1400, "provisional"),
        ("None, B", 1400, "provisional"),
        ("Low, A", 1200, "typed"),
        ("Lower, C", 1000, "provisional"),
    ]
    draw_initial_colour(actor=Actor.command(), section_id=into.pk, colour=Colour.WHITE)
    running = read_report(tournament_report(into))
    assert [player.rating for player in running.players] == [None] * 4  # nobody has an official rating
    assert [player.rating for player in to_tournament(running).players] == [1400, 1400, 1200, 1000]
    pair_next_round(actor=Actor.command(), section_id=into.pk, after_round=0)
    boards = Game.objects.order_by("board").values_list("white__tpn", "black__tpn")
    assert list(boards) == [(1, 3), (4, 2)]  # the upper half of the numbers meets the lower half
    final = read_report(tournament_report(into))
    assert [player.rating for player in as_paired(final).players] == [1400, 1400, 1200, 1000]
