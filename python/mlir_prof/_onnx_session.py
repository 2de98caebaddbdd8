# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models in the calling form of ONNX Runtime."""

from __future__ import annotations

import logging
import os
import pathlib
import threading
import time
import typing

from . import _arrays, _compile, _files
from ._compiled import Model
from ._onnx_values import Feed, IOBinding, OrtValue, describe_type, unwrap
from .frontends import FrontEndError

logger = logging.getLogger("mlir_prof")

Size = typing.Union[int, str, None]
Shapes = typing.Mapping[str, typing.Sequence[int]]

#: After models for this number of shapes, one for all sizes is tried.
MOST_SHAPES = 4

#: The time of a recording, in seconds.
RECORDED = 0.5


class NodeArg(typing.NamedTuple):
    """An argument or a result, as ONNX Runtime describes it."""

    name: str
    #: "tensor(float)" and so on.
    type: str
    #: Sizes; the name of a symbolic one, or None.
    shape: typing.List[Size]


class ModelMetadata(typing.NamedTuple):
    """The origin of a model, as its file says."""

    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int
    custom_metadata_map: typing.Dict[str, str]


def _to_node_arg(value: typing.Mapping[str, typing.Any]) -> NodeArg:
    return NodeArg(value["name"], describe_type(value["dtype"]), list(value["shape"]))


