"""A round that the rules of 1997 could not finish: what everybody reads about it, and what arbiters see meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from evenboard_engine.cli.command import main
from tests.answers import agreed
from tests.systems.dubov1997.stuck_desks import after_all_have_met, after_example_10, offered, take_over
from tests.systems.dubov1997.test_pages import text
from tests.systems.toy_desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

DECIDED = "The pairing rules could not finish this round, so the arbiter decided the pairs."
LISTS = (
    "round/{}/pairings/",
    "round/{}/names/",
    "print/boards/{}/",
    "print/names/{}/",
    "print/boards-large/{}/",
)


@pytest.fixture
def desk() -> Desk:
    return after_example_10()


def saying(desk: Desk, number: int) -> list[str]:
    """Return the public lists of a round that say who decided its pairs."""
    visitor = Client()
    pages = {one: visitor.get(desk.base + one.format(number)).content.decode() for one in LISTS}
    return [one for one, page in pages.items() if DECIDED in text(page)]


def by_hand(desk: Desk, after: int) -> None:
    """Pair the next round by hand, with the pairs that are proposed."""
    desk.done("by-hand/", after_round=after, **{"with": "proposal"})
    assert desk.end_by_hand(after + 1, "All have met").status_code == 302
    desk.publish()


def test_everybody_reads_that_the_arbiter_decided_a_round_by_the_offer(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    take_over(desk)
    assert "Round 2 paired as offered, because the rules could not finish it: 2 boards" in text(
        desk.get("log/")
    )
    desk.publish()
    assert (saying(desk, 1), saying(desk, 2)) == ([], list(LISTS))
    desk.results()
    data = desk.client.get(f"{desk.base}report.trf").content
    file = tmp_path / "offer.trf"
    file.write_bytes(data)
    assert main(["--dubov-1997", str(file), "-c"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    offer = "the rules cannot finish this round; the file has the pairing that is offered"
    assert first == f"{file}: round 2: {offer}"
    assert last.startswith(f"{file}: 2 rounds checked, no difference")
    start = f"/{desk.section.event.slug}/-/report/"
    answer = desk.client.post(start, {"file": SimpleUploadedFile("offer.trf", data)}, follow=True)
    upload = answer.content.decode().partition('name="upload" value="')[2].partition('"')[0]
    agreed(desk.client, f"{start}?preview", {"upload": upload, "name": "Copy"})
    rounds = desk.section.event.sections.get(name="Copy").played_rounds.order_by("number")
    assert list(rounds.values_list("rules_gave_none", flat=True)) == [False, True]


def test_everybody_reads_that_the_arbiter_decided_a_round_for_which_nothing_is_offered() -> None:
    desk = after_all_have_met()
    by_hand(desk, after=3)
    assert (saying(desk, 3), saying(desk, 4)) == ([], list(LISTS))


def test_cockpit_and_explanation_say_that_nobody_is_paired_yet(desk: Desk) -> None:
    offered(desk)
    desk.done("by-hand/", after_round=1, **{"with": "nothing"})
    cockpit = text(desk.get("cockpit/"))
    assert "Nobody is paired yet. Only arbiters see the round." in cockpit
    assert "Pairnobody yet" in cockpit
    assert [words for words in ("0 of 0", "Paired ") if words in cockpit] == []
    why = text(desk.get("round/2/why/"))
    assert "The rules could not finish this round. Nobody is paired yet." in why
    assert "These pairs are offered: 2 Surname2 – 1 Surname1; 3 Surname3 – 5 Surname5." in why
    compared = text(desk.get("round/2/compare/"))
    waiting = "The round can be compared when everybody has an opponent or a bye."
    assert f"5 players are not paired yet. {waiting}" in compared
    assert "Spread of opposition" not in compared
    desk.by_hand(player=desk.key(1), picked=desk.key(2))
    cockpit = text(desk.get("cockpit/"))
    assert "Being paired by hand. Only arbiters see the round." in cockpit
    assert "Pairby hand" in cockpit


def test_round_by_hand_can_go_back_to_the_proposal_where_nothing_is_offered() -> None:
    desk = after_all_have_met()
    desk.done("by-hand/", after_round=3, **{"with": "proposal"})
    proposed = desk.boards()
    desk.by_hand(do="unpair", on=desk.key(1))
    page = text(desk.get("round/4/by-hand/"))
    assert "As proposed" in page
    desk.by_hand(do="proposal")
    assert desk.boards() == proposed
    assert "Round 4 by hand: the pairs that break the fewest rules" in text(desk.get("log/"))
