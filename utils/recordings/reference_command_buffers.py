# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which instructions of XLA run in a command buffer (a CUDA graph).

Events of one name the buffer and a kernel, but not the instruction.
"""

import re

from reference_hlo import FREE, HloModule

# Instructions that do not launch anything by themselves.
SILENT = FREE | {"while", "conditional", "call", "after-all", "async-done",
                 "async-update", "copy-done", "partition-id", "replica-id"}


def kernel_name(instruction):
    return re.sub(r"[^A-Za-z0-9_]", "_", instruction)


class Schedule:
    """The instructions that an HLO module's computations launch, in order."""

    def __init__(self, proto):
        self.module = HloModule(proto)
        by_id = {i.id: i for c in proto.computations for i in c.instructions}
        self.computations = [
            [by_id[number] for number in proto.schedule.sequences[key].instruction_ids
             if by_id[number].opcode not in SILENT]
            for key in sorted(proto.schedule.sequences)]
        # Inside of fusions and reductions nothing is launched.
        inner = {number for c in proto.computations for i in c.instructions
                 if i.opcode not in ("while", "conditional", "call")
                 for number in i.called_computation_ids}
        self.computations = [
            launched for key, launched in zip(sorted(proto.schedule.sequences),
                                              self.computations) if key not in inner]
        self.by_kernel = {kernel_name(i.name): i
                          for launched in self.computations for i in launched}

    def code_of(self, instruction):
        return instruction.metadata.deduplicated_name or instruction.name

    def explain(self, kernels, launched):
        """{position in kernels: (instruction, how)} if the kernels are of this
        computation."""
        found, used = {}, set()

        def take(position, instruction, how):
            found[position] = instruction.name, how
            used.add(instruction.name)

        own = {kernel_name(i.name): i for i in launched}
        for position, kernel in enumerate(kernels):
            if kernel in own and own[kernel].name not in used:
                take(position, own[kernel], "name")
        for position, kernel in enumerate(kernels):
            named = self.by_kernel.get(kernel)
            if position in found or named is None:
                continue
            for instruction in launched:
                if (instruction.name not in used and
                        self.code_of(instruction) == self.code_of(named)):
                    take(position, instruction, "twin")
                    break
        return found

    def resolve(self, kernels):
        """The same by the computation that explains most of them, with what is
        left of it."""
        best, launched = max(
            ((self.explain(kernels, launched), launched)
             for launched in self.computations), key=lambda pair: len(pair[0]))
        used = {name for name, _ in best.values()}
        nodes = [p for p in range(len(kernels)) if p not in best]
        # A command buffer is a part of the computation: between its first and last.
        order = [i.name for i in launched]
        places = [order.index(name) for name in used]
        spare = [name for name in order[min(places):max(places) + 1]
                 if name not in used] if places else []
        if len(spare) != len(nodes):
            spare = [name for name in order if name not in used]
        if len(spare) == len(nodes):
            for position, name in zip(nodes, spare):
                best[position] = name, "left"
        return best
