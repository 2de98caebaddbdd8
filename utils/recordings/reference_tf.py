# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow's graph mode: kernels, and the nodes a fused kernel stands for."""

import gzip
import os
import re

from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2

from reference_trace import TF_OP


def read_graph(folder, stage):
    """Nodes by name of graph.0.STAGE.pbtxt[.gz]; empty when it is absent.

    Stages: "pre" before grappler, "part0" as executed.
    """
    graph = graph_pb2.GraphDef()
    path = f"{folder}/graph.0.{stage}.pbtxt"
    for name, opener in ((path, open), (path + ".gz", gzip.open)):
        if os.path.exists(name):
            with opener(name, "rt") as file:
                text_format.Parse(file.read(), graph)
            break
    return {node.name: node for node in graph.node}


def data_inputs(node):
    return [re.sub(r":\d+$", "", name) for name in node.input
            if not name.startswith("^")]


class Graph:
    def __init__(self, folder):
        self.before = read_graph(folder, "pre")
        self.executed = read_graph(folder, "part0")

    def is_fused(self, node, kernel):
        return ("Fused" in kernel and node in self.before and
                node in self.executed)

    def fused_members(self, node):
        """`node` and what grappler fused into it, by difference of graphs."""
        members = [node]
        stop = set(data_inputs(self.executed[node]))
        todo = data_inputs(self.before[node])
        while todo:
            name = todo.pop()
            gone = name in self.before and name not in self.executed
            if gone and name not in stop and name not in members:
                members.append(name)
                todo += data_inputs(self.before[name])
        return members

    def chain_members(self, node, kernel):
        """As fused_members by the rule for which no graph dump is needed: back
        from the node to the op that the kernel is named after."""
        base = "MatMul" if "MatMul" in kernel else "Conv2D"
        chain = [node]
        while self.before[chain[-1]].op != base:
            inputs = [name for name in data_inputs(self.before[chain[-1]])
                      if name not in self.executed]
            if len(inputs) != 1:
                break
            chain.append(inputs[0])
        return chain


def framework_ops(folder, ops, coverage):
    """The tables "framework_ops" and "nodes_without_events"."""
    kernels = {}
    for op in ops:
        if op.kind == "tf":
            entry = kernels.setdefault(
                TF_OP.match(op.name).groups(),
                dict(count=0, total_ps=0, op_self_ps=0))
            entry["count"] += 1
            entry["total_ps"] += op.end - op.begin
            entry["op_self_ps"] += op.self_ps
    if not kernels:
        return {}

    graph, rows = Graph(folder), []
    for (node, kernel), entry in sorted(kernels.items()):
        members = [node]
        if graph.is_fused(node, kernel):
            members = graph.fused_members(node)
            chain = graph.chain_members(node, kernel)
            entry["chain_rule_equal"] = sorted(chain) == sorted(members)
        join, ids, unmatched = coverage.account(entry["op_self_ps"], members)
        before = graph.before.get(node)
        rows.append(dict(
            node=node, kernel=kernel, graph_op=before.op if before else None,
            in_executed_graph=node in graph.executed, members=sorted(members),
            join=join, mlir_ops=ids, unmatched=unmatched, **entry))
    measured = {node for node, _ in kernels}
    silent = sorted(f"{name}:{node.op}" for name, node in graph.executed.items()
                    if name not in measured)
    return dict(framework_ops=rows, nodes_without_events=silent)
