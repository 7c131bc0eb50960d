from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command

from tournaments.models import Event, User

pytestmark = pytest.mark.django_db


def test_demo_in_an_installation_with_a_site_owner_makes_no_second_one(db: None, tmp_path: Path) -> None:
    User.objects.create_superuser("root")
    call_command("make_demo", credentials_file=str(tmp_path / "logins"), verbosity=0)
    assert not User.objects.filter(site_owner=True).exists()


def test_passwords_are_printed_only_without_a_file(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("make_demo", credentials_file=str(tmp_path / "logins"), stdout=out)
    password = (tmp_path / "logins").read_text(encoding="utf-8").split()[1]
    assert password not in out.getvalue()


def test_without_a_file_the_logins_are_printed() -> None:
    out = io.StringIO()
    call_command("make_demo", stdout=out)
    name, password, _ = out.getvalue().splitlines()[0].split()
    assert User.objects.get(username=name).check_password(password)


def test_no_demo_is_made_if_its_logins_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        call_command("make_demo", credentials_file=str(tmp_path / "nowhere" / "logins"), verbosity=0)
    assert not Event.objects.exists()
    assert not User.objects.exists()
