#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module of 100,000 lines comes in parts, as the page asks for it.

usage: modules.py MLIR_PROF FOLDER
"""

import json
import pathlib
import sys

from service import Service

TOOL, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
LINES = 100000
# The function and the module around it take two lines each, and the return one.
ADDITIONS = LINES - 5
# Those of lib/Serve/Routes/ShowModule.cpp and web/src/code/load.ts.
DEFAULT, OF_PAGE = 2000, 20000


def write_files():
    model, trace = FOLDER / "long.mlir", FOLDER / "trace.json"
    with open(model, "w", encoding="ascii") as file:
        file.write("func.func @main(%arg0: f32) -> f32 {\n")
        value = "%arg0"
        for i in range(ADDITIONS):
            file.write(f"  %{i} = arith.addf {value}, %arg0 : f32\n")
            value = f"%{i}"
        file.write(f"  return {value} : f32\n}}\n")
    trace.write_text(json.dumps({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "name": "add", "ts": 0, "dur": 5}]}))
    return model, trace


def expect_line(number):
    """Line `number`, from 1, as MLIR prints it."""
    if number < 3:
        return ["module {", "  func.func @main(%arg0: f32) -> f32 {"][number - 1]
    if number > LINES - 3:
        return [f"    return %{ADDITIONS - 1} : f32", "  }", "}"][number - LINES + 2]
    i = number - 3
    return f"    %{i} = arith.addf {f'%{i - 1}' if i else '%arg0'}, %arg0 : f32"


def main():
    model, trace = write_files()
    with Service(TOOL, FOLDER / "store") as service:
        profile = service.upload(trace, model=model)["id"]
        path = f"/profiles/{profile}/modules/input"
        first = service.ask(path)
        assert (len(first["lines"]), first["lines_total"]) == (DEFAULT, LINES), len(first["lines"])
        lines, ops = [], []
        for begin in range(0, LINES, OF_PAGE):
            part = service.ask(path, begin=begin, count=OF_PAGE)
            assert part["begin"] == begin
            assert all(begin < op["line"] <= begin + OF_PAGE for op in part["ops"])
            lines += part["lines"]
            ops += part["ops"]
        assert lines == [expect_line(number) for number in range(1, LINES + 1)]
        assert first["lines"] == lines[:DEFAULT]
        assert len({op["op"] for op in ops}) == len(ops), "an op is in two parts"
        assert {op["line"] for op in ops if op["name"] == "arith.addf"} == set(range(3, LINES - 2))
        end = service.ask(path, begin=LINES - 10)
        assert end["lines"] == lines[-10:]
        assert service.ask(path, begin=LINES + 10)["lines"] == []
        service.ask(path, 400, count=OF_PAGE + 1)


main()
