# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ensembles of decision trees of ai.onnx.ml."""

import math

import numpy
from onnx import numpy_helper

from .._values import Unsupported
from ..kernels.trees import BRANCHES, LEAF, trees
from . import rule
from ._scores import (LEARNED, choose, complement, labels_of, largest, opposite,
                      transformed)
from .features import rows_of

#: The larger of ONNX's numbers of modes, by their names.
_MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ",
          "BRANCH_NEQ", "BRANCH_MEMBER"]

_AGGREGATES = ["AVERAGE", "SUM", "MIN", "MAX"]


class Forest:
    """Nodes of all trees, by their places in lists.

    A leaf has the mode LEAF; `weights` are (node, target, weight)."""

    def __init__(self):
        self.features, self.values, self.modes = [], [], []
        self.yes, self.no, self.missing = [], [], []
        self.roots, self.weights = [], []

    def add(self, feature=0, value=0.0, mode=LEAF, yes=0, no=0, missing=0):
        """Adds a node; its place."""
        for column, item in ((self.features, feature), (self.values, value),
                             (self.modes, mode), (self.yes, yes), (self.no, no),
                             (self.missing, missing)):
            column.append(item)
        return len(self.modes) - 1

    def check(self, width):
        """Walks must end, at leaves and by features that there are."""
        state = [0] * len(self.modes)
        for root in self.roots:
            self.check_tree(root, state)
        used = [feature for feature, mode in zip(self.features, self.modes)
                if mode != LEAF]
        if used and width is not None and not (0 <= min(used) and max(used) < width):
            raise Unsupported(f"it uses the feature {max(used)} of {width}")

    def check_tree(self, root, state):
        """Marks the nodes of a tree: 1 while one is walked, 2 after."""
        stack = [(root, False)]
        while stack:
            node, left = stack.pop()
            if not 0 <= node < len(state):
                raise Unsupported(f"there is no node {node} in its trees")
            if left:
                state[node] = 2
            elif state[node] == 1:
                raise Unsupported("its trees have a cycle")
            elif state[node] == 0:
                state[node] = 1
                stack.append((node, True))
                if self.modes[node] != LEAF:
                    stack += [(self.yes[node], False), (self.no[node], False)]

    def leaves(self, builder, x):
        """The leaf that each row of x [N, F] reaches in each tree: [N, T]."""
        self.check(x.shape[1])
        used = sorted({mode for mode in self.modes if mode != LEAF})

        def column(values, dtype):
            return builder.const(numpy.array(values, dtype))
        tables = [column(self.roots, "int64"), column(self.features, "int64"),
                  column(self.values, x.dtype),
                  column([([*used, LEAF]).index(mode) for mode in self.modes],
                         "int64"),
                  column(self.yes, "int64"), column(self.no, "int64"),
                  column(self.missing, "int64")]
        return builder.kernel(trees, [x, *tables],
                              [("int64", (x.shape[0], len(self.roots)))],
                              branches=used, missing=any(self.missing))[0]

    def scores(self, builder, x, targets, aggregate):
        """The weights of the leaves, combined over the trees: [N, targets]."""
        leaf = self.leaves(builder, x)
        empty = {"MIN": math.inf, "MAX": -math.inf}.get(aggregate, 0.0)
        table = numpy.full((len(self.modes), targets), empty, "float64")
        for node, target, weight in self.weights:
            if not (0 <= node < len(table) and 0 <= target < targets):
                raise Unsupported("a weight belongs to no leaf, or to no target")
            table[node, target] = weight if empty else table[node, target] + weight
        found = builder.Gather(builder.const(table, "float32"), leaf, axis=0)
        op = {"MIN": "ReduceMin", "MAX": "ReduceMax"}.get(aggregate, "ReduceSum")
        total = builder.emit(op, [found, builder.ints(1)], dict(keepdims=0))[0]
        if aggregate == "AVERAGE":
            total = builder.Div(total, builder.like(len(self.roots), total))
        if not empty:
            return total
        # Without a leaf for a target, its score is 0.
        return builder.Where(builder.Equal(total, builder.like(empty, total)),
                             builder.like(0, total), total)


def listed(call, name):
    """A list of numbers, of an attribute or its form as a tensor."""
    stored = call.attributes.get(f"{name}_as_tensor")
    if stored is not None:
        return numpy_helper.to_array(stored).ravel()
    found = call.get(name)
    return numpy.array([] if found is None else found, "float32")


def forest_of(call, prefix):
    """The trees of TreeEnsembleClassifier and TreeEnsembleRegressor, whose weights
    have names with `prefix`."""
    forest, places = Forest(), {}
    keys = list(zip(call.get("nodes_treeids"), call.get("nodes_nodeids")))
    for place, key in enumerate(keys):
        if key in places:
            raise Unsupported(f"it has two nodes {key[1]} of tree {key[0]}")
        places[key] = place
    modes = [mode.decode() for mode in call.get("nodes_modes")]
    missing = call.get("nodes_missing_value_tracks_true") or [0] * len(keys)
    columns = zip(keys, modes, call.get("nodes_featureids"),
                  listed(call, "nodes_values"), call.get("nodes_truenodeids"),
                  call.get("nodes_falsenodeids"), missing)
    for (tree, _), mode, feature, value, yes, no, lost in columns:
        if mode == "LEAF":
            forest.add()
            continue
        if mode not in BRANCHES:
            raise Unsupported(f"a node has the mode '{mode}'")
        children = [places.get((tree, child), -1) for child in (yes, no)]
        forest.add(feature, value, mode, *children, lost)
    for place, (tree, _) in enumerate(keys):
        if not place or tree != keys[place - 1][0]:
            forest.roots.append(place)
    weights = zip(call.get(f"{prefix}_treeids"), call.get(f"{prefix}_nodeids"),
                  call.get(f"{prefix}_ids"), listed(call, f"{prefix}_weights"))
    for tree, node, target, weight in weights:
        forest.weights.append((places.get((tree, node), -1), target, weight))
    return forest


