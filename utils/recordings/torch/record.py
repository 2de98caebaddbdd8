#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Record one PyTorch corpus entry: a Kineto trace plus the MLIR of the model.

  python record_torch.py MODEL VARIANT OUTDIR

VARIANT eager      torch.profiler, eager, with_stack + record_shapes
        callstack  the same with experimental_config(verbose=True): adds "Call stack"
        fxnode     the exported graph run node by node, one record_function per FX node
        compile    torch.compile (inductor C++), kernel profile + provenance map
        eager2t    eager with two intra-op threads
        noise      eager; each step also runs look-alike ops outside the model and
                   calls the model twice
"""
import glob, gzip, json, os, re, shutil, sys, tempfile, warnings

warnings.simplefilter("ignore")
import torch
from torch.profiler import ProfilerActivity, profile, schedule

import models
from torch_mlir import fx as tm
from torch_mlir.extras import fx_importer
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "python"))
from mlir_prof.capture import _torch_nodes

ACTIVE = 3


# ----------------------------------------------------------------- profiling
def run_profile(step, out, variant, annotate=None):
    kw = {}
    if variant == "callstack":
        from torch._C._profiler import _ExperimentalConfig

        kw["experimental_config"] = _ExperimentalConfig(verbose=True)
    tmp = os.path.join(tempfile.mkdtemp(), "trace.json")
    saved = {}

    def ready(p):
        p.export_chrome_trace(tmp)
        saved["table"] = p.key_averages().table(
            sort_by="self_cpu_time_total", row_limit=-1, max_name_column_width=90
        )
        saved["rows"] = [
            dict(
                name=e.key,
                count=e.count,
                self_cpu_us=e.self_cpu_time_total,
                cpu_us=e.cpu_time_total,
            )
            for e in p.key_averages()
        ]

    with profile(
        activities=[ProfilerActivity.CPU],
        record_shapes=True,
        with_stack=variant != "fxnode",
        with_modules=variant != "fxnode",
        schedule=schedule(wait=1, warmup=2, active=ACTIVE),
        on_trace_ready=ready,
        **kw,
    ) as p:
        for _ in range(3 + ACTIVE):
            step()
            p.step()
    with open(tmp, "rb") as f, open(f"{out}/trace.json.gz", "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as g:
            shutil.copyfileobj(f, g)
    with open(f"{out}/key_averages.json", "w") as f:
        json.dump(saved["rows"], f, indent=0)
    with open(f"{out}/key_averages.txt", "w") as f:
        f.write(saved["table"])


# ---------------------------------------------------------------------- MLIR
def small(text):
    """Replaces weight blobs by splats so that the file stays small and valid."""
    text = re.sub(r"\n\{-#.*#-\}\s*$", "\n", text, flags=re.S)

    def splat(m):
        return ("dense<1.000000e-02>" if m.group(1).startswith("f") else "dense<0>") + m.group(0)[
            m.group(0).index(" : ") :
        ]

    return re.sub(r"dense_resource<[^>]*> : tensor<(?:\d+x)*([a-z]+\d+)>", splat, text)


def asm(mod, generic=False):
    return small(
        mod.operation.get_asm(
            enable_debug_info=True, large_elements_limit=16, print_generic_op_form=generic
        )
    )


class named_locations:
    """While active, torch-mlir gives every op loc("<fx node>"(original loc))."""

    def __enter__(self):
        self.orig = fx_importer.ContextCache.get_node_location
        orig = self.orig

        def get(cc, node):
            loc = orig(cc, node)
            return tm.ir.Location.name(node.name, loc, context=cc._c)

        fx_importer.ContextCache.get_node_location = get

    def __exit__(self, *a):
        fx_importer.ContextCache.get_node_location = self.orig


def body_ops(mod):
    for f in mod.body.operations:
        if f.operation.name == "func.func":
            return list(f.regions[0].blocks[0].operations)
    raise SystemExit("no func")


def op_nodes(named_mod, graph):
    """[{index, op, node, root, module, classes}] : ground truth, by FX metadata."""
    meta = {}
    for n in graph.nodes:
        src = n.meta.get("from_node") or []
        root = n.name
        while src:
            root, src = src[0].name, src[0].from_node
        mods = [v for v in (n.meta.get("nn_module_stack") or {}).values()]
        meta[n.name] = dict(
            node=n.name,
            root=root,
            seq=n.meta.get("seq_nr"),
            module=mods[-1][0] if mods else "",
            classes=[
                (c if isinstance(c, str) else c.__name__).rsplit(".", 1)[-1] for _, c in mods
            ],
        )
    out = []
    for i, op in enumerate(body_ops(named_mod)):
        m = re.match(r'loc\("([^"]+)"\(', str(op.operation.location))
        d = dict(index=i, op=op.operation.name)
        d.update(meta.get(m.group(1), {}) if m else {})
        out.append(d)
    return out


def write_mlir(out, pre, lowered, nodes):
    """pre/lowered: functions output_type -> torch_mlir Module; nodes: graphs."""
    report = {}

    def put(name, mod, generic=False):
        with open(f"{out}/{name}", "w") as f:
            f.write(asm(mod, generic))

    mod = pre("raw")
    put("model.pre.mlir", mod)
    put("model.pre.generic.mlir", mod, True)
    mod = lowered("raw")
    put("model.mlir", mod)
    put("model.generic.mlir", mod, True)
    for ot, name in (
        ("linalg-on-tensors", "linalg.mlir"),
        ("tosa", "tosa.mlir"),
        ("stablehlo", "stablehlo.generic.mlir"),
    ):
        try:
            put(name, lowered(ot), ot == "stablehlo")
            report[ot] = "ok"
        except Exception as e:
            report[ot] = str(e)[:500]
    with named_locations():
        a, b = pre("raw"), lowered("raw")
        put("model.named.generic.mlir", b, True)
        put("linalg.named.mlir", lowered("linalg-on-tensors"))
    with open(f"{out}/nodes.json", "w") as f:
        json.dump(
            dict(pre=op_nodes(a, nodes[0]), default=op_nodes(b, nodes[1]), lowering=report),
            f,
            indent=0,
        )


def export_inference(m, args, out):
    with torch.no_grad():
        ep = torch.export.export(m, args)
        epd = ep.run_decompositions(get_decomposition_table())
        write_mlir(
            out,
            lambda ot: tm.export_and_import(ep, output_type=ot, decomposition_table={}),
            lambda ot: tm.export_and_import(epd, output_type=ot, decomposition_table={}),
            (ep.graph, epd.graph),
        )
    return ep


def export_training(m, args, out):
    """Joint forward+backward graph as AOTAutograd hands it to its partitioner."""
    g = _torch_nodes.export_training(m, args)
    imp = lambda ot: tm.stateless_fx_import(g, output_type=ot)
    write_mlir(out, imp, imp, (g.graph, g.graph))
    with open(f"{out}/joint_graph.py", "w") as f:
        f.write(g.print_readable(print_output=False))


# ------------------------------------------------------------------- compile
def compiled(m, args, out):
    import torch._inductor.config as ic
    from torch._inductor.compile_fx import compile_fx

    ic.cpp.enable_kernel_profile = True
    ic.trace.enabled = True
    ic.trace.debug_dir = d = tempfile.mkdtemp()
    ic.trace.provenance_tracking_level = 2
    ic.force_disable_caches = True
    pre = []

    def backend(gm, ex):
        for n in gm.graph.nodes:
            if n.op.startswith("call"):
                pre.append(
                    dict(
                        name=n.name,
                        target=str(n.target),
                        lines=re.findall(r'File "([^"]+)", line (\d+)', n.stack_trace or ""),
                    )
                )
        return compile_fx(gm, ex)

    torch._dynamo.reset()
    f = torch.compile(m, backend=backend)

    def finish():
        maps = {}
        for p in sorted(
            glob.glob(d + "/**/inductor_provenance_tracking_node_mappings.json", recursive=True)
        ):
            maps[os.path.basename(os.path.dirname(p))] = json.load(open(p))
        with open(f"{out}/inductor.json", "w") as fh:
            json.dump(dict(dynamo_nodes=pre, provenance=maps), fh, indent=0)
        for i, p in enumerate(sorted(glob.glob(d + "/**/output_code.py", recursive=True))):
            shutil.copy(p, f"{out}/output_code.{i}.py")

    return f, finish


def main():
    name, variant, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    torch.set_num_threads(2 if variant == "eager2t" else 1)
    m, args, training = models.make(name)
    (export_training if training else export_inference)(m, args, out)
    m, args, training = models.make(name)
    f, finish = m, None
    if variant == "compile":
        f, finish = compiled(m, args, out)
    elif variant == "fxnode":
        f = _torch_nodes.NodeRunner(torch.export.export(m, args),
                                     lambda node: node.name).run
    if training:
        opt = torch.optim.SGD(m.parameters(), lr=0.01)

        def step():
            opt.zero_grad()
            loss = f(*args)
            loss.backward()
            opt.step()

    elif variant == "noise":
        extra = torch.nn.Linear(args[0].shape[-1], args[0].shape[-1])

        def step():
            with torch.no_grad():
                x = (args[0] - args[0].mean()) / 2.0
                y = torch.relu(extra(x))
                z = f(x) + f(y)
                torch.softmax(z, dim=-1).argmax(-1)

    else:

        def step():
            with torch.no_grad():
                f(*args)

    for _ in range(2):
        step()
    if finish:
        finish()
    run_profile(step, out, variant)
    with open(f"{out}/meta.json", "w") as fh:
        json.dump(
            dict(
                source="torch",
                model=name,
                variant=variant,
                torch=torch.__version__,
                threads=torch.get_num_threads(),
                active_steps=ACTIVE,
            ),
            fh,
        )


if __name__ == "__main__":
    main()
