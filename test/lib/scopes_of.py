# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads scopes from the JSON form of a profile, as docs/file-format.md and
proto/profile.proto describe it."""

import json
from dataclasses import dataclass, field


def get_integers(block, key, size):
    return [int(value) for value in block.get(key, [0] * size)]


@dataclass
class Scope:
    name: str
    type: int
    thread: int
    begin_ps: int
    end_ps: int
    self_ps: int
    flags: int
    parent: "Scope | None" = None
    first: "Scope | None" = None
    site: dict = field(default_factory=dict)

    def get_path(self, same_thread=True):
        """The names of the scopes around it and its own, outermost first."""
        around = self.parent
        if around is None or (same_thread and around.thread != self.thread):
            return (self.name,)
        return around.get_path(same_thread) + (self.name,)


class Recording:
    """The scopes of one run."""

    def __init__(self, profile, index=0):
        self.record = profile["scopes"][index]
        run = self.record.get("run", 0)
        self.threads = self.record.get("threads", [])
        self.anchor_ps = int(self.record["clock"].get("anchorNs", 0)) * 1000
        self.scopes = []
        self.memory = []
        for block in profile.get("scopeEvents", []):
            if block.get("run", 0) == run:
                self.add_block(block)
        for block in profile.get("memoryEvents", []):
            if block.get("run", 0) == run:
                self.add_memory(block)

    def add_block(self, block):
        sites = self.record["sites"]
        size = len(block["site"])
        base = len(self.scopes)
        at = 0
        durations = get_integers(block, "durationPs", size)
        selves = get_integers(block, "selfPs", size)
        for i, delta in enumerate(get_integers(block, "beginDeltaPs", size)):
            at += delta
            site = sites[block["site"][i]]
            self.scopes.append(
                Scope(
                    site.get("name", ""),
                    site.get("type", 0),
                    block["thread"][i],
                    self.anchor_ps + at,
                    self.anchor_ps + at + durations[i],
                    selves[i],
                    block["flags"][i],
                    site=site,
                )
            )
        parents = get_integers(block, "parentOffset", size)
        firsts = get_integers(block, "firstOffset", size)
        for i, scope in enumerate(self.scopes[base:]):
            if parents[i]:
                scope.parent = self.scopes[base + i + parents[i]]
            scope.first = self.scopes[base + i + firsts[i]]

    def add_memory(self, block):
        size = len(block["atDeltaPs"])
        at = 0
        columns = {
            key: get_integers(block, key, size)
            for key in ("eventPlusOne", "threadPlusOne", "place", "type", "bytes",
                        "address", "allocated", "peakAllocated")
        }
        for i, delta in enumerate(get_integers(block, "atDeltaPs", size)):
            at += delta
            event = {key: column[i] for key, column in columns.items()}
            event["at_ps"] = self.anchor_ps + at
            event["place"] = self.record["places"][event["place"]]
            scope = event["eventPlusOne"]
            event["scope"] = self.scopes[scope - 1] if scope else None
            self.memory.append(event)


def read(path, index=0):
    with open(path, encoding="utf-8") as file:
        return Recording(json.load(file), index)
