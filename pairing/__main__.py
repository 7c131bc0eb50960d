"""`python -m pairing`: the command line of the engine, under its short name."""

from __future__ import annotations

from evenboard_engine.cli.command import run

if __name__ == "__main__":
    run()
