# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of a known number of steps."""

import torch


def repeat(count, step, *state):
    """The state after `count` calls of `step(place, *state)`, which returns the next one;
    `place` is a tensor of one number. Each call is of whole tensors, and the loop is one
    of the code: it does not grow with the number."""
    from torch._higher_order_ops.while_loop import while_loop

    def unfinished(place, *state):
        return (place < count).reshape(())

    def advance(place, *state):
        changed = step(place, *state)
        # A loop's results are tensors of their own.
        return (place + 1, *[new.clone() if new is old else new
                             for new, old in zip(changed, state)])

    start = torch.zeros(1, dtype=torch.int64)
    return while_loop(unfinished, advance, (start, *state))[1:]
