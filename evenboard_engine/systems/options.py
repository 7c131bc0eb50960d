"""The kinds of options of a pairing system. Tournaments keep the value of each option as text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping

ON, OFF, NONE = "on", "off", "none"
_WHOLE = "[0-9]{1,6}"
_HALVES = r"([0-9]{1,3})(?:\.([05]))?"


class Option(ABC):
    """A setting that changes how a system pairs. default: for a tournament without it."""

    def __init__(self, name: str, default: str) -> None:
        self.name = name
        self.default = default

    @property
    @abstractmethod
    def allowed(self) -> tuple[str, ...]:
        """Return the allowed values, as the command line names them. A range is one text."""

    @property
    def has_choice(self) -> bool:
        """Return whether there is more than one value."""
        return True

    @abstractmethod
    def read(self, text: str) -> str | None:
        """Return a value as tournaments keep it; None if it is not allowed."""

    def text(self, options: Mapping[str, str]) -> str:
        """Return the value in a tournament with these options."""
        return options.get(self.name, self.default)


class ChoiceOption(Option):
    """One of several texts."""

    def __init__(self, name: str, default: str, values: tuple[str, ...]) -> None:
        super().__init__(name, default)
        self.values = values

    @property
    def allowed(self) -> tuple[str, ...]:
        return self.values

    @property
    def has_choice(self) -> bool:
        return len(self.values) > 1

    def read(self, text: str) -> str | None:
        return str(text) if text in self.values else None


class Switch(Option):
    """On or off."""

    def __init__(self, name: str, default: str = OFF) -> None:
        super().__init__(name, default)

    @property
    def allowed(self) -> tuple[str, ...]:
        return ON, OFF

    def read(self, text: str) -> str | None:
        return text if text in self.allowed else None

    def is_on(self, options: Mapping[str, str]) -> bool:
        """Return whether it is on in a tournament with these options."""
        return self.text(options) == ON


class WholeNumber(Option):
    """A whole number from `least` to `most`. not_above: the name of an option that it must not exceed; "": none."""

    def __init__(self, name: str, default: str, least: int, most: int, not_above: str = "") -> None:
        super().__init__(name, default)
        self.least, self.most, self.not_above = least, most, not_above

    @property
    def allowed(self) -> tuple[str, ...]:
        return (f"{self.least} to {self.most}",)

    def read(self, text: str) -> str | None:
        return str(int(text)) if re.fullmatch(_WHOLE, text) and self.least <= int(text) <= self.most else None

    def number(self, options: Mapping[str, str]) -> int:
        """Return the number in a tournament with these options."""
        return int(self.text(options))


class PointsOption(Option):
    """A multiple of half a point, more than 0, or none. most: tenths."""

    def __init__(self, name: str, default: str = NONE, most: int = 300) -> None:
        super().__init__(name, default)
        self.most = most

    @property
    def allowed(self) -> tuple[str, ...]:
        return NONE, f"0.5 to {points_text(self.most)} in steps of 0.5"

    def read(self, text: str) -> str | None:
        if text == NONE:
            return NONE
        found = re.fullmatch(_HALVES, text)
        tenths = 10 * int(found[1]) + int(found[2] or 0) if found else 0
        return points_text(tenths) if 0 < tenths <= self.most else None

    def tenths(self, options: Mapping[str, str]) -> int | None:
        """Return the tenths of a point in a tournament with these options; None for none."""
        found = re.fullmatch(_HALVES, self.text(options))
        return 10 * int(found[1]) + int(found[2] or 0) if found else None


def points_text(tenths: int) -> str:
    """Return points as options keep them: 20 is 2, 25 is 2.5."""
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}" if rest else str(whole)
