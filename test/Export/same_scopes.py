#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two profiles in JSON form have the same scopes and memory events, in any
order.

usage: same_scopes.py PROFILE.json PROFILE.json
"""

import pathlib
import sys
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "lib"))
import scopes_of


def get_content(path):
    recording = scopes_of.read(path)

    def describe(scope):
        thread = recording.threads[scope.thread]
        return (scope.get_path(same_thread=False), scope.type, scope.flags,
                scope.begin_ps, scope.end_ps, scope.self_ps, int(thread.get("id", 0)),
                thread.get("name"), thread.get("isDevice", False))

    scopes = Counter(describe(scope) for scope in recording.scopes)
    memory = Counter(
        (event["at_ps"], event["type"], event["place"], event["bytes"],
         event["scope"] and describe(event["scope"]))
        for event in recording.memory
    )
    return scopes, memory


before, after = map(get_content, sys.argv[1:])
for old, new in zip(before, after):
    assert old == new, (old - new, new - old)
print(f"equal: {before[0].total()} scopes, {before[1].total()} memory events")