class InferenceSession:
    """Runs an ONNX model in the place of `onnxruntime.InferenceSession`.

    `model` is a path, the bytes of a model, or an onnx.ModelProto. A model all of whose
    sizes are stated is compiled at once; others when they first run with other sizes,
    and after some of them once for all sizes, if the model allows it. `sess_options` is
    of this package or of ONNX Runtime; its number of threads and its profiling are
    used. The model runs on the processor, whatever `providers` are. `options` are
    keywords of `mlir_prof.compile`, such as `threads`.

    Raises FrontEndError for a model that cannot be taken."""

    def __init__(self, model: typing.Any, sess_options: typing.Any = None,
                 providers: typing.Optional[typing.Sequence[typing.Any]] = None,
                 provider_options: typing.Any = None, **options: typing.Any) -> None:
        for name in ("disabled_optimizers", "enable_fallback"):
            options.pop(name, None)
        self._options = {"progress": False, **options}
        self._session_options = sess_options
        threads = getattr(sess_options, "intra_op_num_threads", 0)
        if threads > 0:
            self._options.setdefault("threads", threads)
        self._models: typing.Dict[typing.Tuple[typing.Any, ...], Model] = {}
        #: The model for all sizes; False if there is none.
        self._general: typing.Union[Model, None, bool] = None
        self._lock = threading.Lock()
        self._last: typing.Optional[typing.Tuple[Model, typing.List[typing.Any]]] = None
        self._began = time.perf_counter_ns()
        self._model = self._read(model)
        self._describe()
        self._check_providers(providers)
        sizes = self._known_sizes()
        if sizes is not None:
            self.get_model(sizes)

    @staticmethod
    def _read(model: typing.Any) -> typing.Any:
        if isinstance(model, (str, os.PathLike)):
            return pathlib.Path(model)
        if not isinstance(model, bytes):
            return model
        import onnx
        return onnx.load_from_string(model)

    @staticmethod
    def _check_providers(providers: typing.Optional[typing.Sequence[typing.Any]]) -> None:
        names = [entry if isinstance(entry, str) else entry[0]
                 for entry in providers or ()]
        other = [name for name in names if name != "CPUExecutionProvider"]
        if other:
            logger.warning("models run on the processor; %s is not used",
                           ", ".join(other))

    def _describe(self) -> None:
        from .frontends import _onnx
        with _files.scratch() as folder:
            stated = _onnx.describe(_onnx.save(self._model, folder), folder)
        self._inputs = [_to_node_arg(value) for value in stated["arguments"]]
        self._outputs = [_to_node_arg(value) for value in stated["results"]]
        self._metadata = ModelMetadata(**stated["metadata"])
        self._dtypes = {value["name"]: value["dtype"]
                        for value in stated["arguments"]}

    def _known_sizes(self) -> typing.Optional[typing.Dict[str, typing.List[int]]]:
        """The sizes of all arguments, if the model or the options state them."""
        named = getattr(self._session_options, "sizes", {})
        found: typing.Dict[str, typing.List[int]] = {}
        for value in self._inputs:
            sizes = [named.get(size, size) for size in value.shape]
            known = [size for size in sizes if isinstance(size, int)]
            if len(known) < len(sizes):
                return None
            found[value.name] = known
        return found

    def get_inputs(self) -> typing.List[NodeArg]:
        """The arguments, in the model's order."""
        return list(self._inputs)

    def get_outputs(self) -> typing.List[NodeArg]:
        """The results, in the model's order."""
        return list(self._outputs)

    def get_overridable_initializers(self) -> typing.List[NodeArg]:
        """Nothing: the weights of a model are constants."""
        return []

    def get_modelmeta(self) -> ModelMetadata:
        """The origin of the model, as its file says."""
        return self._metadata

    def get_session_options(self) -> typing.Any:
        """The options that were given."""
        return self._session_options

    def get_providers(self) -> typing.List[str]:
        """The device of the model."""
        return ["CPUExecutionProvider"]

    def get_provider_options(self) -> typing.Dict[str, typing.Dict[str, str]]:
        """The options of the device, of which there are none."""
        return {"CPUExecutionProvider": {}}

    def get_model(self, shapes: Shapes) -> Model:
        """The compiled model for the shapes of the arguments, by name."""
        import numpy
        key = tuple(tuple(shapes[value.name]) for value in self._inputs)
        with self._lock:
            if key in self._models:
                return self._models[key]
            if len(self._models) >= MOST_SHAPES:
                general = self._make_general()
                if general is not None:
                    return general
            # Zeros of one element that is repeated, since only shapes matter.
            examples = [
                numpy.broadcast_to(numpy.zeros((), self._dtypes[value.name]), shape)
                for value, shape in zip(self._inputs, key)]
            self._models[key] = _compile.compile(self._model, *examples, **self._options)
            return self._models[key]

    def _make_general(self) -> typing.Optional[Model]:
        """The model for all sizes, or None if it cannot be made."""
        if self._general is None:
            try:
                self._general = _compile.compile(self._model, **self._options)
            except FrontEndError as error:
                logger.info("each shape gets a model of its own: %s", error)
                self._general = False
        return self._general if isinstance(self._general, Model) else None

    def _order(self, feed: Feed) -> typing.List[typing.Any]:
        names = [value.name for value in self._inputs]
        if set(feed) != set(names):
            raise ValueError(f"the model takes {', '.join(names) or 'nothing'}; given "
                             f"are {', '.join(feed) or 'none'}")
        return [unwrap(feed[name]) for name in names]

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
        model = self.get_model(shapes)
        results = model(*values)
        if getattr(self._session_options, "enable_profiling", False):
            self._last = model, values
        return [_arrays.to_numpy(result)
                for result in self._choose(output_names, results)]

    def run_with_ort_values(
            self, output_names: typing.Optional[typing.Sequence[str]],
            input_dict_ort_values: Feed, run_options: typing.Any = None
            ) -> typing.List[OrtValue]:
        """The same of values of OrtValue."""
        return [OrtValue(result) for result in
                self.run(output_names, input_dict_ort_values, run_options)]

    def run_async(self, output_names: typing.Optional[typing.Sequence[str]],
                  input_feed: Feed, callback: typing.Callable[..., typing.Any],
                  user_data: typing.Any, run_options: typing.Any = None) -> None:
        """Runs in a thread, which calls `callback(results, user_data, error)`; `error`
        is a text, empty if there was none."""
        def work() -> None:
            try:
                results, error = self.run(output_names, input_feed, run_options), ""
            except Exception as failure:
                results, error = [], str(failure)
            callback(results, user_data, error)
        threading.Thread(target=work, daemon=True).start()

    def io_binding(self) -> IOBinding:
        """Arguments and results to bind for `run_with_iobinding`."""
        return IOBinding([value.name for value in self._outputs])

    def run_with_iobinding(self, iobinding: IOBinding,
                           run_options: typing.Any = None) -> None:
        """Runs with the arguments that are bound, and keeps the results that are."""
        if not iobinding.outputs:
            raise ValueError("no result is bound; hint: bind_output")
        iobinding.keep(self.run(list(iobinding.outputs), iobinding.inputs, run_options))

    def get_profiling_start_time_ns(self) -> int:
        """When the session was made, on the clock of `time.perf_counter_ns`."""
        return self._began

    def end_profiling(self) -> str:
        """Records the last run again for half a second in a process of its own, and
        returns the path of the recording, in the JSON form of Chrome's traces.

        Returns an empty text if profiling is off or nothing ran."""
        if self._last is None:
            return ""
        from ._record import record
        model, values = self._last
        prefix = getattr(self._session_options, "profile_file_prefix", "profile")
        path = f"{prefix}_{time.strftime('%Y-%m-%d_%H-%M-%S')}.json"
        profile = record(model, *values, seconds=RECORDED, progress=False,
                         options={"keep_events": True})
        profile.export(path, "chrome-json")
        return path
