# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of profilers, as trees of events by thread."""

import os
import pathlib
import tempfile

from ....tool import run
from .utils import TracerEventType

#: Formats of files, and their names in `mlir-prof export`.
FORMATS = {"json": "chrome-json", "pb": "paddle-pb"}

#: The end of the root of a thread, and of the parent that it does not have.
_LAST = (1 << 64) - 1


class Node:
    """An event and what began in it; times are nanoseconds since the epoch."""

    def __init__(self, name, type, start_ns, end_ns, process_id, thread_id):
        self.name, self.type = name, type
        self.start_ns, self.end_ns = start_ns, end_ns
        self.process_id, self.thread_id = process_id, thread_id
        self.children_node = []
        self.runtime_node, self.device_node, self.mem_node = [], [], []

    def __repr__(self):
        return f"<{self.name!r} {self.end_ns - self.start_ns} ns>"


def _make_root():
    return Node("root node", TracerEventType.UserDefined, 0, _LAST, 0, 0)


def _find_type(number):
    try:
        return TracerEventType(number)
    except ValueError:
        return TracerEventType.UserDefined


class Result:
    """A recording."""

    def __init__(self, trees, extra_info, save):
        self._trees, self._extra_info, self._save = trees, extra_info, save

    def get_data(self):
        """The root of each thread, by its number."""
        return self._trees

    def get_extra_info(self):
        """Texts by name: the name of each thread by its number, and others."""
        return self._extra_info

    def save(self, path, format="pb"):
        """Writes it to a file."""
        self._save(path, format)


def make_result(results):
    """The Result of a profiler of mlir-prof."""
    threads = results.threads()
    trees = {thread.id: _make_root() for thread in threads}
    events = results.events()
    nodes = []
    for event in events:
        thread = threads[event.thread]
        nodes.append(Node(
            event.name, _find_type(event.type),
            event.anchor_ns + event.begin_ps // 1000,
            event.anchor_ns + event.end_ps // 1000, thread.process, thread.id))
    for event, node in zip(events, nodes):
        parent = trees[threads[event.thread].id]
        if event.parent is not None and not event.is_linked:
            parent = nodes[event.parent]
        parent.children_node.append(node)
    for node in [*trees.values(), *nodes]:
        node.children_node.sort(key=lambda child: child.start_ns)
    names = {str(thread.id): thread.name for thread in threads}
    return Result(trees, names, lambda path, format: results.export(
        path, FORMATS[format]))


# ------------------------------------------------------------------------------
# Paddle's protobuf
# ------------------------------------------------------------------------------


def _read_number(data, at):
    """A variable-length number, and where it ends."""
    number = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("a number does not end")
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number & _LAST, at


def _read_fields(data):
    """Numbers and values of the fields of a message."""
    at = 0
    while at < len(data):
        key, at = _read_number(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _read_number(data, at)
        elif kind in (1, 2, 5):
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                size, at = _read_number(data, at)
            if size > len(data) - at:
                raise ValueError("a field does not end")
            value = data[at:at + size]
            at += size
        else:
            raise ValueError(f"a field is of kind {kind}")
        yield key >> 3, value


def _read_text(value):
    return bytes(value).decode("utf-8", "replace")


def _read_event(data):
    """The fields of an event: name, type, begin, end, process, thread."""
    fields = dict(_read_fields(data))
    return Node(_read_text(fields.get(1, b"")), _find_type(fields.get(2, 0)),
                fields.get(3, 0), fields.get(4, 0), fields.get(5, 0),
                fields.get(6, 0))


def _read_node(data):
    """A node with its own number and that of its parent."""
    number = parent = 0
    node = None
    memory = []
    for field, value in _read_fields(data):
        if field == 1:
            number = value
        elif field == 2:
            parent = value
        elif field == 3:
            node = _read_event(value)
        elif field == 5:
            memory.append(dict(_read_fields(value)))
    if node is None:
        raise ValueError("a node does not have an event")
    node.mem_node = memory
    return number, parent, node


def _read_tree(data):
    """The number of a thread, and its root."""
    thread, nodes = 0, []
    for field, value in _read_fields(data):
        if field == 1:
            thread = value
        elif field == 2:
            nodes.append(_read_node(value))
    by_number = {number: node for number, _, node in nodes}
    roots = []
    for number, parent, node in nodes:
        if parent == _LAST:
            roots.append(node)
        elif parent in by_number and parent != number:
            by_number[parent].children_node.append(node)
        else:
            raise ValueError("a node hangs below one that is not there")
    return thread, roots[0] if roots else _make_root()


def _convert(data, path, format):
    """Writes a file of Paddle in a format of `mlir-prof export`."""
    with tempfile.TemporaryDirectory(prefix="mlir-prof-") as folder:
        source = os.path.join(folder, "paddle.pb")
        profile = os.path.join(folder, "paddle.mlprof")
        pathlib.Path(source).write_bytes(data)
        run("import", source, "--keep-events", "-o", profile)
        run("export", profile, f"--format={format}", "-o", path)


def load_profiler_result(filename):
    """Reads a file of export_protobuf(), or Paddle's, also those with launches
    of kernels."""
    with open(filename, "rb") as file:
        data = file.read()
    trees, extra_info = {}, {}
    try:
        for field, value in _read_fields(data):
            if field == 3:
                thread, root = _read_tree(value)
                trees[thread] = root
            elif field == 4:
                entry = dict(_read_fields(value))
                extra_info[_read_text(entry[1])] = _read_text(entry[2])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{filename} is not a recording of Paddle: {error}; "
                         "hint: give it a file of export_protobuf()") from error

    def save(path, format="pb"):
        if format not in FORMATS:
            raise ValueError(f"format is {format!r}; it is one of "
                             f"{', '.join(FORMATS)}")
        if format == "pb":
            pathlib.Path(path).write_bytes(data)
        else:
            _convert(data, path, FORMATS[format])
    return Result(trees, extra_info, save)
