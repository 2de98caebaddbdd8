# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers. Each is a file with one small class, and one line here."""

import importlib

#: Name: module.Class. Modules are imported only in the peer's process, where a
#: missing package is reported rather than an error.
PEERS = {
    "onnxruntime": "onnxruntime.OnnxRuntime",
    "openvino": "openvino.OpenVino",
    "iree": "iree.Iree",
    "jax": "jax.Jax",
    "jax-const": "jax.JaxConstant",
    "torch": "torch.Eager",
    "inductor": "inductor.Inductor",
    "inductor-frozen": "inductor.Frozen",
    "onednn": "onednn.OneDnn",
}

#: Not contestants: they compute only matrix products and convolutions.
BOUNDS = {"onednn"}

#: The tool's own code, in a process as those of the peers.
IMAGE = "image"


class Missing(Exception):
    """The peer is not installed; the text says what is missing."""


def find(name):
    """The class of a peer."""
    module, _, kind = {**PEERS, IMAGE: "image.Image"}[name].partition(".")
    return getattr(importlib.import_module(f"peers.{module}"), kind)
