#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks records of light-weight profiling: pairs that nest, and their number.

usage: lwp_pairs.py FILE.json ID=COUNT...
"""

import collections
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    stack, pairs, last = [], collections.Counter(), 0
    for entry in data["entries"]:
        assert entry["cyc"] >= last, entry
        last = entry["cyc"]
        if stack and stack[-1]["id"] == entry["id"]:
            begin = stack.pop()
            assert entry["ret"] > begin["ret"], (begin, entry)
            pairs[entry["id"]] += 1
        else:
            stack.append(entry)
    assert not stack, stack
    expected = {int(i): int(n) for i, n in (a.split("=") for a in sys.argv[2:])}
    assert dict(pairs) == expected, pairs
    assert data["loop_counts"] == [expected[i] for i in sorted(expected)], data


if __name__ == "__main__":
    main()
