# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of ai.onnx.ml, against ONNX Runtime."""

import unittest

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from common import FrameworkTest, mlir_prof
from mlir_prof.frontends import FrontEndError

KINDS = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE,
         "int64": TensorProto.INT64}


def numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).standard_normal(shape).astype("float32")


def model_of(op, x, results, version=3, **attributes):
    """A model of one operator; `results` are element types."""
    def info(name, dtype, shape=None):
        return helper.make_tensor_value_info(name, KINDS[dtype], shape)
    names = [f"y{place}" for place in range(len(results))]
    node = helper.make_node(op, ["x"], names, domain="ai.onnx.ml", name="net/model",
                            **attributes)
    graph = helper.make_graph([node], "graph", [info("x", x.dtype.name, x.shape)],
                              [info(*value) for value in zip(names, results)])
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", version)])


def nodes_of(trees):
    """Attributes of the nodes of trees, each a list of (feature, mode, value, yes,
    no), or of None for leaves."""
    rows = [(tree, place, *(node or (0, "LEAF", 0.0, 0, 0)))
            for tree, nodes in enumerate(trees) for place, node in enumerate(nodes)]
    names = ["treeids", "nodeids", "featureids", "modes", "values", "truenodeids",
             "falsenodeids"]
    return {f"nodes_{name}": list(column) for name, column in zip(names, zip(*rows))}


def weights_of(prefix, rows):
    """Attributes of the weights of leaves: rows (tree, node, target, weight)."""
    return {f"{prefix}_{name}": list(column) for name, column in
            zip(["treeids", "nodeids", "ids", "weights"], zip(*rows))}


#: Two trees, with three leaves and two.
TREES = nodes_of([[(0, "BRANCH_LEQ", 0.1, 1, 2), None, (2, "BRANCH_GT", -0.3, 3, 4),
                   None, None],
                  [(1, "BRANCH_LT", 0.0, 1, 2), None, None]])
LEAVES = [(0, 1), (0, 3), (0, 4), (1, 1), (1, 2)]


