"""A report file becomes a section: entries, numbers, settings, and what is refused."""

from __future__ import annotations

import pytest

from evenboard_engine import pair_round
from evenboard_engine.trf import read_report, to_tournament
from pairing.rounds import pair_next_round
from tests.actions.refusals import one_step, refused
from tests.actions.report_import.conftest import HEAD, PLAYERS, games, imported, line, report
from tests.factories import EventFactory, SectionFactory, section_of
from tournaments.actions.entries import add_participant, import_report
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import edit_section
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Integrity, Player, RatingSource, Section

pytestmark = pytest.mark.django_db


EXTRA = [
    "XXC black1",
    "XXZ 4",
    "260 001 003  001  004",
    "XXP 2 3",
    "### by hand",
    "182 Other program",
    "132" + " " * 88 + "26/10/17",
]


def byes(section: Section) -> list[tuple[int, int, str, str]]:
    """Return [(round, number, kind, source)]."""
    rows = [
        (bye.round_number, participant.tpn, bye.kind, bye.source)
        for participant in section.participants.all()
        for bye in participant.byes.all()
    ]
    return sorted(rows)


def test_report_becomes_a_section_of_an_event(actor: Actor) -> None:
    section = imported(actor, *HEAD, *PLAYERS, *EXTRA, source="open.trf")
    assert (section.name, section.slug, section.rounds, section.initial_colour) == (
        "Open",
        "open",
        5,
        "b",
    )
    assert (section.revision, section.fide_mode) == (1, True)
    assert games(section) == [
        (1, 1, 1, 3, "1-0"),
        (1, 2, 4, 2, "-:+"),
        (2, 1, 2, 1, "1/2"),
        (2, 2, 5, 6, "adj"),
    ]
    assert list(section.played_rounds.values_list("state", flat=True)) == ["finished", "published"]
    assert byes(section) == [
        (1, 6, "F", "requested"),
        (2, 3, "U", "allocated"),
        (2, 4, "Z", "requested"),
        (3, 1, "H", "requested"),
        (3, 4, "Z", "requested"),
    ]
    assert list(section.participants.values_list("first_round", flat=True)) == [1, 1, 1, 1, 2, 1]
    assert set(section.participants.values_list("acceleration_group", flat=True)) == {""}
    forbidden = section.forbidden_pairs.values_list("first__tpn", "second__tpn", "first_round", "last_round")
    assert sorted(forbidden) == [(1, 4, 1, 3), (2, 3, 1, None)]
    assert section.report_records == ["012 Open", "### by hand", "182 Other program"]
    assert section.schedule == ["2026-10-17"]
    row = ActionLog.objects.get()
    assert (row.action, row.section, row.integrity, row.round_number) == (
        "import_report",
        section,
        Integrity.IMPORT,
        2,
    )
    assert (row.subject, row.after["players"], row.after["rounds_paired"]) == ("open.trf", 6, 2)


@pytest.mark.parametrize(
    ("name", "text"),
    [("Open", "Open"), ("Event, Open", "Event, Open"), ("Open", "Event, Open"), ("B", "Event, B")],
)
def test_report_keeps_the_name_of_the_tournament_and_says_each_part_once(
    actor: Actor, name: str, text: str
) -> None:
    """Until somebody gives the section another name."""
    event = EventFactory(name="Event")
    lines = [f"012 {text if name != 'B' else 'Other'}", *HEAD[1:], *PLAYERS]
    made = import_report(actor=actor, event=event, name=name, report=report(*lines))
    assert name == "B" or read_report(tournament_report(made)).text("012") == text
    SectionFactory(event=event)
    assert read_report(tournament_report(made)).text("012") == text
    edit_section(actor=actor, section_id=made.pk, name="A")
    made.refresh_from_db()
    assert read_report(tournament_report(made)).text("012") == "Event, A"


def test_invalid_dates_are_written_back_unchanged(actor: Actor) -> None:
    dates = "132" + " " * 88 + "26/17/10"
    section = imported(actor, *HEAD, *PLAYERS, dates)
    assert (section.schedule, section.report_records) == ([], ["012 Open", dates])


