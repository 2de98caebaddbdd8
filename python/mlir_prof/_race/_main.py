# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mlir-prof race`, which the program itself does not have: it runs other frameworks."""

from __future__ import annotations

import argparse
import pathlib
import sys
import typing

from . import contestants
from ._result import Race

#: Forms of the result, by name.
FORMATS: typing.Dict[str, typing.Callable[[Race], str]] = {
    "text": repr, "json": lambda result: result.to_json(indent=1),
    "html": lambda result: result._repr_html_(),
    "svg": lambda result: result.picture().svg}


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mlir-prof race",
        description="Runs one model in several frameworks, each in a process of its "
                    "own, and shows whole times and those of its modules.")
    parser.add_argument("model", help="a model of a framework: *.onnx, *.pt2, ...")
    parser.add_argument("--input", action="append", default=[], metavar="FILE.npy",
                        help="an argument, in their order; may be given again; without "
                             "it arguments are random")
    parser.add_argument("--frameworks", metavar="NAME,...",
                        help="which run: " + ", ".join(contestants.CONTESTANTS))
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N",
                        help="how often each framework has its turn")
    parser.add_argument("--seconds", type=float, default=0.2,
                        help="how long a turn takes")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS",
                        help="how long a framework may take to load the model or "
                             "for a turn")
    parser.add_argument("--no-profile", action="store_true",
                        help="whole times only, without the frameworks' profilers")
    parser.add_argument("--format", choices=list(FORMATS), default="text")
    parser.add_argument("-o", "--output", metavar="FILE", help="instead of the output")
    return parser


def load_inputs(paths: typing.Sequence[str]) -> typing.List[typing.Any]:
    import numpy
    return [numpy.load(path, allow_pickle=False) for path in paths]


def write(text: str, path: typing.Optional[str]) -> None:
    if path is None:
        print(text)
        return
    from .. import _files
    with _files.replacing(path) as new:
        pathlib.Path(new).write_text(text + "\n", encoding="utf-8")


def main(arguments: typing.Sequence[str]) -> int:
    """Runs the verb with its arguments; the exit code."""
    from . import race
    options = make_parser().parse_args(arguments)
    try:
        result = race(options.model, *load_inputs(options.input),
                      frameworks=options.frameworks and options.frameworks.split(","),
                      threads=options.threads, rounds=options.rounds,
                      seconds=options.seconds, profile=not options.no_profile,
                      timeout=options.timeout)
        write(FORMATS[options.format](result), options.output)
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        print(f"mlir-prof: error: {error}", file=sys.stderr)
        return 1
    return 0 if any(entry.rounds for entry in result.entries) else 1
