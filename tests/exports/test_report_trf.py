from __future__ import annotations

import pytest

from pairing.engine import Tournament, histories, pair_round
from pairing.engine.checking.rounds import check_rounds
from pairing.engine.checking.standings import check_standings
from pairing.engine.trf import Report, VirtualPoints, read_report, to_tournament
from pairing.rounds.actions import pair_next_round, publish_round
from pairing.rounds.snapshot import engine_tournament
from tests.factories import EventFactory, section_of
from tests.queries.sections import MadeSection, add_bye, add_round, make_section
from tournaments.actions.corrections import correct_for_rating
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.report_import import import_report
from tournaments.actions.results import record_result
from tournaments.actions.sections import leave_fide_mode
from tournaments.errors import DomainError
from tournaments.exports.report_trf import tournament_report
from tournaments.imports.report_check import RoundsCheck
from tournaments.imports.report_trf import report_preview
from tournaments.models import (
    ActionLog,
    Bye,
    Event,
    ForbiddenPair,
    Game,
    Integrity,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.queries.standings import standings_table
from tournaments.web.report_facts import report_facts

pytestmark = pytest.mark.django_db

RATINGS = {"Anna": 2000, "Bert": 1900, "Carl": 1801, "Dora": 1700, "Eva": 1600, "Finn": 1500, "Gus": 1400}


READINGS = (
    "### C.04.4.1 Dubov System, edition of 2025",
    "### Upfloats of forfeited games: do not count",
)


def fresh(section: MadeSection) -> Section:
    return Section.objects.select_related("event").get(pk=section.row.pk)


def lines(section: MadeSection, *, for_rating: bool = False) -> list[str]:
    return tournament_report(fresh(section), for_rating=for_rating).decode().splitlines()


def starting_with(section: MadeSection, *codes: str, for_rating: bool = False) -> list[str]:
    return [line for line in lines(section, for_rating=for_rating) if line.startswith(codes)]


def imported(file: bytes) -> Section:
    return import_report(actor=Actor.command(), event=EventFactory(), name="Copy", report=read_report(file))


def rounds_of(section: MadeSection, name: str) -> str:
    tpn = section.people[name].tpn
    line = next(line for line in lines(section) if line.startswith(f"001{tpn:5} "))
    return line[89:]


@pytest.fixture
def section() -> MadeSection:
    """Return a section after 2 of 5 rounds, with an allocated bye, a forfeit, a half-point bye and a withdrawal.

    Bert and Carl have byes in later rounds.
    """
    made = make_section(
        RATINGS,
        "Anna 1-0 Dora; Eva 1/2 Bert; Carl +:- Finn; Gus U",
        "Gus 0-1 Anna; Bert 1-0 Carl; Dora 0-1/2 Eva; Finn H",
    )
    Participant.objects.filter(pk=section_key(made, "Dora")).update(status="withdrawn")
    add_bye(made, "Bert", 3, "H")
    add_bye(made, "Carl", 4, "Z")
    return made


def section_key(section: MadeSection, name: str) -> int:
    return section.people[name].pk


def of_rows(made: MadeSection, number: int) -> Tournament:
    section = fresh(made)
    return engine_tournament(
        section,
        round_number=number,
        participants=section.participants.all(),
        rounds=section.played_rounds.all(),
        games=Game.objects.filter(round__section=section),
        byes=Bye.objects.filter(participant__section=section),
        forbidden=section.forbidden_pairs.all(),
    )


def by_number(value: Tournament) -> dict[str, object]:
    """Return the tournament with pairing numbers as keys. A round without an entry counts like a zero-point bye."""
    tpn = {player.id: player.tpn for player in value.players}
    away = {tpn[key] for key in value.absent} | {tpn[b.player] for b in value.byes if b.round == value.round}
    past = histories(value)
    return {
        "settings": (value.rounds, value.round, value.initial_colour, value.points, value.options),
        "players": {(player.tpn, player.rating) for player in value.players},
        "games": {(game.round, tpn[game.white], tpn[game.black], game.result) for game in value.games},
        "byes": {(b.round, tpn[b.player], b.kind) for b in value.byes if b.kind != "Z"},
        "away": away,
        "forbidden": {tuple(sorted(map(tpn.__getitem__, pair))) for pair in value.forbidden},
        "scores": {
            tpn[key]: (h.score, h.aro, h.colours, h.upfloats, h.bye_barred) for key, h in past.items()
        },
    }


def pairing_by_number(value: Tournament) -> tuple[list[tuple[int, int]], int | None]:
    tpn = {player.id: player.tpn for player in value.players}
    pairing = pair_round(value)
    return [(tpn[p.white], tpn[p.black]) for p in pairing.pairs], tpn.get(pairing.bye or 0)


def test_export_and_reading_give_the_same_tournament(section: MadeSection) -> None:
    first, second = sorted([section_key(section, "Anna"), section_key(section, "Bert")])
    ForbiddenPair.objects.create(section=section.row, first_id=first, second_id=second)
    read = to_tournament(read_report(tournament_report(fresh(section))))
    assert by_number(read) == by_number(of_rows(section, 3))
    assert pairing_by_number(read) == pairing_by_number(of_rows(section, 3))


def test_export_and_import_give_the_same_section(section: MadeSection) -> None:
    Player.objects.filter(name="Anna").update(
        name="Ibáñez, Ana", sex="w", title="WGM", federation="ESP", fide_id=77, birth_date="1990/05/00"
    )
    exported = tournament_report(fresh(section))
    event = Event.objects.create(name="Copy", slug="copy", start="2026-10-17", end="2026-10-25")
    copy = import_report(actor=Actor.command(), report=read_report(exported), event=event, name="Open")
    again = tournament_report(Section.objects.get(pk=copy.pk)).decode()

    def comparable(text: str) -> list[str]:
        """Return the lines that must be equal: the copy has another name (012) and days of rounds (132).

        No record holds a withdrawal, so the copy announces an absence (240).
        """
        return [line for line in text.splitlines() if line[:3] not in {"012", "132", "240", "###"}]

    assert comparable(again) == comparable(exported.decode())


def test_player_lines_have_the_columns_of_the_format(section: MadeSection) -> None:
    Player.objects.filter(name="Bert").update(
        name="Müller, Bert", sex="m", title="FM", federation="GER", fide_id=4612345, birth_date="1980"
    )
    assert starting_with(section, "001    2 ") == [
        (
            "001    2 m FM Müller, Bert                      1900 GER     4612345 1980        1.5    2"
            "     5 b =     3 w 1  0000 - H"
        )
    ]


def test_unplayed_rounds_have_their_own_symbols(section: MadeSection) -> None:
    assert rounds_of(section, "Gus") == "  0000 - U     1 w 0"
    assert rounds_of(section, "Carl") == "     6 w +     2 b 0"
    assert rounds_of(section, "Finn") == "     3 b -  0000 - H"
    assert rounds_of(section, "Eva") == "     2 w =     4 b ="


def test_withdrawn_player_has_zero_point_byes_from_then_on(section: MadeSection) -> None:
    Round.objects.update(state=Round.State.FINISHED)
    add_round(section, 3, "Anna 1-0 Eva; Carl 1-0 Gus; Finn U", Round.State.PUBLISHED)
    assert rounds_of(section, "Dora") == "     1 b 0     5 w 0  0000 - Z  0000 - Z"


def test_later_byes_are_announced_in_every_dialect(section: MadeSection) -> None:
    assert starting_with(section, "240", "XXZ") == ["240 H 003 0002", "240 Z 004 0003", "XXZ 2 4"]


@pytest.mark.parametrize(
    ("first_round", "absentees", "this_round"),
    [(2, "XXZ 2 4", ""), (3, "XXZ 2 4", ""), (4, "XXZ 2 4 7", "  0000 - Z"), (5, "XXZ 2 4 7", "  0000 - Z")],
)
def test_late_entry_is_absent_until_the_round_that_it_begins_with(
    section: MadeSection, first_round: int, absentees: str, this_round: str
) -> None:
    """Round 3 is the next one. A player who begins in round 3 is paired in it; one who begins later is not."""
    Participant.objects.filter(pk=section_key(section, "Gus")).update(first_round=first_round)
    assert starting_with(section, "XXZ") == [absentees]
    assert rounds_of(section, "Gus") == f"  0000 - U     1 w 0{this_round}"
    absent = {player.tpn for player in of_rows(section, 3).players if player.id in of_rows(section, 3).absent}
    assert (7 in absent) == (first_round > 3) == (absentees == "XXZ 2 4 7")


def test_settings_are_written_in_every_dialect(section: MadeSection) -> None:
    assert starting_with(section, "142", "152", "162", "XXR", "XXC", "XXS", "192") == [
        "192 FIDE_DUBOV",
        "142 5",
        "XXR 5",
        "152 W",
        "XXC white1",
    ]


def test_other_points_are_written() -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800},
        "Anna 1-0 Bert; Carl U",
        win_points=30,
        draw_points=10,
        bye_points=20,
    )
    report = read_report(tournament_report(fresh(section)))
    assert report.points == fresh(section).point_system
    assert [line[:3] for line in starting_with(section, "162", "XXS")] == ["162", "XXS"]


