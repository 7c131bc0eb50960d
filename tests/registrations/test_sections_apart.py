"""An event whose sections play at different times: a person registers once for each."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from registrations.actions.sections import move_many_to, move_section
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_many
from registrations.models import Registration
from registrations.states import RegistrationState
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.errors import DomainError
from tournaments.models import Section

pytestmark = pytest.mark.django_db

ADA = {"fide_id": 4711, "email": "ada@example.org"}


def two_sections(*, apart: bool) -> tuple[Section, Section]:
    first = desk()
    first.event.sections_apart = apart
    first.event.save(update_fields=["sections_apart"])
    return first, section(first.event)


def test_a_person_registers_for_each_of_them_and_once_in_each() -> None:
    first, second = two_sections(apart=True)
    ones = [sent(first, "Ada, X", **ADA), sent(second, "Ada, X", **ADA)]
    assert [one.problems for one in ones] == ["", ""]
    for one in ones:
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    with pytest.raises(DomainError, match="registration_known"):
        sent(first, "Ada, X", **ADA)
    assert sent(second, "Brother, X", email="ada@example.org").problem_codes == ["same_mail"]
    assert sent(second, "Ada, X", birth_date="").problem_codes == ["same_person"]


def test_elsewhere_a_person_registers_once() -> None:
    first, second = two_sections(apart=False)
    sent(first, "Ada, X", **ADA)
    with pytest.raises(DomainError, match="registration_known"):
        sent(second, "Ada, X", **ADA)


def test_nobody_moves_to_a_section_where_the_person_is_registered() -> None:
    first, second = two_sections(apart=True)
    third = section(first.event)
    here, there, elsewhere = (sent(of, "Ada, X", **ADA) for of in (first, second, third))
    with pytest.raises(DomainError, match="registration_known"):
        move_section(registration_id=here.pk, section_id=second.pk, by=ORGANISER)
    fourth = section(first.event)
    wanted = [(one.pk, Registration.objects.get(pk=one.pk).revision) for one in (here, elsewhere)]
    outcome = move_many_to(event_id=first.event_id, wanted=wanted, section_id=fourth.pk, by=ORGANISER)
    assert ([one.pk for one in outcome.moved], outcome.left[0][1].code) == ([here.pk], "registration_known")
    again = sent(first, "Ada, X", **ADA)
    back = undo_many(event_id=first.event_id, keys=[here.pk], by=ORGANISER)
    assert [error.code for _one, error in back.left] == ["registration_known"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Registration.objects.filter(pk=there.pk).update(section=again.section)
