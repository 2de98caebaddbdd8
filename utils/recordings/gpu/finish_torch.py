# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completes recordings of PyTorch on a GPU where there is none: the modules.

  finish_torch.py RAW OUT NAME...

RAW holds folders NAME as record_torch.py wrote them. For each, OUT/NAME gets
the trace with the paths of the machine replaced, and OUT/models/MODEL.mlir the
module of the model in the torch dialect, exported here on the CPU. Where the recording has the nodes
of the graph that ran (graph.json), names, targets and order of the nodes
exported here must equal them.
"""

import gzip
import json
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.join(HERE, "..", "..", "..")
sys.path[:0] = [HERE, os.path.join(HERE, "..", "torch"),
                os.path.join(HERE, ".."), os.path.join(REPOSITORY, "python")]

import torch
from torch_mlir import fx

import models_torch
import scrub
from mlir_prof.capture import _torch_nodes

# Folders of the recording machine, the longest first.
FOLDERS = (
    (r"/[^\"\s]*/utils/recordings/gpu/\.\./torch/", scrub.MODELS + "/"),
    (r"/[^\"\s]*/utils/recordings/(?:gpu|torch)/", scrub.MODELS + "/"),
    (r"/[^\"\s]*/site-packages/", scrub.ENVIRONMENT + "/"),
    (r"/tmp/tmp\w+/", scrub.MODELS + "/"),
    (r"/tmp/torchinductor_\w+/", scrub.MODELS + "/inductor/"),
)


def scrub_text(text):
    for pattern, replacement in FOLDERS:
        text = re.sub(pattern, replacement, text)
    here = os.path.abspath(REPOSITORY)
    left = re.findall(rf"{re.escape(here)}|/(?:home|opt|root|tmp)/", text)
    if left:
        raise SystemExit(f"paths are left: {sorted(set(left))}")
    return text


def small(text):
    """The text without the values of weights."""
    text = re.sub(r"\n\{-#.*#-\}\s*$", "\n", text, flags=re.S)
    return re.sub(r"dense_resource<[^>]*> : tensor<((?:\d+x)*)([a-z]+\d+)>",
                  lambda m: ("dense<1.000000e-02>" if "f" in m[2] else "dense<0>")
                  + f" : tensor<{m[1]}{m[2]}>", text)


def describe(graph):
    return [dict(name=node.name, op=node.op, target=str(node.target))
            for node in graph.nodes]


def check_graph(folder, exported):
    path = f"{folder}/graph.json"
    if not os.path.exists(path):
        return "not compared"
    with open(path) as file:
        recorded = [{key: node[key] for key in ("name", "op", "target")}
                    for node in json.load(file)]
    if recorded != exported:
        pairs = [(a, b) for a, b in zip(recorded, exported) if a != b]
        raise SystemExit(f"{path}: another graph than that exported here: "
                         f"{pairs[:1] or (len(recorded), len(exported))}")
    return f"{len(recorded)} nodes are equal"


def export(model):
    """(nodes, module): as exported, before any decomposition."""
    case = models_torch.make(model)
    if case.training:
        graph = _torch_nodes.export_training(case.module, case.arguments)
        nodes = describe(graph.graph)
        return nodes, fx.stateless_fx_import(graph, output_type="raw")
    with torch.no_grad():
        program = torch.export.export(case.module, case.arguments)
        # The import changes the graph.
        nodes = describe(program.graph)
        return nodes, fx.export_and_import(program, output_type="raw",
                                           decomposition_table={})


def finish(raw, out, name):
    folder = f"{out}/{name}"
    os.makedirs(folder, exist_ok=True)
    model = name.split("-", 1)[0]
    nodes, module = export(model)
    print(f"{name}: {check_graph(f'{raw}/{name}', nodes)}", flush=True)
    text = small(module.operation.get_asm(
        enable_debug_info=True, large_elements_limit=16,
        print_generic_op_form=True))
    os.makedirs(f"{out}/models", exist_ok=True)
    with open(f"{out}/models/{model}.mlir", "w") as file:
        file.write(scrub_text(text))
    with gzip.open(f"{raw}/{name}/trace.json.gz", "rt") as file:
        trace = scrub_text(file.read())
    with open(f"{folder}/trace.json.gz", "wb") as file, \
            gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(trace.encode())
    shutil.copy(f"{raw}/{name}/info.json", folder)
    if os.path.exists(f"{raw}/{name}/inductor.json"):
        with open(f"{raw}/{name}/inductor.json") as file:
            found = json.loads(scrub_text(file.read()))
        # The inverse maps repeat these.
        found["provenance"] = {
            key: {part: maps[part] for part in ("cppCodeToPost", "postToPre")}
            for key, maps in found["provenance"].items()}
        with open(f"{folder}/inductor.json", "w") as file:
            json.dump(found, file, indent=0)


def main():
    raw, out, *names = sys.argv[1:]
    if not names:
        sys.exit(__doc__)
    for name in names:
        finish(raw, out, name)


if __name__ == "__main__":
    main()