def test_forbidden_pairs_are_written_with_their_rounds(section: MadeSection) -> None:
    keys = sorted(section_key(section, name) for name in ("Anna", "Bert", "Carl"))
    ForbiddenPair.objects.create(section=section.row, first_id=keys[0], second_id=keys[1])
    ForbiddenPair.objects.create(
        section=section.row, first_id=keys[0], second_id=keys[2], first_round=2, last_round=4
    )
    assert starting_with(section, "260", "XXP") == [
        "260 001 005 0001 0002",
        "XXP 1 2",
        "260 002 004 0001 0003",
    ]


def test_an_adjourned_game_is_marked_while_the_section_runs() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna adj Bert", "Bert . Anna")
    assert rounds_of(section, "Anna") == "     2 w ?     2 b"
    assert starting_with(section, "162") == ["162  X 0.5"]
    report = read_report(tournament_report(fresh(section)))
    assert [player.points for player in report.players] == [5, 5]


@pytest.mark.parametrize(("result", "code"), [("adj", "adjourned_open"), (".", "results_missing")])
def test_no_report_for_rating_while_a_game_is_open(result: str, code: str) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, f"Anna {result} Bert", planned=1)
    with pytest.raises(DomainError) as refused:
        tournament_report(fresh(section), for_rating=True)
    assert refused.value.code == code