ORGANISERS = ["022 Rijswijk", "032 ned", "102 Vos, Ina (IA)", "112 Bos, Jan", "112 Dam, Ada", "122 90+30"]


def test_import_fills_empty_fields_of_the_event(actor: Actor) -> None:
    event = EventFactory(city="", federation="", chief_arbiter="", deputy_arbiters="", time_control="60+15")
    import_report(actor=actor, event=event, name="Open", report=report(*HEAD, *PLAYERS, *ORGANISERS))
    event.refresh_from_db()
    taken = {
        "city": "Rijswijk",
        "federation": "NED",
        "chief_arbiter": "Vos, Ina (IA)",
        "deputy_arbiters": "Bos, Jan\nDam, Ada",
    }
    assert {field: getattr(event, field) for field in taken} == taken
    assert (event.time_control, event.sections.get().time_control) == ("60+15", "90+30")
    assert ActionLog.objects.get().after["event"] == taken


def test_import_into_an_empty_section_fills_empty_fields_of_the_event(actor: Actor) -> None:
    event = EventFactory(time_control="")
    section = section_of(0, event=event)
    import_report(actor=actor, section_id=section.pk, report=report(*HEAD, *PLAYERS, *ORGANISERS))
    event.refresh_from_db()
    section.refresh_from_db()
    assert (event.time_control, section.time_control) == ("90+30", "")


def test_identity_and_rating_are_kept(actor: Actor) -> None:
    imported(actor, *HEAD, *PLAYERS)
    player = Player.objects.get(fide_id=1503014)
    entry = player.entries.get()
    assert (player.name, player.sex, player.title, player.federation, player.birth_date) == (
        "Player, No 1",
        "m",
        "GM",
        "NED",
        "1990/11/30",
    )
    assert (entry.rating, entry.official_rating, entry.rating_source) == (2400, 2400, RatingSource.FILE)
    assert Player.objects.get(name="Player, No 5").federation == ""


def test_next_round_is_paired_as_from_the_file(actor: Actor) -> None:
    lines = [*HEAD, *PLAYERS, *EXTRA]
    section = imported(actor, *lines)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=2)
    expected = pair_round(to_tournament(report(*lines)))
    assert list(row.games.order_by("board").values_list("white__tpn", "black__tpn")) == [
        (pair.white, pair.black) for pair in expected.pairs
    ]
    allocated = section.participants.filter(byes__round_number=3, byes__kind="U").values_list(
        "tpn", flat=True
    )
    assert list(allocated) == ([expected.bye] if expected.bye else [])


def test_report_fills_an_empty_section(actor: Actor) -> None:
    section = SectionFactory(rounds=9, name="Mine", initial_colour="")
    with one_step(section, "import_report"):
        import_report(actor=actor, section_id=section.pk, report=report(*HEAD, *PLAYERS))
    section.refresh_from_db()
    assert (section.rounds, section.name, section.initial_colour) == (5, "Mine", "w")
    with refused("section_not_empty", participants=6):
        import_report(actor=actor, section_id=section.pk, report=report(*HEAD, *PLAYERS))


def test_section_that_is_not_empty_is_refused(actor: Actor) -> None:
    section = section_of(1)
    with refused("section_not_empty", participants=1):
        import_report(actor=actor, section_id=section.pk, report=report(*HEAD, *PLAYERS))


def test_numbers_of_a_running_section_stay_when_they_do_not_follow_the_ratings(actor: Actor) -> None:
    section = imported(
        actor,
        *HEAD,
        line(3, 1500, (7, "w", "1"), name="Low, A"),
        line(7, 2500, (3, "b", "0"), name="High, B"),
    )
    assert list(section.participants.order_by("tpn").values_list("tpn", "rating")) == [
        (3, 1500),
        (7, 2500),
    ]
    entry = EntryData(name="New, C", rating=2000)
    add_participant(actor=actor, section_id=section.pk, entry=entry)
    assert list(section.participants.order_by("tpn").values_list("tpn", "former_tpn", "rating")) == [
        (1, 7, 2500),
        (2, None, 2000),
        (3, None, 1500),
    ]


