#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads an XSpace with Python's protobuf and touches every event and stat once.

usage: read_upb.py FILE

Prints JSON: seconds for reading and iterating (without the start of Python and
its imports), how much of that protobuf's parser took, and what was counted.
"""

import json
import sys
import time

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import api_implementation

# The messages of xplane.proto: {message: {field: (number, type, repeated)}}.
# Upper-case types are scalars, others messages; maps are entries as on the wire.
SCHEMA = {
    "XSpace": dict(planes=(1, "XPlane", True), errors=(2, "STRING", True),
                   warnings=(3, "STRING", True),
                   hostnames=(4, "STRING", True)),
    "XPlane": dict(id=(1, "INT64", False), name=(2, "STRING", False),
                   lines=(3, "XLine", True),
                   event_metadata=(4, "EventMetadataEntry", True),
                   stat_metadata=(5, "StatMetadataEntry", True),
                   stats=(6, "XStat", True)),
    "EventMetadataEntry": dict(key=(1, "INT64", False),
                               value=(2, "XEventMetadata", False)),
    "StatMetadataEntry": dict(key=(1, "INT64", False),
                              value=(2, "XStatMetadata", False)),
    "XLine": dict(id=(1, "INT64", False), name=(2, "STRING", False),
                  timestamp_ns=(3, "INT64", False),
                  events=(4, "XEvent", True), duration_ps=(9, "INT64", False),
                  display_id=(10, "INT64", False),
                  display_name=(11, "STRING", False)),
    "XEvent": dict(metadata_id=(1, "INT64", False),
                   offset_ps=(2, "INT64", False),
                   num_occurrences=(5, "INT64", False),
                   duration_ps=(3, "INT64", False),
                   stats=(4, "XStat", True)),
    "XStat": dict(metadata_id=(1, "INT64", False),
                  double_value=(2, "DOUBLE", False),
                  uint64_value=(3, "UINT64", False),
                  int64_value=(4, "INT64", False),
                  str_value=(5, "STRING", False),
                  bytes_value=(6, "BYTES", False),
                  ref_value=(7, "UINT64", False)),
    "XEventMetadata": dict(id=(1, "INT64", False), name=(2, "STRING", False),
                           metadata=(3, "BYTES", False),
                           display_name=(4, "STRING", False),
                           stats=(5, "XStat", True),
                           child_id=(6, "INT64", True)),
    "XStatMetadata": dict(id=(1, "INT64", False), name=(2, "STRING", False),
                          description=(3, "STRING", False)),
}
# As in xplane.proto: setting one clears the other.
ONEOFS = {"XEvent": ("data", ("offset_ps", "num_occurrences")),
          "XStat": ("value", ("double_value", "uint64_value", "int64_value",
                              "str_value", "bytes_value", "ref_value"))}


def make_space():
    """The class of XSpace, without generated code."""
    file = descriptor_pb2.FileDescriptorProto(
        name="xplane.proto", package="mlirprof.bench", syntax="proto3")
    for name, fields in SCHEMA.items():
        message = file.message_type.add(name=name)
        oneof, members = ONEOFS.get(name, (None, ()))
        if oneof:
            message.oneof_decl.add(name=oneof)
        for field_name, (number, kind, repeated) in fields.items():
            field = message.field.add(name=field_name, number=number)
            field.label = field.LABEL_REPEATED if repeated else \
                field.LABEL_OPTIONAL
            if kind.isupper():
                field.type = getattr(field, f"TYPE_{kind}")
            else:
                field.type = field.TYPE_MESSAGE
                field.type_name = f".mlirprof.bench.{kind}"
            if field_name in members:
                field.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName("mlirprof.bench.XSpace"))()


def iterate(space):
    """Touches every event and stat; (events, stats, sum of begins, of
    durations)."""
    events = stats = begins = durations = 0
    for plane in space.planes:
        for line in plane.lines:
            anchor = line.timestamp_ns * 1000
            for event in line.events:
                events += 1
                begins += anchor + event.offset_ps
                durations += event.duration_ps
                for stat in event.stats:
                    stats += 1
                    stat.metadata_id
                    getattr(stat, stat.WhichOneof("value") or "int64_value")
    return events, stats, begins, durations


def main():
    space = make_space()
    begin = time.perf_counter()
    with open(sys.argv[1], "rb") as file:
        space.ParseFromString(file.read())
    parsed = time.perf_counter()
    events, stats, begins, durations = iterate(space)
    end = time.perf_counter()
    json.dump(dict(
        implementation=api_implementation.Type(), seconds=end - begin,
        parse_seconds=parsed - begin, events=events, stats=stats,
        begin_sum_ps=begins, duration_sum_ps=durations), sys.stdout)


if __name__ == "__main__":
    main()
