# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the values of a call reach the arguments of the function, and the results
become what the model returns."""

import torch
from torch.export.graph_signature import ConstantArgument, TensorArgument
from torch.utils import _pytree as pytree

from .._source import FrontEndError, Value


def to_value(name, tensor):
    """The name and type of a (fake) tensor."""
    shape = tuple(size if isinstance(size, int) else None for size in tensor.shape)
    return Value(name, str(tensor.dtype).removeprefix("torch."), shape)


def order_keywords(spec, keywords):
    """The keywords in the order of the export."""
    names = list(spec.children()[1].context)
    if sorted(names) != sorted(keywords):
        raise TypeError(f"the model was compiled with the keywords {sorted(names)}, "
                        f"but is called with {sorted(keywords)}")
    return {name: keywords[name] for name in names}


class Flatten:
    """Makes the list of arrays of a call. It checks the structure, and that values
    which are not tensors are those of the example."""

    def __init__(self, spec, constants):
        #: `constants` has (True, value) for a value that is not a tensor, else (False, None).
        self.spec, self.constants = spec, constants

    def __call__(self, arguments, keywords):
        tree = (tuple(arguments), order_keywords(self.spec, keywords))
        leaves, spec = pytree.tree_flatten(tree)
        if spec != self.spec:
            raise TypeError("the arguments have another structure than the example's: "
                            f"{spec} and not {self.spec}")
        arrays = []
        for place, (leaf, (fixed, value)) in enumerate(zip(leaves, self.constants)):
            if not fixed:
                arrays.append(leaf.detach() if isinstance(leaf, torch.Tensor) else leaf)
            elif leaf != value:
                raise TypeError(f"value {place} of the arguments is {leaf!r}, but the "
                                f"model was compiled for {value!r}")
        return arrays


def to_tensor(array):
    return array if isinstance(array, torch.Tensor) else torch.from_dlpack(array)


class Unflatten:
    """Makes of the results what the model returns."""

    def __init__(self, spec, constants):
        self.spec, self.constants = spec, constants

    def __call__(self, arrays):
        tensors = iter(map(to_tensor, arrays))
        leaves = [value if fixed else next(tensors) for fixed, value in self.constants]
        return pytree.tree_unflatten(leaves, self.spec)


def read_argument(argument, place):
    """(whether it is a constant, its value)."""
    if isinstance(argument, TensorArgument):
        return False, None
    if isinstance(argument, ConstantArgument):
        return True, argument.value
    raise FrontEndError(f"{place} is a number that each call chooses ({argument}); hint: "
                        "pass it as a tensor, or leave it out of dynamic_shapes")


def get_flatten(program):
    from torch.export.graph_signature import InputKind
    return Flatten(program.call_spec.in_spec,
                   [read_argument(spec.arg, "an argument")
                    for spec in program.graph_signature.input_specs
                    if spec.kind == InputKind.USER_INPUT])


def get_unflatten(program):
    from torch.export.graph_signature import OutputKind
    return Unflatten(program.call_spec.out_spec,
                     [read_argument(spec.arg, "a result")
                      for spec in program.graph_signature.output_specs
                      if spec.kind in (OutputKind.USER_OUTPUT,
                                       OutputKind.LOSS_OUTPUT)])