def with_base(builder, call, scores):
    base = listed(call, "base_values")
    return builder.Add(scores, builder.const(base, scores.dtype)) if base.size \
        else scores


@rule("TreeEnsembleRegressor", domain=LEARNED)
def regressor(builder, call):
    x = rows_of(builder, call.inputs[0])
    scores = forest_of(call, "target").scores(
        builder, x, call.get("n_targets", 1), call.get("aggregate_function", "SUM"))
    return transformed(builder, call, with_base(builder, call, scores))


@rule("TreeEnsembleClassifier", domain=LEARNED)
def classifier(builder, call):
    x = rows_of(builder, call.inputs[0])
    labels = labels_of(call, "classlabels_int64s", "classlabels_strings")
    forest = forest_of(call, "class")
    if len(labels) > 2 or len({target for _, target, _ in forest.weights}) != 1:
        scores = with_base(builder, call, forest.scores(builder, x, len(labels), "SUM"))
        return [largest(builder, scores, labels), transformed(builder, call, scores)]
    return one_score(builder, call, forest, x, labels)


def one_score(builder, call, forest, x, labels):
    """All weights are for one class: its score is a probability if none is
    negative, else a distance."""
    base = listed(call, "base_values")
    if base.size > 1:
        raise Unsupported("it has two base values for one score")
    second = forest.weights[0][1] == 1
    forest.weights = [(node, 0, weight) for node, _, weight in forest.weights]
    score = with_base(builder, call, forest.scores(builder, x, 1, "SUM"))
    probability = all(weight >= 0 for _, _, weight in forest.weights)
    no, yes = labels if len(labels) == 2 else (0, 1)
    flat = builder.reshape(score, -1)
    label = choose(builder, builder.Greater(flat, builder.like(
        0.5 if probability else 0.0, flat)), yes, no)
    return [label, two_scores(builder, call, score, probability, second)]


def two_scores(builder, call, score, probability, second):
    """The scores of both classes, as ONNX Runtime gives them. With `second`, the
    score is that of the second class, and the first one has none."""
    if second:
        none = builder.Mul(score, builder.like(0, score))
        return transformed(builder, call, builder.Concat(none, score, axis=1))
    if call.get("post_transform") == "PROBIT":
        return transformed(builder, call, score)
    if probability:
        return complement(builder, score)
    if call.get("post_transform") == "LOGISTIC":
        return transformed(builder, call, opposite(builder, score))
    return opposite(builder, score)


@rule("TreeEnsemble", domain=LEARNED)
def ensemble(builder, call):
    """The form of version 5: leaves have lists of their own."""
    x = rows_of(builder, call.inputs[0])
    forest = flat_forest(call)
    aggregate = _AGGREGATES[call.get("aggregate_function", 1)]
    scores = forest.scores(builder, x, call.get("n_targets"), aggregate)
    number = call.get("post_transform", 0)
    names = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]
    call.attributes["post_transform"] = names[number]
    return builder.cast(transformed(builder, call, scores), x.dtype)


def tensor_of(call, name):
    found = call.attributes.get(name)
    return numpy.array([]) if found is None else numpy_helper.to_array(found).ravel()


def flat_forest(call):
    forest = Forest()
    modes, splits = tensor_of(call, "nodes_modes"), tensor_of(call, "nodes_splits")
    inner, count = len(modes), len(call.get("leaf_targetids"))
    sets = iter(member_sets(tensor_of(call, "membership_values")))
    for _ in range(inner):
        forest.add()
    for target, weight in zip(call.get("leaf_targetids"),
                              tensor_of(call, "leaf_weights")):
        forest.weights.append((forest.add(), target, weight))
    missing = call.get("nodes_missing_value_tracks_true") or [0] * inner
    for node in range(inner):
        ends = []
        for name in ("true", "false"):
            child = call.get(f"nodes_{name}nodeids")[node]
            leaf = call.get(f"nodes_{name}leafs")[node]
            if not 0 <= child < (count if leaf else inner):
                raise Unsupported(f"there is no node {child} in its trees")
            ends.append(child + inner if leaf else child)
        mode = _MODES[modes[node]]
        set_branch(forest, node, call.get("nodes_featureids")[node], mode, ends,
                   missing[node],
                   next(sets) if mode == "BRANCH_MEMBER" else [splits[node]])
    forest.roots = list(call.get("tree_roots"))
    return forest


def member_sets(values):
    """The sets of values, each of which ends by NaN."""
    found = [[]]
    for value in values:
        if value != value:
            found.append([])
        else:
            found[-1].append(value)
    return found


def set_branch(forest, node, feature, mode, ends, missing, values):
    """Makes a node a branch: one that asks whether the feature is in a set asks for
    one value after the other."""
    mode = "BRANCH_EQ" if mode == "BRANCH_MEMBER" else mode
    if not len(values):
        raise Unsupported("a node has an empty set")
    for value in reversed(values[1:]):
        ends = [ends[0], forest.add(feature, value, mode, *ends, missing)]
    columns = (forest.features, forest.values, forest.modes, forest.yes, forest.no,
               forest.missing)
    for column_of, item in zip(columns, (feature, values[0], mode, *ends, missing)):
        column_of[node] = item
