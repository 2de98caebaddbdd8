# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX: functions, jitted or not, and modules of flax."""

import functools
import sys
import types

from ._source import FrontEndError, Source, Value

#: Packages whose callable classes JAX traces.
PACKAGES = {"jax", "jaxlib", "flax", "equinox"}


class JaxFunction:
    """Any callable as a function of JAX."""

    def __init__(self, function):
        self.function = function


def accepts(model, examples):
    """A class of JAX's world, or, once JAX is imported, a Python function."""
    if isinstance(model, JaxFunction):
        return True
    packages = {base.__module__.split(".")[0] for base in type(model).__mro__}
    if packages & PACKAGES:
        return callable(model)
    return "jax" in sys.modules and isinstance(
        model, (types.FunctionType, types.MethodType, types.BuiltinFunctionType,
                functools.partial))


def make_function(model):
    """A pure function: the weights of a module of flax.nnx become constants."""
    if isinstance(model, JaxFunction):
        model = model.function
    nnx = sys.modules.get("flax.nnx")
    if nnx is None or not isinstance(model, nnx.Module):
        return model
    structure, state = nnx.split(model)

    def function(*arguments, **keywords):
        return nnx.merge(structure, state)(*arguments, **keywords)

    function.__name__ = type(model).__name__
    function.__wrapped__ = type(model).__call__.__get__(model)
    return function


def make_jitted(function):
    """The function as jax.jit makes it: once more, if another library did, whose
    functions, like modules, may not be hashed."""
    import jax
    if isinstance(function, type(jax.jit(len))):
        return function
    if isinstance(function, types.FunctionType):
        return jax.jit(function)

    def call(*arguments, **keywords):
        return function(*arguments, **keywords)

    call.__name__ = getattr(function, "__name__", type(function).__name__)
    call.__wrapped__ = function
    return jax.jit(call)


class Static:
    """Arguments whose values the function was traced for, as jax.jit was told."""

    def __init__(self, jitted, arguments, keywords):
        state = jitted.__getstate__()
        self.places = {place % len(arguments) for place in state["static_argnums"] or ()
                       if -len(arguments) <= place < len(arguments)}
        self.names = set(state["static_argnames"] or ())
        self.values = self.split(arguments, keywords)[1]

    def split(self, arguments, keywords):
        """The other arguments, and the values of these."""
        kept = tuple(value for place, value in enumerate(arguments)
                     if place not in self.places)
        named = {name: value for name, value in keywords.items()
                 if name not in self.names}
        return (kept, named), [
            *(value for place, value in enumerate(arguments) if place in self.places),
            *(keywords[name] for name in sorted(self.names & keywords.keys()))]

    def drop(self, arguments, keywords):
        """The arguments of the exported function."""
        others, values = self.split(arguments, keywords)
        if values != self.values:
            raise TypeError(f"the model was compiled for the values {self.values}, and "
                            f"{values} are given")
        return others


def make_call(model, request):
    """The model as jitted function, and the arguments and keywords for which it is
    traced."""
    import jax
    jitted = make_jitted(make_function(model))
    arguments = request.examples
    if request.dynamic_shapes is not None:
        arguments = jax.export.symbolic_args_specs(arguments, request.dynamic_shapes)
    return jitted, arguments, request.keywords


def export(jitted, arguments, keywords):
    """The function as exported by JAX for a CPU, unknown custom calls included: they
    are refused later, with their places."""
    import jax
    try:
        return jax.export.export(
            jitted, platforms=["cpu"],
            disabled_checks=[jax.export.DisabledSafetyCheck.custom_call("ALL")])(
                *arguments, **keywords)
    except NotImplementedError as error:
        raise FrontEndError(f"JAX cannot export the function: {error}; hint: compute "
                            "it without callbacks into Python") from error


def list_constants(jitted, arguments, keywords):
    """The arrays of JAX that the function closes over. JAX keeps the trace of the
    export; functions that are jitted in another way do not tell theirs."""
    import jax
    if not hasattr(jitted, "trace"):
        return []
    constants = jitted.trace(*arguments, **keywords).jaxpr.consts
    return [value for value in constants if isinstance(value, jax.Array)]


def is_key(value):
    """Whether it is an array of keys of random numbers."""
    import jax
    return hasattr(value, "dtype") and jax.dtypes.issubdtype(value.dtype,
                                                             jax.dtypes.prng_key)


def to_array(value, aval):
    """An array of a leaf of the arguments: numbers get the type they have in the
    model, and keys their data."""
    import jax
    import numpy
    if is_key(value):
        return jax.random.key_data(value)
    return value if hasattr(value, "dtype") else numpy.asarray(value, aval.dtype)


def make_flatten(exported, static):
    import jax
    avals, kept = exported.in_avals, exported.module_kept_var_idx

    def flatten(arguments, keywords):
        leaves, structure = jax.tree.flatten(static.drop(tuple(arguments), keywords))
        if structure != exported.in_tree:
            raise TypeError(f"the arguments are {structure}, and the model was "
                            f"compiled for {exported.in_tree}")
        return [to_array(leaves[place], avals[place]) for place in kept]

    return flatten


def make_unflatten(exported):
    import jax

    def unflatten(arrays):
        return jax.tree.unflatten(exported.out_tree, [
            # Only the type of an abstract value knows the generator.
            jax.random.wrap_key_data(array, impl=aval.dtype._impl.name)
            if is_key(aval) else array
            for array, aval in zip(arrays, exported.out_avals)])

    return unflatten


def describe_values(names, avals, types_):
    """Values as the module has them; keys are unsigned integers there."""
    from ._stablehlo import shape_of
    return [Value(name, "uint32" if is_key(aval) else str(aval.dtype), shape_of(type_))
            for name, aval, type_ in zip(names, avals, types_)]


def lower(model, request):
    """Exports the function for the example's arguments, as jax.export does.
    `request.dynamic_shapes` is what jax.export.symbolic_args_specs takes."""
    try:
        import jax
        import jax.export
    except ImportError as error:
        raise FrontEndError("the model needs the package jax; hint: pip install "
                            "jax") from error
    from . import _stablehlo
    call = make_call(model, request)
    exported = export(*call)
    static = Static(call[0], request.examples, request.keywords)
    module = _stablehlo.deserialize(exported.mlir_module_serialized)
    signature = _stablehlo.signature_of(module)
    _stablehlo.to_linalg(module)
    kept = [exported.in_avals[place] for place in exported.module_kept_var_idx]
    return Source(
        path=_stablehlo.write(module, request.folder / "model.mlir"),
        framework="jax",
        arguments=describe_values(signature.names, kept, signature.arguments),
        results=describe_values(
            [f"result{place}" for place in range(len(exported.out_avals))],
            exported.out_avals, signature.results),
        flatten=make_flatten(exported, static), unflatten=make_unflatten(exported),
        entry=signature.entry, weights=list_constants(*call))
