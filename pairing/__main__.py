"""`python -m pairing`: the command line of the engine, under its short name."""

from __future__ import annotations

import sys

from evenboard_engine.cli.command import main

if __name__ == "__main__":
    sys.exit(main())
