# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime: its profile, both models without weights, and MLIR.

ONNX Runtime runs the optimized model. The original nodes of a fused node are
found through the names of values, so both models are written.
"""

import gzip
import json
import os
import pathlib
import tempfile

from ..frontends import FrontEndError
from ..frontends._onnx import write_module
from ._mlir import add_linalg, first_line, generic_text
from ._result import CaptureError, check_counts, draft, require

LEVELS = {"disable": "ORT_DISABLE_ALL", "basic": "ORT_ENABLE_BASIC",
          "extended": "ORT_ENABLE_EXTENDED", "all": "ORT_ENABLE_ALL"}

#: ONNX Runtime records this number of events and drops the rest.
MOST_EVENTS = 1000000

def graphs_of(graph):
    """A graph and those within its nodes."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                if inner.node:
                    yield from graphs_of(inner)


def name_nodes(model):
    """Names nameless nodes, since nothing else in the profile identifies them;
    returns their number."""
    used = {node.name for graph in graphs_of(model.graph) for node in graph.node}
    count = 0
    for graph in graphs_of(model.graph):
        for node in graph.node:
            if node.name:
                continue
            base, number = node.op_type, 0
            while f"{base}_{number}" in used:
                number += 1
            node.name = f"{base}_{number}"
            used.add(node.name)
            count += 1
    return count


def without_weights(onnx, model):
    """A copy of the model's graph: names, types and shapes."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for graph in graphs_of(copy.graph):
        for tensor in graph.initializer:
            for field in ("raw_data", "float_data", "int32_data", "int64_data",
                          "double_data", "uint64_data", "string_data",
                          "external_data", "data_location"):
                tensor.ClearField(field)
    return copy.SerializeToString()


def make_session(ort, path, scratch, optimization, threads, providers):
    """A session that records, and leaves the optimized model in `scratch`."""
    options = ort.SessionOptions()
    options.graph_optimization_level = getattr(ort.GraphOptimizationLevel,
                                               LEVELS[optimization])
    options.optimized_model_filepath = str(scratch / "optimized.onnx")
    options.enable_profiling = True
    options.profile_file_prefix = str(scratch / "profile")
    options.intra_op_num_threads = threads
    # With weights in it, a model of more than 2 GB could not be written.
    prefix = "session.optimized_model_external_initializers_"
    options.add_session_config_entry(prefix + "file_name", "weights.bin")
    options.add_session_config_entry(prefix + "min_size_in_bytes", "1024")
    # The optimized model may be specific to this machine, which is intended.
    options.log_severity_level = 3
    return ort.InferenceSession(str(path), options,
                                providers=providers or ["CPUExecutionProvider"])


def cut_warmup(path, warmup, notes):
    """The events without those of the first runs: ONNX Runtime records from
    the beginning."""
    # Names may contain control characters.
    events = json.loads(path.read_text(encoding="utf-8"), strict=False)
    if len(events) >= MOST_EVENTS:
        notes.append(f"ONNX Runtime stopped recording at {MOST_EVENTS} events; "
                     "take fewer steps")
    runs = sorted((event["ts"], event["ts"] + event["dur"])
                  for event in events if event.get("name") == "model_run")
    if len(runs) <= warmup:
        raise CaptureError(f"ONNX Runtime recorded {len(runs)} runs, no more than "
                           "the warm-up; hint: take fewer steps")
    begin, end = runs[0][0], runs[warmup - 1][1]
    # Events before all runs belong to the session's start.
    return [event for event in events
            if not begin <= event.get("ts", 0) < end]


def record(session, inputs, steps, warmup, notes):
    """Runs the model; the events of its steps."""
    for _ in range(warmup + steps):
        session.run(None, inputs)
    return cut_warmup(pathlib.Path(session.end_profiling()), warmup, notes)


def import_model(onnx, model):
    """The module with one op per node, named after it."""
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras import onnx_importer
    try:
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception:  # too large; the types in the model must suffice
        pass
    context = ir.Context()
    torch_dialect.register_dialect(context)
    info = onnx_importer.ModelInfo(model)
    module = info.create_module(context=context)
    onnx_importer.NodeImporter.define_function(info.main_graph,
                                               module.operation).import_all()
    return module


def add_modules(made, onnx, model, shapes, weights):
    try:
        module = import_model(onnx, model)
    except Exception as error:
        raise CaptureError("torch-mlir cannot import the model: " +
                           first_line(error)) from error
    made.mlir = made.write("model.mlir", generic_text(module.operation))
    with tempfile.TemporaryDirectory() as scratch:
        try:
            path = write_module(model, scratch, shapes, weights)
        except FrontEndError as error:
            made.notes.append("no linalg.mlir: " + first_line(error))
            return
        if not weights:
            made.notes.append("linalg.mlir has no weights")
        add_linalg(made, path.read_text(encoding="utf-8"))


def load(onnx, model):
    """The model with weights, its own copy."""
    if isinstance(model, (str, os.PathLike)):
        return onnx.load(os.fspath(model))
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    return copy


def save(onnx, model, path):
    """For ONNX Runtime: with separate weights, so that any size can be
    written."""
    onnx.save(model, str(path), save_as_external_data=True,
              location="model.bin", size_threshold=1024)


def capture(model, inputs, folder, optimization, threads, providers, weights,
            steps, warmup, overwrite):
    check_counts(steps, warmup)
    if optimization not in LEVELS:
        raise ValueError(f"optimization is {optimization!r}; it must be one of "
                         f"{', '.join(LEVELS)}")
    onnx = require("onnx")
    ort = require("onnxruntime", call="onnx")
    require("torch_mlir", "torch-mlir", "onnx")
    with draft(folder, overwrite) as made, \
            tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        model = load(onnx, model)
        if count := name_nodes(model):
            made.notes.append(f"{count} nodes had no name and were given one")
        shapes = {name: list(value.shape) for name, value in inputs.items()}
        add_modules(made, onnx, model, shapes, weights)
        original = without_weights(onnx, model)
        save(onnx, model, scratch / "model.onnx")
        session = make_session(ort, scratch / "model.onnx", scratch,
                               optimization, threads, providers)
        events = record(session, inputs, steps, warmup, made.notes)
        made.profiles.append("profile.json.gz")
        with gzip.open(made.path("profile.json.gz"), "wt",
                       encoding="utf-8") as file:
            json.dump(events, file)
        made.path("model.onnx").write_bytes(original)
        optimized = onnx.load(str(scratch / "optimized.onnx"),
                              load_external_data=False)
        made.path("optimized.onnx").write_bytes(without_weights(onnx, optimized))
        made.add_option("--onnx", "model.onnx")
        made.add_option("--onnx-optimized", "optimized.onnx")
        made.info = dict(framework="onnx", onnxruntime=ort.__version__,
                         optimization=optimization, threads=threads, steps=steps)
    return made.result
