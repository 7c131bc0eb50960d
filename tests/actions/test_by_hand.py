"""Pairing by hand: the phase, its changes, and its marks in the log and the report."""

from __future__ import annotations

import pytest

from evenboard_engine import ByeKind
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds import pair_next_round, publish_round, unpair_round
from tests.actions.refusals import one_step, refused
from tests.factories import GameFactory, section_of
from tests.queries.sections import make_section
from tests.web.staff.conftest import enter
from tournaments.actions.ledger import Actor
from tournaments.models import Bye, Participant, Round, Section
from tournaments.seating import SeatingStep, SeatMove

pytestmark = pytest.mark.django_db
RATINGS = {"Anna": 2400, "Bert": 2300, "Carl": 2200, "Dora": 2100, "Emil": 2000, "Fred": 1900}


def opened(section: Section, actor: Actor, *, published: bool = False) -> Round:
    """Return the next round, paired and open for changes by hand."""
    last = section.played_rounds.count()
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=last)
    if published:
        row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    return begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version, public=published)


def boards(row: Round) -> list[tuple[int, int, int]]:
    return list(row.games.order_by("board").values_list("board", "white__tpn", "black__tpn"))


def bye_of(row: Round) -> int | None:
    byes = Bye.objects.filter(participant__section=row.section, round_number=row.number, kind="U")
    return byes.values_list("participant__tpn", flat=True).first()


class Hand:
    """An arbiter who pairs by hand. Players are given by their pairing numbers."""

    def __init__(self, row: Round, actor: Actor) -> None:
        self.row, self.actor = row, actor

    def key(self, tpn: int) -> int:
        return Participant.objects.get(section=self.row.section, tpn=tpn).pk

    def do(self, move: SeatMove, *tpns: int, confirmed: bool = True) -> list[str]:
        """Make a change; return the codes of its warnings."""
        step = SeatingStep(move, *(self.key(tpn) for tpn in tpns))
        self.row, concerns = change_by_hand(
            actor=self.actor,
            round_id=self.row.pk,
            seen_version=self.row.version,
            step=step,
            confirmed=confirmed,
        )
        return [concern.code for concern in concerns]

    def end(self, **options: object) -> Round:
        self.row = end_manual_phase(
            actor=self.actor, round_id=self.row.pk, seen_version=self.row.version, **options
        )
        return self.row


@pytest.fixture
def six(actor: Actor) -> Hand:
    """Return six players with round 1 paired 1-4, 5-2, 3-6 and open."""
    return Hand(opened(section_of(6), actor), actor)


@pytest.fixture
def seven(actor: Actor) -> Hand:
    """Return seven players. Number 7 has the bye."""
    return Hand(opened(section_of(7), actor), actor)


def test_phase_begins_and_is_seen(actor: Actor) -> None:
    section = section_of(6)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    with one_step(section, "begin_manual_phase"):
        row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=0)
    assert (row.manual_phase, row.manual, row.version) == (True, False, 1)
    with refused("manual_phase_open", round=1):
        begin_manual_phase(actor=actor, round_id=row.pk, seen_version=1)
    with refused("stale_version"):
        begin_manual_phase(actor=actor, round_id=row.pk, seen_version=0)
    with refused("manual_phase_open"):
        publish_round(actor=actor, round_id=row.pk, seen_version=1)


def test_two_players_change_places(six: Hand) -> None:
    assert boards(six.row) == [(1, 1, 4), (2, 5, 2), (3, 3, 6)]
    games = dict(six.row.games.values_list("board", "pk"))
    with one_step(six.row.section, "change_by_hand") as logged:
        six.do(SeatMove.SWAP, 4, 2)
    assert boards(six.row) == [(1, 1, 2), (2, 5, 4), (3, 3, 6)]
    assert dict(six.row.games.values_list("board", "pk")) == games
    assert list(six.row.games.order_by("board").values_list("version", flat=True)) == [1, 1, 0]
    assert logged[0].before == {"boards": [[1, 1, 4], [2, 5, 2]], "byes": {}, "pool": []}
    assert logged[0].after == {
        "boards": [[1, 1, 2], [2, 5, 4]],
        "byes": {},
        "pool": [],
        "round": six.row.pk,
        "move": "swap",
    }


def test_two_players_of_one_board_change_colours_in_either_order(six: Hand) -> None:
    six.do(SeatMove.SWAP, 1, 4)
    assert boards(six.row)[0] == (1, 4, 1)
    six.do(SeatMove.COLOURS, 4)
    assert boards(six.row)[0] == (1, 1, 4)


def test_unpaired_players_wait_and_become_a_pair(six: Hand) -> None:
    six.do(SeatMove.UNPAIR, 1)
    six.do(SeatMove.UNPAIR, 2)
    assert boards(six.row) == [(3, 3, 6)]
    six.do(SeatMove.SWAP, 4, 5)
    assert [board[1:] for board in boards(six.row) if board[0] == 1] in ([(4, 5)], [(5, 4)])
    six.do(SeatMove.SWAP, 6, 1)
    assert (3, 3, 1) in boards(six.row)


