# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that a function captures: constants, and variables that it changes."""

from .._source import FrontEndError

#: Ops that read a variable by its handle.
READS = {"ReadVariableOp", "ResourceGather", "ResourceGatherNd", "VariableShape",
         "VarIsInitializedOp", "Identity"}


def is_read(op, place):
    """Whether an op leaves the variable at one of its inputs as it is; calls of
    functions say so."""
    if op.type in READS:
        return True
    try:
        return place in op.get_attr("_read_only_resource_inputs")
    except ValueError:
        return False


def is_changed(handle):
    """Whether the function assigns to the variable of a captured handle."""
    return not all(is_read(op, place) for op in handle.consumers()
                   for place, value in enumerate(op.inputs) if value is handle)


def read_captured(concrete, value):
    """The name and the array of what the function captures."""
    import tensorflow as tf
    if value.dtype != tf.resource:
        return value.dtype.name, value.numpy()
    variable = next((one for one in concrete.variables if one.handle is value), None)
    if variable is None:
        raise FrontEndError("the function uses a resource that is not a variable, such "
                            "as a table; hint: look values up outside of the model")
    return variable.name.split(":")[0], variable.numpy()


def bind_captured(module, concrete, count):
    """Makes constants of what the function captures, the arguments after the first
    `count`; and variables of the module of the variables that it changes, whose new
    values are its last results. Returns the names of these."""
    from .. import _stablehlo
    import tensorflow as tf
    handles = concrete.graph.internal_captures
    captured = [(place, handle, *read_captured(concrete, value)) for place, (handle, value)
                in enumerate(zip(handles, concrete.captured_inputs), count)]
    changed = [each for each in captured
               if each[1].dtype == tf.resource and is_changed(each[1])]
    signature = _stablehlo.signature_of(module)
    if len(signature.arguments) != count + len(captured):
        raise FrontEndError(
            "XLA needs the values of arguments, such as sizes, when it compiles the "
            "function; hint: give these as Python numbers")
    results = len(signature.results)
    if results != len(concrete.outputs) + len(changed):
        raise FrontEndError(
            f"the function changes {results - len(concrete.outputs)} variables, of which "
            f"{len(changed)} are known; hint: return the new values, and assign them "
            "outside")
    _stablehlo.bind_variables(module, [
        (name, place, result, array) for result, (place, _, name, array) in
        enumerate(changed, len(concrete.outputs))])
    kept = [each for each in captured if each not in changed]
    # Arguments that changed are gone.
    _stablehlo.bind_constants(module, {
        place: array for place, (*_, array) in enumerate(kept, count)})
    return [name for _, _, name, _ in changed]
