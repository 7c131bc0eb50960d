"""A key means the same on every page: the keys of templates and scripts, and the table in docs/keyboard.md."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from web.context import LETTERS

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "static" / "js"
NAMES = {"Esc": "Escape", "Del": "Delete", "Space": " ", "–": "-"} | {
    "↑": "ArrowUp",
    "↓": "ArrowDown",
    "←": "ArrowLeft",
    "→": "ArrowRight",
}
DIGIT = "is a result, in your own scheme"
CAPITAL = "a capital letter"

# What the table in docs/keyboard.md says -> the controls, commands and lines of scripts that do this.
MEANINGS = {
    "does the next step (the black button), or uses what has the focus": (
        "Publish the list after round {{ n }} again|Note the incident|Save the incident|"
        "Close the section|Download a copy now|Download the report|Import into this section|Give the bye"
        "|Load the event|Load the section|Create event"
        "|Look at the file|Create the section|Preview the rows|Results of round {{ open_round }}|Save"
        "|Create section|Show what it changes|Stay in FIDE mode|Undo this action"
        "|Start pairing by hand|Byes and absences|Check round {{ n }}|Check the file|Check-in"
        "|Draw the initial-colour by lot|Draw the numbers by lot"
        "|End pairing by hand|Enter results|Full screen|Continue pairing by hand"
        "|Import entries|Add|Change {{ rows }}, send {{ n }} new player to the arbiter"
        "|Open check-in|Pair round {{ n }}|Pair round {{ n }} again"
        "|Pair all rounds, {{ first }} to {{ last }}|Send now"
        "|Print round {{ n }}|Publish all {{ n }} drafts"
        "|Publish round {{ n }}|Save the tie-breaks|Save the prizes|Save the values|Take over the offer"
        "|Make the screen|Make the rehearsal|Make next year's event|Import the list"
        "|Take the new ratings|Save the ratings"
        "|Save the tournament rating"
        "|Download the file|Next step|Save and offer {{ n }} place"
        "|Decide about {{ n }} absence|Decide about {{ n }} board|Start the countdown|To the cockpit"
        "|Withdraw {{ n }} player"
        "|Pick a player, then another. They change places, or become a pair if both are unpaired"
        "|command enter|by-hand.js Enter|desk.js Enter|finding.js Enter|keys.js Enter|hall.js Enter|page.js Enter"
    ),
    "goes back, or closes what is open": (
        "Back to the cockpit|Back to the rehearsal|Back to the comparison|Back to the documents|Back to the entry"
        "|Back to the pairs|Choose another file|Keep their bye"
        "|Stay in FIDE mode|To the cockpit|Cancel|Change nothing|Close|Keep the old numbers"
        "|Keep the old list|Keep the settings|Keep the old result"
        "|Keep the published pairs|Choose none|Leave the search field, so that letters are keys"
        "|by-hand.js Escape|presence.js Escape|finding.js Escape|entries.js Escape|page.js Escape|frame.js Escape"
    ),
    "uses what is current": "Pause|command menu|finding.js Space|hall.js Space|keys.js Space|page.js Space",
    "moves to another board, player or page; with Shift, to another section": (
        "why_work.js ArrowRight|frame.js ArrowDown|frame.js ArrowUp|keys.js ArrowDown|keys.js ArrowUp|"
        "Back|Next|To another player|command up|command down|command across|finding.js ArrowDown|finding.js ArrowUp"
        "|by-hand.js ArrowUp|by-hand.js ArrowDown|by-hand.js ArrowLeft"
        "|entries.js ArrowUp|entries.js ArrowDown"
    ),
    "moves further": "command page-up|command page-down|command first|command last",
    "shows the list of keys; in the list: opens the manual at the place of this page": (
        "command help|keys.js ?|Help for this page"
    ),
    "goes to a tab or a section, with the letter or digit after it": "keys.js g",
    "goes to the section before or after": "keys.js [|keys.js ]",
    "goes to the round before or after": "The round before|The round after",
    DIGIT: "digit",
    "is a draw": "result 1/2",
    "is a forfeit, with the digit of the winner, or `–` for both": (
        "prefix forfeit|White is absent: – +|Black is absent: + –|Neither is here: – –"
    ),
    "is both players, after `f` or `h`": "neither",
    "gives half a point": "prefix half|Bye ½ for all|Half-point bye",
    "gives a zero-point bye": "Bye 0 for all|Zero-point bye",
    "gives the pairing-allocated bye": "Give the bye",
    "is an unrated result, with a digit": "prefix unrated",
    "is an adjourned game": "result adj",
    "clears the result": "result |finding.js Backspace",
    "says that the game is over, but its slip is not here": "command over",
    "goes to the row that adds a player": "Back to the add row",
    "finds a board or a name, or searches the manual": (
        "manual.js /|entries.js /|Name, club, team|command find|Board, number or name|Board or name"
    ),
    "shows only what is missing": "command missing|Not here yet",
    "goes to the next board with two results": "command clashes",
    "keeps the result in the box": "command keep",
    "takes the other result": "command take",
    "verifies: the results are typed a second time, and the first result is hidden": "command verify|Verify",
    "undoes the last step": "command undo|Undo|Undo the last change",
    "notes an incident": "command incident",
    "opens check-in": "Check-in|Open check-in",
    "pairs the next round, or publishes the draft": "Pair round {{ n }}|Publish round {{ n }}",
    "publishes the list after the round": "Publish the list after round {{ n }} again",
    "exchanges White and Black": "Exchange colours",
    "takes away what was given": "Off|Unpair",
    "ends pairing by hand": "Compare and end",
    "answers yes": "Give the half-point bye",
    "changes between light and dark": "Light or dark",
}
ENTER = next(iter(MEANINGS))


def words_after(text: str) -> str:
    """Return the first translated words of the control whose attributes begin `text`."""
    found = re.search(r"\{% (?:translate (['\"])(.+?)\1|blocktranslate[^%]*%\}(.+?)\{%)", text, re.DOTALL)
    assert found
    return found[2] or " ".join(found[3].split())


def of_templates() -> Iterator[tuple[str, str]]:
    """Yield the key and the act of each control with a key, and of each row of <template id="page-keys">."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        attributes = "data-key|data-key-also" + ("|data-press" if path.name == "hall_screen.html" else "")
        for found in re.finditer(rf'(?:{attributes})="([^"{{]+)"', text):
            if "{{ label }}" not in text[found.end() :].partition("</button>")[0]:
                yield found[1], words_after(text[found.end() :])
        yield from of_labels(text)
        for found in re.finditer(r'<(?:button|th) [^>]*data-(?:result|ways)="[+-]:[+-]"', text):
            yield "f", words_after(text[found.end() :])
        for sheet in re.findall(r'<template id="page-keys">(.+?)</template>', text, re.DOTALL):
            named = re.sub(r'\{% translate "([^"]+)" context "a key" %\}', r"\1", sheet)
            for row in re.findall(r"<tr>.+?</tr>", named, re.DOTALL):
                for name in re.findall(r"<kbd>(.+?)</kbd>", row):
                    yield NAMES.get(name, name), words_after(row)


