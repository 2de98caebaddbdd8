# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch: Kineto's trace, and the torch dialect.

Kineto's recordings do not name ops of the module: they identify a call by its
name, the modules and functions around it, and its shapes. So these must be
recorded, and the module must have one op per call: it is exported before
decompositions.
"""

import contextlib

from ._mlir import add_linalg_of, generic_text, plain_text
from ._result import check_counts, draft, require

MODES = ("eager", "compile", "fx")


def check_mode(mode, training):
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; it must be one of "
                         f"{', '.join(MODES)}")
    if training and mode == "fx":
        raise ValueError("mode 'fx' runs the exported forward graph, which has "
                         "no backward pass; use mode 'eager' for training")


def make_callable(torch, module, mode, exported):
    """The callable of a step."""
    if mode == "eager":
        return module
    if mode == "fx":
        from ..frontends._torch._locations import get_path
        from ._torch_nodes import NodeRunner
        return NodeRunner(exported, get_path).run
    # Without this option generated kernels are not events.
    return torch.compile(module, options={"cpp.enable_kernel_profile": True})


def make_step(torch, module, function, arguments, training):
    def infer():
        with torch.no_grad():
            function(*arguments)

    def train():
        module.zero_grad(set_to_none=True)
        function(*arguments).backward()

    return train if training else infer


def record(torch, step, path, mode, steps, warmup):
    """Runs the steps and writes Kineto's trace to `path` (*.json.gz)."""
    from torch.profiler import ProfilerActivity, profile, schedule
    activities = [ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(ProfilerActivity.CUDA)
    # Node names are enough in mode fx, and Python's frames would only add
    # cost.
    has_frames = mode != "fx"
    for _ in range(warmup):
        step()
    # One more step is recorded and discarded: the profiler starts slowly.
    with profile(activities=activities, record_shapes=True,
                 with_stack=has_frames, with_modules=has_frames,
                 schedule=schedule(wait=0, warmup=1, active=steps, repeat=1),
                 on_trace_ready=lambda p: p.export_chrome_trace(str(path))
                 ) as profiler:
        for _ in range(1 + steps):
            step()
            profiler.step()


def add_linalg(made, make, weights):
    """Keeps the module in linalg that `make()` returns, or notes why not."""
    add_linalg_of(made, lambda: plain_text(make().operation, weights))
    if made.linalg and not weights:
        made.notes.append("linalg.mlir has no weights")


@contextlib.contextmanager
def without_fast_path(torch, module, notes):
    """Runs layers of transformers op by op. Their fast path is one native call,
    which the exported module does not have."""
    layers = (torch.nn.TransformerEncoder, torch.nn.TransformerEncoderLayer,
              torch.nn.MultiheadAttention)
    flag = torch.backends.mha
    if not flag.get_fastpath_enabled() or not any(
            isinstance(part, layers) for part in module.modules()):
        yield
        return
    notes.append("the fast path of attention (torch.backends.mha) was off: its "
                 "ops cannot be told apart")
    flag.set_fastpath_enabled(False)
    try:
        yield
    finally:
        flag.set_fastpath_enabled(True)


@contextlib.contextmanager
def kept_gradients(module):
    """Preserves the module's gradients."""
    before = [(weight, weight.grad) for weight in module.parameters()]
    try:
        yield
    finally:
        for weight, gradient in before:
            weight.grad = gradient


def capture(module, arguments, folder, mode, training, weights, steps, warmup,
            overwrite):
    check_counts(steps, warmup)
    check_mode(mode, training)
    torch = require("torch")
    require("torch_mlir", "torch-mlir", "torch")
    # It requires both packages to be loaded.
    from ._torch_graphs import export_inference, import_torch, make_linalg
    from ._torch_nodes import export_training
    graph = None
    if isinstance(module, torch.export.ExportedProgram):
        graph, module = module, module.module()
    with draft(folder, overwrite) as made, kept_gradients(module), \
            without_fast_path(torch, module, made.notes):
        if training:
            graph = export_training(module, arguments)
        elif graph is None:
            graph = export_inference(module, arguments)
        function = make_callable(torch, module, mode, graph)
        add_linalg(made, lambda: make_linalg(module, graph, arguments, training),
                   weights)
        made.mlir = made.write("model.mlir", generic_text(import_torch(graph).operation))
        step = make_step(torch, module, function, arguments, training)
        name = "profile.json.gz"
        record(torch, step, made.path(name), mode, steps, warmup)
        made.profiles.append(name)
        made.info = dict(framework="torch", torch=torch.__version__, mode=mode,
                         training=training, steps=steps,
                         threads=torch.get_num_threads())
    return made.result