def test_the_report_for_rating_has_official_ratings_and_no_later_rounds(section: MadeSection) -> None:
    Participant.objects.filter(pk=section_key(section, "Anna")).update(official_rating=1987)
    assert [line[48:52] for line in starting_with(section, "001", for_rating=True)] == ["1987"] + ["    "] * 6
    assert starting_with(section, "XXZ", "240", "072", for_rating=True) == ["072 1"]
    assert all(len(line) <= 109 for line in starting_with(section, "001", for_rating=True))


def played_by_the_program(players: int, rounds: int) -> Section:
    """Return a finished section whose official ratings reverse the order of the field. Some players have none."""
    section = section_of(players, rounds=rounds)
    for entry in section.participants.all():
        assert entry.tpn is not None
        entry.official_rating = 2000 + 40 * entry.tpn if entry.tpn % 5 else None
        entry.save()
    actor = Actor.command()
    for number in range(rounds):
        row = pair_next_round(actor=actor, section_id=section.pk, after_round=number)
        publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
        for game in row.games.all():
            won = ("1-0", "0-1", "1/2")[(game.board + number) % 3]
            record_result(actor=actor, game_id=game.pk, result=won, seen_version=game.version)
    return Section.objects.get(pk=section.pk)


def test_the_report_for_rating_names_the_ratings_used_for_pairing() -> None:
    report = read_report(tournament_report(played_by_the_program(14, 5), for_rating=True))
    assert [player.rating for player in report.players[:5]] == [2040, 2080, 2120, 2160, None]
    assert [one for check in check_rounds(report) for one in check.differences] == []
    standings = check_standings(report)
    assert standings is not None
    assert standings.misplaced == ()
    without = Report(tuple(record for record in report.records if getattr(record, "code", "") != "###"))
    assert [one for check in check_rounds(without, unrated=1000) for one in check.differences] != []


def test_the_import_page_of_the_report_for_rating_has_the_ratings_used_for_pairing() -> None:
    """Two players have no official rating. The page asks for none, and all rounds can be checked."""
    section = played_by_the_program(10, 3)
    report = read_report(tournament_report(section, for_rating=True))
    assert [player.starting_rank for player in report.players if player.rating is None] == [5, 10]
    preview = report_preview(report)
    assert preview.unrated == ()
    assert [one.code for one in preview.adjustments if one.code.startswith("ratings")] == []
    facts = report_facts(report, EventFactory())
    ratings = section.participants.order_by("tpn").values_list("rating", flat=True)
    assert [player.rating for player in facts["players"]] == list(ratings)
    assert (facts["unrated"], facts["departures"], facts["checked"]) == (0, [], RoundsCheck(3))


