from __future__ import annotations

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person who can log in. Our own class from the first migration, so that it can grow."""

    @property
    def label(self) -> str:
        return self.get_full_name() or self.username
