# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values and options in the forms of ONNX Runtime."""

from __future__ import annotations

import typing

from . import _arrays

#: ONNX Runtime's names of NumPy's element types, where they are others.
_TYPES = {"float32": "float", "float64": "double", "bool": "bool"}

Feed = typing.Mapping[str, typing.Any]


def describe_type(dtype: str) -> str:
    """ONNX Runtime's name of the type of an array, such as "tensor(float)"."""
    return f"tensor({_TYPES.get(dtype, dtype)})"


def check_device(name: str) -> None:
    if name.lower() != "cpu":
        raise ValueError(f"the device is {name!r}; models run on the processor (\"cpu\")")


class OrtValue:
    """An array, in the form of `onnxruntime.OrtValue`. The array is not copied."""

    def __init__(self, array: typing.Any) -> None:
        self._array = array

    @staticmethod
    def ortvalue_from_numpy(array: typing.Any, device_type: str = "cpu",
                            device_id: int = 0) -> OrtValue:
        """The value of an array."""
        check_device(device_type)
        return OrtValue(array)

    @staticmethod
    def ortvalue_from_shape_and_type(
            shape: typing.Sequence[int], element_type: typing.Any,
            device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """A new array of zeros."""
        import numpy
        check_device(device_type)
        return OrtValue(numpy.zeros(shape, element_type))

    def numpy(self) -> typing.Any:
        """The value as an array of NumPy."""
        return _arrays.to_numpy(self._array)

    def shape(self) -> typing.List[int]:
        """The sizes."""
        return list(self.numpy().shape)

    def data_type(self) -> str:
        """ONNX Runtime's name of the type, such as "tensor(float)"."""
        return describe_type(self.numpy().dtype.name)

    def device_name(self) -> str:
        """Where the array is: "cpu"."""
        return "cpu"

    def data_ptr(self) -> int:
        """The address of the first element."""
        return int(self.numpy().ctypes.data)

    def has_value(self) -> bool:
        """True: there are no empty values."""
        return True

    def is_tensor(self) -> bool:
        """True: all values are arrays."""
        return True

    def update_inplace(self, array: typing.Any) -> None:
        """Copies an array of the same shape into this one."""
        self.numpy()[...] = array


def unwrap(value: typing.Any) -> typing.Any:
    """The array of an OrtValue or of a list of numbers; other arrays as they are."""
    if isinstance(value, OrtValue):
        return value._array
    if isinstance(value, (list, tuple, int, float, bool)):
        import numpy
        return numpy.asarray(value)
    return value


def at_address(address: int, shape: typing.Sequence[int],
               element_type: typing.Any) -> typing.Any:
    """The array at an address, which stays the caller's."""
    import ctypes
    import numpy
    dtype = numpy.dtype(element_type)
    count = dtype.itemsize
    for size in shape:
        count *= size
    memory = (ctypes.c_char * count).from_address(address)
    return numpy.frombuffer(memory, dtype).reshape(shape)


class IOBinding:
    """Arguments and results by name, in the form of `onnxruntime.IOBinding`."""

    def __init__(self, names: typing.Sequence[str]) -> None:
        self._names = list(names)
        self.inputs: typing.Dict[str, typing.Any] = {}
        #: The arrays to write to, or None for new ones.
        self.outputs: typing.Dict[str, typing.Any] = {}
        self._found: typing.List[OrtValue] = []

    def bind_cpu_input(self, name: str, array: typing.Any) -> None:
        """An array as the argument."""
        self.inputs[name] = array

    def bind_ortvalue_input(self, name: str, value: OrtValue) -> None:
        """A value as the argument."""
        self.inputs[name] = value

    def bind_input(self, name: str, device_type: str, device_id: int,
                   element_type: typing.Any, shape: typing.Sequence[int],
                   buffer_ptr: int) -> None:
        """The array at an address as the argument."""
        check_device(device_type)
        self.inputs[name] = at_address(buffer_ptr, shape, element_type)

    def bind_output(self, name: str, device_type: str = "cpu", device_id: int = 0,
                    element_type: typing.Any = None,
                    shape: typing.Optional[typing.Sequence[int]] = None,
                    buffer_ptr: typing.Optional[int] = None) -> None:
        """A result to compute, into the array at an address if one is given."""
        check_device(device_type)
        if name not in self._names:
            raise ValueError(f"the model does not have a result {name!r}; it has "
                             f"{', '.join(self._names)}")
        self.outputs[name] = None if buffer_ptr is None or shape is None else \
            at_address(buffer_ptr, shape, element_type)

    def bind_ortvalue_output(self, name: str, value: OrtValue) -> None:
        """A result to compute into a value."""
        self.bind_output(name)
        self.outputs[name] = value.numpy()

    def clear_binding_inputs(self) -> None:
        """Forgets the arguments."""
        self.inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Forgets which results to compute, and those that were computed."""
        self.outputs.clear()
        self._found = []

    def synchronize_inputs(self) -> None:
        """Nothing: arrays are on the processor."""

    def synchronize_outputs(self) -> None:
        """Nothing: results are there when a run returns."""

    def keep(self, results: typing.Sequence[typing.Any]) -> None:
        """Takes the results of a run, in the order of `outputs`."""
        self._found = []
        for name, result in zip(self.outputs, results):
            target = self.outputs[name]
            if target is not None:
                if target.shape != result.shape:
                    raise ValueError(f"the result {name} has the shape {result.shape}; "
                                     f"the array that is bound has {target.shape}")
                target[...] = result
                result = target
            self._found.append(OrtValue(result))

    def get_outputs(self) -> typing.List[OrtValue]:
        """The results of the last run, in the order in which they were bound."""
        return list(self._found)

    def copy_outputs_to_cpu(self) -> typing.List[typing.Any]:
        """The same as arrays of NumPy."""
        return [value.numpy() for value in self._found]


class SessionOptions:
    """Options of a session, in the form of `onnxruntime.SessionOptions`.

    `intra_op_num_threads` is the number of threads of a run, `enable_profiling` and
    `profile_file_prefix` choose a recording (`InferenceSession.end_profiling`). Others
    are kept, and change nothing."""

    def __init__(self) -> None:
        self.intra_op_num_threads = 0
        self.inter_op_num_threads = 0
        self.enable_profiling = False
        self.profile_file_prefix = "onnxruntime_profile_"
        self.graph_optimization_level: typing.Any = None
        self.execution_mode: typing.Any = None
        self.optimized_model_filepath = ""
        self.enable_mem_pattern = self.enable_cpu_mem_arena = True
        self.log_severity_level = -1
        self.log_verbosity_level = 0
        self.logid = ""
        self._entries: typing.Dict[str, str] = {}
        self._sizes: typing.Dict[str, int] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Keeps an entry."""
        self._entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """The entry of that key."""
        return self._entries[key]

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        """The size of the dimensions that the model calls `name`."""
        self._sizes[name] = size

    @property
    def sizes(self) -> typing.Dict[str, int]:
        """The sizes of dimensions by the model's names."""
        return self._sizes