@pytest.mark.parametrize("for_rating", [True, False])
def test_a_result_only_for_rating_is_imported_again_from_both_reports(for_rating: bool) -> None:
    """The report for rating also keeps the official ratings; the other report has only the tournament ratings."""
    actor = Actor.command()
    section = played_by_the_program(8, 3)
    game = Game.objects.get(round__section=section, round__number=1, board=1)
    correct_for_rating(
        actor=actor, game_id=game.pk, result="1/2", seen_version=game.version, reason="late", confirmed=True
    )
    section.refresh_from_db()

    def held(row: Section) -> list[object]:
        ratings = row.participants.order_by("tpn").values_list(
            "rating", "official_rating" if for_rating else "rating"
        )
        games = Game.objects.filter(round__section=row).order_by("round__number", "board")
        return [*ratings, *games.values_list("white__tpn", "black__tpn", "result", "rating_result")]

    sent = tournament_report(section, for_rating=for_rating)
    event = Event.objects.create(name="Copy", slug="copy", start="2026-10-17", end="2026-10-25")
    copied = import_report(actor=actor, report=read_report(sent), event=event, name="Open")
    assert held(copied) == held(section)
    again = tournament_report(Section.objects.get(pk=copied.pk), for_rating=for_rating)
    ours = ("### Rating correction", "### Tournament ratings")
    told = [line for line in again.decode().splitlines() if line.startswith(ours)]
    assert told == [line for line in sent.decode().splitlines() if line.startswith(ours)]
    assert f"### Rating correction @ Round 1: 1-5: {game.result} => 1/2" in told


def test_a_draft_is_not_exported(section: MadeSection) -> None:
    before = lines(section)
    add_round(section, 3, "Anna . Eva; Carl . Gus; Finn U", Round.State.DRAFT)
    assert lines(section) == before


def test_ranks_follow_the_standings_without_expelled_players(section: MadeSection) -> None:
    Participant.objects.filter(pk=section_key(section, "Gus")).update(status="expelled")
    assert [line[85:89].strip() for line in starting_with(section, "001")] == [
        "1",
        "2",
        "3",
        "6",
        "4",
        "5",
        "",
    ]


def test_an_expelled_player_is_expelled_after_an_import_too(section: MadeSection) -> None:
    gus = Participant.objects.get(pk=section_key(section, "Gus"))
    withdraw_participant(actor=Actor.command(), participant_id=gus.pk, reason="Phone", expelled=True)
    sent = tournament_report(fresh(section))
    assert starting_with(section, "### Exp") == ["### Expulsion @ Round 2: 7"]
    copied = imported(sent)
    entry = copied.participants.get(tpn=7)
    assert (entry.status, entry.left_after, entry.byes.filter(round_number__gt=2).count()) == (
        "expelled",
        2,
        0,
    )
    assert [line for line in tournament_report(copied).decode().splitlines() if "Expulsion" in line] == [
        "### Expulsion @ Round 2: 7"
    ]
    assert [row.tpn for row in standings_table(copied).rows] == [
        row.tpn for row in standings_table(section.row).rows
    ]


def test_expulsion_of_an_unknown_player_is_only_a_comment(section: MadeSection) -> None:
    lines = ["### Expulsion @ Round 2: 9", "### Expulsion @ Round 3: 7"]  # two rounds, seven players
    copied = imported(tournament_report(section.row) + "\r\n".join(lines).encode() + b"\r\n")
    assert not copied.participants.filter(status="expelled").exists()
    assert copied.report_records[-2:] == lines


def test_a_section_that_left_fide_mode_is_not_in_fide_mode_after_an_import(section: MadeSection) -> None:
    leave_fide_mode(actor=Actor.command(), section_id=section.row.pk, reason="club evening")
    copied = imported(tournament_report(fresh(section)))
    assert (copied.fide_mode, copied.fide_mode_left_in_round) == (False, 2)
    told = [line for line in tournament_report(copied).decode().splitlines() if "FIDE mode" in line]
    assert told == ["### FIDE mode exited @ Round 2"]


def test_the_name_includes_the_section_if_there_are_several(section: MadeSection) -> None:
    event = section.row.event
    assert starting_with(section, "012") == [f"012 {event.name}"]
    Section.objects.create(event=event, name="B", slug="b", rounds=5)
    assert starting_with(section, "012") == [f"012 {event.name}, Open"]


