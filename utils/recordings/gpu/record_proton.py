# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records Triton kernels with Proton, Triton's own profiler: its tree (.hatchet)
and its trace, with Triton's MLIR of each kernel (.ttir, .ttgir), LLVM IR and PTX.

Usage: record_proton.py OUT
"""

import glob
import os
import shutil
import sys

OUT = os.path.abspath(sys.argv[1])
os.makedirs(OUT, exist_ok=True)
os.environ["TRITON_CACHE_DIR"] = f"{OUT}/cache"
os.chdir(OUT)

import torch
import triton
import triton.language as tl
import triton.profiler as proton


@triton.jit
def add_relu(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + at, mask=inside)
    tl.store(out_ptr + at, tl.maximum(x + y, 0.0), mask=inside)


@triton.jit
def softmax(x_ptr, out_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < width
    x = tl.load(x_ptr + row * width + at, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * width + at, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * K + i + k[None, :])
        b = tl.load(b_ptr + (i + k)[:, None] * N + n[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + m[:, None] * N + n[None, :], total.to(tl.bfloat16))


def step(x, y, z, a, b, c):
    with proton.scope("layer"):
        with proton.scope("add"):
            add_relu[(triton.cdiv(x.numel(), 1024),)](x, y, z, x.numel(), BLOCK=1024)
        with proton.scope("softmax"):
            softmax[(x.shape[0],)](z, y, x.shape[1], BLOCK=1024)
        with proton.scope("product", {"flops": 2.0 * 1024**3}):
            matmul[(16, 16)](a, b, c, 1024, 1024, 1024, BM=64, BN=64, BK=64)


def main():
    arrays = [torch.randn(4096, 1024, device="cuda") for _ in range(3)]
    arrays += [torch.randn(1024, 1024, device="cuda", dtype=torch.bfloat16)
               for _ in range(3)]
    for _ in range(3):
        step(*arrays)
    torch.cuda.synchronize()
    failed = 0
    for name, options in (("tree", dict(data="tree", hook="triton")),
                          ("trace", dict(data="trace", hook="triton")),
                          ("python", dict(data="tree", context="python")),
                          ("pcsampling", dict(data="tree", backend="cupti",
                                              mode="pcsampling"))):
        try:
            proton.start(name, **options)
            for _ in range(10):
                step(*arrays)
            torch.cuda.synchronize()
            proton.finalize()
            print(f"proton {name}: recorded", flush=True)
        except Exception as error:
            failed += 1
            print(f"proton {name}: {error!r}", flush=True)
    for end in ("ttir", "ttgir", "llir", "ptx", "json"):
        for path in glob.glob(f"{OUT}/cache/**/*.{end}", recursive=True):
            shutil.copy(path, OUT)
    shutil.rmtree(f"{OUT}/cache")
    with open(f"{OUT}/info.txt", "w") as file:
        file.write(f"triton {triton.__version__}, torch {torch.__version__}, "
                   f"{torch.cuda.get_device_name(0)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
