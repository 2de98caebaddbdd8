#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Independent expectation for one PyTorch recording: expected.json.

All times are integer nanoseconds, taken from the decimal text of ts and dur.
A `unit` is an outermost dispatcher event (cpu_op with a namespace, e.g.
aten::linear, not an autograd:: wrapper) inside a ProfilerStep.
"""
import ast, bisect, collections, gzip, json, os, re, sys
from decimal import Decimal

from torch_mlir import ir
from torch_mlir.dialects import torch as torch_d

D = collections.defaultdict


# --------------------------------------------------------------------- trace
def load(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return json.load(f, parse_float=Decimal)


def ns(x):
    v = Decimal(x) * 1000
    assert v == int(v), x
    return int(v)


def nest(events):
    """Parents by (start, -end) per thread; partial overlap: no parent taken
    from the overlapping one. Sets e['up'], e['kids']; returns overlap count."""
    bad = 0
    lanes = D(list)
    for e in events:
        e["up"], e["kids"] = None, []
        lanes[(e["pid"], e["tid"])].append(e)
    for lane in lanes.values():
        lane.sort(key=lambda e: (e["b"], -e["e"], e["i"]))
        st = []
        for e in lane:
            while st and st[-1]["e"] <= e["b"] and not (e["b"] == e["e"] == st[-1]["e"]):
                st.pop()
            cand = [p for p in st if p["e"] >= e["e"]]
            if len(cand) != len(st):
                bad += 1
            if cand:
                e["up"] = cand[-1]
                cand[-1]["kids"].append(e)
            st = cand + [e] if len(cand) != len(st) else st + [e]
    return bad


def self_time(e):
    return e["e"] - e["b"] - sum(k["e"] - k["b"] for k in e["kids"])


def table(evs):
    t = {}
    for e in evs:
        r = t.setdefault(e["name"], dict(count=0, total_ns=0, self_ns=0))
        r["count"] += 1
        r["total_ns"] += e["e"] - e["b"]
        r["self_ns"] += e["self"]
    return dict(sorted(t.items()))


# ---------------------------------------------------------------------- MLIR
class Func:
    """Which `def` encloses (file, line)? -> first line incl. decorators, name."""

    def __init__(self):
        self.files = {}

    def at(self, path, line):
        if path not in self.files:
            rows = []
            try:
                for n in ast.walk(ast.parse(open(path).read())):
                    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        d = min([n.lineno] + [x.lineno for x in n.decorator_list])
                        rows.append((d, n.end_lineno, n.name))
            except OSError:
                pass
            self.files[path] = rows
        best = None
        for d, e, name in self.files[path]:
            if d <= line <= e and (best is None or d > best[0]):
                best = (d, name)
        return best


FUNC = Func()


def loc_chain(text):
    """callsite/file location text -> [(file, line)], outermost first."""
    return [(f, int(l)) for f, l in re.findall(r'"([^"]+)":(\d+):\d+', text)][::-1]


SKIP = ("torch.constant.", "torch.prim.", "torch.vtensor.literal", "func.return", "torch.operator")


def read_mlir(path):
    ctx = ir.Context()
    torch_d.register_dialect(ctx)
    mod = ir.Module.parse(open(path).read(), ctx)
    fn = [o for o in mod.body.operations if o.operation.name == "func.func"][0]
    out = []
    for i, op in enumerate(fn.regions[0].blocks[0].operations):
        name = op.operation.name
        shapes = []
        for v in op.operands:
            m = re.match(r"!torch\.vtensor<\[([\d,?]*)\]", str(v.type))
            if m and m.group(1):
                shapes.append([int(x) for x in m.group(1).split(",")])
        chain = loc_chain(str(op.operation.location))
        out.append(
            dict(
                index=i,
                op=name,
                base="aten::" + name[len("torch.aten.") :].split(".")[0]
                if name.startswith("torch.aten.")
                else None,
                shapes=shapes,
                chain=chain,
                fchain=[(os.path.basename(f),) + (FUNC.at(f, l) or (0, "?")) for f, l in chain],
                compute=name.startswith("torch.aten.") or name.startswith("torch.prims."),
            )
        )
    return out


# ---------------------------------------------------------------------- join
def frames(e):
    """Enclosing Python `forward` frames of an event, outermost first."""
    fr, mods, inst = [], [], []
    p = e["py"]
    while p is not None:
        if p["cat"] == "python_function":
            m = re.match(r"(.*)\((\d+)\): (.*)$", p["name"])
            if p["name"].startswith("nn.Module: "):
                mods.append(p["name"][11:])
                inst.append(p["i"])
            elif m and m.group(3) == "forward":
                fr.append((os.path.basename(m.group(1)), int(m.group(2)), "forward"))
        p = p["py"] if "py" in p else None
    return fr[::-1], mods[::-1], inst[::-1]


def levels(units, ops, keyfs):
    """Coverage of each key level: a key group is unique when it has one unit
    and one op, ordered when counts agree (k-th with k-th), else ambiguous."""
    res = []
    for label, ku, ko in keyfs:
        gu, go = D(list), D(list)
        for u in units:
            gu[ku(u)].append(u)
        for o in ops:
            go[ko(o)].append(o)
        c = dict(unique=0, ordered=0, ambiguous=0, none=0)
        for k, us in gu.items():
            t = sum(u["total"] for u in us)
            n = len(go.get(k, []))
            c["none" if n == 0 else "unique" if n == len(us) == 1 else "ordered" if n == len(us) else "ambiguous"] += t
        res.append((label, c))
    return res


def main(d):
    meta = json.load(open(d + "/meta.json"))
    tr = load(d + "/trace.json.gz")
    base = tr["baseTimeNanoseconds"]
    X, counts = [], D(int)
    for i, e in enumerate(tr["traceEvents"]):
        counts[f'{e["ph"]}/{e.get("cat", "-")}'] += 1
        if e["ph"] == "X":
            b = ns(e["ts"])
            X.append(dict(i=i, cat=e["cat"], name=e["name"], pid=e["pid"], tid=e["tid"], b=b, e=b + ns(e["dur"]), args=e.get("args", {})))
    ops = [e for e in X if e["cat"] in ("cpu_op", "user_annotation")]
    py = [e for e in X if e["cat"] in ("python_function", "cpu_op")]
    # tree 2 (Python + ops) first: remember the enclosing event as 'py'
    over2 = nest(py)
    for e in py:
        e["py"] = e["up"]
    pyself = [dict(e, self=self_time(e)) for e in py if e["cat"] == "python_function"]
    pt = table(pyself)
    over3 = nest([e for e in X if e["cat"] in ("cpu_op", "user_annotation", "python_function")])
    for e in ops:
        e["self3"] = self_time(e) if e["cat"] == "cpu_op" else None
    over1 = nest(ops)
    for e in ops:
        e["self"] = self_time(e)
        e.setdefault("py", None)
    steps = sorted((e for e in ops if e["name"].startswith("ProfilerStep#")), key=lambda e: e["b"])

    def under(e):
        for k in e["kids"]:
            yield k
            yield from under(k)

    out = dict(
        meta,
        base_ns=base,
        n_events=len(tr["traceEvents"]),
        counts=dict(sorted(counts.items())),
        partial_overlaps=dict(ops_and_annotations=over1, ops_and_python=over2, all_three=over3),
        ops=table(e for e in ops if e["cat"] == "cpu_op"),
        annotations=table(e for e in ops if e["cat"] == "user_annotation"),
        python_functions=dict(
            names=len(pt),
            count=sum(r["count"] for r in pt.values()),
            self_ns=sum(r["self_ns"] for r in pt.values()),
            top=dict(sorted(pt.items(), key=lambda kv: -kv[1]["self_ns"])[:10]),
        ),
        steps=[
            dict(
                name=s["name"], begin_ns=base + s["b"], dur_ns=s["e"] - s["b"],
                cpu_op_self_ns=sum(k["self"] for k in under(s) if k["cat"] == "cpu_op"),
                ops={n: r["self_ns"] for n, r in table(k for k in under(s) if k["cat"] == "cpu_op").items()},
            )
            for s in steps
        ],
    )
    # --- agreement with key_averages (its own aggregation, microseconds)
    ka = {r["name"]: r for r in json.load(open(d + "/key_averages.json"))}
    bad = []
    s3 = D(int)
    for e in ops:
        if e["cat"] == "cpu_op":
            s3[e["name"]] += e["self3"]
    for n, r in out["ops"].items():
        r["self_minus_python_ns"] = s3[n]
    for n, r in out["ops"].items():
        k = ka.get(n)
        # key_averages folds a node whose only parent-child link repeats its name
        if not k or k["count"] > r["count"] or abs(k["self_cpu_us"] * 1000 - r["self_minus_python_ns"]) > 2 * r["count"] + 1:
            bad.append([n, r["count"], r["self_ns"], r["self_minus_python_ns"], k and k["count"], k and round(k["self_cpu_us"] * 1000)])
    out["key_averages_disagree"] = bad

    # --- units per step
    isop = lambda e: e["cat"] == "cpu_op" and re.match(r"[a-z_0-9]+::", e["name"]) and not e["name"].startswith(("autograd::", "torch::autograd"))
    per_step = []
    for s in steps:
        us = []

        def walk(e, note):
            for k in sorted(e["kids"], key=lambda k: (k["b"], k["i"])):
                if isop(k) or k["name"].startswith("graph_"):
                    fr, mods, inst = frames(k)
                    leaf = table([k] + list(under(k)))
                    a = k["args"]
                    us.append(dict(
                        e=k, name=k["name"], total=k["e"] - k["b"], note=note,
                        shapes=[x for x in a.get("Input Dims", []) if x and not isinstance(x[0], list)],
                        frames=fr, mods=mods, inst=inst, seq=a.get("Sequence number"),
                        leaf={n: r["self_ns"] for n, r in leaf.items()},
                    ))
                else:
                    walk(k, note + [k["name"]])

        walk(s, [])
        per_step.append(us)
    nodes = json.load(open(d + "/nodes.json"))
    pre = read_mlir(d + "/model.pre.generic.mlir")
    dft = read_mlir(d + "/model.generic.mlir")
    comp = [o for o in pre if o["compute"]]
    join = {}
    v = meta["variant"]
    allt = sum(u["total"] for us in per_step for u in us)
    stept = sum(s["e"] - s["b"] for s in steps)
    join["unit_total_ns"] = allt
    join["cpu_op_self_ns"] = sum(s["cpu_op_self_ns"] for s in out["steps"])
    join["step_total_ns"] = stept
    res = {}  # pre op index -> {count,total_ns,leaf}
    unj = D(int)
    shared = D(int)
    joined = 0

    def give(idx, u):
        r = res.setdefault(idx, dict(count=0, total_ns=0, leaf_self_ns=D(int)))
        r["count"] += 1
        r["total_ns"] += u["total"]
        for n, t in u["leaf"].items():
            r["leaf_self_ns"][n] += t

    if v == "fxnode":
        byname = {n["node"]: n["index"] for n in nodes["pre"] if "node" in n and n["op"].startswith("torch.aten")}
        for us in per_step:
            for u in us:
                fx = [x[3:] for x in u["note"] if x.startswith("fx:")]
                if fx and fx[-1] in byname:
                    give(byname[fx[-1]], u); joined += u["total"]
                else:
                    unj[u["name"]] += u["total"]
        join["method"] = "annotation fx:<node> = FX node name = NameLoc (exact)"
    elif v == "compile":
        joined = join_compile(d, per_step, comp, out, join, unj)
    else:
        ncalls = shape_ok = seq_ok = 0
        cov = D(lambda: D(int)); chain_ok = chain_all = mod_ok = 0
        cls = {n["index"]: n.get("classes", []) for n in nodes["pre"]}
        for us in per_step:
            use = [u for u in us if not any("Optimizer" in x for x in u["note"])]
            for u in us:
                if u not in use:
                    unj["optimizer " + u["name"]] += u["total"]
            calls = [use]
            if meta["model"] == "train":
                use, ops_ = train_units(use, comp)
                calls = [use]
            else:
                ops_ = comp
                # only what runs under the outermost nn.Module, one call at a time
                by = D(list)
                for u in use:
                    if u["inst"] and u["mods"][0].rsplit("_", 1)[0] == ROOT[meta["model"]]:
                        by[u["inst"][0]].append(u)
                    else:
                        unj["outside the model " + u["name"]] += u["total"]
                calls = [by[k] for k in sorted(by)]
                ncalls += len(calls)
            F = lambda u: tuple(u["frames"]); FO = lambda o: tuple(o["fchain"])
            S = lambda x: json.dumps(x["shapes"])
            for label, c in levels(use, ops_, [
                ("name, no scope", lambda u: u["name"], lambda o: o["base"])]):
                for k, t in c.items():
                    cov[label][k] += t
            for label, c in (x for one in calls for x in levels(one, ops_, [
                ("name", lambda u: u["name"], lambda o: o["base"]),
                ("name+shapes", lambda u: (u["name"], S(u)), lambda o: (o["base"], S(o))),
                ("name+frames", lambda u: (u["name"], F(u)), lambda o: (o["base"], FO(o))),
                ("name+shapes+frames", lambda u: (u["name"], S(u), F(u)), lambda o: (o["base"], S(o), FO(o))),
            ])):
                for k, t in c.items():
                    cov[label][k] += t
            rank = {}
            if meta["model"] == "train":
                rank = seq_levels(use, ops_, nodes, cov)
            pairs, rest = [], []
            for one in calls:
                a, b = align(one, ops_)
                pairs += a
                rest += b
            for u, o in pairs:
                if rank and rank.get(id(u)) != rank.get(o["index"]):
                    unj[u["name"] + " (order says op, sequence number says no)"] += u["total"]
                    continue
                give(o["index"], u); joined += u["total"]
                chain_all += 1
                chain_ok += F(u) == FO(o)
                shape_ok += S(u) == S(o)
                seq_ok += rank.get(id(u)) == rank.get(o["index"])
                mod_ok += [re.sub(r"_\d+$", "", m) for m in u["mods"]] == cls.get(o["index"])
            for u in rest:
                unj[u["name"]] += u["total"]
        join["levels_pct_of_unit_time"] = {
            l: {k: round(100 * t / allt, 2) for k, t in c.items()} for l, c in cov.items()}
        join["method"] = "sequence alignment on base op name (order of execution = order in the block)"
        join["pairs"] = chain_all
        join["model_calls"] = ncalls
        join["pairs_same_shapes"] = shape_ok
        if meta["model"] == "train":
            join["pairs_same_sequence_rank"] = seq_ok
        join["pairs_same_forward_frames"] = chain_ok
        join["pairs_same_module_classes"] = mod_ok
    join["coverage_pct"] = dict(of_units=round(100 * joined / allt, 2), of_cpu_op_self=round(100 * joined / join["cpu_op_self_ns"], 2), of_step_wall=round(100 * joined / stept, 2))
    join["unjoined_ns"] = dict(sorted(unj.items()))
    if res:
        join["pre"] = [dict(index=o["index"], op=o["op"], loc=o["chain"], **res[o["index"]]) for o in pre if o["index"] in res]
        # decomposed form: the group of ops whose FX node descends from the pre node
        root = {n["index"]: n.get("node") for n in nodes["pre"]}
        groups = []
        for i in res:
            mem = [n["index"] for n in nodes["default"] if n.get("node" if meta["model"] == "train" else "root") == root[i] and n["op"].startswith(("torch.aten", "torch.prims"))]
            groups.append(dict(node=root[i], pre=i, members=mem, count=res[i]["count"], total_ns=res[i]["total_ns"]))
        join["default_groups"] = sorted(groups, key=lambda g: g["pre"])
        join["default_group_time_pct"] = round(100 * sum(g["total_ns"] for g in groups if g["members"]) / allt, 2)
        join["default_1to1_time_pct"] = round(100 * sum(g["total_ns"] for g in groups if len(g["members"]) == 1) / allt, 2)
        # what a location alone says on the decomposed form
        join["default_by_location"] = by_location(dft, groups)
        # naive join on the decomposed form: event name = op name
        have = {o["base"] for o in dft if o["base"]}
        tot = sum(r["self_ns"] for r in out["ops"].values())
        join["default_naive_name_pct_of_self"] = round(100 * sum(r["self_ns"] for n, r in out["ops"].items() if n in have) / tot, 2)
    out["join"] = join
    json.dump(out, open(d + "/expected.json", "w"), indent=1)
    print(d, "events", out["n_events"], "overlap", over1, over2, over3, "ka-bad", len(bad), "coverage", join["coverage_pct"])
    for l, c in join.get("levels_pct_of_unit_time", {}).items():
        print("   ", l, c)
    print("    pairs", join.get("pairs"), join.get("pairs_same_forward_frames"), join.get("pairs_same_module_classes"), "shapes", join.get("pairs_same_shapes"), "seq", join.get("pairs_same_sequence_rank"), "1:1 in decomposed", join.get("default_1to1_time_pct"), join.get("default_by_location"), "unjoined", dict(sorted(unj.items(), key=lambda x: -x[1])[:6]))


def by_location(dft, groups):
    """Is the location of a decomposed op enough to name its group?"""
    owner = {}
    for g in groups:
        for m in g["members"]:
            owner[m] = g["pre"]
    byloc = D(set)
    for o in dft:
        if o["index"] in owner:
            byloc[tuple(o["chain"])].add(owner[o["index"]])
    t = {g["pre"]: g["total_ns"] for g in groups}
    tot = sum(t.values()) or 1
    uniq = sum(t[p] for s in byloc.values() if len(s) == 1 for p in s)
    return dict(locations=len(byloc), groups=len(t), time_pct_location_unique=round(100 * uniq / tot, 2))


ROOT = dict(mlp="MLP", cnn="CNN", encoder="Encoder", train="TrainMLP")


def align(units, ops):
    """Longest common subsequence on the base op name."""
    a = [u["name"] for u in units]
    b = [o["base"] for o in ops]
    n, m = len(a), len(b)
    L = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            L[i][j] = L[i + 1][j + 1] + 1 if a[i] == b[j] else max(L[i + 1][j], L[i][j + 1])
    i = j = 0
    pairs, rest = [], []
    while i < n:
        if j < m and a[i] == b[j] and L[i][j] == L[i + 1][j + 1] + 1:
            pairs.append((units[i], ops[j])); i += 1; j += 1
        elif j < m and L[i][j] == L[i][j + 1]:
            j += 1
        else:
            rest.append(units[i]); i += 1
    return pairs, rest


def seq_levels(use, ops, nodes, cov):
    """Kineto "Sequence number" minus the step's smallest = FX seq_nr minus the
    graph's smallest; backward events take the number of their autograd wrapper."""
    nd = {n["index"]: n.get("seq") for n in nodes["pre"]}
    g0 = min(nd[o["index"]] for o in ops if nd[o["index"]] is not None)

    def of(u):
        e, bwd = u["e"], False
        seq = None
        p = e
        while p is not None:
            if p["name"].startswith("autograd::engine::evaluate_function"):
                bwd = True
            if seq is None and "Sequence number" in p["args"]:
                seq = p["args"]["Sequence number"]
            p = p["up"]
        return seq, bwd

    ks = [of(u) for u in use]
    s0 = min(k for k, b in ks if k is not None)
    last_fwd = max(nd[o["index"]] for o in ops)
    order = [o["index"] for o in ops]
    peak = max(i for i in order if nd[i] == last_fwd and i == min(j for j in order if nd[j] == last_fwd))
    rows = []
    for u, (k, b) in zip(use, ks):
        rows.append((u, (None if k is None else k - s0, b, u["name"])))
    gu, go = D(list), D(list)
    for u, k in rows:
        gu[k].append(u)
    for o in ops:
        go[(nd[o["index"]] - g0, o["index"] > peak, o["base"])].append(o)
    c = cov["name+sequence number"]
    for x in ("unique", "ordered", "ambiguous", "none"):
        c[x] += 0
    for k, us in gu.items():
        n = len(go.get(k, []))
        c["none" if n == 0 else "unique" if n == len(us) == 1 else "ordered" if n == len(us) else "ambiguous"] += sum(u["total"] for u in us)
    out = {id(u): k[:2] for u, k in rows}
    out.update({o["index"]: (nd[o["index"]] - g0, o["index"] > peak) for o in ops})
    return out