def test_numbers_of_a_file_without_rounds_are_kept_if_they_follow_the_ratings(actor: Actor) -> None:
    agree = imported(actor, *HEAD, line(1, 2000, name="Zz, A"), line(2, 2000, name="Aa, B"))
    assert list(agree.participants.order_by("tpn").values_list("player__name", flat=True)) == [
        "Zz, A",
        "Aa, B",
    ]
    differ = imported(actor, *HEAD, line(1, 1900, name="Zz, A"), line(2, 2000, name="Aa, B"))
    assert list(differ.participants.order_by("tpn").values_list("player__name", flat=True)) == [
        "Aa, B",
        "Zz, A",
    ]
    assert not differ.log.get().integrity


@pytest.mark.parametrize("entries", [(), ((2, "w", "1"),)])
def test_a_later_renumbering_keeps_the_files_order_of_equal_ratings(
    actor: Actor, entries: tuple[tuple[int, str, str], ...]
) -> None:
    """GHR 2.2: an announced order of equal ratings counts. Players in the usual order get no fixed place."""
    section = imported(
        actor,
        *HEAD,
        line(1, 2000, *entries, name="Zz, A"),
        line(2, 2000, *((1, "b", "0") for _ in entries), name="Aa, B"),
        line(3, 1900, *((0, "", "Z") for _ in entries), name="Bb, C"),
        line(4, 1900, *((0, "", "Z") for _ in entries), name="Cc, D"),
    )
    for rating in (2100, 2000, 1900):
        entry = EntryData(name=f"Aa, New {rating}", rating=rating)
        add_participant(actor=actor, section_id=section.pk, entry=entry, asked=True)
    assert list(section.participants.order_by("tpn").values_list("player__name", flat=True)) == [
        "Aa, New 2100",
        "Zz, A",
        "Aa, B",
        "Aa, New 2000",
        "Aa, New 1900",
        "Bb, C",
        "Cc, D",
    ]


def test_place_in_the_file_is_the_pairing_number_if_xxc_rank_says_so(actor: Actor) -> None:
    section = imported(actor, *HEAD, "XXC rank", line(9, 2000, (4, "w", "1")), line(4, 2100, (9, "b", "0")))
    assert list(section.participants.order_by("tpn").values_list("tpn", "rating")) == [
        (1, 2000),
        (2, 2100),
    ]


def test_point_system_is_imported(actor: Actor) -> None:
    section = imported(actor, *HEAD, "XXS W=3 D=1 L=0 PAB=3 FW=3", *PLAYERS)
    assert (section.win_points, section.draw_points, section.bye_points) == (30, 10, 30)


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("lines", "code", "params"),
    [
        (["XXR 5", "XXS WW=2"], "report_points", {"symbol": "black_win", "points": 10}),
        (["XXR 5", "XXS FL=0.5"], "report_points", {"symbol": "forfeit_loss", "points": 5}),
        (["XXR 31"], "rounds_out_of_range", {"rounds": 31, "minimum": 2, "maximum": 30}),
        (["XXR 5", "XXS PAB=0.7"], "bye_points_not_standard", {"bye": 7}),
        (["XXR 5", "240 H 009 0001"], "round_out_of_range", {"round": 9, "rounds": 5}),
        (["XXR 5", "192 FIDE_LIM"], "report_refused", {}),
        ([], "report_without_rounds", {}),
    ],
)
def test_settings_that_a_section_cannot_have_are_refused(
    actor: Actor, lines: list[str], code: str, params: dict[str, object]
) -> None:
    event = EventFactory()
    found = report(*lines, *PLAYERS)
    with refused(code, **params):
        import_report(actor=actor, event=event, name="Open", report=found)


