from __future__ import annotations

import re
from pathlib import Path

import pytest

import evenboard_engine.trf
from evenboard_engine import PointSystem
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import TrfError, TrfErrors, read_report, to_tournament
from evenboard_engine.words.report_problems import FIELDS, SENTENCES, sentence

SOURCE = "\n".join(
    path.read_text("utf-8") for path in Path(evenboard_engine.trf.__file__).parent.glob("*.py")
)


def messages_of(*lines: str) -> list[str]:
    with pytest.raises(TrfErrors) as caught:
        to_tournament(read_report(as_file(*lines)))
    return [sentence(error) for error in caught.value.errors]


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    codes = re.findall(r'(?:\badd|_add|\bproblem|\bdoubt|TrfError)\(\s*"([a-z_]+)"', SOURCE)
    codes += re.findall(r'"(old_byes_[a-z]+|[a-z_]+_too)"', SOURCE)
    assert set(codes) == set(SENTENCES)


def test_every_field_has_a_name() -> None:
    fields = re.findall(r'(?:field=|(?:next|next_number)\()"([a-z_]+)"', SOURCE)
    fields += re.findall(r'self\._leave_out\(\d+, "([a-z_]+)"', SOURCE)
    fields += re.findall(r'self\._number\(line, \d+, \d+, "([a-z_]+)"\)', SOURCE)
    assert set(fields) | set(PointSystem.__slots__) | {"player"} == set(FIELDS)


def test_what_a_line_holds_is_a_label_before_a_colon() -> None:
    """Inside a sentence, a noun from another text could not have its article or its case."""
    forms = [form for text in SENTENCES.values() for form in ([text] if isinstance(text, str) else text[:2])]
    labelled = [form for form in forms if "%(field)s" in form]
    assert len(labelled) == 8
    assert [
        form for form in labelled if not form.startswith("%(field)s: ") or form.count("%(field)s") > 1
    ] == []


def test_sentence_says_where_and_what() -> None:
    line = player_line(starting_rank=1, rating="24x2", points="4;5")
    assert messages_of("012 Open", line, "142 0") == [
        "line 2, column 49: player 1: rating: '24x2' is not a number",
        "line 2, column 81: player 1: points: '4;5' must look like 4.5",
        "line 3, column 5: number of rounds: only 1 to 999 is possible, not 0",
    ]


def test_points_and_symbols_are_shown_as_in_the_file() -> None:
    one = player_line("2 w 1", starting_rank=1, points="1.5")
    assert messages_of(one, player_line("1 b 0", starting_rank=2)) == [
        "line 1, column 81: player 1: the points must be the sum of the results, 1.0, not 1.5"
    ]
    assert messages_of(one, player_line("1 b =", starting_rank=2)) == [
        "line 1, column 81: player 1: the points must be the sum of the results, 1.0, not 1.5",
        "line 2, column 99: round 1: '=' and '1' for 2 and 1 (line 1) do not make a result together",
    ]
    assert messages_of(player_line(starting_rank=1), "XXS W=3", "162  W 2.0") == [
        "line 3, column 5: win with White: the points contradict another record (162, XXS or BB)"
    ]


def test_sentence_about_the_whole_file_has_no_place() -> None:
    assert messages_of("012 Open") == [
        "there is no player (a line that begins with 001); is this a tournament report file?"
    ]
    assert sentence(TrfError("unknown_player", line=3, player=7)) == "line 3: player 7 is not in the file"
