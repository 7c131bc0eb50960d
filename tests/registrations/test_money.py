"""Amounts of money: pages and mails write them as the reader's language does, files with a point."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import override

from registrations.actions.money import charge
from registrations.web.forms.money import CentsField, amount, shown_amount
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, sent


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "10.05"), *((language, "10,05") for language in ("de", "es", "fr", "nl", "pl", "ru", "uk"))],
)
def test_amount_has_the_decimal_mark_of_the_language(language: str, text: str) -> None:
    with override(language):
        assert shown_amount(1005) == text
        assert shown_amount(-1005) == f"-{text}"
        assert CentsField().prepare_value(1005) == text
        assert CentsField().clean(text) == 1005
        assert amount(1005) == "10.05"


@pytest.mark.django_db
def test_german_pages_have_a_comma_and_their_files_a_point() -> None:
    into = desk(fee=1050)
    one = sent(into, "A, X")
    charge(registration_id=one.pk, kind="payment", cents=25, by=ORGANISER)
    client: Client = staff(into)
    german = client.get(f"/de{address(into)}").content.decode()
    assert "10,25 EUR" in german
    assert "10.25" not in german
    assert "10.25" in client.get(f"/de{address(into, 'file.csv')}").content.decode()
