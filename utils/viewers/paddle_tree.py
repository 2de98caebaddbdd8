#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what PaddlePaddle's own loader finds in a protobuf of its profiler, as JSON:
by thread, [path of names, type, begin, end] of each event, in ns.

usage: paddle_tree.py FILE.pb
"""

import json
import sys

from paddle.profiler import load_profiler_result


def walk(node, path, events):
    for child in node.children_node:
        inner = [*path, child.name]
        events.append([inner, str(child.type).split(".")[-1], child.start_ns,
                       child.end_ns])
        walk(child, inner, events)


result = load_profiler_result(sys.argv[1])
assert result is not None, "Paddle does not load it"
threads = {}
for thread, root in result.get_data().items():
    walk(root, [], threads.setdefault(thread, []))
print(json.dumps(threads))
