# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's graphs of a module: the exported one, node by node, and as MLIR."""

import torch
from torch.export.graph_signature import OutputKind

from ..frontends import FrontEndError, Request
from ..frontends._torch import TrainingStep, _export, _graph, _linalg, _lower, _steps
from ._result import CaptureError


def export_inference(module, arguments):
    """The module as one graph, one node per call."""
    try:
        return _export.export(module, Request(None, arguments))
    except FrontEndError as error:
        raise CaptureError(str(error)) from error


def import_torch(graph):
    """An exported program or joint graph in the torch dialect, one op per call."""
    if isinstance(graph, torch.export.ExportedProgram):
        graph = _graph.get_graph(graph, returned=set(OutputKind))
    else:
        graph = graph.graph
    try:
        return _linalg.make_torch_module(graph)
    except FrontEndError as error:
        raise CaptureError(str(error)) from error


def make_linalg(module, graph, arguments, training):
    """The module, whose exported program is `graph`, or its training step in linalg.
    Raises FrontEndError."""
    if training:
        graph = _steps.export(TrainingStep(module), Request(None, arguments))
    return _linalg.make_module(_lower.get_graph(graph, training))