def test_known_dates_of_rounds_are_written(section: MadeSection) -> None:
    Section.objects.update(schedule=["", "2026-10-18T13:00"], report_records=["132 another"])
    assert starting_with(section, "132") == ["132" + " " * 98 + "26/10/18"]


def test_dates_of_later_rounds_are_not_sent_for_rating(section: MadeSection) -> None:
    Section.objects.update(schedule=["2026-10-17", "2026-10-18", "2026-10-24T10:00"])
    known = "132" + " " * 88 + "26/10/17  26/10/18"
    assert starting_with(section, "132") == [f"{known}  26/10/24"]
    assert starting_with(section, "132", for_rating=True) == [known]


def test_unused_records_are_written_back(section: MadeSection) -> None:
    Section.objects.update(report_records=["NED 1 x", "### seen before", "202 BH/C1", "182 Another"])
    assert starting_with(section, "NED", "###", "202", "212", "182") == [
        "182 Evenboard",
        "202 BH/C1",
        "NED 1 x",
        "### seen before",
        *READINGS,
    ]


def test_actions_that_affect_pairing_are_comments(section: MadeSection) -> None:
    game = section.game(2, 2)
    add_bye(section, "Gus", 4, "F")

    def log(integrity: Integrity, number: int, **values: object) -> None:
        ActionLog.objects.create(
            event=section.row.event,
            section=section.row,
            who="x",
            action="x",
            integrity=integrity,
            round_number=number,
            revision=ActionLog.objects.count() + 1,
            **values,
        )

    log(Integrity.NONE, 1, subject="not told")
    log(Integrity.ADJOURNMENT, 2, before={"result": "adj"}, after={"result": "1-0", "game": game.pk})
    log(Integrity.CORRECTION, 2, before={"result": "0-1"}, after={"result": "1-0", "game": game.pk})
    log(Integrity.ADJOURNMENT, 1, before={}, after={"result": "1-0", "game": 0})
    log(Integrity.REGENERATION, 2, after={"numbers": [[3, 4], [4, 3]]})
    log(Integrity.FULL_POINT_BYE, 4, after={"participant": section_key(section, "Gus"), "round": 4})
    log(Integrity.FULL_POINT_BYE, 5, after={"participant": section_key(section, "Gus"), "round": 5})
    log(Integrity.IMPORT, 2, subject="spring.trf")
    log(Integrity.FIDE_MODE, 2, reason="club evening")
    assert starting_with(section, "###") == [
        *READINGS,
        "### Adjournment @ Round 2: 2-3 1-0",
        "### Correction @ Round 2: 2-3: 0-1 => 1-0",
        "### Regeneration @ Round 2: 3=>4 4=>3",
        "### FPB @ Round 4: 7=FPB",
        "### Import @ Round 2: spring.trf",
        "### FIDE mode exited @ Round 2",
    ]


def test_a_section_without_rounds_can_be_exported() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, initial_colour="")
    report: Report = read_report(tournament_report(fresh(section)))
    assert (len(report.players), report.rounds_paired, report.initial_colour) == (2, 0, None)


def test_edition_and_count_of_upfloats_are_written_once(section: MadeSection) -> None:
    made = section.row
    made.report_records = [
        "### Upfloats of forfeited games: do not count",
        "### C.04.4.1 Dubov System, edition of 2018",
    ]
    made.options = {"edition": "2026", "upfloats": "paired"}
    made.save()
    assert starting_with(section, "###") == [
        "### C.04.4.1 Dubov System, edition of 2026",
        "### Upfloats of forfeited games: count",
    ]


def test_forbidden_pairs_have_a_comment_that_they_are_outside_the_rules(section: MadeSection) -> None:
    one, other = section.people["Anna"], section.people["Gus"]
    ForbiddenPair.objects.create(section=section.row, first=one, second=other)
    assert starting_with(section, "###")[-1] == (
        "### Forbidden pairs (260, XXP) are the arbiter's and outside FIDE's rules"
    )


