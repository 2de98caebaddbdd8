# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow: functions, Keras models and folders of saved models, by the StableHLO
that XLA compiles."""

import inspect
import math
import os
import pathlib
import re

from .._source import FrontEndError, Source, Value
from ._captured import bind_captured

PACKAGES = {"tensorflow", "keras", "tf_keras"}

#: Values that a function of TensorFlow is traced for.
PYTHON = (bool, int, float, complex, str, type(None))

#: The file that marks the folder of a saved model.
SAVED_MODEL = "saved_model.pb"


def is_path(model):
    return isinstance(model, (str, pathlib.Path))


def accepts(model, examples):
    """A function, module or model of TensorFlow or Keras, or a path of a saved one."""
    if is_path(model):
        return (os.path.exists(os.path.join(model, SAVED_MODEL)) or
                str(model).endswith(".keras"))
    packages = {base.__module__.split(".")[0] for base in type(model).__mro__}
    return bool(packages & PACKAGES) and callable(model)


def require_tensorflow():
    try:
        import tensorflow
    except ImportError as error:
        raise FrontEndError("the model needs the package tensorflow; hint: pip install "
                            "tensorflow-cpu") from error
    return tensorflow


def load(tf, path):
    """The content of a path, which owns the variables, and its function: the only
    signature, or the default one."""
    if str(path).endswith(".keras"):
        model = tf.keras.models.load_model(path)
        return model, make_function(tf, model)
    loaded = tf.saved_model.load(str(path))
    signatures = loaded.signatures
    if len(signatures) == 1:
        return loaded, next(iter(signatures.values()))
    if "serving_default" not in signatures:
        raise FrontEndError(f"{path} has the signatures {sorted(signatures)} and no "
                            "serving_default; hint: load it, and pass one of them")
    return loaded, signatures["serving_default"]


def make_function(tf, model):
    """A tf.function of inference: Keras models, and what only is callable, become
    one."""
    if hasattr(model, "get_concrete_function") or hasattr(model, "captured_inputs"):
        return model
    if "training" in inspect.signature(type(model).__call__).parameters or isinstance(
            model, tf.keras.Model):
        return tf.function(lambda *inputs, **keywords: model(
            *inputs, **{"training": False, **keywords}))
    return tf.function(model)


def signature_of(function):
    """The Python signature by which arguments are ordered, or None."""
    python = getattr(function, "python_function", None)
    return inspect.signature(python) if python else None


def order(signature, arguments, keywords):
    """The values of a call in the order of the function's inputs: keywords at their
    places, or, of a saved model, sorted by name."""
    if signature is None:
        return [*arguments, *(keywords[name] for name in sorted(keywords))]
    bound = signature.bind(*arguments, **keywords)
    return [*bound.args, *(bound.kwargs[name] for name in sorted(bound.kwargs))]


def concrete_of(function, request):
    """The traced function."""
    if not hasattr(function, "get_concrete_function"):
        return function
    return function.get_concrete_function(*request.examples, **request.keywords)


def compile_text(tf, function, arguments, keywords):
    """StableHLO text of the function as XLA gets it: arguments, then what the
    function captures; results, then variables that it changes."""
    if not getattr(function, "_jit_compile", None):
        function = tf.function(getattr(function, "python_function", function),
                               jit_compile=True)
    return function.experimental_get_compiler_ir(*arguments, **keywords)(
        stage="stablehlo")


def lines_of(graph):
    """The file and line of the user's code for each node of a graph and of the
    functions in it, by name."""
    found = {}
    for operation in graph.get_operations():
        frames = [frame for frame in operation.traceback or () if not any(
            f"{os.sep}{package}{os.sep}" in frame.filename for package in PACKAGES)]
        if frames:
            found.setdefault(operation.name, (frames[-1].filename, frames[-1].lineno))
    return found


#: A constant of booleans of which not all are alike.
BOOLEANS = re.compile(r'dense<"0x([0-9A-F]*)"> : tensor<((?:\d+x)*)i1>')


def unpack_booleans(text):
    """The module's text with booleans of one byte, as newer versions of MLIR read them,
    in the place of single bits."""
    def unpack(found):
        count = math.prod(map(int, found[2].split("x")[:-1]))
        bits = int.from_bytes(bytes.fromhex(found[1]), "little")
        content = "".join(f"{bits >> place & 1:02X}" for place in range(count))
        return f'dense<"0x{content}"> : tensor<{found[2]}i1>'

    return BOOLEANS.sub(unpack, text)


def stablehlo_of(tf, function, concrete, arguments, keywords):
    """The module in StableHLO, with locations of the graph's nodes and of the code
    that made them. Raises FrontEndError if XLA lacks an op."""
    from .. import _stablehlo
    try:
        text = compile_text(tf, function, arguments, keywords)
    except (ValueError, tf.errors.OpError) as error:
        raise FrontEndError("TensorFlow gives no StableHLO: "
                            f"{first_line(error)}; hint: compute it outside of the "
                            "model") from error
    module = _stablehlo.parse(unpack_booleans(text))
    _stablehlo.add_lines(module, lines_of(concrete.graph))
    return module


def first_line(error):
    return (str(error).strip() or repr(error)).splitlines()[0][:300]


def describe(tensors, names):
    return [Value(name, tensor.dtype.name, tuple(tensor.shape.as_list()))
            for tensor, name in zip(tensors, names)]


def make_unflatten(tf, concrete):
    """The structure of what the function returns."""
    structure = concrete.structured_outputs

    def unflatten(arrays):
        rest = iter(arrays)
        return tf.nest.map_structure(
            lambda leaf: None if leaf is None else next(rest), structure)

    return unflatten


def lower(model, request):
    """Traces the function for the example's arguments; all sizes are those."""
    tf = require_tensorflow()
    if request.dynamic_shapes is not None:
        raise FrontEndError("StableHLO of TensorFlow has static shapes; hint: leave out "
                            "dynamic_shapes, and compile once for each shape")
    from .. import _stablehlo
    owner, function = (load(tf, model) if is_path(model) else
                       (model, make_function(tf, model)))
    concrete, form = concrete_of(function, request), signature_of(function)
    module = stablehlo_of(tf, function, concrete, request.examples, request.keywords)
    inputs = concrete.inputs[:len(concrete.inputs) - len(concrete.captured_inputs)]
    changed = bind_captured(module, concrete, len(inputs))
    names = [tensor.name.split(":")[0] for tensor in inputs]
    _stablehlo.name_arguments(module, names)
    signature = _stablehlo.signature_of(module)
    del owner  # Whose variables are constants now.
    _stablehlo.to_linalg(module, names_are_absolute=True)
    example = order(form, request.examples, request.keywords)
    constants = [leaf for leaf in tf.nest.flatten(example) if isinstance(leaf, PYTHON)]

    def flatten(arguments, keywords):
        ordered = order(form, arguments, keywords)
        try:
            tf.nest.assert_same_structure(ordered, example)
        except ValueError as error:
            raise TypeError(f"other arguments than those of the example: "
                            f"{first_line(error)}") from error
        leaves = tf.nest.flatten(ordered)
        given = [leaf for leaf in leaves if isinstance(leaf, PYTHON)]
        if list(map(repr, given)) != list(map(repr, constants)):
            raise TypeError(f"the model was compiled for the values {constants}, and "
                            f"{given} are given")
        return [leaf for leaf in leaves if not isinstance(leaf, PYTHON)]

    return Source(
        path=_stablehlo.write(module, request.folder / "model.mlir"),
        framework="tensorflow",
        arguments=describe(inputs, names),
        results=describe(concrete.outputs, [f"result{place}" for place in
                                            range(len(concrete.outputs))]),
        flatten=flatten, unflatten=make_unflatten(tf, concrete),
        entry=signature.entry,
        notes=[f"the model keeps variables of its own, which its calls change: "
               f"{', '.join(changed)}"] if changed else [])
