# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what `mlir-prof graph` wrote with readers that know nothing of it.

    check_graph.py xml FILE...           each is well-formed XML
    check_graph.py graphml FILE          ... with declared keys and known nodes
    check_graph.py svg FILE              no script or picture from elsewhere
    check_graph.py hlo FILE EXPECTED MODULE   times of the mlirgraph of a module
    check_graph.py instances FILE OPS    two calls have the times of two probes
"""

import collections
import json
import sys
import xml.etree.ElementTree as ElementTree

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
SVG = "{http://www.w3.org/2000/svg}"


def check_xml(*paths):
    for path in paths:
        ElementTree.parse(path)


def check_graphml(path):
    root = ElementTree.parse(path).getroot()
    types = {key.get("id"): key.get("attr.type")
             for key in root.iter(GRAPHML + "key")}
    nodes = {node.get("id") for node in root.iter(GRAPHML + "node")}
    for data in root.iter(GRAPHML + "data"):
        if types[data.get("key")] == "long":
            int(data.text)
        elif types[data.get("key")] == "boolean":
            assert data.text in ("true", "false"), data.text
    edges = list(root.iter(GRAPHML + "edge"))
    for edge in edges:
        assert edge.get("source") in nodes and edge.get("target") in nodes
    print(f"{len(nodes)} nodes, {len(edges)} edges")


def check_svg(path):
    root = ElementTree.parse(path).getroot()
    for element in root.iter():
        for name, value in element.attrib.items():
            assert "href" not in name and "://" not in value, (name, value)
    boxes = [g for g in root.iter(SVG + "g")
             if "n" in g.get("class", "").split()]
    for box in boxes:
        assert box.find(SVG + "title") is not None
    print(f"{len(boxes)} boxes")


def check_hlo(path, expected_path, module):
    with open(path) as file:
        graph = json.load(file)
    with open(expected_path) as file:
        expected = {op["instr"]: op["time_ps"] for op in json.load(file)["hlo"]
                    if op["module"] == module and op["in_proto"]}
    times = {node["name"]: node["duration"] for node in graph["nodes"]}
    assert len(times) == len(graph["nodes"])
    measured = {name: time for name, time in times.items()
                if time or name in expected}
    assert measured == expected, (measured, expected)
    print(f"{len(measured)} instructions measured")


def check_instances(path, ops_path):
    with open(path) as file:
        times = sorted(node["duration"] for node in json.load(file)["nodes"]
                       if node["name"] == "linalg.matmul")
    # The loop of the kernel, and the rest of the kernel's function.
    measured = collections.Counter()
    with open(ops_path) as file:
        for row in json.load(file)["rows"]:
            if row["instance"] is not None:
                measured[row["instance"]] += row["self_ps"]
    assert times == sorted(measured.values()), (times, measured)
    print(f"{len(times)} instances as measured")


if __name__ == "__main__":
    checks = dict(xml=check_xml, graphml=check_graphml, svg=check_svg,
                  hlo=check_hlo, instances=check_instances)
    checks[sys.argv[1]](*sys.argv[2:])