def test_acceleration_is_written_in_both_dialects_and_imported_again(section: MadeSection) -> None:
    """GA is Anna to Dora, the first half of 7 players rounded up. After the import each player is in the same group."""
    made = section.row
    made.acceleration, made.options = "baku", {"edition": "2018", "upfloats": "paired"}
    made.save()
    made.participants.update(acceleration_group="B")
    made.participants.filter(tpn__lte=4).update(acceleration_group="A")
    assert starting_with(section, "192", "250") == [
        "192 FIDE_DUBOV_BAKU",
        "250      01.0 001 002 0001 0004",
        "250      00.5 003 003 0001 0004",
    ]
    assert starting_with(section, "XXA") == [f"XXA    {tpn}  1.0  1.0  0.5" for tpn in (1, 2, 3, 4)]
    found = read_report(tournament_report(fresh(section)))
    again = import_report(actor=Actor.command(), event=made.event, name="Again", report=found)
    assert (again.acceleration, again.options) == ("baku", {"edition": "2018", "upfloats": "paired"})
    assert dict(again.participants.values_list("tpn", "acceleration_group")) == dict(
        zip(range(1, 8), "AAAABBB", strict=True)
    )
    assert read_report(tournament_report(again)).of_type(VirtualPoints) == found.of_type(VirtualPoints)


@pytest.mark.parametrize(("by_hand", "heads"), [(1, ["MPA", "Import"]), (2, ["MPA"])])
def test_round_by_hand_has_one_comment_after_an_import(
    section: MadeSection, by_hand: int, heads: list[str]
) -> None:
    """Round 2 of the section breaks the rules. If the file says that it was paired by hand, that is enough."""
    line = f"### MPA @ Round {by_hand}: 1-5 => 1-4\r\n"
    copied = imported(tournament_report(fresh(section)) + line.encode())
    departures = copied.log.get(action="import_report").after["departures"]
    assert [one["round"] for one in departures] == [2]
    told = [line for line in tournament_report(copied).decode().splitlines() if " @ Round " in line]
    assert [line.split(" ")[1] for line in told] == heads


def test_an_import_has_comments_on_rounds_against_the_rules() -> None:
    """VCL4THP.13 Q55: pairs of the engine => pairs of the file, with the current pairing numbers."""
    section = make_section(RATINGS)
    keys = {name: person.pk for name, person in section.people.items()}
    ActionLog.objects.create(
        event=section.row.event,
        section=section.row,
        who="x",
        action="import_report",
        subject="spring.trf",
        integrity=Integrity.IMPORT,
        round_number=4,
        revision=1,
        after={
            "rounds_checked": 3,
            "departures": [
                {
                    "round": 1,
                    "expected": [[keys["Anna"], keys["Dora"]], [keys["Gus"], 0]],
                    "found": [[keys["Anna"], keys["Gus"]], [keys["Dora"], 0]],
                },
                {"round": 3, "expected": [], "found": [[keys["Bert"], 10**9]]},
            ],
        },
    )
    assert starting_with(section, "### Import") == [
        "### Import @ Round 1: 1-4 7=PAB => 1-7 4=PAB",
        "### Import @ Round 3: none => 2-?",
        "### Import @ Round 4: not checked",
    ]


def test_a_long_comment_of_an_import_is_cut() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900})
    one, other = (person.pk for person in section.people.values())
    ActionLog.objects.create(
        event=section.row.event,
        section=section.row,
        who="x",
        action="import_report",
        integrity=Integrity.IMPORT,
        round_number=1,
        revision=1,
        after={
            "rounds_checked": 1,
            "departures": [{"round": 1, "expected": [[one, other]] * 2001, "found": []}],
        },
    )
    (line,) = starting_with(section, "### Import")
    assert line == "### Import @ Round 1: " + "1-2 " * 2000 + "... => none"


@pytest.mark.parametrize(
    ("schedule", "days"),
    [
        ([], ["042 2026/10/17", "052 2026/10/25"]),
        (["2026-10-17", "", "2026-10-25"], ["042 2026/10/17", "052 2026/10/25"]),
        (["2026-11-21", "", "2026-11-29T14:00"], ["042 2026/11/21", "052 2026/11/29"]),
        (["2026-10-16", "2026-10-17", ""], ["042 2026/10/16", "052 2026/10/25"]),
        (["", "2026-10-20", "2026-10-26"], ["042 2026/10/17", "052 2026/10/26"]),
    ],
)
def test_first_and_last_day_include_every_round(schedule: list[str], days: list[str]) -> None:
    """132 never contradicts 042 and 052."""
    section = section_of(4, rounds=3, schedule=schedule)
    report = tournament_report(section).decode().splitlines()
    assert [line for line in report if line.startswith(("042", "052"))] == days
