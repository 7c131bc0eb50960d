#!/usr/bin/env python3
"""Set up and serve, or run the tests, on a machine that has only Python 3.11 or newer.

    python3 run.py                 set up what is missing, serve only on this machine
    python3 run.py --lan           the same, for all phones and laptops in the hall's network
    python3 run.py spare ADDRESS   keep the state of another server, and take over when it is gone
    python3 run.py test [...]      run the whole suite on all cores; what follows goes to pytest
    python3 run.py setup           only make .venv, with the development tools
    python3 run.py --version       print the version

Uses only the standard library, and syntax of older Pythons: on these it says that a newer one is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
WINDOWS = os.name == "nt"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if WINDOWS else "bin/python")
NEEDED = (3, 11)

LOCK = "requirements.txt"
WHEELS = "wheels"  # an archive of a release may bring the packages of LOCK (docs/releases.md)
LOCK_DEV = "requirements-dev.txt"  # has everything that is in LOCK, in the same versions

STARTS = "import django, waitress"
PROCESSES = (os.cpu_count() or 1) + 1  # a test in a browser waits for a fifth of its time
ALL_CORES = (f"--numprocesses={PROCESSES}", "--dist=worksteal")  # pytest-xdist; "-n 0" after "test" uses one

USAGE = """run.py [--lan] [--port PORT] [--no-demo]
       run.py spare [ADDRESS] [--port PORT] [--aside]
       run.py test [...]
       run.py setup
       run.py --version
       run.py --help"""
EPILOG = """other commands:
  spare [...]  keep the state of another server, and take over when it is gone
  test [...]   run the whole suite on all cores; what follows goes to pytest
  setup        only make .venv, with the development tools

from the environment (docs/install.md has them all):
  HOST, PORT, DATABASE_URL, SECRET_KEY, ALLOWED_HOSTS, TIME_ZONE, DEBUG"""


class SetupError(Exception):
    """The environment cannot be made; the message says what to do."""


def main(arguments: list[str]) -> int:
    """Run what the command line asks for and return the exit status."""
    if sys.version_info < NEEDED:
        print(
            "Evenboard needs Python {}.{} or newer; this is Python {}.{}.\n"
            "Get a newer one from https://www.python.org/downloads/ and start run.py with it.".format(
                *NEEDED, *sys.version_info[:2]
            )
        )
        return 2
    started = time.time()
    os.chdir(ROOT)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(
            errors="backslashreplace"
        )  # in a file, Windows writes only letters of its code page
    try:
        if arguments[:1] == ["test"]:
            ensure_environment(LOCK_DEV)
            return start([str(PYTHON), "-m", "pytest", *ALL_CORES, *arguments[1:]])
        if arguments == ["setup"]:
            ensure_environment(LOCK_DEV)
            return 0
        spare = arguments[:1] == ["spare"]
        options = arguments[1:] if spare else parse(arguments)
        say(program())
        ensure_environment(LOCK)
    except SetupError as error:
        say(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        say("\nStopped. Start again to continue.")
        return 130
    os.environ["EVENBOARD_STARTED"] = repr(started)
    return start([str(PYTHON), "-m", "server.spare" if spare else "server.main", *options])


def parse(arguments: list[str]) -> list[str]:
    """Check the options and return those that are passed on to the server."""
    parser = argparse.ArgumentParser(
        prog="run.py",
        usage=USAGE,
        description="Set up what is missing and serve Evenboard.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=program())
    parser.add_argument(
        "--lan", action="store_true", help="let phones and laptops in the same network connect"
    )
    parser.add_argument(
        "--port", type=int, help="the port to listen on (default: 8000, or the next free port)"
    )
    parser.add_argument("--no-demo", action="store_true", help="make no demo event in a new database")
    options = parser.parse_args(arguments)
    handed_on = []
    if options.lan:
        handed_on.append("--lan")
    if options.port is not None:
        handed_on.append(f"--port={options.port}")
    if options.no_demo:
        handed_on.append("--no-demo")
    return handed_on


def program() -> str:
    """Return the name and the version of the program. An old Python cannot import the engine, which has the number."""
    code = (ROOT / "evenboard_engine" / "__init__.py").read_text(encoding="utf-8")
    return "Evenboard " + re.findall('^VERSION = "(.+)"', code, re.MULTILINE)[0]


def ensure_environment(lock: str) -> None:
    """Make `.venv` contain the packages of `lock`; change nothing if it does already.

    A stamp in `.venv` remembers the lock that was completely installed. If the lock has changed, or the installation
    was interrupted, the packages are installed over the old ones. If the environment still does not start, it is
    deleted and made again.
    """
    stamped = stamp_is_valid(lock)
    if stamped and runs(STARTS):
        report("environment", "ready")
        return
    start_time = time.monotonic()
    if not stamped and runs("import pip"):
        install(lock)
    if not runs(STARTS):
        report("environment", "making .venv")
        make_environment()
        install(lock)
    write_stamps(lock)
    report("environment", "installed", start_time)


def stamp_is_valid(lock: str) -> bool:
    """Return whether the present content of `lock` was completely installed."""
    stamp = ENVIRONMENT / f"installed-{lock}"
    return stamp.is_file() and stamp.read_text() == fingerprint(lock)


def write_stamps(lock: str) -> None:
    """Remember that `lock` is installed; the development lock includes the application's lock."""
    other = LOCK if lock == LOCK_DEV else LOCK_DEV
    (ENVIRONMENT / f"installed-{lock}").write_text(fingerprint(lock))
    if lock == LOCK_DEV:
        (ENVIRONMENT / f"installed-{other}").write_text(fingerprint(other))
    else:
        (ENVIRONMENT / f"installed-{other}").unlink(missing_ok=True)


