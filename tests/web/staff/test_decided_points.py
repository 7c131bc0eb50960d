"""The page on which the arbiter takes points away or adds them."""

from __future__ import annotations

from django.test import Client

from tests.answers import answers_in
from tests.web.staff.conftest import address, played
from tournaments.models import Section
from tournaments.queries.field import load_field


def test_arbiter_sees_what_changes_before_it_changes(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=1)
    path = address(section, f"entries/{entry.pk}/points/")
    assert "Not paired yet." in page.get(path).content.decode()
    played(section)
    played(section)

    def score() -> int:
        return load_field(Section.objects.get(pk=section.pk)).histories[entry.pk].score

    assert path in page.get(address(section, f"entries/{entry.pk}/")).content.decode()
    sent = {"effect": "less", "points": "½", "after_round": "2", "reason": "mobile phone", "seen": "0"}
    question = page.post(path, sent)
    asked, yes = question.content.decode(), answers_in(question)
    assert "change after round 2: 1 becomes ½." in asked
    assert score() == 10
    wrong = page.post(path, {**sent, "points": "9", "answer": yes})
    assert wrong.status_code == 422
    assert "less than 0 points" in wrong.content.decode()
    done = page.post(path, {**sent, "answer": yes})
    assert (done.status_code, score()) == (302, 5)
    assert "½ point taken away after round 2" in page.get(path).content.decode()
    twice = page.post(path, {**sent, "answer": yes})
    assert (twice.status_code, score()) == (409, 5)
