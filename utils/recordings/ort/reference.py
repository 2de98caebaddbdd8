#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes expected.json of recordings: python reference.py FOLDER...

Times are whole microseconds in the file; written here as nanoseconds.
"""
import collections, gzip, json, os, re, sys

import onnx
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_d

D = collections.defaultdict


def read_graph(path):
    model = onnx.ModelProto.FromString(gzip.open(path).read())
    return [
        dict(index=i, name=n.name, op=n.op_type, inputs=list(n.input), outputs=list(n.output))
        for i, n in enumerate(model.graph.node)
    ]


def count_odd(d):
    """Nodes by the event around them, of a profile with graphs in nodes."""
    e = json.load(gzip.open(d + "/trace.json.gz", "rt"))
    c = collections.Counter()
    for x in e:
        if x["cat"] == "Node":
            up = [y for y in e if y["cat"] == "Node" and y is not x and y["ts"] <= x["ts"]
                  and x["ts"] + x["dur"] <= y["ts"] + y["dur"] and y["args"]["op_name"] in ("If", "Loop")]
            c[(up[0]["name"] if up else "", x["name"], x["args"]["node_index"], x["args"]["op_name"])] += 1
    nodes = [dict(inside=k[0], name=k[1], node_index=k[2], op=k[3], count=v) for k, v in c.items()]
    inner = sum(x["name"] == "SequentialExecutor::Execute" for x in e) - sum(x["name"] == "model_run" for x in e)
    out = dict(valid_json=True, n_events=len(e), nodes=nodes, subgraph_runs=inner)
    json.dump(out, open(d + "/expected.json", "w"), indent=1)


def cone(orig, prod, outs, stop):
    """Original nodes needed for `outs`, cut at the values in `stop`."""
    seen, work = set(), [v for v in outs if v in prod]
    while work:
        i = prod[work.pop()]
        if i in seen:
            continue
        seen.add(i)
        work += [v for v in orig[i]["inputs"] if v in prod and v not in stop]
    return sorted(seen)


def join_graphs(g):
    """optimized node index -> (kind, original node indices, cluster id)"""
    orig, opt = g["original"], g["optimized"]
    prod = {v: n["index"] for n in orig for v in n["outputs"] if v}
    uses = D(list)
    for n in orig:
        for v in n["inputs"]:
            uses[v].append(n["index"])
    const = {n["index"] for n in orig if n["op"] == "Constant"}
    # 1. union optimized nodes linked by a value that the original lacks
    par = list(range(len(opt)))

    def find(x):
        while par[x] != x:
            x = par[x]
        return x

    oprod = {v: n["index"] for n in opt for v in n["outputs"] if v}
    for n in opt:
        for v in n["inputs"]:
            if v in oprod and v not in prod:
                par[find(n["index"])] = find(oprod[v])
    clusters = D(list)
    for n in opt:
        clusters[find(n["index"])].append(n["index"])
    kept = {v for n in opt for v in n["outputs"] if v in prod}
    byname = {n["name"]: n["index"] for n in orig if n["name"]}
    res, cone_of = {}, {}
    for cid, mem in clusters.items():
        outs = [v for m in mem for v in opt[m]["outputs"] if v in prod]
        inner = set(outs)
        # values produced in this cluster do not stop the walk for later outputs
        c = [i for i in cone(orig, prod, outs, kept - inner) if i not in const]
        cone_of[cid] = c
        for m in mem:
            res[m] = [cid, None, None]
    for n in opt:
        m, cid = n["index"], find(n["index"])
        c = cone_of[cid]
        mem = clusters[cid]
        if len(mem) == 1:
            kind = "one" if len(c) == 1 else ("fused" if c else "inserted")
            res[m] = [cid, kind, c]
            continue
        # several optimized nodes share the cone: use the name to split it
        name, got = n["name"], None
        if name.endswith("_nchwc"):
            v = name[: -len("_nchwc")]
            if v in prod:
                stops = kept | {x["name"][:-6] for x in opt if x["name"].endswith("_nchwc")}
                got = [i for i in cone(orig, prod, [v], stops - {v}) if i not in const]
        if got is None:
            b = name
            while b and b not in byname:
                b = b.rsplit("/", 1)[0] if "/" in b else ""
            if b and byname[b] in c:
                got = [i for i in c if i == byname[b]]
                # the anchor takes what no other member claims, see below
        res[m] = [cid, "cluster-named" if got else "cluster-helper", got or c]
    for cid, mem in clusters.items():
        if len(mem) > 1:
            named = [m for m in mem if res[m][1] == "cluster-named"]
            if len(named) == 1:  # one anchor (e.g. Gemm between two Reshapes): it owns the cone
                res[named[0]][2] = cone_of[cid]
    return res, clusters, cone_of


def read_mlir(path):
    ctx = ir.Context()
    torch_d.register_dialect(ctx)
    mod = ir.Module.parse(open(path).read(), ctx)
    fn = [o for o in mod.body.operations if o.operation.name == "func.func"][0]
    out = []
    for i, op in enumerate(fn.regions[0].blocks[0].operations):
        m = re.match(r'loc\("(.*)"\)$', str(op.operation.location))
        nm = op.operation.name
        onnx = str(op.operation.attributes["name"]).strip('"') if nm == "torch.operator" else None
        out.append(dict(index=i, op=nm, onnx=onnx, loc=m and m.group(1)))
    return out


def main(d):
    if not os.path.exists(d + "/optimized.onnx.gz"):
        return count_odd(d)
    tr = json.load(gzip.open(d + "/trace.json.gz", "rt"))
    g = dict(original=read_graph(d + "/model.onnx.gz"), optimized=read_graph(d + "/optimized.onnx.gz"))
    ops = read_mlir(d + "/model.generic.mlir")
    counts = D(int)
    for e in tr:
        counts[f'{e["ph"]}/{e["cat"]}'] += 1
    runs = sorted((e for e in tr if e["name"] == "model_run"), key=lambda e: e["ts"])
    nodes = [e for e in tr if e["cat"] == "Node"]
    tab, per_run = {}, [D(int) for _ in runs]
    for e in nodes:
        assert e["name"].endswith("_kernel_time"), e["name"]
        n = e["name"][: -len("_kernel_time")]
        r = tab.setdefault(n, dict(count=0, total_ns=0, op=e["args"]["op_name"], node_index=[]))
        r["count"] += 1
        r["total_ns"] += e["dur"] * 1000
        if e["args"]["node_index"] not in r["node_index"]:
            r["node_index"].append(e["args"]["node_index"])
        k = [i for i, x in enumerate(runs) if x["ts"] <= e["ts"] and e["ts"] + e["dur"] <= x["ts"] + x["dur"]]
        if k:
            per_run[k[0]][n] += e["dur"] * 1000
    total = sum(r["total_ns"] for r in tab.values())
    res, clusters, cone_of = join_graphs(g)
    optname = D(list)
    for n in g["optimized"]:
        optname[n["name"]].append(n["index"])
    locs = D(list)
    for o in ops:
        if o["op"] == "torch.operator" and o["loc"] is not None:
            locs[o["loc"]].append(o["index"])
    idx = {n["index"]: locs.get(n["name"], []) for n in g["original"]}
    cov, direct, rows, perop = D(int), D(int), [], {}
    for n, r in sorted(tab.items()):
        t = r["total_ns"]
        direct["name is a NameLoc" if n in locs and len(locs[n]) == 1 else "name occurs twice" if n in locs else "no such NameLoc"] += t
        o = optname.get(n, [])
        if len(o) != 1:
            cov["name not unique in graph" if o else "not in optimised graph"] += t
            rows.append(dict(name=n, kind="?", **r))
            continue
        cid, kind, c = res[o[0]]
        mo = sorted({x for i in c for x in idx[i]})
        if any(len(idx[i]) != 1 for i in c):
            kind += "+dup"
        cov[kind] += t
        rows.append(dict(name=n, kind=kind, cluster=cid, original=[g["original"][i]["name"] for i in c], mlir=mo, **r))
        if kind in ("one", "fused", "cluster-named"):
            key = ",".join(map(str, mo))
            p = perop.setdefault(key, dict(mlir=mo, total_ns=0, count=0))
            p["total_ns"] += t
            p["count"] += r["count"]
    dup = {k: v for k, v in locs.items() if len(v) > 1}
    out = dict(
        n_events=len(tr), counts=dict(counts), node_total_ns=total,
        nodes=dict(sorted((k, {a: b for a, b in v.items()}) for k, v in tab.items())),
        runs=[dict(ts_ns=x["ts"] * 1000, dur_ns=x["dur"] * 1000, node_ns=sum(p.values()), nodes=dict(p)) for x, p in zip(runs, per_run)],
        graph_nodes=dict(original=len(g["original"]), optimized=len(g["optimized"]),
                         unnamed=sum(not n["name"] for n in g["optimized"])),
        join=dict(direct_name_pct={k: round(100 * v / total, 2) for k, v in direct.items()},
                  coverage_pct={k: round(100 * v / total, 2) for k, v in cov.items()},
                  node_share_of_model_run_pct=round(100 * total / 1000 / sum(x["dur"] for x in runs), 2),
                  duplicate_namelocs=dup, rows=rows, per_mlir_set=sorted(perop.values(), key=lambda p: p["mlir"])),
    )
    json.dump(out, open(d + "/expected.json", "w"), indent=1)
    print(d, "events", len(tr), "graph", out["graph_nodes"], "direct", out["join"]["direct_name_pct"], "cov", out["join"]["coverage_pct"], "of run", out["join"]["node_share_of_model_run_pct"], "dup", len(dup))


if __name__ == "__main__":
    for d in sys.argv[1:]:
        main(d.rstrip("/"))
