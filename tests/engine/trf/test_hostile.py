"""Any bytes give a report or raise TrfErrors."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairing.engine import Tournament
from pairing.engine.trf import Report, TrfErrors, read_report, to_tournament, write_report
from pairing.engine.trf.messages import sentence
from tests.engine.trf.columns import as_file, player_line
from tests.engine.trf.reports import reports


def outcome(data: bytes) -> str:
    try:
        report = read_report(data)
        tournament = to_tournament(report, unrated=1500)
    except TrfErrors as errors:
        told = errors.errors
    else:
        assert isinstance(tournament, Tournament)
        assert read_report(write_report(report)) == report
        return "report"
    assert all(sentence(error) for error in told)
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
    started = time.process_time()
    assert outcome(data) in ("report", "errors")
    assert time.process_time() - started < 20


def test_too_many_forbidden_pairs_are_refused() -> None:
    ranks = range(1, 701)
    lists = ["XXP " + " ".join(map(str, ranks[start : start + 640])) for start in (0, 60)]
    report = read_report(as_file("XXR 9", *lists, *[f"001{rank:5}".ljust(48) + "2000" for rank in ranks]))
    with pytest.raises(TrfErrors) as caught:
        to_tournament(report)
    assert [(error.code, error.line) for error in caught.value.errors] == [("too_many_forbidden", 2)]
