"""The prizes of a section, as its regulations announce them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from base.text import one_line
from evenboard_engine.prizes import Method

MOST_CATEGORIES = 60
MOST_PRIZES = 200
LARGEST_PRIZE = 10**11
"""In hundredths."""
LONGEST_NAME = 60
LONGEST_CURRENCY = 5
_LARGEST = {"rating_from": 3999, "rating_to": 3999, "born_from": 2999, "born_to": 2999}


class Unrated(models.TextChoices):
    """Whether unrated players may win in a category."""

    TOO = "too", _("may win too")
    NOT = "not", _("may not win")
    ONLY = "only", _("only they may win")


UNRATED_ASKED = _("Can players without a rating win this prize? A limit of the rating needs the answer.")


class Units(models.IntegerChoices):
    """What all sums are a multiple of, in hundredths."""

    CENT = 1, "0.01"
    TEN_CENTS = 10, "0.10"
    ONE = 100, "1"
    FIVE = 500, "5"
    TEN = 1000, "10"


@dataclass(frozen=True, slots=True)
class PrizeCategory:
    """Prizes in hundredths, and who may win them. 0 or "": no limit of this kind.

    born_from, born_to: years of birth. federations: codes.
    """

    name: str
    prizes: tuple[int, ...]
    method: Method = Method.EQUAL
    sex: str = ""
    rating_from: int = 0
    rating_to: int = 0
    unrated: str = Unrated.TOO.value
    born_from: int = 0
    born_to: int = 0
    club: str = ""
    federations: tuple[str, ...] = ()

    @property
    def fund(self) -> int:
        return sum(self.prizes)

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Read what a row or a copy has. Raises KeyError, TypeError or ValueError."""
        if set(stored) != {field.name for field in fields(cls)}:
            raise TypeError("prizes")
        prizes = tuple(_number(found, LARGEST_PRIZE) for found in _list(stored["prizes"], MOST_PRIZES))
        if stored["sex"] not in ("", "m", "w"):
            raise ValueError("sex")
        return cls(
            name=_text(stored["name"], LONGEST_NAME),
            prizes=prizes,
            method=Method(stored["method"]),
            sex=stored["sex"],
            unrated=Unrated(stored["unrated"]).value,
            club=_text(stored["club"], LONGEST_NAME),
            federations=tuple(_text(found, 3) for found in _list(stored["federations"], MOST_PRIZES)),
            **{name: _number(stored[name], most) for name, most in _LARGEST.items()},
        )


@dataclass(frozen=True, slots=True)
class PrizePlan:
    """All prizes of a section, and how they are given.

    unit: in hundredths, see `Units`. best_only: each player wins in one category only. rest_to_best: what rounding
    leaves goes to the best placed. withdrawn: players who withdrew may win.
    """

    categories: tuple[PrizeCategory, ...] = ()
    currency: str = ""
    unit: int = Units.ONE.value
    best_only: bool = True
    rest_to_best: bool = True
    withdrawn: bool = False

    @property
    def fund(self) -> int:
        return sum(category.fund for category in self.categories)

    @property
    def stored(self) -> dict[str, Any]:
        """Return what `read` reads: values for JSON, {} for a section without prizes."""
        if not self.categories:
            return {}
        rows = [
            {
                **asdict(one),
                "method": one.method.value,
                "prizes": [*one.prizes],
                "federations": [*one.federations],
            }
            for one in self.categories
        ]
        return {**asdict(self), "categories": rows}

    @property
    def digest(self) -> str:
        """Return a text that differs for different plans."""
        return hashlib.sha256(json.dumps(self.stored, sort_keys=True).encode()).hexdigest()[:16]

    @classmethod
    def read(cls, stored: Any) -> Self:
        """Read what a row or a copy has. Raises KeyError, TypeError or ValueError."""
        if stored == {}:
            return cls()
        if set(stored) != {field.name for field in fields(cls)}:
            raise TypeError("prizes")
        if any(type(stored[name]) is not bool for name in ("best_only", "rest_to_best", "withdrawn")):
            raise TypeError("prizes")
        rows = _list(stored["categories"], MOST_CATEGORIES)
        return cls(
            categories=tuple(map(PrizeCategory.read, rows)),
            currency=_text(stored["currency"], LONGEST_CURRENCY),
            unit=Units(_number(stored["unit"], Units.TEN)).value,
            best_only=stored["best_only"],
            rest_to_best=stored["rest_to_best"],
            withdrawn=stored["withdrawn"],
        )


def _number(found: Any, most: int) -> int:
    if type(found) is not int or not 0 <= found <= most:
        raise ValueError("prizes")
    return found


def _text(found: Any, longest: int) -> str:
    if not isinstance(found, str) or len(found) > longest or found != one_line(found):
        raise ValueError("prizes")
    return found


def _list(found: Any, most: int) -> list[Any]:
    if not isinstance(found, list) or len(found) > most:
        raise TypeError("prizes")
    return found
