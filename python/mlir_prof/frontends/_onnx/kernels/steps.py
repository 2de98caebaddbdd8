# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps of a loop read and write one element along the first dimension."""

from ._text import empty, function, size, sizes, tensor


def dims(name, value):
    """The sizes of `value`, as numbers or the names that `sizes` defines."""
    return [f"%{name}_{dim}" if known is None else str(known)
            for dim, known in enumerate(value.shape)]


def part(place, lengths):
    """The offsets, sizes and strides of the element at `place`."""
    rest = len(lengths)
    return (f"[{', '.join([place] + ['0'] * rest)}] [{', '.join(['1', *lengths])}] "
            f"[{', '.join(['1'] * (rest + 1))}]")


def take_step(name, inputs, results, turned):
    """data [N, ...], step [] -> [...]: the element of a step, counted from the end
    if `turned`."""
    data, step = inputs
    place = "%at = arith.addi %step, %c0 : index"
    if turned:
        place = ("%last = arith.subi %data_0, %c1 : index\n"
                 "%at = arith.subi %last, %step : index")
    return function(name, [("data", data), ("steps", step)], results, f"""
{sizes("data", data)}
%step64 = tensor.extract %steps[] : {tensor(step)}
%step = arith.index_cast %step64 : i64 to index
{place}
%out = tensor.extract_slice %data{part("%at", dims("data", data)[1:])} : \
{tensor(data)} to {tensor(results[0])}
return %out : {tensor(results[0])}""")


def put_step(name, inputs, results, turned):
    """all [N, ...], step [], value [...] -> all, with the element of the step."""
    all_, step, value = inputs
    place = "%at = arith.addi %step, %c0 : index"
    if turned:
        place = ("%last = arith.subi %all_0, %c1 : index\n"
                 "%at = arith.subi %last, %step : index")
    return function(name, [("all", all_), ("steps", step), ("value", value)], results,
                    f"""
{size("all", all_, 0)}
{sizes("value", value)}
%step64 = tensor.extract %steps[] : {tensor(step)}
%step = arith.index_cast %step64 : i64 to index
{place}
%out = tensor.insert_slice %value into %all{part("%at", dims("value", value))} : \
{tensor(value)} into {tensor(all_)}
return %out : {tensor(all_)}""")


def blank(name, inputs, results):
    """sizes [R] -> a tensor of those sizes, whose elements the steps of a loop
    write."""
    lengths, lines = inputs[0], []
    for dim, known in enumerate(results[0].shape):
        if known is None:
            lines.append(f"%d{dim} = arith.constant {dim} : index\n"
                         f"%x{dim} = tensor.extract %sizes[%d{dim}] : "
                         f"{tensor(lengths)}\n"
                         f"%n{dim} = arith.index_cast %x{dim} : i64 to index")
    names = [f"%n{dim}" for dim in range(results[0].rank)]
    made = "\n".join([*lines, empty("out", results[0], *names)])
    return function(name, [("sizes", lengths)], results,
                    f"{made}\nreturn %out : {tensor(results[0])}")


def true(name, inputs, results):
    """-> true [], which torch-mlir does not know: it takes a loop whose first
    condition is a constant for one that no condition ends."""
    return function(name, [], results,
                    f"%out = arith.constant dense<true> : {tensor(results[0])}\n"
                    f"return %out : {tensor(results[0])}")
