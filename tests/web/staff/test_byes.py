"""Byes and absences."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.answers import agreed, answers_in
from tests.web.staff.conftest import address, paired
from tournaments.models import Bye, Participant, Player, Section


@pytest.fixture
def entry(section: Section) -> Participant:
    return section.participants.select_related("player").get(tpn=5)


def given(section: Section) -> list[tuple[int, str]]:
    return list(
        Bye.objects.filter(participant__section=section)
        .order_by("round_number")
        .values_list("round_number", "kind")
    )


def test_bye_is_given_in_several_rounds_at_once(page: Client, section: Section, entry: Participant) -> None:
    sent = {"participant": entry.pk, "rounds": "2, 4-5", "kind": "Z"}
    answer = page.post(address(section, "byes/"), sent)
    assert (answer.status_code, answer.url) == (302, address(section, "byes/"))
    assert given(section) == [(2, "Z"), (4, "Z"), (5, "Z")]


def test_byes_of_several_rounds_are_given_together_or_not_at_all(
    page: Client, section: Section, entry: Participant
) -> None:
    answer = page.post(address(section, "byes/"), {"participant": entry.pk, "rounds": "6-8", "kind": "Z"})
    assert answer.status_code == 422
    assert "There is no round 8; the section has 7." in answer.content.decode()
    assert given(section) == []


def test_bye_in_a_round_that_is_paired_is_refused(page: Client, section: Section, entry: Participant) -> None:
    paired(section)
    answer = page.post(address(section, "byes/"), {"participant": entry.pk, "rounds": "1", "kind": "H"})
    assert answer.status_code == 422
    assert "Round 1 is already paired." in answer.content.decode()


def test_wrong_request_is_refused(page: Client, section: Section, entry: Participant) -> None:
    for wrong in [
        {"rounds": ""},
        {"rounds": "all"},
        {"rounds": "1-"},
        {"rounds": "100"},
        {"rounds": "1" * 61},
        {"rounds": "²"},
        {"kind": "U"},
        {"kind": ""},
        {"participant": "0"},
        {"participant": "x"},
        {"participant": "9" * 400},
    ]:
        sent = {"participant": entry.pk, "rounds": "2", "kind": "H", **wrong}
        assert page.post(address(section, "byes/"), sent).status_code == 422, wrong
        assert given(section) == [], wrong


def test_bye_is_cancelled(page: Client, section: Section, entry: Participant) -> None:
    bye = Bye.objects.create(participant=entry, round_number=3, kind="H")
    listed = page.get(address(section, "byes/")).content.decode()
    assert entry.player.name in listed
    answer = page.post(address(section, f"byes/{bye.pk}/cancel/"))
    assert (answer.status_code, given(section)) == (302, [])


def test_bye_of_a_paired_round_stays(page: Client, section: Section, entry: Participant) -> None:
    bye = Bye.objects.create(participant=entry, round_number=1, kind="H")
    paired(section)
    answer = page.post(address(section, f"byes/{bye.pk}/cancel/"))
    assert answer.status_code == 422
    assert (1, "H") in given(section)


def test_missing_bye_is_no_server_error(page: Client, section: Section) -> None:
    for key in (0, 10**6, 10**18, 10**40):
        answer = page.post(address(section, f"byes/{key}/cancel/"))
        assert (answer.status_code, answer.url) == (302, address(section, "byes/"))


def test_second_half_point_bye_asks_first(page: Client, section: Section, entry: Participant) -> None:
    sent = {"participant": entry.pk, "rounds": "2, 4", "kind": "H"}
    answer = page.post(address(section, "byes/"), sent)
    assert answer.status_code == 422
    assert "The competition rules allow one (C.05, 6.7.4)" in answer.content.decode()
    assert given(section) == []
    assert "would have 2 half-point byes" in answer.content.decode()
    assert agreed(page, address(section, "byes/"), sent).status_code == 302
    assert given(section) == [(2, "H"), (4, "H")]


def test_yes_to_one_bye_gives_no_other_ones(page: Client, section: Section, entry: Participant) -> None:
    """Asked about a second half-point bye, the arbiter changed the form: three byes were given without a word."""
    Bye.objects.create(participant=entry, round_number=2, kind="H")
    sent = {"participant": entry.pk, "rounds": "4", "kind": "H"}
    asked = page.post(address(section, "byes/"), sent)
    yes = answers_in(asked)
    for changed in ({"rounds": "4-6"}, {"participant": section.participants.get(tpn=6).pk, "rounds": "4, 5"}):
        again = page.post(address(section, "byes/"), {**sent, **changed, "answer": yes})
        assert (again.status_code, "Give the bye anyway" in again.content.decode()) == (422, True)
        assert given(section) == [(2, "H")]
    assert page.post(address(section, "byes/"), {**sent, "answer": yes}).status_code == 302
    assert given(section) == [(2, "H"), (4, "H")]


def test_byes_of_one_press_are_one_step_and_one_undo(
    page: Client, section: Section, entry: Participant
) -> None:
    sent = {"participant": entry.pk, "rounds": "2-6", "kind": "Z"}
    html = page.post(address(section, "byes/"), sent, follow=True).content.decode()
    [step] = section.log.filter(action="request_bye")
    assert f"Rounds 2, 3, 4, 5, 6: zero-point bye for {step.subject}" in html
    undo = address(section, f"log/{step.revision}/undo/")
    assert undo in html
    assert page.post(undo).status_code == 302
    assert given(section) == []


def test_bye_beyond_the_limits_of_the_section_asks_first(
    page: Client, section: Section, entry: Participant
) -> None:
    Section.objects.filter(pk=section.pk).update(half_bye_limit=1, last_bye_round=3)
    sent = {"participant": entry.pk, "rounds": "2, 4", "kind": "H"}
    html = page.post(address(section, "byes/"), sent).content.decode()
    assert "A player may have 1 half-point bye in this section. Surname0004, Given would have 2." in html
    assert "a bye is worth points up to round 3, and this is round 4" in html
    assert "Give the bye anyway" in html
    assert given(section) == []


def test_player_without_the_right_is_refused_and_not_asked(
    page: Client, section: Section, entry: Participant
) -> None:
    Participant.objects.filter(pk=entry.pk).update(half_bye_allowed=False)
    sent = {"participant": entry.pk, "rounds": "2", "kind": "H"}
    answer = page.post(address(section, "byes/"), sent)
    assert answer.status_code == 422
    assert "may not ask for half-point byes" in answer.content.decode()
    assert given(section) == []


def test_page_says_that_full_point_byes_are_deprecated(
    page: Client, section: Section, entry: Participant
) -> None:
    sent = {"participant": entry.pk, "rounds": "2", "kind": "F"}
    html = page.post(address(section, "byes/"), sent, follow=True).content.decode()
    assert given(section) == [(2, "F")]
    assert "now has a full-point bye" in html


def test_rounds_in_reverse_order_are_refused(page: Client, section: Section, entry: Participant) -> None:
    answer = page.post(address(section, "byes/"), {"participant": entry.pk, "rounds": "5-3", "kind": "H"})
    assert answer.status_code == 422
    assert "Write the earlier round first, such as 3-5." in answer.content.decode()


def test_players_are_listed_by_name(page: Client, section: Section) -> None:
    names = ["Zeman, Jan", "Ōta, Ken", "Özdemir, Can", "Øster, Bo", "Łoś, Ewa", "Åberg, Nils"]
    for entry, name in zip(section.participants.order_by("tpn"), names, strict=False):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    html = page.get(address(section, "byes/")).content.decode()
    options = re.findall(r'<option value="\d+">(.*?) \(\d\)</option>', html)
    ordered = ["Åberg, Nils", "Łoś, Ewa", "Øster, Bo", "Ōta, Ken", "Özdemir, Can", "Zeman, Jan"]
    assert [name for name in options if name in names] == ordered


def test_many_byes_come_in_parts_under_the_head_of_their_round(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.views.staff.byes.WHOLE", 4)
    monkeypatch.setattr("web.views.public.lists.PART", 2)
    players = list(section.participants.order_by("tpn"))
    Bye.objects.bulk_create(
        Bye(participant=player, round_number=number, kind="Z")
        for number, some in ((2, players[:3]), (3, players[3:5]))
        for player in some
    )

    def rows(part: int) -> list[str]:
        html = page.get(address(section, "byes/"), {"part": part}).content.decode()
        found = re.findall(r"<b>(Round \d)</b>\s*(\d+ players?)|(Cancel the bye)\s*<span", html)
        return [" ".join(filter(None, row)) for row in found]

    assert [rows(part) for part in (1, 2, 3)] == [
        ["Round 2 3 players", "Cancel the bye", "Cancel the bye"],
        ["Round 2 3 players", "Cancel the bye", "Round 3 2 players", "Cancel the bye"],
        ["Round 3 2 players", "Cancel the bye"],
    ]


def test_a_player_of_a_long_section_is_typed_and_not_chosen_from_a_menu(
    page: Client, section: Section, entry: Participant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.forms.fields.WHOLE", 6)
    Player.objects.filter(pk=entry.player_id).update(name="Özdemir, Can")
    Participant.objects.filter(section=section, tpn=8).update(status="withdrawn")

    def suggested(rest: str, words: str) -> list[str]:
        answer = page.get(address(section, f"{rest}={words}"), headers={"HX-Request": "true"})
        return re.findall(r'<option value="([^"]*)"', answer.content.decode())

    html = page.get(address(section, f"byes/?player={entry.pk}")).content.decode()
    assert re.findall(r"<option value=\"(\w+)\"", html) == ["H", "Z", "F"]
    assert 'value="5 Özdemir, Can"' in html
    assert suggested("byes/?participant", "ozd") == ["5 Özdemir, Can"]
    assert len(suggested("byes/?participant", "surname")) == 6
    assert suggested("forbidden-pairs/?first", "ozd") == ["5 Özdemir, Can"]
    assert suggested("forbidden-pairs/?second", "8")[0].startswith("8 ")
    sent = {"participant": "ozdemir", "rounds": "2", "kind": "Z"}
    assert page.post(address(section, "byes/"), sent).status_code == 302
    assert Bye.objects.get().participant_id == entry.pk
    for words, sentence in (("surname", "Several players match"), ("8", "No player of this section")):
        answer = page.post(address(section, "byes/"), {**sent, "participant": words})
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
