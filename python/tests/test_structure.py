# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The structure of arguments and results, through JSON and back."""

import collections
import dataclasses
import json
import types
import unittest

import numpy

from mlir_prof import _calling, _structure
from mlir_prof.frontends import Source

Point = collections.namedtuple("Point", ["x", "y"])


@dataclasses.dataclass
class Doubled:
    value: int

    def __init__(self, half):
        self.value = half * 2


@dataclasses.dataclass
class Output:
    logits: object
    cache: object = None


def flatten(arguments, keywords):
    """As a framework would: in an order of its own, without what is not used."""
    (first, (second, unused)), scale = arguments, keywords["scale"]
    assert scale == 2.5
    return [numpy.array(second["b"]), first.x, second["a"][0], first.y]


def unflatten(results):
    return Output(logits=[results[1], (results[0],)], cache=None)


def make_call():
    a, b, c, d, unused = (numpy.full(3, number) for number in range(5))
    return ((Point(a, b), ({"a": [c], "b": d}, unused)), {"scale": 2.5})


class Structures(unittest.TestCase):
    def make_calling(self):
        """The form of a framework's source, as a file keeps it."""
        source = Source(path=None, framework="f", arguments=[], results=[],
                        flatten=flatten, unflatten=unflatten)
        document = _calling.SourceCalling(source, make_call(), 2).to_json()
        return _calling.make_calling(json.loads(json.dumps(document)), ["w"] * 4, 2)

    def test_arguments_are_found_as_the_framework_does(self):
        call = make_call()
        expected = flatten(*call)
        found = self.make_calling().flatten(*call)
        self.assertEqual(len(found), 4)
        for one, other in zip(found, expected):
            numpy.testing.assert_array_equal(one, other)

    def test_another_structure_is_refused_with_its_place(self):
        (point, (inner, unused)), named = make_call()
        flatten = self.make_calling().flatten
        for arguments, keywords, message in (
                ((point,), named, "1 arguments are given by position"),
                ((point, (inner, unused)), {}, "by name have to be scale"),
                ((point, (inner, unused)), {"scale": 3}, "argument 'scale' is 3; .*2.5"),
                ((point, ({"a": inner["a"]}, unused)), named,
                 r"argument 1\[0\] .*keys 'a', 'b'"),
                ((point, ({"a": [], "b": 1}, unused)), named,
                 r"argument 1\[0\]\['a'\] is not a sequence of 1"),
                ((3, (inner, unused)), named, "argument 0 .*the field 'x'")):
            with self.assertRaisesRegex(TypeError, message):
                flatten(arguments, keywords)

    def test_results_have_their_classes(self):
        result = self.make_calling().unflatten(["first", "second"])
        self.assertEqual(result, Output(["second", ("first",)]))

    def test_a_file_does_not_choose_what_is_imported(self):
        for name in ("antigravity:fly", "os:system", "subprocess:Popen", "none:X",
                     "builtins:object"):
            made = _structure.build({"class": name, "fields": [["a", {"leaf": 0}]]}, [7])
            self.assertIsInstance(made, types.SimpleNamespace)
            self.assertEqual(made.a, 7)

    def test_named_tuples_without_their_class_are_tuples(self):
        tree = {"class": "none:Pair", "is_tuple": True,
                "fields": [["a", {"leaf": 0}], ["b", {"leaf": 1}]]}
        first, second = made = _structure.build(tree, [7, 8])
        self.assertEqual((first, second, made.b, type(made).__name__),
                         (7, 8, 8, "Pair"))

    def test_constructors_of_other_arguments(self):
        made = _structure.build({"class": f"{__name__}:Doubled",
                                 "fields": [["value", {"leaf": 0}]]}, [4])
        self.assertEqual((type(made), made.value), (Doubled, 4))

    def test_what_is_not_known_is_flat(self):
        class Strange:
            pass
        source = Source(path=None, framework="f", arguments=[], results=[],
                        flatten=lambda arguments, keywords: [arguments[0]],
                        unflatten=lambda results: Strange())
        document = _calling.SourceCalling(source, ((Strange(),), {}), 1).to_json()
        self.assertEqual(document, {})
        calling = _calling.make_calling(document, ["x"], 1)
        self.assertEqual(calling.flatten((), {"x": 1}), [1])
        self.assertEqual(calling.unflatten([2]), 2)


if __name__ == "__main__":
    unittest.main()
