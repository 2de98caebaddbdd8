# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces paths of the recording machine in a recording.

Locations name the files of the model and of the framework's installation. Both
sides of a join, the trace and the module, must be changed alike.
"""

import glob
import os

# The folders of models and the virtual environment that the recordings name.
MODELS = "/data/workloads"
ENVIRONMENT = "/data/workloads/venv"


def replace_strings(message, replacements):
    """Replaces in all strings of a protobuf message; whether any changed."""
    changed = False

    def replaced(text):
        nonlocal changed
        for old, new in replacements:
            if old in text:
                text, changed = text.replace(old, new), True
        return text

    for field, value in message.ListFields():
        if field.message_type and field.message_type.GetOptions().map_entry:
            kind = field.message_type.fields_by_name["value"]
            for key in value if kind.message_type else ():
                changed |= replace_strings(value[key], replacements)
        elif field.message_type:
            repeated = hasattr(value, "append")
            for inner in value if repeated else [value]:
                changed |= replace_strings(inner, replacements)
        elif field.type == field.TYPE_STRING:
            if isinstance(value, str):
                setattr(message, field.name, replaced(value))
            else:
                value[:] = [replaced(text) for text in value]
    return changed


def scrub_trace(path, replacements):
    """Rewrites an xplane.pb, but only when it has something to hide."""
    from tensorflow.compiler.xla.service import hlo_pb2
    from tensorflow.tsl.profiler.protobuf import xplane_pb2
    space = xplane_pb2.XSpace()
    with open(path, "rb") as file:
        space.ParseFromString(file.read())
    changed = replace_strings(space, replacements)
    for plane in space.planes:
        for metadata in plane.event_metadata.values():
            for stat in metadata.stats:
                if plane.stat_metadata[stat.metadata_id].name == "Hlo Proto":
                    proto = hlo_pb2.HloProto()
                    proto.ParseFromString(stat.bytes_value)
                    if replace_strings(proto, replacements):
                        stat.bytes_value = proto.SerializeToString()
                        changed = True
    if changed:
        with open(path, "wb") as file:
            file.write(space.SerializeToString())


def scrub(folder, replacements):
    """Replaces in the trace and in all text files of a recording."""
    scrub_trace(f"{folder}/xplane.pb", replacements)
    for path in glob.glob(f"{folder}/*.mlir") + glob.glob(f"{folder}/*.txt"):
        with open(path) as file:
            text = file.read()
        for old, new in replacements:
            text = text.replace(old, new)
        with open(path, "w") as file:
            file.write(text)