def test_dates_of_the_rounds_are_imported(actor: Actor) -> None:
    days = ["042 2026/03/01", "052 2026/03/05"]
    without = imported(actor, *days, *HEAD, *PLAYERS)
    assert without.schedule == []
    assert not [line for line in tournament_report(without).splitlines() if line.startswith(b"132")]
    in_words = imported(actor, *days, "132 2026/03/01 2026/03/02", *HEAD, *PLAYERS)
    assert (in_words.schedule, in_words.report_records) == (["2026-03-01", "2026-03-02"], ["012 Open"])


def test_arbiter_can_give_the_number_of_rounds(actor: Actor) -> None:
    assert imported(actor, *PLAYERS, rounds=6).rounds == 6
    for rounds, planned in ((None, 9), (6, 6)):
        section = SectionFactory(rounds=9)
        import_report(actor=actor, section_id=section.pk, report=report(*PLAYERS), rounds=rounds)
        section.refresh_from_db()
        assert section.rounds == planned
    event, found = EventFactory(), report(*PLAYERS)
    with refused("rounds_out_of_range", rounds=1, minimum=2, maximum=30):
        import_report(actor=actor, event=event, name="Open", report=found, rounds=1)


def test_refusal_names_the_line(actor: Actor) -> None:
    event = EventFactory()
    found = report(*HEAD, *PLAYERS, "XXW 7")
    with refused("report_refused"):
        import_report(actor=actor, event=event, name="Open", report=found)
    with pytest.raises(DomainError) as caught:
        import_report(actor=actor, event=event, name="Open", report=found)
    (problem,) = caught.value.params["problems"]
    assert (problem["line"], problem["code"]) == (9, "unknown_extension")


def test_players_without_a_rating_need_a_provisional_one(actor: Actor) -> None:
    event = EventFactory()
    lines = [*HEAD, "192 FIDE_DUBOV", line(1, 2000), line(2, None, name="Un, Rated"), line(3, None)]
    with refused("ratings_missing", names=["Un, Rated", "Player, No 3"]):
        import_report(actor=actor, event=event, name="Open", report=report(*lines))
    section = imported(actor, *lines, provisional_rating=1400)
    assert list(section.participants.values_list("rating", "official_rating", "rating_source")) == [
        (2000, 2000, "file"),
        (1400, None, "provisional"),
        (1400, None, "provisional"),
    ]


def test_wrong_players_are_named_by_their_ranks(actor: Actor) -> None:
    event = EventFactory()
    found = report(*HEAD, line(1, 5000), line(2, 2000, fide_id=77), line(3, 2000, fide_id=77))
    with refused("import_refused"):
        import_report(actor=actor, event=event, name="Open", report=found)
    with pytest.raises(DomainError) as caught:
        import_report(actor=actor, event=event, name="Open", report=found)
    assert [(p["row"], p["code"]) for p in caught.value.params["problems"]] == [
        (1, "invalid_values"),
        (3, "already_entered"),
    ]


def test_too_many_forbidden_pairs_are_refused(actor: Actor) -> None:
    event = EventFactory()
    everybody = " ".join(str(rank) for rank in range(1, 401))
    found = report(*HEAD, *(line(rank, 2000) for rank in range(1, 401)), f"XXP {everybody}")
    with refused("too_many_forbidden", limit=50_000):
        import_report(actor=actor, event=event, name="Open", report=found)


def test_players_of_two_files_in_one_event_are_recognised(actor: Actor) -> None:
    event = EventFactory()
    for name in ("A", "B"):
        import_report(actor=actor, event=event, name=name, report=report(*HEAD, *PLAYERS), both=True)
    assert Player.objects.filter(fide_id=1503014).count() == 1
    with refused("section_name_taken", name="A"):
        import_report(actor=actor, event=event, name="A", report=report(*HEAD, *PLAYERS))


def test_queries_do_not_grow_with_the_file(actor: Actor, django_assert_max_num_queries: object) -> None:
    for count in (4, 100):
        lines = [
            line(rank, 2500 - rank, (rank + 1, "w", "1") if rank % 2 else (rank - 1, "b", "0"))
            for rank in range(1, count + 1)
        ]
        event = EventFactory()
        found = report(*HEAD, *lines)
        with django_assert_max_num_queries(28):
            import_report(actor=actor, event=event, name="Open", report=found)
