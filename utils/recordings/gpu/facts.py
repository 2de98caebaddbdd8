# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the driver and the GPU can do: attributes, the newest PTX that the
driver takes, costs of launches and copies, rates of products. JSON on stdout.

Usage: facts.py
"""

import ctypes
import glob
import json
import os
import statistics
import subprocess
import sys
import time

PTX = """.version {version}
.target {target}
.address_size 64
.visible .entry empty(.param .u64 p0)
{{
  ret;
}}
"""


def check(code, what):
    if code:
        raise RuntimeError(f"{what}: error {code}")


def driver_facts():
    cuda = ctypes.CDLL("libcuda.so.1")
    check(cuda.cuInit(0), "cuInit")
    version = ctypes.c_int()
    check(cuda.cuDriverGetVersion(ctypes.byref(version)), "version")
    device = ctypes.c_int()
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "device")
    attributes = {}
    for i in range(1, 160):
        value = ctypes.c_int()
        if cuda.cuDeviceGetAttribute(ctypes.byref(value), i, device) == 0:
            attributes[i] = value.value
    context = ctypes.c_void_p()
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "context")
    check(cuda.cuCtxSetCurrent(context), "current")
    taken = {}
    for version_text in ("6.0", "7.0", "7.8", "8.0", "8.3", "8.5", "8.7", "8.8",
                         "9.0", "9.1", "9.2"):
        for target in ("sm_70", "sm_80", "sm_90", "sm_90a", "sm_100"):
            module = ctypes.c_void_p()
            text = PTX.format(version=version_text, target=target).encode()
            code = cuda.cuModuleLoadData(ctypes.byref(module), text)
            taken[f"{version_text} {target}"] = code
            if code == 0:
                last = module
    function = ctypes.c_void_p()
    check(cuda.cuModuleGetFunction(ctypes.byref(function), last, b"empty"), "get")
    argument = ctypes.c_uint64()
    arguments = (ctypes.c_void_p * 1)(
        ctypes.cast(ctypes.byref(argument), ctypes.c_void_p))

    def launch():
        check(cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None,
                                  arguments, None), "launch")
    for _ in range(100):
        launch()
    check(cuda.cuCtxSynchronize(), "synchronize")
    begin = time.perf_counter()
    for _ in range(1000):
        launch()
    queued = time.perf_counter()
    check(cuda.cuCtxSynchronize(), "synchronize")
    end = time.perf_counter()
    round_trips = []
    for _ in range(200):
        t = time.perf_counter()
        launch()
        cuda.cuCtxSynchronize()
        round_trips.append(time.perf_counter() - t)
    return dict(driver=version.value, attributes=attributes, ptx=taken,
                launch_ns=(queued - begin) * 1e6,
                kernel_ns=(end - begin) * 1e6,
                round_trip_ns=statistics.median(round_trips) * 1e9)


def rates():
    import torch

    def timed(function, repeats=20):
        for _ in range(3):
            function()
        times = []
        for _ in range(repeats):
            begin = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            begin.record()
            function()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3)
        return statistics.median(times), min(times), max(times)
    found = {}
    big = torch.empty(1 << 28, dtype=torch.float32, device="cuda")
    other = torch.empty_like(big)
    found["copy_bytes_per_s"] = [2 * 4 * big.numel() / t
                                 for t in timed(lambda: other.copy_(big))]
    host = torch.empty(1 << 26, dtype=torch.float32)
    pinned = host.pin_memory()
    part = big[:1 << 26]
    size = 4 * part.numel()
    for name, function in (
            ("pageable_to_device", lambda: part.copy_(host)),
            ("pinned_to_device", lambda: part.copy_(pinned, non_blocking=True)),
            ("device_to_pinned", lambda: pinned.copy_(part, non_blocking=True))):
        found[name + "_bytes_per_s"] = [size / t for t in timed(function, 5)]
    del big, other
    for name, kind, precision in (("bf16", torch.bfloat16, "highest"),
                                  ("f16", torch.float16, "highest"),
                                  ("f32", torch.float32, "highest"),
                                  ("tf32", torch.float32, "high")):
        torch.set_float32_matmul_precision(precision)
        a = torch.randn(4096, 4096, device="cuda").to(kind)
        b = torch.randn(4096, 4096, device="cuda").to(kind)
        found[f"matmul_4096_{name}_flops"] = [2 * 4096**3 / t
                                              for t in timed(lambda: a @ b)]
    pairs = []
    for _ in range(50):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        end.record()
        end.synchronize()
        pairs.append(begin.elapsed_time(end) * 1e6)
    found["empty_event_pair_ns"] = [statistics.median(pairs), min(pairs),
                                    max(pairs)]
    return found


def libraries():
    found = glob.glob("/usr/local/cuda*/**/libcupti.so*", recursive=True)
    for path in sys.path:
        found += glob.glob(f"{path}/nvidia/**/libcupti.so*", recursive=True)
    import onnxruntime
    return dict(cupti=sorted(set(found)),
                onnxruntime=onnxruntime.get_available_providers(),
                glibc=os.confstr("CS_GNU_LIBC_VERSION"))


def settings():
    return subprocess.run(["nvidia-smi", "-q"], capture_output=True,
                          text=True).stdout.splitlines()


def main():
    facts = {}
    for name, function in (("driver", driver_facts), ("rates", rates),
                           ("libraries", libraries), ("nvidia_smi", settings)):
        try:
            facts[name] = function()
        except Exception as error:
            facts[name] = repr(error)
    json.dump(facts, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
