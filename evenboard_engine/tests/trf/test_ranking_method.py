"""Record 172: which rating gave the starting ranks, and the national records that it reads."""

from __future__ import annotations

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import Report, TrfErrors, as_paired, read_report
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.words.catalogue import ENGLISH
from evenboard_engine.words.report_problems import sentence


def national(rank: int, rating: int, federation: str = "NED") -> str:
    return f"{federation}{player_line(starting_rank=rank, rating=rating)[3:]}"


def report(*records: str, fide: tuple[int | str, ...] = (2000, 2100, "", 1800)) -> Report:
    lines = [player_line(starting_rank=rank, rating=rating) for rank, rating in enumerate(fide, start=1)]
    return read_report(as_file(*lines, "142 5", *records))


def ratings(found: Report) -> list[int | None]:
    return [player.rating for player in as_paired(found).players]


RECORDS = (national(1, 2050), national(2, 1950), national(3, 1900))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("FIDE", [2000, 2100, None, 1800]),
        ("NRO", [2050, 1950, 1900, None]),
        ("FIDON", [2000, 2100, 1900, 1800]),
        ("NIDOF", [2050, 1950, 1900, 1800]),
        ("HBFN", [2050, 2100, 1900, 1800]),
        ("LBFN", [2000, 1950, 1900, 1800]),
        ("OTHER", [2000, 2100, None, 1800]),
    ],
)
def test_methods_choose_between_fide_and_national_ratings(method: str, expected: list[int | None]) -> None:
    found = report(f"172 NED {method}", *RECORDS)
    assert ratings(found) == expected
    assert ratings(as_paired(found)) == expected
    assert file_warnings(found) == ()


def test_comment_with_tournament_ratings_counts_before_the_method() -> None:
    found = report("172 NED NIDOF", *RECORDS, "### Tournament ratings: 1=2222 2=2100")
    assert ratings(found) == [2222, 2100, 1900, 1800]


@pytest.mark.parametrize(
    ("record", "warning"),
    [
        (
            "172 NED BEST",
            "record 172 must name the method FIDE, NRO, FIDON, NIDOF, HBFN, LBFN or OTHER, not 'NED BEST'",
        ),
        (
            "172 GER NIDOF",
            "record 172 says 'GER NIDOF', but the file has no national ratings of GER",
        ),
    ],
)
def test_method_that_cannot_be_used_is_a_warning(record: str, warning: str) -> None:
    found = report(record, *RECORDS)
    assert ratings(found) == [2000, 2100, None, 1800]
    (doubt,) = file_warnings(found)
    text = f"{warning}; the ratings of the player lines (001) are taken"
    assert sentence(doubt, ENGLISH) == f"line 6, column 5: {text}"


@pytest.mark.parametrize("method", ["FIDON", "NIDOF", "HBFN", "LBFN"])
def test_method_that_takes_the_fide_rating_too_needs_no_national_records(method: str) -> None:
    """A final report has records only of players whom the national rating ranked."""
    assert file_warnings(report(f"172 NED {method}")) == ()


def test_national_ratings_alone_need_records() -> None:
    (doubt,) = file_warnings(report("172 NED NRO"))
    assert doubt.code == "no_national_ratings"


def test_checker_pairs_by_the_ratings_of_the_method() -> None:
    """Without the method, the players have no rating, and the round cannot be paired again."""
    entries = ("3 w 1", "4 b 0", "1 b 0", "2 w 1")
    lines = [player_line(entry, starting_rank=rank) for rank, entry in enumerate(entries, start=1)]
    records = [national(rank, 2400 - 10 * rank) for rank in range(1, 5)]
    found = read_report(as_file(*lines, "142 5", "152 W", "192 FIDE_DUBOV", "172 NED NRO", *records))
    assert [one.differences for one in check_rounds(found)] == [()]
    other = read_report(as_file(*lines, "142 5", "152 W", "192 FIDE_DUBOV", "172 NED OTHER", *records))
    with pytest.raises(TrfErrors):
        list(check_rounds(other))
