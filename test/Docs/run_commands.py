#!/usr/bin/env python3
"""Runs the commands that documents show and compares what they print.

usage: run_commands.py SOURCE_ROOT TOOL_DIR PLUGIN SCRATCH DOCUMENT...

A block fenced as ```console holds commands after "$ " (continued by a trailing
backslash) and what they print to standard output. A line "..." stands for any
number of lines, "..." within a line for any text; a command without lines after
it may print anything. Commands of one document share a scratch directory in
which examples/ and build/ are as in the source tree. They must exit with 0, or
with N when the command ends with "# exits with N".

A block fenced as ```sh may hold only the scripts that utils/check runs itself.
Any other block that looks like shell is an error, so that no command goes
unchecked.
"""

import os
import pathlib
import re
import subprocess
import sys

SCRIPTS = {"utils/quickstart", "utils/check", "utils/check --fuzz",
           "utils/check --frameworks"}
FENCE = re.compile(r"^```(\S*)\s*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\s+# exits with (\d+)$")


def split_commands(block):
    """Yields (command, expected lines) of a console block."""
    command, expected = None, []
    lines = iter(block.splitlines())
    for line in lines:
        if line.startswith("$ "):
            if command is not None:
                yield command, expected
            command, expected = line[2:], []
            while command.endswith("\\"):
                command = command[:-1] + next(lines).strip()
        elif command is None:
            raise ValueError(f"output without a command: {line!r}")
        else:
            expected.append(line)
    if command is not None:
        yield command, expected


def pattern_of(expected):
    """A regular expression for the expected lines."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            pieces = (re.escape(piece) for piece in line.rstrip().split("..."))
            parts.append(r"[^\n]*?".join(pieces) + r"[ \t]*\n")
    return re.compile("".join(parts) + r"\n*", re.DOTALL)


def run(command, expected, scratch, environment):
    """Returns what is wrong, or None."""
    code = 0
    if match := EXIT.search(command):
        code, command = int(match.group(1)), command[: match.start()]
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=scratch,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    if result.returncode != code:
        return f"exits with {result.returncode}\n{result.stdout}{result.stderr}"
    if expected and not pattern_of(expected).fullmatch(result.stdout):
        return "prints something else:\n" + result.stdout
    return None


def check(document, root, scratch, environment):
    """Returns the number of commands run and a list of failures."""
    text = document.read_text(encoding="utf-8")
    count, failures = 0, []
    for language, block in FENCE.findall(text):
        if language == "sh":
            for line in block.splitlines():
                if line.split("#")[0].strip() not in SCRIPTS | {""}:
                    failures.append(f"{document}: not a checked script: {line}")
        elif language in ("bash", "shell"):
            failures.append(f"{document}: fence commands as console, not {language}")
        elif language == "console":
            for command, expected in split_commands(block):
                count += 1
                if wrong := run(command, expected, scratch, environment):
                    failures.append(f"{document}: $ {command}\n{wrong}")
    return count, failures


def main():
    root, tools, plugin, scratch = (
        pathlib.Path(argument).resolve() for argument in sys.argv[1:5]
    )
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
    environment["PATH"] = f"{tools}:{environment['PATH']}"
    total, failures = 0, []
    for name in sys.argv[5:]:
        place = scratch / name.replace("/", "_")
        subprocess.run(["rm", "-rf", str(place)], check=True)
        place.mkdir(parents=True)
        for folder in ("examples", "test"):
            (place / folder).symlink_to(root / folder)
        (place / "build").symlink_to(tools.parent)
        (place / "MLIRProf.so").symlink_to(plugin)
        count, wrong = check(root / name, root, place, environment)
        total, failures = total + count, failures + wrong
    print("\n".join(failures))
    print(f"{total} commands, {len(failures)} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
