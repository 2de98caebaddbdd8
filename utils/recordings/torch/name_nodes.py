#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""name_nodes.py MODEL NODES: writes a module with the names of its FX nodes.

MODEL is a module of the torch dialect in generic form as record.py writes it,
NODES its nodes.json. Gives the module with locations loc("<node>"(...)) to
standard output: what an exporter that keeps names would write.
"""

import json
import re
import sys


def main():
    model, nodes = sys.argv[1:]
    with open(nodes) as file:
        names = {node["index"]: node["node"] for node in json.load(file)["pre"]
                 if "node" in node}
    body, aliases, index = [], {}, None
    for line in open(model):
        alias = re.match(r"(#loc\d*) = (.*)", line)
        if alias:
            aliases[alias[1]] = alias[2]
            continue
        if line.startswith("  ^bb0"):
            index = -1
        elif line.startswith("    ") and index is not None:
            index += 1
            if index in names and "func.return" not in line:
                line = re.sub(r"loc\((.*)\)\n$", lambda found:
                              f'loc("{names[index]}"({found[1]}))\n', line)
        elif line.startswith("  })"):
            index = None
        body.append(line)

    # An alias within a location must stand before its use.
    def write(name):
        text = aliases.pop(name, None)
        if text is None:
            return
        for used in re.findall(r"#loc\d*", text):
            write(used)
        print(f"{name} = {text}")

    for name in list(aliases):
        write(name)
    sys.stdout.write("".join(body))


if __name__ == "__main__":
    main()
