#!/usr/bin/env python3
"""Asks all rules about real recordings: only those below may find anything.

usage: recordings.py MLIR_PROF RECORDINGS INPUTS

INPUTS has what `perf script` printed of a program whose results are mapped anew for
each call, and of LiteRT with its reference kernels and with its tuned ones; their
samples are counted here.
"""

import gzip
import json
import pathlib
import subprocess
import sys

tool, root, inputs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
LOST = "lost-measurements"
CHAIN, IDLE, THREADS = "memory-bound-chain-not-fused", "idle-gaps", "thread-imbalance"
# Tiny models whose steps are mostly Python, or a chain beside its product.
TRUE = {
    "jax/calls": {CHAIN}, "tf/mlp-xla": {IDLE},
    "tf/calls": {IDLE, THREADS, "dispatch-larger-than-work"}, "tf/names": {IDLE, THREADS},
    "tf/cnn-xla": {IDLE}, "tf/enc": {IDLE}, "tf/loop": {IDLE}, "tf/mixed": {IDLE},
    "tf/train-xla": {IDLE}, "torch/cnn-eager": {IDLE}, "torch/cnn-fxnode": {IDLE},
}
# What serves a page fault, or gives memory back, is called by one of these.
SYMBOLS = ("page_fault", "handle_mm_fault", "munmap", "unmap_vmas", "unmap_region",
           "do_anonymous", "madvise", "clear_page", "zap_pte", "free_unref_page",
           "get_page_from_free", "do_fault", "user_addr_fault", "clear_huge_page")


def advise(path):
    ran = subprocess.run([tool, "advise", path, "--format=json"], check=True,
                         capture_output=True, text=True)
    return json.loads(ran.stdout)["advice"]


def read_stacks(path):
    """Each block of indented lines is the stack of a sample, the innermost first."""
    stack, has_header = [], False
    with gzip.open(path, "rt") as file:
        for line in [*file, "\n"]:
            if line.strip() and not line[0].isspace():
                stack, has_header = [], True
            elif line.strip():
                stack.append(line)
            elif stack and has_header:
                yield stack
                stack = []


def check_faults():
    path = inputs / "page-faults.perf.gz"
    stacks = list(read_stacks(path))
    below = sum(any(symbol in frame for frame in stack for symbol in SYMBOLS)
                for stack in stacks)
    [found] = [a for a in advise(path) if a["rule"] == "page-fault-churn"]
    assert found["parameters"]["fault_ppm"] == 1000000 * below // len(stacks), (
        found["parameters"], below, len(stacks))


def check_reference_kernels():
    path = inputs / "litert-reference.perf.gz"
    stacks = list(read_stacks(path))
    inside = sum("tflite::reference_ops::" in stack[0] for stack in stacks)
    found = {advice["rule"]: advice for advice in advise(path)}
    assert set(found) == {"fallback-kernels", LOST}, found
    found = found["fallback-kernels"]
    assert found["gain_ps"] is None, found
    assert found["parameters"]["fallback_ppm"] == 1000000 * inside // len(stacks), (
        found["parameters"], inside, len(stacks))
    found = {advice["rule"] for advice in advise(inputs / "litert-tuned.perf.gz")}
    assert found == {LOST}, found


def main():
    paths = sorted([*root.glob("*/*/xplane.pb"), *root.glob("torch/*/trace.json.gz"),
                    *root.glob("ort/*/trace.json.gz")])
    assert len(paths) > 30, paths
    for path in paths:
        name = str(path.parent.relative_to(root))
        found = {advice["rule"] for advice in advise(path)}
        assert found == TRUE.get(name, set()), (name, found)
    check_faults()
    check_reference_kernels()
    print("silent where they must be")


if __name__ == "__main__":
    main()
