# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations: names of modules and lines of source."""

from jaxlib.mlir import ir


def name_of(location):
    """The path of a location, without the ":" that ends names of functions; empty
    if it has none."""
    if isinstance(location, ir.NameLoc):
        return location.name_str.rstrip(":")
    if isinstance(location, ir.FusedLoc):
        return next(filter(None, map(name_of, location.locations)), "")
    return ""


def line_of(location):
    """The innermost "file:line" of a location, or an empty text."""
    if isinstance(location, ir.FileLineColLoc):
        return f"{location.filename}:{location.start_line}"
    if isinstance(location, ir.NameLoc):
        return line_of(location.child_loc)
    if isinstance(location, ir.CallSiteLoc):
        return line_of(location.callee) or line_of(location.caller)
    if isinstance(location, ir.FusedLoc):
        return next(filter(None, map(line_of, location.locations)), "")
    return ""


def describe(location):
    """Where an op is, for messages."""
    name, line = name_of(location), line_of(location)
    return " at ".join(part for part in (name and f"'{name}'", line) if part)


def below(outer, inner):
    """The location of an op at `inner` of a function that is called at `outer`."""
    prefix, name = name_of(outer), name_of(inner)
    if not name and not line_of(inner):
        return outer
    path = "/".join(part for part in (prefix, name) if part)
    child = inner if line_of(inner) else outer
    while isinstance(child, ir.NameLoc):
        child = child.child_loc
    return ir.Location.name(path, child) if path else inner
