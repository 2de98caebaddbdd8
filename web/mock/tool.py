"""Runs mlir-prof, and remembers what it answered."""

import functools
import json
import os
import shlex
import subprocess

COMMAND = shlex.split(os.environ.get("MLIR_PROF", "mlir-prof"))


@functools.cache
def done(arguments):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)


def run(*arguments):
    """Returns what mlir-prof prints for `arguments`, or raises RuntimeError."""
    result = done(arguments)
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    return result.stdout


@functools.cache
def document(*arguments):
    """Returns the JSON document that mlir-prof prints for `arguments`."""
    return json.loads(run(*arguments, "--format=json"))


def select(profile, query, *arguments):
    """Returns the rows of an SQL query as dictionaries; none if its data is missing."""
    try:
        return document("query", profile, query, "--max-steps=1000000000", *arguments)["rows"]
    except RuntimeError:
        return []
