# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index of a module by location path, built with jaxlib's MLIR bindings."""

import collections
import re

from jaxlib.mlir import ir

# Ops that call a function, and the attributes that name it.
CALLS = {"func.call", "tf.StatefulPartitionedCall", "tf.PartitionedCall",
         "tf.While", "tf.If", "tf.StatelessWhile"}
CALLEES = ("callee", "f", "body", "cond", "then_branch", "else_branch")
# Those whose function's nodes TensorFlow puts under an own, numbered scope.
SCOPES = dict(body="body", cond="cond", then_branch="then", else_branch="else")
RETURNS = ("func.return", "stablehlo.return")
MAX_CALL_DEPTH = 12

TENSOR = re.compile(r"tensor<((?:\d+x)*)([a-z]\w*)>$")
SCOPE_NUMBER = re.compile(r"/(body|cond|then|else)/_\d+/")


def location_frame(location):
    """Innermost (file, line, column) of a location, callee first, or None."""
    kind = type(location).__name__
    if kind == "FileLineColLoc":
        name = location.filename
        name = name if isinstance(name, str) else name.value
        return name, location.start_line, location.start_col
    if kind == "NameLoc":
        return location_frame(location.child_loc)
    if kind == "CallSiteLoc":
        return (location_frame(location.callee) or
                location_frame(location.caller))
    if kind == "FusedLoc":
        frames = map(location_frame, location.locations)
        return next((frame for frame in frames if frame), None)
    return None


def location_names(location):
    """Names in a location, in order, without those of types ("MatMul:")."""
    kind = type(location).__name__
    if kind == "NameLoc":
        name = location.name_str
        if not name.endswith(":"):
            return [name.split("@")[0]]
        # A type may wrap the name: loc("MatMul:"(loc("layer1/MatMul"))).
        return (location_names(location.child_loc)
                if "(" in str(location) else [])
    if kind == "FusedLoc":
        names = []
        for inner in location.locations:
            names += location_names(inner)
        return list(dict.fromkeys(names))
    if kind == "CallSiteLoc":
        return location_names(location.callee)
    return []


def result_shapes(op):
    """((dims), element type) per result; None if it is not a static tensor."""
    shapes = []
    for result in op.results:
        match = TENSOR.match(str(result.type))
        shapes.append(match and (
            tuple(int(dim) for dim in match.group(1).split("x") if dim),
            match.group(2)))
    return shapes


class Op:
    """One op; `id` is its pre-order index, the module's is 0."""

    def __init__(self, index, op):
        self.id = index
        self.name = op.name
        self.names = location_names(op.location)
        self.frame = location_frame(op.location)
        self.shapes = result_shapes(op)
        self.callees = []
        if op.name in CALLS:
            attributes = op.attributes
            for key in CALLEES:
                if key in attributes:
                    callee = str(attributes[key]).lstrip("@").strip('"')
                    self.callees.append((key, callee))

    @property
    def is_executor(self):
        # An island, the op in it and its yield share one location.
        return self.name.startswith("tf_executor.")


class Module:
    """Ops of a module, and which of them stand under which location path.

    `tf` allows an op's own name where its full path is unknown; `xla` says that
    bodies of loops keep their own names.
    """

    def __init__(self, path, tf, xla):
        self.tf, self.xla = tf, xla
        self.ops, self.functions = [], {}
        # name -> {op index: frame}
        self.paths = collections.defaultdict(dict)
        self.own_names = collections.defaultdict(dict)
        context = ir.Context()
        context.allow_unregistered_dialects = True
        with open(path) as file:
            module = ir.Module.parse(file.read(), context)
        self._collect(module.operation, None)
        self._index()

    def _collect(self, op, function):
        entry = Op(len(self.ops), op)
        self.ops.append(entry)
        if entry.name == "func.func":
            function = ir.StringAttr(op.attributes["sym_name"]).value
            self.functions[function] = []
        elif function is not None:
            self.functions[function].append(entry)
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    self._collect(inner.operation, function)

    def _index(self):
        for ops in self.functions.values():
            for op in ops:
                if not op.is_executor:
                    for name in op.names:
                        self.own_names[name][op.id] = op.frame
        called = {callee for op in self.ops for _, callee in op.callees}
        for function in self.functions:
            if function not in called:
                self._index_paths(function, "", 0, None)

    def _index_paths(self, function, prefix, depth, call_frame):
        if function not in self.functions or depth > MAX_CALL_DEPTH:
            return
        for op in self.functions[function]:
            if op.is_executor or op.name in RETURNS:
                continue
            for name in op.names:
                path = prefix + name
                self.paths[path][op.id] = op.frame or call_frame
                for kind, callee in op.callees:
                    if kind in SCOPES:
                        scope = f"{path}/{SCOPES[kind]}/_#/"
                        inner, frame = "" if self.xla else scope, op.frame
                    else:
                        inner, frame = path + "/", op.frame or call_frame
                    self._index_paths(callee, inner, depth + 1, frame)

    def find(self, name):
        """{op index: frame} of the ops under `name`."""
        scoped = SCOPE_NUMBER.sub(r"/\1/_#/", name)
        own = self.own_names.get(name) if self.tf else None
        return self.paths.get(name) or self.paths.get(scoped) or own or {}
