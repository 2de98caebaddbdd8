#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the protobuf-JSON forms of a recording next to its xplane.pb.

usage: json_forms.py FOLDER...

xplane.json.gz has the field names of proto3's JSON mapping (metadataId),
xplane.snake.json.gz those of the schema (metadata_id).
"""

import gzip
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
from google.protobuf import json_format
from tensorflow.tsl.profiler.protobuf import xplane_pb2

for folder in sys.argv[1:]:
    space = xplane_pb2.XSpace()
    with open(f"{folder}/xplane.pb", "rb") as file:
        space.ParseFromString(file.read())
    for name, snake in (("xplane", False), ("xplane.snake", True)):
        text = json_format.MessageToJson(
            space, preserving_proto_field_name=snake, ensure_ascii=snake)
        with open(f"{folder}/{name}.json.gz", "wb") as file:
            file.write(gzip.compress(text.encode(), 9, mtime=0))