def of_labels(text: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the act of each button that is a partial or a tag: its label is given where it stands."""
    for tag, words, rest in re.findall(r'\{% (go_button|go_link|way_out) _\("([^"]+)"\)([^%]*)', text):
        yield "Escape" if tag == "way_out" else "Enter", words
        yield from ((key, words) for key in re.findall(r'data_key_also="([^"]+)"', rest))
    for words, key in re.findall(r'\{% key_(?:button|link) _\("([^"]+)"\) "([^"]+)"', text):
        yield key, words
    for words in re.findall(r'report_take.html" with label=_\("([^"]+)"\)', text):
        yield "Enter", words
    for words, key in re.findall(r'label=_\("([^"]+)"\) key="([^"]+)"', text):
        yield key, words
    for name, words in re.findall(r"asvar (\w+_label)[^%]*%\}(.+?)\{%", text, re.DOTALL):
        for key, publishes in re.findall(
            rf'label={name}\b[^{{]*(?:\{{% include "[^"]+" with [^%]*)?key="(\w+)"( publishes)?', text
        ):
            yield from (
                (each, " ".join(words.split()))
                for each in ({"P": "p"}.get(key, key), *(["p"] if publishes else []))
            )


def block(text: str, name: str) -> str:
    """Return the body of the object `name` of a script."""
    found = re.search(rf"^(?:export )?const {name} = \{{(.+?)\}};$", text, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def of_result_entry() -> Iterator[tuple[str, str]]:
    """Yield the keys of Results and their acts: digits, commands, prefixes and results."""
    text = (SCRIPTS / "results" / "keys.js").read_text(encoding="utf-8")
    for group, kind in (("COMMANDS", "command"), ("EVERYWHERE", "result")):
        for quoted, plain, act in re.findall(r'(?:"(.+?)"|(\w+)): "(.*?)"', block(text, group)):
            yield quoted or plain, f"{kind} {act}"
    for letter, name in re.findall(r'^  (\w): \{ name: "(\w+)"', block(text, "PREFIXES"), re.MULTILINE):
        yield letter, f"prefix {name}"
    for sign in re.findall(r'\["(.)", "–"\]\.includes\(key\) \? "neither"', text):
        yield sign, "neither"
    for digits in re.findall(r"digits: \{(.+?)\}", block(text, "SCHEMES")):
        for digit in re.findall(r"(\w+): ", digits):
            yield digit, "digit"


def of_scripts() -> Iterator[tuple[str, str]]:
    """Yield each key that a script compares with. Scripts whose keys are tables are read elsewhere.

    The queue of registrations has letters of its own, which stand on its buttons and in docs/keyboard.md.
    """
    for path in sorted(SCRIPTS.rglob("*.js")):
        if path.name in ("help.js", "queue.js") or path.parts[-2:] == ("results", "keys.js"):
            continue
        text = path.read_text(encoding="utf-8")
        for key in re.findall(r'\bkey [!=]== "([^"]+)"', text):
            if key != "Shift":  # no key of its own
                yield key, f"{path.name} {'Space' if key == ' ' else key}"


def inventory() -> dict[str, set[str]]:
    """Return every key of the program with its acts."""
    acts = defaultdict(set)
    for key, act in (*of_templates(), *of_result_entry(), *of_scripts()):
        acts[key].add(act)
    return dict(acts)


def meanings_of(key: str, acts: set[str]) -> set[str]:
    """Return the meanings of the key. Enter presses the black button, whose act may also have a letter."""
    meanings = {
        act: {meaning for meaning, all_acts in MEANINGS.items() if act in all_acts.split("|")} for act in acts
    }
    assert [act for act, found in meanings.items() if not found] == [], f"give {key!r} a meaning"
    return {
        meaning
        for found in meanings.values()
        for meaning in found
        if len(found) == 1 or (meaning == ENTER) == (key == "Enter")
    }


def table() -> dict[str, str]:
    """Return the meaning of each key in docs/keyboard.md."""
    text = (ROOT / "docs" / "keyboard.md").read_text(encoding="utf-8")
    text = text.partition("## One meaning for each key")[2].partition("\n## ")[0]
    rows: dict[str, str] = {}
    for keys, meaning in re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| [^|]+ \|$", text, re.MULTILINE)[1:]:
        for name in re.findall(r"`(.+?)`", keys) or [keys]:
            key = NAMES.get(name, name)
            assert key not in rows, f"{name} has two rows"
            rows[key] = meaning
    return rows


def test_each_key_has_one_meaning_and_the_document_tells_it() -> None:
    program = {key: meanings_of(key, acts) for key, acts in inventory().items()}
    assert {key: found for key, found in program.items() if len(found) > 1} == {}
    documented = table()
    documented.pop(CAPITAL)  # meaning() in static/js/results/keys.js
    assert {key: found.pop() for key, found in program.items()} == documented


def test_each_meaning_and_each_act_of_the_list_is_in_use() -> None:
    """An act that no page has any more leaves the list, so that its words do not excuse another key."""
    used = {act for acts in inventory().values() for act in acts}
    assert sorted({act for acts in MEANINGS.values() for act in acts.split("|")} - used) == []


def test_the_screen_has_a_button_for_each_of_its_keys() -> None:
    script = (SCRIPTS / "hall.js").read_text(encoding="utf-8")
    keys = re.findall(r"^  (?:\"(.+?)\"|(\w+)): ", block(script, "KEYS"), re.MULTILINE)
    page = (ROOT / "templates" / "public" / "hall_screen.html").read_text(encoding="utf-8")
    assert sorted(a or b for a, b in keys) == sorted(re.findall(r'data-press="(.+?)"', page))


SEVERAL_FORMS = {
    "entries_chosen",
    "programs_tokens",
    "programs_webhooks",
    "by_hand",
    "sections_settings",
    "rounds_schedule_form",
    "site",
    "people",
    "forbidden_pairs",
    "results",
    "results_board",
    "hall_addresses",
    "entry_lists_columns",
}
"""Templates with black buttons of several forms, or with keys of their own."""
QUESTIONS = {
    'name="numbers"',
    'name="answer"',
    'name="with"',
    "draws{% endblocktranslate %}",
}
"""A button that has one of these answers a question, and takes the focus or a click."""


def controls_of(template: str) -> list[str]:
    """Return the links and buttons of a template, each with its attributes and its text."""
    text = re.sub(r"<dialog.+?</dialog>", "", " ".join(template.split()))
    return re.findall(r"<(?:a|button) .*?</(?:a|button)>", text)


def test_enter_presses_every_black_button_and_no_red_one() -> None:
    """Questions have no key, so that a second Enter by accident answers none."""
    without = []
    for path in sorted((ROOT / "templates" / "staff").glob("*.html")):
        for control in controls_of(path.read_text(encoding="utf-8")):
            if 'class="btn bad"' in control:
                assert 'data-key="Enter"' not in control, path.name
            elif path.stem not in SEVERAL_FORMS and re.search('class="btn go["{]', control):
                asks = any(mark in control for mark in QUESTIONS)
                if asks == ('data-key="Enter"' in control):
                    without.append((path.name, control))
    assert without == []


def test_escape_presses_every_cancel() -> None:
    without = [
        (path.name, control)
        for path in sorted((ROOT / "templates" / "staff").glob("*.html"))
        for control in controls_of(path.read_text(encoding="utf-8"))
        if '{% translate "Cancel" %}' in control and 'data-key="Escape"' not in control
    ]
    assert without == []


def test_each_key_on_a_button_or_in_a_list_of_keys_is_a_key() -> None:
    keys = table()
    for path in (ROOT / "templates").rglob("*.html"):
        text = re.sub(r'\{% translate "([^"]+)" context "a key" %\}', r"\1", path.read_text(encoding="utf-8"))
        for name in re.findall(r"<kbd[^>]*>\s*([^<{]+?)\s*</kbd>", text):
            key = NAMES.get(name, name.lower() if len(name) == 1 else name)
            assert key in keys or name == "Shift", f"{path.name}: {name}"


def test_no_two_tabs_have_one_letter() -> None:
    letters = [*LETTERS.values(), "h", "m"]  # all events, templates/base.html; help, components/person.html
    assert len(set(letters)) == len(letters)