def fingerprint(lock: str) -> str:
    """Return a hash of the content of a lock."""
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def runs(code: str) -> bool:
    """Return whether the environment's Python is new enough and can run `code`."""
    if not PYTHON.exists():
        return False
    check = f"import sys; assert sys.version_info >= {NEEDED}; {code}"
    try:
        return subprocess.run([str(PYTHON), "-c", check], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """Make an empty environment with pip, in place of an existing one."""
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        raise SetupError(
            "run.py was started with the Python in .venv, which is damaged. Start it with another Python."
        )
    if ENVIRONMENT.exists():
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if made.returncode:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        raise SetupError(
            f"{(made.stdout + made.stderr).strip()}\n\n"
            "Python could not make a virtual environment. On Debian and Ubuntu this needs one more package:\n"
            "    sudo apt install python3-venv"
        )


def install(lock: str) -> None:
    """Install the packages of `lock`, check each file's hash, and show the progress."""
    total = sum("==" in line for line in (ROOT / lock).read_text().splitlines())
    command = [str(PYTHON), "-m", "pip", "install", "--require-hashes", "--no-deps", "--no-input"]
    command += ["--disable-pip-version-check", "--progress-bar=off", "-r", lock]
    output = []
    if (ROOT / WHEELS).is_dir() and run_pip(
        [*command, "--no-index", "--find-links=" + WHEELS], total, output
    ):
        return
    if not run_pip(command, total, output):
        raise SetupError(
            f"{''.join(output[-15:])}\n"
            "The packages could not be installed. The first start needs the internet (about 20 MB);\n"
            "later starts do not."
        )


def run_pip(command: list[str], total: int, output: list[str]) -> bool:
    """Run pip, add what it prints to `output`, and show the progress. Return whether it installed everything."""
    done = 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pip:
        for line in pip.stdout:
            output.append(line)
            if line.startswith(("Collecting ", "Requirement already satisfied")):
                done += 1
                progress(f"installing packages: {done} of {total}")
            elif line.startswith("Installing collected packages"):
                progress("installing packages: unpacking")
    return pip.returncode == 0


def start(command: list[str]) -> int:
    """Replace this process by `command`; on Windows, which cannot, run it to its end and return its status."""
    sys.stdout.flush()
    if not WINDOWS:
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:  # the child has received Ctrl-C too, and is ending
            continue


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


def report(what: str, outcome: str, since: float | None = None) -> None:
    """Print what was done, and how long it took if `since` is given."""
    progress("")
    say(f"  {what:<14}{outcome}" + ("" if since is None else f"  ({time.monotonic() - since:.1f} s)"))


def progress(text: str) -> None:
    """Show `text` over the previous progress on a terminal; print nothing elsewhere."""
    if sys.stdout.isatty():
        line = f"  {'':<14}{text}" if text else ""
        print(f"\r{line:<70}" + ("" if text else "\r"), end="", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
