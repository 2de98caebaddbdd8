# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of kernels."""

_ELEMENTS = {"float32": "f32", "float64": "f64", "float16": "f16",
             "bfloat16": "bf16", "bool": "i1", "int8": "i8", "int16": "i16",
             "int32": "i32", "int64": "i64"}

#: (for floats, for integers)
_COMBINE = {"add": ("arith.addf", "arith.addi"), "mul": ("arith.mulf", "arith.muli"),
            "max": ("arith.maximumf", "arith.maxsi"),
            "min": ("arith.minimumf", "arith.minsi")}


def element(value):
    """MLIR's name of the element type."""
    return _ELEMENTS[value.dtype.name]


def tensor(value):
    """MLIR's name of the type."""
    sizes = "".join("?x" if size is None else f"{size}x" for size in value.shape)
    return f"tensor<{sizes}{element(value)}>"


def combine(how, value):
    """The op that combines two elements of `value`."""
    return _COMBINE[how][0 if value.is_float else 1]


def greater(value, order="gt"):
    """A comparison of two elements of `value`, to which the operands are added."""
    if value.is_float:
        return f"arith.cmpf o{order},"
    return f"arith.cmpi {'u' if value.dtype == bool else 's'}{order},"


def size(name, value, dim):
    """The line that defines the size of a dimension, `value` being `%name`."""
    known = value.shape[dim]
    if known is not None:
        return f"%{name}_{dim} = arith.constant {known} : index"
    return (f"%{name}_at{dim} = arith.constant {dim} : index\n"
            f"%{name}_{dim} = tensor.dim %{name}, %{name}_at{dim} : {tensor(value)}")


def sizes(name, value):
    return "\n".join(size(name, value, dim) for dim in range(value.rank))


def empty(name, result, *dims):
    """The line that makes an array for `result`; `dims` are the values of its
    dimensions, used where they are dynamic."""
    used = ", ".join(dim for dim, known in zip(dims, result.shape) if known is None)
    return f"%{name} = tensor.empty({used}) : {tensor(result)}"


def nest(loops, start, kind, body, made):
    """Loops (name, end) around each other that update one value of type `kind`, and
    the return of what they made. `body(old)` writes the lines that compute `made`
    from `old`."""
    if not loops:
        return f"{body(start)}\nreturn {made} : {kind}"
    lines, old = [], start
    for name, end in loops:
        lines.append(f"{name}_out = scf.for {name} = %c0 to {end} step %c1 "
                     f"iter_args({name}_in = {old}) -> ({kind}) {{")
        old = f"{name}_in"
    lines.append(body(old))
    for name, _ in reversed(loops):
        lines += [f"scf.yield {made} : {kind}", "}"]
        made = f"{name}_out"
    return "\n".join([*lines, f"return {made} : {kind}"])


def function(name, inputs, results, body):
    """A private function; `inputs` are (name, value)."""
    arguments = ", ".join(f"%{key}: {tensor(value)}" for key, value in inputs)
    types = ", ".join(tensor(value) for value in results)
    return (f"func.func private @{name}({arguments}) -> ({types}) {{\n"
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
            f"{body}\n}}\n")
