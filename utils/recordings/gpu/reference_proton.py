#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes expected.json of recordings by Proton, independently of mlir-prof.

Per tree (*.hatchet): launches, time and samples by kernel and its scopes; per trace
(*.chrome_trace): launches, time and streams by kernel and its scopes; per module
(kernels.*.mlir), read by jaxlib's MLIR bindings: the ops of the function with the
kernel's name. Ops are numbered in pre-order, module = 0.

Usage: reference_proton.py FOLDER
"""

import glob
import json
import os
import sys
from decimal import Decimal

from jaxlib.mlir import ir


def kernels(node, scope=()):
    """(scope, name, metrics) of every node with a time."""
    name = node["frame"]["name"]
    is_root = not scope and name == "ROOT"
    if "time (ns)" in node["metrics"] and not is_root:
        yield scope, name, node["metrics"]
    for child in node["children"]:
        yield from kernels(child, scope if is_root else (*scope, name))


def read_tree(path):
    with open(path) as file:
        root, _ = json.load(file)
    return [dict(scope=list(scope), kernel=name, count=metrics["count"],
                 total_ps=1000 * metrics["time (ns)"],
                 samples=metrics.get("num_samples"))
            for scope, name, metrics in kernels(root)]


def read_trace(path):
    with open(path) as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    rows = {}
    for event in events:
        root, *scope, kernel = event["args"]["call_stack"]
        assert root == "ROOT" and kernel == event["name"]
        row = rows.setdefault((*scope, kernel), dict(
            scope=scope, kernel=kernel, count=0, total_ps=0, streams=[]))
        row["count"] += 1
        row["total_ps"] += int(event["dur"] * 1000000)
        row["streams"] = sorted({*row["streams"], event["tid"]})
    return list(rows.values())


def read_module(path):
    context = ir.Context()
    context.allow_unregistered_dialects = True
    with open(path) as file:
        module = ir.Module.parse(file.read(), context)
    functions, count = {}, 0

    def walk(op, function):
        nonlocal count
        number, count = count, count + 1
        if function is not None:
            functions[function].append(number)
        if op.name == "tt.func":
            text = str(op.attributes["sym_name"]) if "sym_name" in op.attributes \
                else op.get_asm(print_generic_op_form=True).split('sym_name = ')[1]
            function = text.split('"')[1]
            functions[function] = []
        for region in op.regions:
            for block in region:
                for inner in block:
                    walk(inner.operation, function)

    walk(module.operation, None)
    return dict(ops=count, functions=functions)


def main():
    folder, = sys.argv[1:]
    result = dict(
        trees={os.path.basename(path): read_tree(path)
               for path in sorted(glob.glob(f"{folder}/*.hatchet"))},
        traces={os.path.basename(path): read_trace(path)
                for path in sorted(glob.glob(f"{folder}/*.chrome_trace"))},
        modules={os.path.basename(path): read_module(path)
                 for path in sorted(glob.glob(f"{folder}/*.mlir"))})
    with open(f"{folder}/expected.json", "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
