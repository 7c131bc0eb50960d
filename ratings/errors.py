"""Why a list is not imported, as codes and parameters. `web/words` has the sentences."""

from __future__ import annotations

from typing import Any

CODES: dict[str, tuple[str, ...]] = {
    "file_missing": (),
    "too_large": ("megabytes",),
    "packed_badly": (),
    "packed_bomb": (),
    "packed_empty": (),
    "not_a_list": (),
    "header_unknown": ("missing",),
    "line_too_long": ("line",),
    "xml_broken": ("line",),
    "xml_declarations": (),
    "columns_missing": (),
    "encoding_unknown": ("encoding",),
    "nobody": (),
    "no_network": ("problem",),
    "address_taken": ("address",),
    "name_missing": (),
    "name_of_fide": (),
    "name_taken": ("name",),
    "too_many_lists": ("limit",),
    "too_many_players": ("limit",),
    "no_room": ("megabytes",),
    "disk": ("problem",),
    "unexpected": ("problem",),
}


class ListRefused(Exception):
    """A file is no rating list, or it cannot be read safely. code: one of `CODES`, params: the names that it lists."""

    def __init__(self, code: str, **params: Any) -> None:
        if set(params) != set(CODES[code]):
            raise TypeError(f"{code} takes {CODES[code]}, not {tuple(params)}")
        self.code = code
        self.params = params
        super().__init__(code, params)


class NotNow(Exception):
    """The list is not in a state in which this can be done: somebody else was faster."""
