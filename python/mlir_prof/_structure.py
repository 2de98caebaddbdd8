# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the arguments and results of a model are nested, in a form that files keep."""

from __future__ import annotations

import collections
import dataclasses
import sys
import types
import typing

from . import _arrays

#: A tree as JSON: one of these members tells its kind.
#:   {"leaf": 3}                      array number 3
#:   {"unused": true}                 an array that the model does not need
#:   {"value": 1.5}                   a constant: null, a number, a text
#:   {"tuple": [...]}, {"list": [...]}
#:   {"dict": [[key, tree], ...]}
#:   {"class": "module:Name", "fields": [[name, tree], ...], "is_tuple": true}
Tree = typing.Mapping[str, typing.Any]

_CONSTANTS = (type(None), bool, int, float, str)


class NotDescribed(TypeError):
    """A structure has parts that a tree does not describe."""


def _class_name(value: typing.Any) -> str:
    kind = type(value)
    return f"{kind.__module__}:{kind.__qualname__}"


def _fields(value: typing.Any) -> typing.Optional[typing.List[typing.Tuple[str, typing.Any]]]:
    """The fields of a dataclass or a named tuple."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name))
                for field in dataclasses.fields(value)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return list(zip(value._fields, value))
    return None


def describe(value: typing.Any,
             find: typing.Callable[[typing.Any], typing.Optional[int]]) -> Tree:
    """The tree of `value`; `find` returns the number of a leaf, or None.

    Raises NotDescribed for anything else than nested tuples, lists, dictionaries,
    dataclasses and constants."""
    number = find(value)
    if number is not None:
        return {"leaf": number}
    if isinstance(value, _CONSTANTS):
        return {"value": value}
    fields = _fields(value)
    if fields is not None:
        return {"class": _class_name(value), "is_tuple": isinstance(value, tuple),
                "fields": [[name, describe(part, find)] for name, part in fields]}
    if type(value) is dict and all(isinstance(key, (str, int)) for key in value):
        return {"dict": [[key, describe(part, find)] for key, part in value.items()]}
    for kind in (tuple, list):
        if type(value) is kind:
            return {kind.__name__: [describe(part, find) for part in value]}
    raise NotDescribed(f"a {type(value).__name__} is neither an array nor a tuple, "
                       "list, dictionary or dataclass")


def describe_results(unflatten: typing.Callable[[typing.List[typing.Any]], typing.Any],
                     count: int) -> typing.Optional[Tree]:
    """The tree of what `unflatten` makes of `count` arrays; None if that is not known.
    Each array holds its number, by which it is found in the result."""
    try:
        return describe(unflatten([_arrays.make_mark(number, "numpy")
                                   for number in range(count)]), _arrays.read_mark)
    except Exception:  # noqa: BLE001 - the framework's code was made for others.
        return None


def describe_arguments(call: typing.Tuple[typing.Any, ...], flatten: typing.Callable[
        ..., typing.List[typing.Any]]) -> typing.Optional[Tree]:
    """The tree of the positional arguments and the keywords of a call, with the
    numbers of arrays in what `flatten` makes of it; None if that is not known."""
    arrays: typing.List[typing.Any] = []

    def find(value: typing.Any) -> typing.Optional[int]:
        if not _arrays.framework_of(value):
            return None
        arrays.append(value)
        return len(arrays) - 1
    try:
        tree = describe(call, find)
        marks = [_arrays.make_mark(number, _arrays.framework_of(array))
                 for number, array in enumerate(arrays)]
        order = [_arrays.read_mark(mark) for mark in flatten(*build(tree, marks))]
    except Exception:  # noqa: BLE001 - the framework's code was made for others.
        return None
    if None in order or len(set(order)) != len(order):
        return None
    made: Tree = _renumber(tree, {old: new for new, old in enumerate(order)})
    return made


def _renumber(tree: typing.Any, numbers: typing.Mapping[typing.Optional[int], int]
              ) -> typing.Any:
    """The tree with other numbers; an array that does not have one is not used."""
    if isinstance(tree, list):
        return [_renumber(part, numbers) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if "leaf" in tree:
        number = numbers.get(tree["leaf"])
        return {"unused": True} if number is None else {"leaf": number}
    if "value" in tree:
        return tree
    return {key: _renumber(part, numbers) for key, part in tree.items()}


def gather(tree: Tree, value: typing.Any, leaves: typing.Dict[int, typing.Any],
           place: str) -> None:
    """Finds the leaves of `value`, which has to have the structure of `tree`.

    Raises TypeError, with the place, if it does not."""
    if "unused" in tree:
        return
    if "leaf" in tree:
        leaves[tree["leaf"]] = value
    elif "value" in tree:
        if value != tree["value"]:
            raise TypeError(f"{place} is {value!r}; the model was compiled for "
                            f"{tree['value']!r}")
    elif "fields" in tree:
        for name, part in tree["fields"]:
            if not hasattr(value, name):
                raise TypeError(f"{place} does not have the field {name!r}")
            gather(part, getattr(value, name), leaves, f"{place}.{name}")
    elif "dict" in tree:
        _gather_entries(tree["dict"], value, leaves, place)
    else:
        parts = tree["tuple"] if "tuple" in tree else tree["list"]
        if not isinstance(value, (tuple, list)) or len(value) != len(parts):
            raise TypeError(f"{place} is not a sequence of {len(parts)}")
        for index, part in enumerate(parts):
            gather(part, value[index], leaves, f"{place}[{index}]")


def _gather_entries(entries: typing.Sequence[typing.Sequence[typing.Any]],
                    value: typing.Any, leaves: typing.Dict[int, typing.Any],
                    place: str) -> None:
    """gather() of a dictionary, such as the parameters of a model, most of whose
    entries are arrays: texts for errors are made for others only."""
    if not isinstance(value, dict) or len(value) != len(entries):
        _check_keys(entries, value, place)
    for key, part in entries:
        if key not in value:
            _check_keys(entries, value, place)
        if "leaf" in part:
            leaves[part["leaf"]] = value[key]
        else:
            gather(part, value[key], leaves, f"{place}[{key!r}]")


def _check_keys(entries: typing.Sequence[typing.Sequence[typing.Any]],
                value: typing.Any, place: str) -> None:
    expected = [key for key, _ in entries]
    if not isinstance(value, dict) or set(value) != set(expected):
        raise TypeError(f"{place} has to be a dictionary with the keys "
                        f"{', '.join(map(repr, expected)) or 'none'}")


def _make_class(name: str, fields: typing.Mapping[str, typing.Any], is_tuple: bool
                ) -> typing.Any:
    """An object of a class that the program has loaded; a file must not choose what
    is imported. For others it is an object with the same attributes, or a tuple with
    the same names."""
    module, _, path = name.partition(":")
    kind: typing.Any = sys.modules.get(module)
    for part in path.split("."):
        kind = getattr(kind, part, None)
    if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or
                                   hasattr(kind, "_fields")):
        try:
            return kind(**fields)
        except TypeError:  # the constructor makes fields of other arguments
            maker: typing.Any = kind
            made = maker.__new__(maker)
            for field, value in fields.items():
                object.__setattr__(made, field, value)
            return made
    if is_tuple:
        named: typing.Any = collections.namedtuple(  # type: ignore[misc]
            name.rpartition(":")[2].rpartition(".")[2], list(fields), rename=True)
        return named(*fields.values())
    return types.SimpleNamespace(**fields)


def build(tree: Tree, leaves: typing.Sequence[typing.Any]) -> typing.Any:
    """The structure of `tree` with its leaves."""
    if "leaf" in tree:
        return leaves[tree["leaf"]]
    if "value" in tree:
        return tree["value"]
    if "fields" in tree:
        return _make_class(tree["class"], {name: build(part, leaves)
                                           for name, part in tree["fields"]},
                           bool(tree.get("is_tuple")))
    if "dict" in tree:
        return {key: build(part, leaves) for key, part in tree["dict"]}
    if "tuple" in tree:
        return tuple(build(part, leaves) for part in tree["tuple"])
    return [build(part, leaves) for part in tree["list"]]