def train_units(units, comp):
    """The joint graph holds leaf ops (t, addmm), eager calls aten::linear:
    open composite units until the name is one that the graph has."""
    have = {o["base"] for o in comp}
    out = []

    def leafs(e, u):
        if e["name"] in have or not e["kids"]:
            fr, mods, inst = frames(e)
            sub = [e]
            st = list(e["kids"])
            while st:
                k = st.pop(); sub.append(k); st += k["kids"]
            out.append(dict(u, e=e, name=e["name"], total=e["e"] - e["b"], frames=fr, mods=mods,
                            shapes=[x for x in e["args"].get("Input Dims", []) if x and not isinstance(x[0], list)],
                            leaf={n: r["self_ns"] for n, r in table(sub).items()}))
        else:
            # self time of the composite stays with no op
            for k in sorted(e["kids"], key=lambda k: (k["b"], k["i"])):
                leafs(k, u)

    for u in units:
        leafs(u["e"], u)
    return out, comp


def join_compile(d, per_step, comp, out, join, unj):
    ind = json.load(open(d + "/inductor.json"))
    prov = ind["provenance"]
    join["graphs"] = sorted(prov)
    if len(prov) != 1:
        join["method"] = "several graphs: not joined by this script"
        for us in per_step:
            for u in us:
                unj[u["name"]] += u["total"]
        return 0
    (maps,) = prov.values()
    handles = sorted(maps["cppCodeToPost"], key=lambda k: int(k.rsplit(":", 1)[1]))

    def evname(h):
        n = h.rsplit(":", 1)[0]
        if n.startswith("extern_kernels."):
            return "aten::" + n.split(".")[1]
        if n.startswith("torch.ops."):
            return "::".join(n.split(".")[2:4])
        return "graph_0_" + n

    pseudo = [dict(base=evname(h), h=h) for h in handles]
    # dynamo node k -> export op k (same program, same order): align by line chain
    dn = ind["dynamo_nodes"]
    key = lambda n: re.sub(r"[^a-z]", "", n["target"].split(".")[-1].split(" ")[-1])
    join["dynamo_nodes"] = len(dn); join["pre_ops"] = len(comp)
    same = len(dn) == len(comp)
    idx = {n["name"]: comp[k]["index"] for k, n in enumerate(dn)} if same else {}
    kern = {}
    joined = 0
    for us in per_step:
        pairs, rest = align(us, pseudo)
        for u, o in pairs:
            post = maps["cppCodeToPost"][o["h"]]
            view = re.compile(r"(view|permute|expand|getitem|transpose|t|unsqueeze|squeeze|select|slice)(_default)?(_\d+)?$")
            core = [q for q in post if not view.match(q)] or post
            prs = sorted({p for q in core for p in maps["postToPre"].get(q, [])})
            lost = [q for q in core if q not in maps["postToPre"]]
            r = kern.setdefault(o["h"], dict(handle=o["h"], event=u["name"], post=post, pre_nodes=prs, pre=sorted({idx[p] for p in prs if p in idx}), count=0, total_ns=0))
            r["count"] += 1; r["total_ns"] += u["total"]
            r["post_without_pre"] = lost
            if r["pre_nodes"]:
                joined += u["total"]
            else:
                unj[u["name"] + " (no pre node)"] += u["total"]
        for u in rest:
            unj[u["name"]] += u["total"]
    join["method"] = "events in order = provenance handles in order; handle -> post-grad nodes -> dynamo nodes -> k-th exported op"
    join["kernels"] = sorted(kern.values(), key=lambda r: int(r["handle"].rsplit(":", 1)[1]))
    tot = sum(r["total_ns"] for r in kern.values()) or 1
    join["single_op_kernel_time_pct"] = round(100 * sum(r["total_ns"] for r in kern.values() if len(r["pre_nodes"]) == 1) / tot, 2)
    join["mlir_index_known"] = same
    return joined


if __name__ == "__main__":
    for d in sys.argv[1:]:
        main(d.rstrip("/"))