class Learned(FrameworkTest):
    def check(self, op, x, results, **attributes):
        model = model_of(op, x, results, **attributes)
        session = onnxruntime.InferenceSession(model.SerializeToString(),
                                               providers=["CPUExecutionProvider"])
        compiled = mlir_prof.compile(model, x, progress=False)
        expected = session.run(None, {"x": x})
        for found, wanted in zip(compiled(x), expected):
            self.assertEqual((found.dtype, found.shape), (wanted.dtype, wanted.shape))
            numpy.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)

    def refuse(self, text, op, x, results, **attributes):
        with self.assertRaisesRegex(FrontEndError, text):
            mlir_prof.compile(model_of(op, x, results, **attributes), x,
                              progress=False)

    def test_trees_of_classes(self):
        x = numbers(40, 3)
        three = weights_of("class", [(*leaf, place % 3, 0.3 + place)
                                     for place, leaf in enumerate(LEAVES)])
        one = weights_of("class", [(*leaf, 1, 0.1 * place)
                                   for place, leaf in enumerate(LEAVES)])
        both = weights_of("class", [(*leaf, 0, place - 1.5)
                                    for place, leaf in enumerate(LEAVES)])
        for weights, labels, transform in (
                (three, [4, 5, 9], "SOFTMAX"), (one, [0, 1], "NONE"),
                (both, [3, 7], "LOGISTIC"), (three, [4, 5, 9], "LOGISTIC")):
            self.check("TreeEnsembleClassifier", x, ["int64", "float32"],
                       classlabels_int64s=labels, post_transform=transform, **TREES,
                       **weights)

    def test_trees_of_numbers(self):
        x = numbers(40, 3)
        weights = weights_of("target", [(*leaf, target, 0.3 - place * (target + 1))
                                        for place, leaf in enumerate(LEAVES)
                                        for target in (0, 1)])
        for aggregate in ("SUM", "AVERAGE", "MIN", "MAX"):
            self.check("TreeEnsembleRegressor", x, ["float32"], n_targets=2,
                       aggregate_function=aggregate, base_values=[0.5, -1.0], **TREES,
                       **weights)

    def test_missing_values(self):
        x = numbers(40, 3)
        x[::3] = numpy.nan
        weights = weights_of("target", [(*leaf, 0, 0.3 - place)
                                        for place, leaf in enumerate(LEAVES)])
        self.check("TreeEnsembleRegressor", x, ["float32"], n_targets=1, **TREES,
                   nodes_missing_value_tracks_true=[1, 0, 0, 0, 0, 1, 0, 0], **weights)

    def test_trees_with_a_cycle(self):
        trees = nodes_of([[(0, "BRANCH_LEQ", 0.1, 1, 2), None,
                           (2, "BRANCH_GT", 0.0, 0, 1)]])
        self.refuse("TreeEnsembleRegressor of node 'net/model'.*a cycle",
                    "TreeEnsembleRegressor", numbers(2, 3), ["float32"], n_targets=1,
                    **trees, **weights_of("target", [(0, 1, 0, 1.0)]))

    def test_sets_of_values(self):
        """The form of version 5, against the numbers that its definition gives."""
        def tensor(name, values, dtype):
            return numpy_helper.from_array(numpy.array(values, dtype), name)
        x = numpy.array([[1.0], [2.0], [3.0], [4.0], [5.0]], "float32")
        model = model_of(
            "TreeEnsemble", x, ["float32"], version=5, n_targets=1, tree_roots=[0],
            nodes_featureids=[0, 0], nodes_modes=tensor("m", [0, 6], "uint8"),
            nodes_splits=tensor("s", [4.5, 0.0], "float32"),
            membership_values=tensor("v", [1.0, 3.0, numpy.nan], "float32"),
            nodes_truenodeids=[1, 0], nodes_trueleafs=[0, 1], nodes_falsenodeids=[2, 1],
            nodes_falseleafs=[1, 1], leaf_targetids=[0, 0, 0],
            leaf_weights=tensor("w", [10.0, 20.0, 30.0], "float32"))
        found, = mlir_prof.compile(model, x, progress=False)(x)
        self.assertEqual(found.ravel().tolist(), [10, 20, 10, 20, 30])

    def test_linear_models(self):
        x = numbers(7, 3)
        self.check("LinearRegressor", x, ["float32"], coefficients=numbers(6).tolist(),
                   intercepts=[0.5, -0.5], targets=2)
        for labels, rows, transform in (([3, 8], 1, "LOGISTIC"), ([3, 8, 9], 3, "NONE"),
                                        ([3, 8, 9], 3, "SOFTMAX")):
            self.check("LinearClassifier", x, ["int64", "float32"],
                       coefficients=numbers(3 * rows).tolist(), classlabels_ints=labels,
                       intercepts=numbers(rows, seed=1).tolist(),
                       post_transform=transform)

    def test_support_vectors(self):
        x, vectors = numbers(9, 3), numbers(7, 3, seed=1)
        common = dict(support_vectors=vectors.ravel().tolist(), kernel_type="RBF",
                      kernel_params=[0.4, 0.0, 3.0])
        self.check("SVMRegressor", x, ["float32"], n_supports=7, rho=[0.3],
                   coefficients=numbers(7, seed=2).tolist(), **common)
        options = dict(classlabels_ints=[2, 4, 6], vectors_per_class=[2, 2, 3],
                       coefficients=numbers(14, seed=3).tolist(),
                       rho=[0.1, -0.2, 0.3], **common)
        self.check("SVMClassifier", x, ["int64", "float32"], **options)
        self.check("SVMClassifier", x, ["int64", "float32"], prob_a=[-1.0, -2.0, -1.5],
                   prob_b=[0.1, 0.0, -0.1], **options)

    def test_features(self):
        x = numbers(5, 4)
        for norm in ("L1", "L2", "MAX"):
            self.check("Normalizer", abs(x), ["float32"], norm=norm)
        missing = x.copy()
        missing[1, 2] = missing[3, 0] = numpy.nan
        self.check("Imputer", missing, ["float32"], replaced_value_float=numpy.nan,
                   imputed_value_floats=[1.0, 2.0, 3.0, 4.0])
        whole = numpy.array([[1, 5], [7, 2]])
        self.check("LabelEncoder", whole, ["float32"], keys_int64s=[5, 1, 7],
                   values_floats=[0.5, 1.5, 2.5], default_float=-3.0)
        self.check("OneHotEncoder", whole, ["float32"], cats_int64s=[1, 2, 5], zeros=1)

    def test_unknown_category(self):
        whole = numpy.array([[1, 5], [7, 2]])
        model = model_of("OneHotEncoder", whole, ["float32"], cats_int64s=[1, 2, 5],
                         zeros=0)
        compiled = mlir_prof.compile(model, whole, progress=False)
        found, = compiled(numpy.array([[1, 5], [2, 2]]))
        self.assertEqual(found.argmax(-1).tolist(), [[0, 2], [1, 1]])
        with self.assertRaisesRegex(mlir_prof.ModelError, "unknown category"):
            compiled(whole)

    def test_refusals(self):
        x = numbers(2, 3)
        self.refuse("ZipMap.*'zipmap': False", "ZipMap", x, ["float32"],
                    classlabels_int64s=[1, 2, 3])
        self.refuse("labels are strings", "LinearClassifier", x, ["int64", "float32"],
                    coefficients=[1.0] * 6, classlabels_strings=["a", "b"])


if __name__ == "__main__":
    unittest.main()
