"""The report file of a section: records, columns, and what an import of it gives."""

from __future__ import annotations

import pytest

from evenboard_engine import Tournament, histories, pair_round
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import Report, VirtualPoints, read_report, to_tournament
from tests.exports.report_trf.conftest import fresh, lines, rounds_of, section_key, starting_with
from tests.factories import section_of
from tests.queries.sections import MadeSection, add_round, make_section
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.report_writing import tournament_report
from tournaments.models import (
    Bye,
    Event,
    ForbiddenPair,
    Game,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.queries.standings import standings_table
from tournaments.snapshot import engine_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


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


@pytest.mark.parametrize("third", ["", "Anna U; Carl H; Eva F; Finn Z; Gus Z"])
def test_export_and_import_give_the_same_section(section: MadeSection, third: str) -> None:
    """third: a round in which nobody plays is a round too, if it has the allocated bye."""
    if third:
        add_round(section, 3, third, Round.State.PUBLISHED)
    Player.objects.filter(name="Anna").update(
        name="Ibáñez, Ana", sex="w", title="WGM", federation="ESP", fide_id=77, birth_date="1990/05/00"
    )
    exported = tournament_report(fresh(section))
    event = Event.objects.create(name="Copy", slug="copy", start="2026-10-17", end="2026-10-25")
    copy = import_report(actor=Actor.command(), report=read_report(exported), event=event, name="Open")
    assert copy.played_rounds.count() == section.row.played_rounds.count()
    again = tournament_report(Section.objects.get(pk=copy.pk)).decode()

    def comparable(text: str) -> list[str]:
        """Return the lines that must be equal: the copy has another name (012), days of rounds (132), and comments on
        the rounds, which follow no rules.
        """
        lines = text.splitlines()
        return [line for line in lines if line[:3] not in {"012", "132"} and "### Import" not in line]

    assert comparable(again) == comparable(exported.decode())


def test_player_lines_have_the_columns_of_the_format(section: MadeSection) -> None:
    Player.objects.filter(name="Bert").update(
        name="Müller, Bert", sex="m", title="FM", federation="GER", fide_id=4612345, birth_date="1980"
    )
    section.row.participants.filter(player__name="Müller, Bert").update(official_rating=1900)
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


def test_the_name_includes_the_section_if_there_are_several(section: MadeSection) -> None:
    event = section.row.event
    assert starting_with(section, "012") == [f"012 {event.name}"]
    Section.objects.create(event=event, name="B", slug="b", rounds=5)
    assert starting_with(section, "012") == [f"012 {event.name}, Open"]


def test_a_section_without_rounds_can_be_exported() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, initial_colour="")
    report: Report = read_report(tournament_report(fresh(section)))
    assert (len(report.players), report.rounds_paired, report.initial_colour) == (2, 0, None)


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


LISTS = [
    "BH/C1,BH,SB",
    "DE,WIN,BPG,ARO",
    "TPN/R",
    "OTHER_LUCK,PS/C1,TPN",
    "AOB,STD,RTNG",
    "WIN,OTHER_LOTS/7F3A",
    "OTHER_PT,OTHER_PT/BH,BH",
]


def test_short_code_of_a_file_becomes_the_one_of_the_records(section: MadeSection) -> None:
    Section.objects.update(tie_breaks=["OTHER_PT/ARO", "BH"])
    data = tournament_report(fresh(section))
    short = data.replace(b"OTHER_PT", b"PT")
    copied = import_report(
        actor=Actor.command(), event=section.row.event, name="Again", report=read_report(short)
    )
    assert copied.tie_breaks == ["OTHER_PT/ARO", "BH"]
    assert read_report(tournament_report(copied)).text("212") == "PTS,OTHER_PT/ARO,BH"


@pytest.mark.parametrize("codes", LISTS)
def test_ranks_follow_the_list_that_the_report_declares(section: MadeSection, codes: str) -> None:
    Section.objects.update(tie_breaks=codes.split(","))
    read = read_report(tournament_report(fresh(section)))
    assert (read.texts("202"), read.texts("212")) == ((codes,), (f"PTS,{codes}",))
    check = check_standings(read)
    assert check is not None
    assert (check.players, check.misplaced) == (7, ())


@pytest.mark.parametrize("codes", LISTS)
def test_list_of_a_file_is_used_after_an_import(section: MadeSection, codes: str) -> None:
    Section.objects.update(tie_breaks=codes.split(","))
    data = tournament_report(fresh(section))
    copied = import_report(
        actor=Actor.command(), event=section.row.event, name="Again", report=read_report(data)
    )
    assert copied.tie_breaks == codes.split(",")
    places, again = (
        [(row.place, row.name, row.values) for row in standings_table(one).rows]
        for one in (fresh(section), copied)
    )
    assert places == again


def test_lists_of_files_without_points_first_or_with_202_alone_are_used(section: MadeSection) -> None:
    data = tournament_report(fresh(section)).decode()
    for old, new, found in (
        ("212 PTS,ARO,TPN", "212 BH,SB", ["BH", "SB"]),
        ("202 ARO,TPN\r\n212 PTS,ARO,TPN", "202 WIN", ["WIN"]),
        ("202 ARO,TPN\r\n212 PTS,ARO,TPN\r\n", "", []),
    ):
        report = read_report(data.replace(old, new).encode())
        copied = import_report(
            actor=Actor.command(), event=section.row.event, name=new or "None", report=report
        )
        assert copied.tie_breaks == found


@pytest.mark.parametrize(
    ("words", "kept", "written"),
    [
        ("90 min + 30 s per move", [], ["222 5400+30"]),
        ("90 min + 30 s per move", ["222 900"], ["222 5400+30"]),  # the words changed after the import
        ("slow", ["222 900+10"], ["222 900+10"]),
        ("slow", [], []),
    ],
)
def test_time_control_has_a_code_if_its_words_have_one_meaning(
    section: MadeSection, words: str, kept: list[str], written: list[str]
) -> None:
    Section.objects.filter(pk=section.row.pk).update(time_control=words, report_records=kept)
    for for_rating in (False, True):
        assert starting_with(section, "222", for_rating=for_rating) == written
