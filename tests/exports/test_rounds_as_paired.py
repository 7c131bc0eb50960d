"""Reports of sections whose results or pairing numbers changed after a round was paired: the check finds no difference.

The comments of the file say with which data each round was paired (GHR 2.3, 3.1 and 4.3).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import Report, read_report, write_report
from pairing.rounds import pair_next_round, publish_round, unpair_round
from tests.factories import EventFactory, ParticipantFactory, entry_data, section_of
from tests.web.staff.conftest import enter
from tournaments.actions.corrections import correct_result
from tournaments.actions.entries import add_participant, edit_participant, import_report
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import order_equals
from tournaments.actions.results import record_result
from tournaments.actions.undo import undo, undo_since
from tournaments.files.report_writing import tournament_report
from tournaments.models import Game, Round, Section

pytestmark = pytest.mark.django_db

OURS = ("### Adj", "### Corr", "### Reg", "### Exch", "### Earl")


@pytest.fixture
def section() -> Section:
    """Sixteen players; numbers 5 to 12 have one rating."""
    section = section_of(0, rounds=8)
    for tpn in range(1, 17):
        rating = 2500 - 10 * tpn if tpn < 5 else 2400 if tpn < 13 else 2400 - tpn
        ParticipantFactory(section=section, tpn=tpn, rating=rating, official_rating=rating)
    return section


def paired(section: Section, *, published: bool = True) -> Round:
    """Pair the next round, also while games are adjourned, and publish it."""
    actor, last = Actor.command(), section.played_rounds.count()
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=last, proceed=True)
    return publish_round(actor=actor, round_id=row.pk, seen_version=row.version) if published else row


def play(section: Section, *, adjourned: Iterable[int] = (), seed: int = 1) -> None:
    """Pair the next round and enter its results. adjourned: boards."""
    row = paired(section)
    results = random.Random(seed * 100 + row.number)
    for game in row.games.order_by("board"):
        enter(game, "adj" if game.board in set(adjourned) else results.choice(["1-0", "1/2", "0-1", "1-0"]))


def game_of(section: Section, number: int, board: int = 1) -> Game:
    return Game.objects.get(round__section=section, round__number=number, board=board)


def end(game: Game, result: str) -> None:
    """Enter the result of an adjourned game."""
    record_result(
        actor=Actor.command(), game_id=game.pk, result=result, seen_version=game.version, confirmed=True
    )


def correct(game: Game, result: str, *, turned: bool = False) -> None:
    correct_result(
        actor=Actor.command(), game_id=game.pk, result=result, seen_version=game.version, turned=turned,
        reason="Both players said so", confirmed=True,
    )  # fmt: skip


def exchange(section: Section, order: Callable[[list[int]], None] = list.reverse) -> None:
    """Give the players with rating 2400 other numbers."""
    section.refresh_from_db()
    keys = list(section.participants.filter(rating=2400).order_by("tpn").values_list("pk", flat=True))
    order(keys)
    order_equals(
        actor=Actor.command(), section_id=section.pk, order=keys, seen_revision=section.revision,
        asked=True,
    )  # fmt: skip


def add(section: Section, name: str, rating: int) -> None:
    data = entry_data(name, rating, official_rating=rating)
    add_participant(actor=Actor.command(), section_id=section.pk, entry=data, asked=True)


def sent(section: Section) -> Report:
    return read_report(tournament_report(Section.objects.get(pk=section.pk)))


def wrong_rounds(report: Report) -> list[int]:
    return [check.round for check in check_rounds(report) if check.differences]


def without(report: Report, *heads: str) -> Report:
    """Return the report without the comments that begin like this."""
    return Report(
        tuple(record for record in report.records if not getattr(record, "text", "").startswith(heads))
    )


def comment_lines(report: Report) -> list[str]:
    return sorted(record.text for record in report.kept if record.text.startswith(OURS))


def with_other_opponents(report: Report, number: int) -> Report:
    """Return the report with the opponents of two boards exchanged in a round."""
    by_rank = {player.starting_rank: player for player in report.players}
    whites = [rank for rank, player in by_rank.items() if (player.entry(number).colour or "") == "w"]
    one, other = whites[:2]
    swap = {one: other, other: one}
    first, second = by_rank[one].entry(number), by_rank[other].entry(number)
    assert first.opponent is not None
    assert second.opponent is not None
    swap |= {first.opponent: second.opponent, second.opponent: first.opponent}
    lines = []
    for line in write_report(report).decode().splitlines():
        rank = int(line[4:8]) if line.startswith("001") else 0
        if rank in (one, other, first.opponent, second.opponent):
            at = 91 + 10 * (number - 1)
            line = f"{line[:at]}{swap[int(line[at : at + 4])]:4}{line[at + 4 :]}"
            theirs = by_rank[swap[rank]] if rank not in (one, other) else by_rank[rank]
            line = line[: at + 7] + theirs.entry(number).symbol + line[at + 8 :]
            line = f"{line[:80]}    {line[84:]}"
        lines.append(line)
    return read_report("\n".join(lines).encode())


def same_after_import(section: Section) -> None:
    """Import the report, and compare players, games and comments."""

    def held(one: Section) -> list[tuple[object, ...]]:
        rows = Game.objects.filter(round__section=one).order_by("round__number", "white__tpn")
        values = rows.values_list("round__number", "white__tpn", "black__tpn", "result")
        earlier = [
            (game.round.number, game.white.tpn, then["until"], then["result"], then["turned"])
            for game in rows
            for then in game.earlier
        ]
        return [*one.participants.order_by("tpn").values_list("tpn", "player__name"), *values, *earlier]

    report = sent(section)
    copied = import_report(actor=Actor.command(), report=report, event=EventFactory(), name="Copy")
    assert held(copied) == held(section)
    assert copied.log.get(action="import_report").after["departures"] == []
    again = sent(copied)
    assert comment_lines(again) == comment_lines(report)
    assert wrong_rounds(again) == []


def test_rounds_before_a_late_result_are_checked_with_a_draw(section: Section) -> None:
    play(section, adjourned=[1, 2])
    play(section)
    end(game_of(section, 1), "0-1")
    play(section)
    end(game_of(section, 1, 2), "1/2")
    paired(section)
    report = sent(section)
    games = [game_of(section, 1, board) for board in (1, 2)]
    first, second = (f"{game.white.tpn}-{game.black.tpn}" for game in games)
    assert comment_lines(report) == [
        f"### Adjournment @ Round 1: {first} 0-1",
        f"### Earlier result @ Round 1: {first}: adj until round 2",
        f"### Earlier result @ Round 1: {second}: adj until round 3",
    ]
    assert wrong_rounds(report) == []
    assert wrong_rounds(without(report, "### Earlier")) == [2]
    for number in (2, 3, 4):
        assert number in wrong_rounds(with_other_opponents(report, number))
    same_after_import(section)


def test_standings_are_checked_with_the_final_result(section: Section) -> None:
    play(section, adjourned=[1])
    play(section)
    end(game_of(section, 1), "0-1")
    standings = check_standings(sent(section))
    assert standings is not None
    assert standings.misplaced == ()


def test_rounds_before_an_exchange_are_checked_with_the_old_numbers(section: Section) -> None:
    play(section)
    play(section)
    exchange(section)
    play(section)
    exchange(section, lambda keys: keys.append(keys.pop(2)))
    paired(section)
    report = sent(section)
    assert [line[:23] for line in comment_lines(report)] == [
        "### Exchange @ Round 2:",
        "### Exchange @ Round 3:",
    ]
    assert wrong_rounds(report) == []
    assert 1 in wrong_rounds(without(report, "### Exch"))
    for number in (1, 2, 3, 4):
        assert number in wrong_rounds(with_other_opponents(report, number))
    same_after_import(section)


def test_rounds_before_a_late_entry_are_checked_with_the_old_numbers(section: Section) -> None:
    play(section)
    add(section, "Ann", 2600)
    add(section, "Bea", 2415)
    play(section)
    exchange(section)
    paired(section)
    assert wrong_rounds(sent(section)) == []
    same_after_import(section)


@pytest.mark.parametrize(("result", "turned"), [("0-1", False), ("1/2", True), ("1-0", True)])
def test_rounds_before_a_correction_are_checked_with_the_old_result(
    section: Section, result: str, *, turned: bool
) -> None:
    play(section)
    play(section)
    correct(game_of(section, 1), result, turned=turned)
    play(section)
    paired(section)
    report = sent(section)
    assert [line.split(" @")[0] for line in comment_lines(report)] == ["### Correction", "### Earlier result"]
    assert wrong_rounds(report) == []
    assert wrong_rounds(without(report, "### Earlier")) != []
    same_after_import(section)


def rate(section: Section, tpn: int, rating: int) -> None:
    """Give a player another rating."""
    entry = section.participants.get(tpn=tpn)
    data = entry_data(
        entry.player.name, rating, federation=entry.player.federation, official_rating=rating,
        rating_source=entry.rating_source,
    )  # fmt: skip
    edit_participant(actor=Actor.command(), participant_id=entry.pk, entry=data, asked=True)


def test_rounds_before_an_edited_rating_are_checked_with_the_old_rating(section: Section) -> None:
    play(section)
    play(section)
    play(section)
    rate(section, 16, 2480)  # the place among the numbers changes too
    play(section)
    rate(section, 16, 2386)
    rate(section, 16, 2387)
    paired(section)
    report = sent(section)
    assert [line for line in comment_lines(report) if "rating" in line] == [
        "### Earlier ratings @ Round 3: 3=2384",
        "### Earlier ratings @ Round 4: 16=2385",
    ]
    assert wrong_rounds(report) == []
    assert wrong_rounds(without(report, "### Earlier ratings")) != []
    same_after_import(section)


def test_ratings_of_earlier_rounds_follow_undo(section: Section) -> None:
    actor = Actor.command()
    first, second = "### Earlier ratings @ Round 1: 16=2384", "### Earlier ratings @ Round 2: 16=1500"

    def lines() -> list[str]:
        assert wrong_rounds(sent(section)) == []
        return [line for line in comment_lines(sent(section)) if "rating" in line]

    play(section)
    rate(section, 16, 1600)
    undo(actor=actor, section_id=section.pk, revision=section.log.latest("revision").revision)
    assert lines() == []
    rate(section, 16, 1500)
    play(section)
    rate(section, 16, 2384)
    edited = section.log.latest("revision").revision
    play(section)
    assert lines() == [first, second]
    section.refresh_from_db()
    undo_since(actor=actor, section_id=section.pk, revision=edited, seen_revision=section.revision)
    assert section.participants.get(tpn=16).rating == 1500
    assert lines() == [first]
    undo(actor=actor, section_id=section.pk, revision=section.log.latest("revision").revision)
    assert lines() == [first, second]


def test_rating_that_was_edited_before_round_1_needs_no_line(section: Section) -> None:
    rate(section, 16, 2380)
    play(section)
    assert comment_lines(sent(section)) == []


def test_round_that_is_paired_again_has_the_new_numbers_and_results(section: Section) -> None:
    play(section, adjourned=[1])
    row = paired(section, published=False)
    end(game_of(section, 1), "0-1")
    exchange(section)
    unpair_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    play(section)
    paired(section)
    report = sent(section)
    assert [line.split(":")[0] for line in comment_lines(report)] == [
        "### Adjournment @ Round 1",
        "### Exchange @ Round 1",
    ]
    assert wrong_rounds(report) == []
    same_after_import(section)


def test_draft_is_not_among_the_rounds_that_a_comment_counts(section: Section) -> None:
    play(section, adjourned=[1])
    paired(section, published=False)
    end(game_of(section, 1), "0-1")
    exchange(section)
    assert [line.split(":")[0] for line in comment_lines(sent(section))] == [
        "### Adjournment @ Round 1",
        "### Exchange @ Round 1",
    ]
    assert wrong_rounds(sent(section)) == []


def test_numbers_can_be_followed_back_over_an_action_that_was_undone(section: Section) -> None:
    play(section)
    add(section, "Ann", 2600)
    row = section.log.latest("revision")
    exchange(section)
    undo(actor=Actor.command(), section_id=section.pk, revision=row.revision)
    play(section)
    paired(section)
    assert wrong_rounds(sent(section)) == []
    same_after_import(section)


@pytest.mark.one_database  # the tests above read the same rows
@pytest.mark.parametrize("seed", range(3))
def test_any_mixture_of_such_actions_leaves_a_report_without_contradictions(
    section: Section, seed: int
) -> None:
    chance = random.Random(seed)
    for number in range(1, 7):
        boards = Game.objects.filter(round__section=section, round__number=1).count() or 8
        play(section, adjourned=chance.sample(range(1, boards), 2), seed=seed)
        if chance.random() < 0.5:
            paired(section, published=False)
        last = section.played_rounds.order_by("-number")[0]
        for game in Game.objects.filter(round__section=section, result="adj", round__number__lt=last.number):
            if chance.random() < 0.5:
                end(game, chance.choice(["1-0", "0-1", "1/2"]))
        before = Game.objects.filter(round__section=section, round__number=last.number - 1)
        for game in before.exclude(result="adj")[:1]:
            turned = chance.random() < 0.5
            result = chance.choice(["1-0", "0-1", "1/2"])
            if turned or result != game.result:
                correct(game, result, turned=turned)
        if last.number < 4:
            exchange(section, chance.shuffle)
        if chance.random() < 0.4:
            rating = chance.choice([2390, 2400, 2455, 2600])
            add(section, f"Guest {number}", rating)
            if chance.random() < 0.3:
                revision = section.log.latest("revision").revision
                undo(actor=Actor.command(), section_id=section.pk, revision=revision)
        if last.is_draft:
            unpair_round(actor=Actor.command(), round_id=last.pk, seen_version=last.version)
    paired(section)
    report = sent(section)
    assert report.rounds_paired == 7
    assert wrong_rounds(report) == []
    same_after_import(section)
