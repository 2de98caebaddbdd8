#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Awkward names on purpose: python record_odd.py torch|ort OUTDIR"""
import gzip, json, os, shutil, sys, tempfile

kind, out = sys.argv[1:3]
os.makedirs(out, exist_ok=True)
tmp = tempfile.mkdtemp()
NAMES = ['plain', 'with "quotes"', "back\\slash", "tab\there", "new\nline", "unicode é 層", "trail\\", "<angle>&amp", "", "a::b/c.d#e;f"]
if kind == "torch":
    import torch
    from torch.profiler import profile, record_function, ProfilerActivity

    path = tmp + "/t.json"
    x = torch.randn(64, 64)
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_stack=True) as p:
        for n in NAMES:
            with record_function(n):
                torch.mm(x, x)
        with record_function("args", 'arg "q" \\ x'):
            torch.mm(x, x)
        torch.einsum("ij,jk->ik", x, x)
    p.export_chrome_trace(path)
else:
    import numpy as np, onnx, onnxruntime as ort
    from onnx import TensorProto as T, helper as h

    nodes, v = [], "x"
    for i, n in enumerate(NAMES):
        nodes.append(h.make_node("Tanh", [v], [f"v{i}"], name=n))
        v = f"v{i}"
    nodes.append(h.make_node("Sigmoid", [v], ["d2"], name="dup?"))
    def branch(tag, k):
        ns = [h.make_node("Tanh", ["d2"], [tag + "0"], name="inner"), h.make_node("Sigmoid", [tag + "0"], [tag + "1"], name=tag + "_sig")]
        return h.make_graph(ns, tag, [], [h.make_tensor_value_info(tag + "1", T.FLOAT, [64, 64])])
    nodes.append(h.make_node("If", ["c"], ["i"], name="if", then_branch=branch("th", 0), else_branch=branch("el", 1)))
    body = h.make_graph(
        [h.make_node("Identity", ["cin"], ["cout"], name="cid"), h.make_node("Tanh", ["s"], ["s1"], name="inner")], "body",
        [h.make_tensor_value_info("it", T.INT64, []), h.make_tensor_value_info("cin", T.BOOL, []), h.make_tensor_value_info("s", T.FLOAT, [64, 64])],
        [h.make_tensor_value_info("cout", T.BOOL, []), h.make_tensor_value_info("s1", T.FLOAT, [64, 64])])
    nodes.append(h.make_node("Loop", ["n", "c", "i"], ["out"], name="loop", body=body))
    g = h.make_graph(nodes, "odd", [h.make_tensor_value_info("x", T.FLOAT, [64, 64]), h.make_tensor_value_info("c", T.BOOL, []), h.make_tensor_value_info("n", T.INT64, [])], [h.make_tensor_value_info("out", T.FLOAT, [64, 64])])
    m = h.make_model(g, opset_imports=[h.make_opsetid("", 17)], ir_version=8)
    onnx.save(m, out + "/model.onnx")
    o = ort.SessionOptions()
    o.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    o.enable_profiling = True
    o.profile_file_prefix = tmp + "/p"
    s = ort.InferenceSession(m.SerializeToString(), o, providers=["CPUExecutionProvider"])
    for _ in range(2):
        s.run(None, dict(x=np.ones((64, 64), np.float32), c=np.array(True), n=np.array(3)))
    path = s.end_profiling()
raw = open(path, "rb").read()
with open(out + "/trace.json.gz", "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as g:
    g.write(raw)
try:
    d = json.loads(raw)
    ok = "valid JSON"
except Exception as e:
    ok, d = "INVALID JSON: %s" % e, None
open(out + "/README", "w").write(f"awkward names, {kind}; python json says: {ok}\n")
print(ok)
