"""Any bytes give a report or raise TrfErrors."""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evenboard_engine import Tournament
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.tests.trf.reports import reports
from evenboard_engine.trf import Report, TrfErrors, read_report, to_tournament, write_report
from evenboard_engine.words.report_problems import sentence


def outcome(data: bytes) -> str:
    try:
        report = read_report(data)
        tournament = to_tournament(report, unrated=1500)
    except TrfErrors as errors:
        found = errors.errors
    else:
        assert isinstance(tournament, Tournament)
        assert read_report(write_report(report)) == report
        return "report"
    assert all(sentence(error) for error in found)
    return "errors"


@given(st.binary())
@example(b"")
@example(b"\x00" * 100)
@example(b"\xef\xbb\xbf001    1")
@example(b"001" + b" " * 1_000_000 + b"1")
@example(b"001    1" + b"9" * 1_000_000)
@example(b"001    1\r" * 3)
@example(b"001 " + b"9" * 90)
def test_any_bytes_give_a_report_or_errors(data: bytes) -> None:
    assert outcome(data) in ("report", "errors")


alphabet = st.sampled_from([*"0123456789 wb-+=HFUZ?\r\nXRZPSCA#.\x00\t", "é", "٣", "\u2028"])


@given(
    st.lists(st.text(alphabet, max_size=30), max_size=20), st.sampled_from(["001", "XX", "162", "240", "132"])
)
@settings(deadline=None)
def test_any_records_give_a_report_or_errors(lines: list[str], code: str) -> None:
    data = "\n".join(code + line for line in lines).encode()
    assert outcome(b"001    1\n" + data) in ("report", "errors")


@given(reports(), st.data())
@settings(deadline=None, max_examples=200)
def test_a_damaged_report_gives_a_report_or_errors(report: Report, data: st.DataObject) -> None:
    text = write_report(report, newline="\n").decode()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = text[:at] + data.draw(alphabet) + text[at + data.draw(st.integers(0, 12)) :]
    assert outcome(text.encode()) in ("report", "errors")


@pytest.mark.parametrize(
    "data",
    [
        as_file(*["### " + "x" * 10] * 90_000, "001    1"),
        as_file(*[f"001{rank:5}" for rank in range(1, 90_000)]),
        as_file("XXZ " + "1 " * 49_000, "001    1"),
        as_file("162" + " W 1.0" * 16_000, "001    1"),
        as_file(
            "XXR 999",
            *[f"XXP {' '.join(map(str, range(1, 500)))}"] * 5,
            *[f"001{i:5}" for i in range(1, 500)],
        ),
        as_file(
            "XXR 999",
            *[f"001{rank:5}" for rank in range(3, 40_000)],
            player_line(*["2 w 1"] * 998, starting_rank=1),
            player_line(*["1 b 0"] * 998, starting_rank=2),
        ),
    ],
    ids=["comments", "players", "absentees", "points", "prohibitions", "rounds"],
)
def test_work_stays_within_the_size_of_the_file(data: bytes) -> None:
    """Work that grows with the square of the lines does not end within the limit of a test."""
    assert outcome(data) in ("report", "errors")


def test_too_many_forbidden_pairs_are_refused() -> None:
    ranks = range(1, 701)
    lists = ["XXP " + " ".join(map(str, ranks[start : start + 640])) for start in (0, 60)]
    report = read_report(as_file("XXR 9", *lists, *[f"001{rank:5}".ljust(48) + "2000" for rank in ranks]))
    with pytest.raises(TrfErrors) as caught:
        to_tournament(report)
    assert [(error.code, error.line) for error in caught.value.errors] == [("too_many_forbidden", 2)]


def counted(monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> list[object]:
    """Count the calls of a function where `module` uses it. Returns the first arguments, as they come."""
    calls: list[object] = []
    where = import_module(module)
    function = getattr(where, name)

    def call(first: object, *others: object) -> object:
        calls.append(first)
        return function(first, *others)

    monkeypatch.setattr(where, name, call)
    return calls


def with_prohibitions(*lines: str, players: int = 201) -> Report:
    ranks = [f"001{rank:5}".ljust(48) + "2000" for rank in range(1, players + 1)]
    return read_report(as_file("XXR 9", "152 W", *ranks, *lines))


EVERYBODY = " ".join(f"{rank:04}" for rank in range(1, 202))


def test_forbidden_group_that_comes_again_is_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplied = counted(monkeypatch, "evenboard_engine.trf.reported_rounds", "combinations")
    report = with_prohibitions(
        *[f"260 001 009 {EVERYBODY}"] * 200, f"XXP {EVERYBODY}", "260 001 002 0003 0001"
    )
    assert len(to_tournament(report).forbidden) == 201 * 100
    assert len(multiplied) == 2


def test_forbidden_pairs_are_counted_before_they_are_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplied = counted(monkeypatch, "evenboard_engine.trf.reported_rounds", "combinations")
    lists = [f"XXP {EVERYBODY.replace(f'{rank:04}', '', 1)}" for rank in range(1, 21)]
    with pytest.raises(TrfErrors) as caught:
        to_tournament(with_prohibitions(*lists))
    (error,) = caught.value.errors
    assert (error.code, error.line) == ("too_many_forbidden", 2 + 201 + 11)
    assert sentence(error) == (
        "line 214, column 5: with this line there are more than 200000 forbidden pairs; leave out lines that are "
        "not needed"
    )
    assert multiplied == []


@pytest.mark.parametrize(
    ("module", "reader", "line"),
    [
        ("renumbering", "_moved", "### Regeneration @ Round 3: 2=>1 1=>2"),
        ("as_paired", "_step", "### Rating correction @ Round 1: 1-2: 1-0 => 0-1"),
        ("as_paired", "_earlier_result", "### Earlier result @ Round 1: 1-2: adj until round 2"),
        ("as_paired", "_ratings", "### Tournament ratings: 1=2100"),
    ],
    ids=["numbers", "corrections", "earlier results", "ratings"],
)
def test_comments_are_read_once_for_all_rounds(
    monkeypatch: pytest.MonkeyPatch, module: str, reader: str, line: str
) -> None:
    read = counted(monkeypatch, f"evenboard_engine.trf.{module}", reader)
    report = read_report(
        as_file(
            "XXR 9",
            "152 W",
            player_line("2 w 1", "2 b =", "2 w 1", starting_rank=1, rating=2000),
            player_line("1 b 0", "1 w =", "1 b 0", starting_rank=2, rating=1900),
            *[line] * 30,
        )
    )
    for number in (1, 2, 3):
        to_tournament(report, round=number)
    assert len(read) == 30


@pytest.mark.parametrize(
    ("line", "found", "limit"),
    [("### x", "###", 10_000), ("012 A", "012", 1_000), ("XXC rank", "XXC", 1_000), ("NAT 1", "NAT", 20_000)],
)
def test_more_lines_of_one_code_than_any_file_needs_are_refused_once(
    line: str, found: str, limit: int
) -> None:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file("001    1", *[line] * (limit + 50)))
    assert [(one.code, one.line, one.params) for one in caught.value.errors] == [
        ("too_many_of_code", limit + 2, {"found": found, "limit": limit})
    ]
    assert len(read_report(as_file("001    1", *[line] * limit)).records) == limit + 1
