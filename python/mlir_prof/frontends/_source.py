# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result of a front end."""

import dataclasses
import pathlib
import typing


class FrontEndError(RuntimeError):
    """A model cannot be taken; the text names the op, its place in the model and
    what to do."""


@dataclasses.dataclass(frozen=True)
class Value:
    """An argument or a result of a model."""

    name: str
    #: NumPy's name of the element type, or "bfloat16".
    dtype: str
    #: A size for each dimension; None for one that each call chooses.
    shape: typing.Tuple[typing.Optional[int], ...]


@dataclasses.dataclass
class Source:
    """A model as MLIR, and how its framework's values reach it."""

    #: The module, text or bytecode, of dialects that MLIR 22 has. Its weights are
    #: constants in it. Locations are those of the framework: module path, name of
    #: the op, file and line.
    path: pathlib.Path
    #: The framework's name in the registry of front ends.
    framework: str
    #: The arguments and results of the function that is compiled, in its order.
    arguments: typing.List[Value]
    results: typing.List[Value]
    #: Makes of the arguments of a call, `flatten(arguments, keywords)`, the arrays
    #: of `arguments`. Raises TypeError if their structure is another one.
    flatten: typing.Callable[
        [typing.Tuple[typing.Any, ...], typing.Dict[str, typing.Any]],
        typing.List[typing.Any]]
    #: Makes of arrays, in the order of `results`, what the model returns.
    unflatten: typing.Callable[[typing.List[typing.Any]], typing.Any]
    #: The function to compile; empty if the module has only one.
    entry: str = ""
    #: Whether `flatten` reads, and `unflatten` changes, tensors of the model or the
    #: caller's, so that no file can keep them.
    has_state: bool = False
    #: Arrays of this process whose values are constants of the module.
    weights: typing.List[typing.Any] = dataclasses.field(default_factory=list)
    #: Changes and missing parts, with reasons.
    notes: typing.List[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Request:
    """How a model is to be taken."""

    #: An empty folder for the files that a front end makes.
    folder: pathlib.Path
    #: The positional arguments and the keywords of an example call.
    examples: typing.Tuple[typing.Any, ...] = ()
    keywords: typing.Dict[str, typing.Any] = dataclasses.field(default_factory=dict)
    #: Which dimensions each call may choose, in the form of the framework's own
    #: export (`torch.export`, `jax.export`); for others a dictionary from the
    #: names of arguments to a tuple of dimensions.
    dynamic_shapes: typing.Any = None
    #: Whether files of the user's may contain pickled code that is run.
    allow_pickle: bool = False
