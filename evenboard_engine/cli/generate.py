"""Generate tournaments by command: `evenboard-engine --SYSTEM -g [config] -o out.trf [-s seed] [-n count]`."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .console import (
    BAD_REQUEST,
    OK,
    CommandOptions,
    CommandStop,
    Progress,
    by_which_rules,
    print_error,
    read,
    write,
)

if TYPE_CHECKING:
    from evenboard_engine.generating.tournament import BadSettings, GeneratorSettings


def generate_files(
    config: str, output: str, seed: str | None, count: int | None, asked: CommandOptions
) -> int:
    """Write one random tournament to `output`, or `count` of them to files with numbers in their names.

    config: name of the settings file, "" for none. Without a seed every call makes different tournaments. With a count,
    each tournament has its own seed: the common one and a number. The file contains its seed, which makes it again.
    """
    from evenboard_engine.generating.tournament import generate
    from evenboard_engine.trf import write_report

    settings = _settings(config, asked)
    seed = seed or str(secrets.randbelow(10**12))
    with Progress(count or 1) as progress:
        for number in range(1, (count or 1) + 1):
            name = output if count is None else _numbered(output, number, count)
            progress.show(number - 1, name)
            made = generate(seed if count is None else f"{seed}-{number}", settings)
            write(write_report(made.report).decode(), name, "")
            if made.rounds < made.planned:
                progress.clear()
                print_error(
                    f"{name}: only {made.rounds} of {made.planned} rounds, because round {made.rounds + 1} could "
                    "not be paired"
                )
    if asked.options:
        print_error(f"paired by {by_which_rules(made.tournament.options)}")
    return OK


def _settings(config: str, asked: CommandOptions) -> GeneratorSettings:
    from evenboard_engine.generating.tournament import (
        BadSettings,
        GeneratorSettings,
        read_settings,
        refuse_barred,
    )

    try:
        given = read_settings(read(config).decode("utf-8-sig")) if config else GeneratorSettings()
        settings = replace(given, system=asked.system, options=asked.options)
        refuse_barred(settings)
    except UnicodeDecodeError as error:
        raise CommandStop(BAD_REQUEST, f"{config}: the settings must be UTF-8 text") from error
    except BadSettings as error:
        raise CommandStop(BAD_REQUEST, f"{config}: {_sentence(error)}") from error
    return settings


def _sentence(error: BadSettings) -> str:
    shown = {
        name: " ".join(value) if isinstance(value, tuple) else value for name, value in error.params.items()
    }
    text = _SENTENCES[error.code].format(**shown)
    return f"line {error.line}: {text}" if error.line else text


_SENTENCES = {
    "not_a_setting": "a setting looks like PlayersNumber=40, not {found!r}",
    "unknown_setting": "{found!r} is not a setting; the settings are: {allowed}",
    "setting_twice": "{found} is already set above",
    "bad_setting": "{key} must be {allowed}, not {found!r}",
    "barred_tie_breaks": "the standings of this pairing system must not use these tie-breaks: {found}",
    "settings_disagree": "these settings contradict each other: {keys}",
}


def _numbered(output: str, number: int, count: int) -> str:
    """Return the file name with a number: out.trf becomes out-0001.trf."""
    path = Path(output)
    width = max(4, len(str(count)))
    return str(path.with_name(f"{path.stem}-{number:0{width}}{path.suffix}"))
