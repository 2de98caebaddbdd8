# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graphs that torch.compile has handed over in this process."""

import dataclasses
import threading
import typing


@dataclasses.dataclass
class Graph:
    """A graph of torch.compile, and what became of it."""

    #: "graph0" and so on, in the order of compilation.
    name: str
    #: "inference", "forward" or "backward".
    kind: str
    #: The number of its operators.
    operators: int
    #: The compiled model, a `mlir_prof.Model`; None if PyTorch runs the graph.
    model: typing.Any = None
    #: Why PyTorch runs it; empty if it is compiled.
    reason: str = ""


_graphs: typing.List[Graph] = []
_lock = threading.Lock()


def add(kind, operators):
    """A new Graph in the list."""
    with _lock:
        graph = Graph(f"graph{len(_graphs)}", kind, operators)
        _graphs.append(graph)
    return graph


def list_graphs():
    """All graphs since the last reset, in the order of their compilation."""
    with _lock:
        return list(_graphs)


def reset():
    """Forgets the graphs; models in use stay."""
    with _lock:
        _graphs.clear()