def test_players_of_a_board_of_the_bye_and_of_a_requested_bye_wait_together(seven: Hand) -> None:
    waiting = []
    seven.do(SeatMove.HALF, 3)
    for tpn in (1, 7, 3):
        with one_step(seven.row.section, "change_by_hand") as logged:
            seven.do(SeatMove.UNPAIR, tpn)
        waiting.append((logged[0].before["pool"], logged[0].after["pool"]))
    assert waiting == [([], [1, 4]), ([], [7]), ([], [3])]
    assert (logged[0].before["byes"], logged[0].after["byes"]) == ({"3": "H"}, {})
    with one_step(seven.row.section, "change_by_hand") as logged:
        seven.do(SeatMove.ZERO, 4)
    assert (logged[0].before["byes"], logged[0].after["byes"]) == ({}, {"4": "Z"})
    seven.do(SeatMove.UNPAIR, 2)
    seven.do(SeatMove.SWAP, 1, 7)
    assert seven.row.games.get(white__tpn__in=(1, 7)).version == 0


def test_bye_moves_by_exchange_or_to_the_pool(seven: Hand) -> None:
    assert bye_of(seven.row) == 7
    seven.do(SeatMove.BYE, 4)
    assert bye_of(seven.row) == 4
    assert 7 in boards(seven.row)[0][1:]
    seven.do(SeatMove.SWAP, 7, 4)
    assert bye_of(seven.row) == 7
    seven.do(SeatMove.UNPAIR, 7)
    assert bye_of(seven.row) is None
    seven.do(SeatMove.BYE, 7)
    seven.do(SeatMove.UNPAIR, 1)
    seven.do(SeatMove.BYE, 1)
    assert bye_of(seven.row) == 1
    with refused("players_unpaired", names=[player_name(seven, 4), player_name(seven, 7)]):
        seven.end()


def player_name(hand: Hand, tpn: int) -> str:
    return Participant.objects.get(pk=hand.key(tpn)).player.name


def test_player_without_an_opponent_gets_a_bye_with_one_choice(seven: Hand) -> None:
    seven.do(SeatMove.UNPAIR, 1)
    seven.do(SeatMove.HALF, 4)
    seven.do(SeatMove.UNPAIR, 7)
    seven.do(SeatMove.SWAP, 1, 7)
    assert bye_of(seven.row) is None
    assert list(Bye.objects.values_list("participant__tpn", "kind", "source")) == [(4, "H", "absent")]
    with refused("by_hand_has_bye", kind="H"):
        seven.do(SeatMove.SWAP, 4, 2)
    seven.do(SeatMove.UNPAIR, 4)
    seven.do(SeatMove.ZERO, 4)
    assert Bye.objects.get().kind == ByeKind.ZERO
    Participant.objects.filter(tpn=3).update(half_bye_allowed=False)
    with refused("half_bye_not_allowed"):
        seven.do(SeatMove.HALF, 3)


def test_bye_of_a_player_with_more_points_than_another_is_named(actor: Actor) -> None:
    names = {name: 2400 - 10 * n for n, name in enumerate("ABCDE")}
    section = make_section(names, "A 1-0 C; B 1-0 D; E H")
    hand = Hand(opened(section.row, actor), actor)
    assert "bye_score" in hand.do(SeatMove.BYE, 1)


def test_change_that_changes_nothing_is_refused(seven: Hand) -> None:
    for move, tpns in ((SeatMove.COLOURS, (7,)), (SeatMove.BYE, (7,)), (SeatMove.SWAP, (1, 1))):
        with refused("by_hand_nothing"):
            seven.do(move, *tpns)


def test_players_of_another_section_are_refused(six: Hand, actor: Actor) -> None:
    stranger = section_of(2).participants.get(tpn=1)
    with refused("by_hand_no_player"):
        change_by_hand(
            actor=actor,
            round_id=six.row.pk,
            seen_version=six.row.version,
            step=SeatingStep(SeatMove.BYE, stranger.pk),
        )


def test_change_outside_the_phase_is_refused(actor: Actor) -> None:
    section = section_of(4)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    with refused("manual_phase_closed"):
        Hand(row, actor).do(SeatMove.SWAP, 1, 2)
    with refused("manual_phase_closed"):
        Hand(row, actor).end()


def test_phase_that_ends_with_the_engines_pairing_leaves_no_mark(six: Hand) -> None:
    six.do(SeatMove.SWAP, 1, 2)
    six.do(SeatMove.SWAP, 2, 1)
    row = six.end()
    assert (row.manual_phase, row.manual, row.manual_reason) == (False, False, "")
    assert row.section.log.first().integrity == ""


