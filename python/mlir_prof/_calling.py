# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the arguments of a call become arrays, and arrays its result."""

from __future__ import annotations

import typing

from . import _structure

if typing.TYPE_CHECKING:
    from .frontends import Source

Arrays = typing.List[typing.Any]
Keywords = typing.Dict[str, typing.Any]


class Calling(typing.Protocol):
    """The calling form of a model."""

    @property
    def is_flat(self) -> bool:
        """Whether the arguments by position of a call without keywords are its arrays,
        in their order."""

    @property
    def is_single(self) -> bool:
        """Whether the result of a call is an array, the first of several."""

    def flatten(self, arguments: typing.Tuple[typing.Any, ...],
                keywords: Keywords) -> Arrays:
        """The arrays of a call. Raises TypeError for another structure."""

    def unflatten(self, results: Arrays) -> typing.Any:
        """The result of a call."""

    def to_json(self) -> typing.Dict[str, typing.Any]:
        """All of it, for make_calling()."""


def _is_leaf(tree: typing.Optional[_structure.Tree], number: int) -> bool:
    return tree is not None and tree.get("leaf") == number


def _is_flat(tree: typing.Optional[_structure.Tree]) -> bool:
    """Whether the tree of a call has nothing but its arrays, in their order."""
    if not tree:
        return False
    positional, named = tree["tuple"]
    return not named["dict"] and all(
        _is_leaf(part, number) for number, part in enumerate(positional["tuple"]))


class FlatCalling:
    """Arrays by position or by the names of the function's arguments; the result is
    an array, or a tuple of `count`."""

    def __init__(self, names: typing.Sequence[str], count: int,
                 results: typing.Optional[_structure.Tree] = None) -> None:
        self._names = names
        self._results = results
        self.is_flat = True
        self.is_single = _is_leaf(results, 0) if results else count == 1

    def flatten(self, arguments: typing.Tuple[typing.Any, ...],
                keywords: Keywords) -> Arrays:
        if not keywords and len(arguments) == len(self._names):
            return list(arguments)
        given = dict(zip(self._names, arguments))
        if len(arguments) > len(self._names):
            raise TypeError(f"{len(arguments)} arguments are given; the model has "
                            f"{len(self._names)}: {', '.join(self._names)}")
        for name, value in keywords.items():
            if name not in self._names:
                raise TypeError(f"the model does not have an argument {name!r}; "
                                f"hint: it has {', '.join(self._names) or 'none'}")
            if name in given:
                raise TypeError(f"argument {name!r} is given twice")
            given[name] = value
        missing = [name for name in self._names if name not in given]
        if missing:
            raise TypeError(f"argument {missing[0]!r} is missing")
        return [given[name] for name in self._names]

    def unflatten(self, results: Arrays) -> typing.Any:
        if self._results:
            return _structure.build(self._results, results)
        return results[0] if len(results) == 1 else tuple(results)

    def to_json(self) -> typing.Dict[str, typing.Any]:
        return {"results": self._results} if self._results else {}


def _gather_call(tree: _structure.Tree, arguments: typing.Tuple[typing.Any, ...],
                 keywords: Keywords) -> Arrays:
    """The arrays of a call with the structure of `tree`, or a TypeError."""
    positional, named = tree["tuple"]
    if len(arguments) != len(positional["tuple"]):
        raise TypeError(f"{len(arguments)} arguments are given by position; the "
                        f"model was compiled for {len(positional['tuple'])}")
    leaves: typing.Dict[int, typing.Any] = {}
    for index, part in enumerate(positional["tuple"]):
        _structure.gather(part, arguments[index], leaves, f"argument {index}")
    expected = [key for key, _ in named["dict"]]
    if set(expected) != set(keywords):
        raise TypeError("the arguments given by name have to be "
                        f"{', '.join(expected) or 'none'}")
    for key, part in named["dict"]:
        _structure.gather(part, keywords[key], leaves, f"argument {key!r}")
    return [leaves[number] for number in sorted(leaves)]


class TreeCalling:
    """The structure of an example, as a file keeps it."""

    def __init__(self, arguments: _structure.Tree, results: _structure.Tree) -> None:
        self._arguments = arguments
        self._results = results
        self.is_flat = _is_flat(arguments)
        self.is_single = _is_leaf(results, 0)

    def flatten(self, arguments: typing.Tuple[typing.Any, ...],
                keywords: Keywords) -> Arrays:
        return _gather_call(self._arguments, arguments, keywords)

    def unflatten(self, results: Arrays) -> typing.Any:
        return _structure.build(self._results, results)

    def to_json(self) -> typing.Dict[str, typing.Any]:
        return {"arguments": self._arguments, "results": self._results}


class SourceCalling:
    """The form of the framework in this process. Its structures are learned from
    `example`, a call: so that files can keep them, and arrays of any library can take
    the places of the framework's own. Those of a source with state are not: learning
    them would change it."""

    def __init__(self, source: Source, example: typing.Tuple[
            typing.Tuple[typing.Any, ...], Keywords], results: int) -> None:
        self._source = source
        self._arguments: typing.Optional[_structure.Tree] = None
        self._results: typing.Optional[_structure.Tree] = None
        if not source.has_state:
            self._arguments = _structure.describe_arguments(example, source.flatten)
            self._results = _structure.describe_results(source.unflatten, results)
        self.is_flat = _is_flat(self._arguments)
        self.is_single = _is_leaf(self._results, 0)

    def flatten(self, arguments: typing.Tuple[typing.Any, ...],
                keywords: Keywords) -> Arrays:
        if self._arguments:
            try:
                return _gather_call(self._arguments, arguments, keywords)
            except TypeError:
                # The framework may know other forms of the same call.
                pass
        return self._source.flatten(arguments, keywords)

    def unflatten(self, results: Arrays) -> typing.Any:
        if self._results:
            return _structure.build(self._results, results)
        return self._source.unflatten(results)

    def to_json(self) -> typing.Dict[str, typing.Any]:
        return {key: tree for key, tree in (("arguments", self._arguments),
                                            ("results", self._results)) if tree}


def _is_call(tree: typing.Any) -> bool:
    """Whether a tree is that of positional arguments and keywords."""
    if not isinstance(tree, dict) or not isinstance(tree.get("tuple"), list):
        return False
    parts = tree["tuple"]
    return len(parts) == 2 and "tuple" in parts[0] and "dict" in parts[1]


def make_calling(document: typing.Mapping[str, typing.Any],
                 names: typing.Sequence[str], count: int) -> Calling:
    """The form that a file keeps; flat, with `count` results, if it does not."""
    results = document.get("results")
    if _is_call(document.get("arguments")) and results:
        return TreeCalling(document["arguments"], results)
    return FlatCalling(names, count, results)
