# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models in the calling form of ONNX Runtime."""

from __future__ import annotations

import os
import pathlib
import threading
import typing

from . import _arrays, _compile, _files
from ._compiled import Model

#: ONNX Runtime's names of NumPy's element types, where they are others.
_TYPES = {"float32": "float", "float64": "double", "bool": "bool"}

Size = typing.Union[int, str, None]
Feed = typing.Mapping[str, typing.Any]


class NodeArg(typing.NamedTuple):
    """An argument or a result, as ONNX Runtime describes it."""

    name: str
    #: "tensor(float)" and so on.
    type: str
    #: Sizes; the name of a symbolic one, or None.
    shape: typing.List[Size]


def _to_node_arg(value: typing.Mapping[str, typing.Any]) -> NodeArg:
    kind = _TYPES.get(value["dtype"], value["dtype"])
    return NodeArg(value["name"], f"tensor({kind})", list(value["shape"]))


class InferenceSession:
    """Runs an ONNX model in the place of `onnxruntime.InferenceSession`.

    `model` is a path, the bytes of a model, or an onnx.ModelProto. A model all of whose
    sizes are stated is compiled at once; others at the first run with other sizes.
    `options` are keywords of `mlir_prof.compile`, such as `threads`. The model runs on
    the processor: there are no providers."""

    def __init__(self, model: typing.Any, **options: typing.Any) -> None:
        self._options = {"progress": False, **options}
        self._models: typing.Dict[typing.Tuple[typing.Any, ...], Model] = {}
        self._lock = threading.Lock()
        self._model = self._read(model)
        self._describe()
        sizes = {value.name: [size for size in value.shape if isinstance(size, int)]
                 for value in self._inputs}
        if all(len(sizes[value.name]) == len(value.shape) for value in self._inputs):
            self.get_model(sizes)

    @staticmethod
    def _read(model: typing.Any) -> typing.Any:
        if isinstance(model, (str, os.PathLike)):
            return pathlib.Path(model)
        if not isinstance(model, bytes):
            return model
        import onnx
        return onnx.load_from_string(model)

    def _describe(self) -> None:
        from .frontends import _onnx
        with _files.scratch() as folder:
            stated = _onnx.describe(_onnx.save(self._model, folder), folder)
        self._inputs = [_to_node_arg(value) for value in stated["arguments"]]
        self._outputs = [_to_node_arg(value) for value in stated["results"]]
        self._dtypes = {value["name"]: value["dtype"]
                        for value in stated["arguments"]}

    def get_inputs(self) -> typing.List[NodeArg]:
        """The arguments, in the model's order."""
        return list(self._inputs)

    def get_outputs(self) -> typing.List[NodeArg]:
        """The results, in the model's order."""
        return list(self._outputs)

    def get_providers(self) -> typing.List[str]:
        """The device of the model."""
        return ["CPUExecutionProvider"]

    def get_model(self, shapes: typing.Mapping[str, typing.Sequence[int]]) -> Model:
        """The compiled model for the shapes of the arguments, by name."""
        import numpy
        key = tuple(tuple(shapes[value.name]) for value in self._inputs)
        with self._lock:
            if key not in self._models:
                # Zeros of one element that is repeated, since only shapes matter.
                examples = [
                    numpy.broadcast_to(numpy.zeros((), self._dtypes[value.name]), shape)
                    for value, shape in zip(self._inputs, key)]
                self._models[key] = _compile.compile(self._model, *examples,
                                                     **self._options)
            return self._models[key]

    def _order(self, feed: Feed) -> typing.List[typing.Any]:
        names = [value.name for value in self._inputs]
        if set(feed) != set(names):
            raise ValueError(f"the model takes {', '.join(names) or 'nothing'}; given "
                             f"are {', '.join(feed) or 'none'}")
        return [feed[name] for name in names]

    def _choose(self, names: typing.Optional[typing.Sequence[str]],
                results: typing.Sequence[typing.Any]) -> typing.List[typing.Any]:
        by_name = {value.name: result
                   for value, result in zip(self._outputs, results)}
        for name in names or ():
            if name not in by_name:
                raise ValueError(f"the model does not have a result {name!r}; it has "
                                 f"{', '.join(by_name)}")
        return [by_name[name] for name in names or by_name]

    def run(self, output_names: typing.Optional[typing.Sequence[str]],
            input_feed: Feed, run_options: typing.Any = None
            ) -> typing.List[typing.Any]:
        """The results of the names, of all without names, as arrays of NumPy.

        Raises ValueError for other names, and TypeError or ValueError for another
        element type or shape than the model states. `run_options` is not used."""
        values = self._order(input_feed)
        shapes = {value.name: _arrays.to_numpy(array).shape
                  for value, array in zip(self._inputs, values)}
        results = self.get_model(shapes)(*values)
        return [_arrays.to_numpy(result)
                for result in self._choose(output_names, results)]
