"""What the arbiter chose on the preview, where a row may mean somebody else than the file says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_CHOICE = re.compile(r"(keep|same|apart|ask)-([0-9]{1,6})(?:-([0-9]{1,18}))?")


@dataclass(frozen=True, slots=True)
class Choices:
    """kept: rows that come before the others that mean the same player, the last choice first. same: row -> key of the
    player of the event whom it means. apart: rows that mean another player than the one of the same name.
    """

    kept: tuple[int, ...] = ()
    same: Mapping[int, int] = field(default_factory=dict)
    apart: frozenset[int] = frozenset()

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Choices:
        """Return what `data` made."""
        return cls(
            kept=tuple(data.get("kept", ())),
            same={int(row): player for row, player in data.get("same", {}).items()},
            apart=frozenset(data.get("apart", ())),
        )

    def data(self) -> dict[str, Any]:
        """Return the choices as JSON can store them."""
        return {
            "kept": list(self.kept),
            "same": {str(row): player for row, player in self.same.items()},
            "apart": sorted(self.apart),
        }

    def with_(self, choice: str) -> Choices:
        """Return the choices with one more: "keep-12", "same-12-345" or "apart-12". "ask-12" forgets those of row 12.

        Anything else changes nothing.
        """
        found = _CHOICE.fullmatch(choice)
        if not found or (found[1] == "same") != bool(found[3]):
            return self
        row = int(found[2])
        kept = tuple(each for each in self.kept if each != row)
        same = {each: player for each, player in self.same.items() if each != row}
        apart = self.apart - {row}
        match found[1]:
            case "keep":
                kept = (row, *kept)
            case "same":
                same[row] = int(found[3])
            case "apart":
                apart |= {row}
        return Choices(kept, same, apart)
