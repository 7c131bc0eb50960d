"""`python -m evenboard_engine`: the command line, see evenboard_engine/cli."""

from __future__ import annotations

from .cli.command import run

if __name__ == "__main__":
    run()