def test_phase_that_ends_with_other_pairs_needs_a_reason_and_two_confirmations(six: Hand) -> None:
    six.do(SeatMove.SWAP, 4, 2)
    with refused("reason_required"):
        six.end(confirmed=True)
    with refused("differs_from_engine", round=1):
        six.end(reason="Brothers")
    row = six.end(reason="Brothers", confirmed=True)
    assert (row.manual, row.manual_reason, row.manual_phase) == (True, "Brothers", False)
    logged = row.section.log.first()
    assert (logged.integrity, logged.reason, logged.round_number) == ("manual", "Brothers", 1)
    assert logged.before == {"engine": {"pairs": [[1, 4], [5, 2]], "bye": None}}
    assert logged.after == {"by_hand": {"pairs": [[1, 2], [5, 4]], "bye": None}, "round": row.pk}


def test_round_without_a_pair_or_an_allocated_bye_is_refused(actor: Actor) -> None:
    """A report file could not tell it from a round for which everybody has asked for a bye."""
    hand = Hand(opened(section_of(2), actor), actor)
    for tpn in (1, 2):
        hand.do(SeatMove.ZERO, tpn)
    with refused("too_few_players", present=0):
        hand.end(reason="Storm", confirmed=True)
    hand.do(SeatMove.UNPAIR, 1)
    hand.do(SeatMove.BYE, 1)
    assert bye_of(hand.end()) == 1


def test_opening_the_phase_again_clears_the_mark_and_the_reason(six: Hand, actor: Actor) -> None:
    six.do(SeatMove.SWAP, 4, 2)
    row = six.end(reason="Brothers", confirmed=True)
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    assert (row.manual, row.manual_reason) == (False, "")


def test_round_can_be_unpaired_in_the_phase(six: Hand, actor: Actor) -> None:
    unpair_round(actor=actor, round_id=six.row.pk, seen_version=six.row.version)
    assert not Round.objects.exists()


def test_boards_are_renumbered_at_the_end(six: Hand) -> None:
    for tpn in (1, 2, 3):
        six.do(SeatMove.UNPAIR, tpn)
    for pair in ((6, 3), (5, 2), (4, 1)):
        six.do(SeatMove.SWAP, *pair)
    six.end()
    assert boards(six.row) == [(1, 1, 4), (2, 5, 2), (3, 3, 6)]


def test_one_choice_restores_the_engines_pairing(seven: Hand) -> None:
    before = boards(seven.row)
    seven.do(SeatMove.UNPAIR, 1)
    seven.do(SeatMove.BYE, 2)
    with one_step(seven.row.section, "change_by_hand") as logged:
        seven.do(SeatMove.ENGINE)
    assert (boards(seven.row), bye_of(seven.row)) == (before, 7)
    assert (logged[0].after["move"], "offer" in logged[0].after) == ("engine", False)


# --- published rounds (GHR 4.4)


def test_published_pairs_change_only_after_a_confirmation(actor: Actor) -> None:
    section = section_of(6)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    with refused("pairs_are_public", round=1):
        begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)


def test_boards_with_a_result_are_locked(actor: Actor) -> None:
    hand = Hand(opened(section_of(6), actor, published=True), actor)
    enter(hand.row.games.get(board=2), "1-0")
    assert hand.row.changed_at is None
    with refused("by_hand_locked", board=2):
        hand.do(SeatMove.SWAP, 1, 2)
    hand.do(SeatMove.SWAP, 1, 3)
    assert hand.row.changed_at is not None
    assert boards(hand.row) == [(1, 3, 4), (2, 5, 2), (3, 1, 6)]
    hand.end(reason="They agreed", confirmed=True)
    assert boards(hand.row) == [(1, 3, 4), (2, 5, 2), (3, 1, 6)]


def test_next_round_waits_for_the_end_of_the_phase(actor: Actor) -> None:
    section = section_of(2)
    hand = Hand(opened(section, actor, published=True), actor)
    enter(hand.row.games.get(), "1-0")
    with refused("manual_phase_open", round=1):
        pair_next_round(actor=actor, section_id=section.pk, after_round=1)


def test_finished_round_is_not_paired_by_hand(actor: Actor) -> None:
    section = make_section(RATINGS, "Anna 1-0 Bert", "Anna 1-0 Carl")
    row = section.row.played_rounds.get(number=1)
    with refused("round_finished", round=1):
        begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)


def test_late_arrival_waits_in_the_pool(six: Hand) -> None:
    """Players 7 and 8 have neither a game nor a bye, and they play in this round."""
    GameFactory(round=six.row, board=9).delete()
    assert six.row.section.participants.count() == 8
    with refused("players_unpaired"):
        six.end()
    six.do(SeatMove.SWAP, 7, 8)
    assert six.row.games.count() == 4
