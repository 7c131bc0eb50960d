"""One declaration for each action: its name, its title, its sentence in the log, and what an undo does with it.

A function does it in `tournaments.actions` or `pairing`, which gives the declaration to `act`. Everything else that
the program knows about it is in its declaration here. Pages format the sentences; they have no words of their own for
an action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from . import entries, events, incidents, presence, results, rounds, sections, site, undo
from .declaration import Action, ActionKind, Undo

__all__ = [
    "ACTIONS", "EVENT_ACTIONS", "SECTION_ACTIONS", "SITE_ACTIONS", "Action", "ActionKind", "Undo", "kind_of_action",
    "names_of", "names_of_module", "names_with",
]  # fmt: skip


def _declared_in(*modules: object) -> Mapping[str, Action]:
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Action)]
    return {action.name: action for action in found}


SECTION_ACTIONS = _declared_in(rounds, results, incidents, entries, presence, sections, undo)
EVENT_ACTIONS = _declared_in(events)
SITE_ACTIONS = _declared_in(site)
ACTIONS: Mapping[str, Action] = {**SECTION_ACTIONS, **EVENT_ACTIONS}
"""Actions in the logs of sections and events, by name."""


def kind_of_action(name: str) -> ActionKind:
    """Return what an action is counted as. The log of a copy from elsewhere may have a name without a declaration."""
    return ACTIONS[name].kind if name in ACTIONS else ActionKind.OTHER


def names_of(actions: Iterable[Action]) -> frozenset[str]:
    return frozenset(action.name for action in actions)


def names_of_module(*modules: object) -> frozenset[str]:
    return frozenset(_declared_in(*modules))


def names_with(*facts: ActionKind | Undo) -> frozenset[str]:
    """Return the names of the actions that are of one of these kinds, or with which an undo does one of these."""
    return names_of(action for action in ACTIONS.values() if action.kind in facts or action.undo in facts)
