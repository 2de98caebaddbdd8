#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes expected.json of recordings independently of mlir-prof.

The trace is read by TensorFlow's protobuf classes and the module by jaxlib's
MLIR bindings; no code is shared with the C++ libraries. The tests compare
mlir-prof's reports with these numbers to the picosecond. "definitions" in the
file describes each number.

A recording is a folder jax/NAME or tf/NAME, or either in gpu, with xplane.pb and
model.generic.mlir. If present, hlo.txt, model.stablehlo.generic.mlir and, for
fused kernels of TensorFlow's graph mode, graph.0.{pre,part0}.pbtxt[.gz] are used
as well.
"""

import argparse
import collections
import json
import os
import sys

import reference_xplane_gpu
from reference_hlo import Thunks, hlo_tables
from reference_mlir import Module
from reference_tf import framework_ops
from reference_trace import Trace, union_length

DEFINITIONS = dict(
    self=(
        "per line: sort by (begin, -end, file order); pop stack entries with "
        "end<=begin; then pop entries that end before this event ends (counted "
        "in partial_overlaps); the top is the parent; self = duration - "
        "sum(direct children)"),
    op_events=(
        "tf: no hlo_op stat and name matches NAME:TYPE as in tsl "
        "(NAME=[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*, TYPE=[A-Z_][A-Za-z0-9_]*); "
        "hlo: has stat hlo_op"),
    op_self_ps=(
        "duration minus the durations of the nearest op events nested in it on "
        "the same line (so Await/end:/Rendezvous children stay inside)"),
    time_ps=(
        "weight used for coverage and per-MLIR-op times: op_self_ps for TF "
        "ops; op_self_ps + (bounded_ps - execute_ps) for HLO"),
    complete_ps=(
        "sum over events of max(execute end, begin of the 'end: X' event with "
        "_c == _p) - begin"),
    bounded_ps=(
        "as complete_ps, but an end later than the execute end is cut at the "
        "first later begin, in the same run, of an instruction that uses the "
        "result (through bitcast/tuple/get-tuple-element) or of the same "
        "instruction"),
    op_inflight_union_ps=(
        "union over all lines of [begin, bounded end] of op events; "
        "op_busy_union_ps: of [begin, execute end]. Sums of time_ps may exceed "
        "wall time because ops run in parallel"),
    run=(
        "JAX: stat run_id + device_ordinal; TF-XLA (run_id is -1): the "
        "CpuExecutable::ExecuteAsyncOnStream interval with the last begin <= "
        "event begin"),
    members=(
        "HLO fusion/call: all instructions of the called computations, "
        "recursively, except parameter/constant/tuple/get-tuple-element/"
        "bitcast; else the instruction itself. TF _Fused*/_Mkl*Fused*: nodes "
        "of the pre-grappler graph, backwards from the node, that are gone "
        "from the executed graph, stopping at the fused node's inputs"),
    join=(
        "op_name (split at ';') -> MLIR ops whose path is equal. path(op) = "
        "NameLoc name (a name ending ':' is the type; Fused: all; CallSite: "
        "callee; text after '@' dropped); op in a called function: path(call) "
        "+ '/' + own path; TF While: path(while) + '/body/_#/' or '/cond/_#/' "
        "(TF-XLA: callee's own path); TF If: likewise '/then/_#/' and "
        "'/else/_#/'; TF only, when the full path is unknown: "
        "the own path in any function; ops of dialect tf_executor are not "
        "joined"),
    refine=(
        "several MLIR ops under one path: keep those whose innermost frame "
        "(file,line,start col) equals the HLO stack frame, if any; then those "
        "whose stablehlo op equals the HLO opcode, if any; then those whose "
        "result type equals the HLO shape, if any"),
    classes=(
        "one: exactly one MLIR op; one_name: one location name shared by "
        "several MLIR ops; set: several names; partial: some member names "
        "unmatched; none"),
    mlir_op_id="pre-order index in model.generic.mlir, module = 0",
)


def classify(ids, names, unmatched):
    if not ids:
        return "none"
    if unmatched:
        return "partial"
    if len(ids) == 1:
        return "one"
    return "one_name" if len(names) == 1 else "set"


def percent(times, total):
    return {key: round(100 * time / total, 3) for key, time in times.items()}


class Coverage:
    """Charges measured time to MLIR ops and counts how well that went."""

    def __init__(self, module):
        self.module = module
        self.by_class = collections.Counter()
        self.by_name_class = collections.Counter()
        self.reasons = collections.Counter()
        self.recoverable_ps = 0
        self.times = {}

    def account(self, time_ps, names, reason=None, narrowed=None):
        """Charges `time_ps` to the ops called `names`.

        `narrowed` says which of a name's ops are meant. Returns the class, the
        op indices and the names without an op.
        """
        found = {name: set(self.module.find(name)) for name in names}
        everything = set().union(*found.values())
        lost = [name for name in names if not found[name]]
        self.by_name_class[classify(everything, names, lost)] += time_ps

        if narrowed:
            found = {name: narrowed.get(name) or ids
                     for name, ids in found.items()}
        ids = sorted(set().union(*found.values()))
        unmatched = [name for name in names if not found[name]]
        join = classify(ids, names, unmatched)
        self.by_class[join] += time_ps
        if join == "none":
            missing = "no MLIR op named " + ";".join(names)[:80]
            self.reasons[reason or missing] += time_ps
        share = "exclusive_ps" if len(ids) == 1 else "shared_ps"
        for op in ids:
            times = self.times.setdefault(op, dict(exclusive_ps=0, shared_ps=0))
            times[share] += time_ps
        return join, ids, unmatched

    def summary(self):
        total = sum(self.by_class.values())
        return dict(
            op_time_ps=total, by_class_ps=dict(self.by_class),
            by_class_name_only_ps=dict(self.by_name_class),
            percent_name_only=percent(self.by_name_class, total),
            percent=percent(self.by_class, total) if total else {},
            none_reasons_ps=dict(self.reasons.most_common(20)),
            none_recoverable_from_users_ps=self.recoverable_ps)

    def by_op(self):
        ops = self.module.ops
        rows = [dict(id=i, op=ops[i].name, names=ops[i].names, **times)
                for i, times in sorted(self.times.items())]
        return dict(ops=len(ops), joined_ops=len(rows), by_op=rows)


def stablehlo_coverage(path, rows):
    """Coverage, by name alone, of the StableHLO that TF-XLA made."""
    names = Module(path, tf=False, xla=True).own_names
    by_class = collections.Counter()
    for row in rows:
        found = {name: set(names.get(name, {}))
                 for name in row.get("op_names", [])}
        unmatched = [name for name, ids in found.items() if not ids]
        ids = set().union(*found.values())
        by_class[classify(ids, list(found), unmatched)] += row["time_ps"]
    return dict(by_class)


def compute(folder):
    """expected.json of the recording in `folder`, as a dictionary."""
    path = os.path.abspath(folder).split(os.sep)
    name = "/".join(path[-2:])
    is_tf = name.startswith("tf/")
    is_xla = "-xla" in name or name.startswith("jax/")
    trace = Trace(f"{folder}/xplane.pb")
    devices = None
    if path[-3] == "gpu":
        name = f"gpu/{name}"
        devices = reference_xplane_gpu.Devices(trace)
    coverage = Coverage(Module(f"{folder}/model.generic.mlir", is_tf, is_xla))

    result = dict(recording=name, definitions=DEFINITIONS, planes=trace.planes,
                  lines=trace.lines)
    result.update(framework_ops(folder, trace.ops, coverage))
    result.update(hlo_tables(folder, Thunks(trace), coverage))
    if devices:
        result["outside"] = devices.outside(coverage)
        devices.add_kernels(result["hlo"])
    result["steps"] = trace.steps()
    busy = trace.ops
    if devices:
        result["definitions"] = dict(DEFINITIONS, **reference_xplane_gpu.DEFINITIONS)
        result.update(devices.tables())
        busy = busy + [w for w in devices.work if not w.instruction]
    result["op_busy_union_ps"] = union_length(
        (op.begin, op.end) for op in busy)
    result["op_inflight_union_ps"] = union_length(
        (op.begin, getattr(op, "bounded_end", None) or op.end) for op in busy)
    result["coverage"] = coverage.summary()
    stablehlo = f"{folder}/model.stablehlo.generic.mlir"
    if os.path.exists(stablehlo):
        result["coverage_stablehlo_name_only_ps"] = stablehlo_coverage(
            stablehlo, result.get("hlo", []))
    result["mlir"] = coverage.by_op()
    return result


def describe(result):
    """One line about a recording, for the terminal."""
    events = sum(plane["events"] for plane in result["planes"])
    shares = result["coverage"]["percent"]
    classes = " ".join(f"{key} {shares.get(key, 0):.1f} %" for key in
                       ("one", "one_name", "set", "partial", "none"))
    return (f"{result['recording']:20} {events:7} events, op time "
            f"{result['coverage']['op_time_ps'] / 1e9:9.3f} ms: {classes}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER",
                        help="a recording; its expected.json is written")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; exit 1 when a file is different")
    arguments = parser.parse_args()
    status = 0
    for folder in arguments.folders:
        result = compute(folder)
        text = json.dumps(result, indent=1)
        path = f"{folder}/expected.json"
        print(describe(result))
        if not arguments.check:
            with open(path, "w") as file:
                file.write(text)
            continue
        with open(path) as file:
            found = json.load(file)
        # The text may say more than when the file was written.
        found["definitions"] = result["definitions"]
        if json.dumps(found, indent=1) != text:
            print(f"{path} is different")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
