# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records PyTorch on a GPU: for each NAME = MODEL-VARIANT a folder OUT/NAME with
the Kineto trace, key_averages() and the graph that was run.

  eager    op by op; kernels, launches, Python frames and shapes
  fxnode   the exported graph, each of its nodes under an annotation
  stacks   eager without Python frames, 20 steps without a pause between them
  streams  training: the next batch is copied on a second stream from pinned
           memory while the last one is computed, and the loss is read back
  amp      training under autocast with float16 and a gradient scaler
  bf16     inference under autocast with bfloat16
  memory   training with the allocator's events
  graph    a captured CUDA graph of the model that is replayed
  compile  torch.compile: Triton kernels, with the provenance of each
  reduce   torch.compile(mode="reduce-overhead"): they run as a CUDA graph

Usage: record_torch.py OUT DEVICE NAME...
"""

import contextlib
import glob
import gzip
import json
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "..", "python")]

import torch
from torch.profiler import ProfilerActivity, profile, schedule

from each import record_each, write_info
from models_torch import make

ACTIVE = 3
COMPILED = ("compile", "reduce")


def move(value, device):
    return value.to(device) if isinstance(value, torch.Tensor) else value


class Run:
    """One recording: how a step of it runs, and what is saved with the trace."""

    def __init__(self, name, out, device):
        self.model, self.variant = name.split("-", 1)
        self.out, self.device = out, device
        self.case = make(self.model)
        self.module = self.case.module.to(device)
        self.arguments = tuple(move(x, device) for x in self.case.arguments)
        self.active = 20 if self.variant == "stacks" else ACTIVE
        self.finish = lambda: None

    def make_step(self):
        function = self.module
        if self.variant in COMPILED:
            function = self.compile()
        elif self.variant == "fxnode":
            from mlir_prof.capture import _torch_nodes
            exported = torch.export.export(self.module, self.arguments)
            function = _torch_nodes.NodeRunner(
                exported, lambda node: node.name).run
        if self.case.training:
            return self.make_training_step(function)
        if self.variant == "graph":
            return self.make_replay(function)
        context = contextlib.nullcontext
        if self.variant == "bf16":
            context = lambda: torch.autocast(self.device, torch.bfloat16)

        def step():
            with torch.no_grad(), context():
                function(*self.arguments)
        return step

    def make_replay(self, function):
        with torch.no_grad():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    function(*self.arguments)
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.result = function(*self.arguments)
        return graph.replay

    def make_training_step(self, function):
        optimizer = torch.optim.SGD(self.module.parameters(), lr=0.01)
        if self.variant == "streams":
            return self.make_prefetching_step(function, optimizer)
        if self.variant == "amp":
            scaler = torch.amp.GradScaler(self.device)

            def step():
                optimizer.zero_grad()
                with torch.autocast(self.device, torch.float16):
                    loss = function(*self.arguments)
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
            return step

        def step():
            optimizer.zero_grad()
            function(*self.arguments).backward()
            optimizer.step()
        return step

    def make_prefetching_step(self, function, optimizer):
        copies = torch.cuda.Stream()
        batches = [tuple(x.cpu().pin_memory() for x in self.arguments)
                   for _ in range(2)]
        count = 0
        losses = []

        def fetch():
            nonlocal count
            with torch.cuda.stream(copies):
                batch = tuple(x.to(self.device, non_blocking=True)
                              for x in batches[count % 2])
            count += 1
            return batch
        following = fetch()

        def step():
            nonlocal following
            torch.cuda.current_stream().wait_stream(copies)
            batch = following
            for x in batch:
                x.record_stream(torch.cuda.current_stream())
            following = fetch()
            optimizer.zero_grad()
            loss = function(*batch)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return step

    def compile(self):
        import torch._inductor.config as config
        from torch._inductor.compile_fx import compile_fx
        config.trace.enabled = True
        config.trace.debug_dir = debug = tempfile.mkdtemp()
        config.trace.provenance_tracking_level = 2
        config.force_disable_caches = True
        if self.variant == "reduce":
            config.triton.cudagraphs = True
        nodes = []

        def backend(graph, inputs):
            for node in graph.graph.nodes:
                if node.op.startswith("call"):
                    lines = re.findall(r'File "([^"]+)", line (\d+)',
                                       node.stack_trace or "")
                    nodes.append(dict(name=node.name, target=str(node.target),
                                      lines=lines))
            return compile_fx(graph, inputs)

        torch._dynamo.reset()

        def finish():
            maps = {}
            for path in sorted(glob.glob(
                    f"{debug}/**/inductor_provenance_tracking*.json",
                    recursive=True)):
                key = "/".join(path.rsplit("/", 2)[1:])
                with open(path) as file:
                    maps[key] = json.load(file)
            with open(f"{self.out}/inductor.json", "w") as file:
                json.dump(dict(dynamo_nodes=nodes, provenance=maps), file)
            found = glob.glob(f"{debug}/**/output_code.py", recursive=True)
            for i, path in enumerate(sorted(found)):
                shutil.copy(path, f"{self.out}/output_code.{i}.py")
            config.triton.cudagraphs = False
        self.finish = finish
        return torch.compile(self.module, backend=backend)

    def save_graph(self):
        """The nodes of the graph: what the MLIR made elsewhere must equal."""
        if self.case.training:
            from mlir_prof.capture import _torch_nodes
            graph = _torch_nodes.export_training(
                self.module, self.arguments).graph
            torch._dynamo.reset()
        else:
            graph = torch.export.export(self.module, self.arguments).graph
        nodes = []
        for node in graph.nodes:
            modules = list((node.meta.get("nn_module_stack") or {}).values())
            nodes.append(dict(
                name=node.name, op=node.op, target=str(node.target),
                sequence=node.meta.get("seq_nr"),
                module=modules[-1][0] if modules else "",
                arguments=[str(x) for x in node.args]))
        with open(f"{self.out}/graph.json", "w") as file:
            json.dump(nodes, file, indent=0)


def synchronize(device):
    if device == "cuda":
        torch.cuda.synchronize()


def record(run, step):
    """Writes the trace of some steps and what PyTorch itself sums up from it."""
    activities = [ProfilerActivity.CPU]
    if run.device == "cuda":
        activities.append(ProfilerActivity.CUDA)
    frames = run.variant not in ("fxnode", "stacks")
    path = os.path.join(tempfile.mkdtemp(), "trace.json")
    rows = []

    def ready(profiler):
        profiler.export_chrome_trace(path)
        for event in profiler.key_averages():
            rows.append(dict(
                name=event.key, count=event.count,
                self_cpu_us=event.self_cpu_time_total,
                cpu_us=event.cpu_time_total,
                self_device_us=event.self_device_time_total,
                device_us=event.device_time_total))

    with profile(activities=activities, record_shapes=True, with_stack=frames,
                 with_modules=frames, profile_memory=run.variant == "memory",
                 schedule=schedule(wait=1, warmup=2, active=run.active),
                 on_trace_ready=ready) as profiler:
        for _ in range(3 + run.active):
            step()
            if run.variant != "stacks":
                synchronize(run.device)
            profiler.step()
        synchronize(run.device)
    with open(path, "rb") as file, \
            open(f"{run.out}/trace.json.gz", "wb") as raw, \
            gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
        shutil.copyfileobj(file, packed)
    with open(f"{run.out}/key_averages.json", "w") as file:
        json.dump(rows, file, indent=0)


def record_all(name, out, device):
    run = Run(name, out, device)
    if run.variant in ("eager", "fxnode"):
        run.save_graph()
    step = run.make_step()
    for _ in range(4):
        step()
    synchronize(device)
    run.finish()
    record(run, step)
    info = dict(source="torch", model=run.model, variant=run.variant,
                torch=torch.__version__, cuda=torch.version.cuda,
                active_steps=run.active)
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        info.update(gpu=properties.name,
                    multiprocessors=properties.multi_processor_count)
    write_info(out, info)


def main():
    out, device, *names = sys.argv[1:]
    return record_each(names, out, "trace.json.gz",
                       lambda name, folder: record_all(name, folder, device))


if __name__ == "__main__":
    sys.exit(main())
