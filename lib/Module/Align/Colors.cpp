//===- Colors.cpp - Structural hashes of growing depth --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Colors.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;

/// The colors of `edges`, in their order.
static Hash combineOperands(llvm::ArrayRef<Edge> edges, const Colors &colors) {
  Hash sum = edges.size();
  for (const Edge &edge : edges)
    sum = combine(sum, combine(colors[edge.node], edge.port));
  return sum;
}

/// The colors of `edges`; the order of uses is not that of the text.
static Hash combineUsers(llvm::ArrayRef<Edge> edges, const Colors &colors) {
  Hash sum = 0;
  for (const Edge &edge : edges)
    sum += combine(colors[edge.node], edge.port);
  return sum;
}

/// Calls `visit` for each op, then for the arguments of its blocks, so that the
/// definition of a value comes before its users.
template <typename Visitor>
static void visitDown(const Features &features, Visitor visit) {
  std::vector<llvm::SmallVector<uint32_t, 0>> arguments(features.ops);
  for (uint32_t node = features.ops; node != features.size(); ++node)
    arguments[features.parent[node]].push_back(node);
  for (uint32_t node = 0; node != features.ops; ++node) {
    visit(node);
    for (uint32_t argument : arguments[node])
      visit(argument);
  }
}

Colors align::colorUp(const Features &features, const Colors &base,
                      const Colors &anchors) {
  Colors colors = base;
  visitDown(features, [&](uint32_t node) {
    if (anchors[node]) {
      colors[node] = anchors[node];
      return;
    }
    Hash seen = features.isOp(node)
                    ? combineOperands(features.getOperands(node), colors)
                    : colors[features.parent[node]];
    colors[node] = combine(base[node], seen);
  });
  return colors;
}

Colors align::colorDown(const Features &features, const Colors &base,
                        const Colors &anchors) {
  Colors colors = base;
  for (uint32_t node : features.usersFirst) {
    if (anchors[node]) {
      colors[node] = anchors[node];
      continue;
    }
    Hash users = combineUsers(features.getUsers(node), colors);
    // A terminator passes its values to the op that contains it.
    if (features.isTerminator[node])
      users = combine(users, colors[features.parent[node]]);
    colors[node] = combine(base[node], users);
  }
  return colors;
}

Colors align::colorAround(const Features &features, const Colors &base,
                          const Colors &anchors, unsigned radius) {
  Colors colors = base;
  for (uint32_t node = 0; node != features.size(); ++node)
    if (anchors[node])
      colors[node] = anchors[node];
  Colors next = colors;
  for (unsigned round = 0; round != radius; ++round) {
    for (uint32_t node = 0; node != features.size(); ++node) {
      if (anchors[node])
        continue;
      Hash up = combineOperands(features.getOperands(node), colors);
      Hash down = combineUsers(features.getUsers(node), colors);
      Hash around = combine(up, down);
      if (!features.isOp(node) || features.isTerminator[node])
        around = combine(around, colors[features.parent[node]]);
      next[node] = combine(colors[node], around);
    }
    colors.swap(next);
  }
  return colors;
}

static bool counts(const Features &features, const Colors &anchors,
                   uint32_t node) {
  return anchors[node] && !features.isConstant[node] &&
         !features.isTerminator[node];
}

std::vector<bool> align::findAnchorsAbove(const Features &features,
                                          const Colors &anchors) {
  std::vector<bool> found(features.size());
  visitDown(features, [&](uint32_t node) {
    for (const Edge &edge : features.getOperands(node))
      if (found[edge.node] || counts(features, anchors, edge.node))
        found[node] = true;
  });
  return found;
}

std::vector<bool> align::findAnchorsBelow(const Features &features,
                                          const Colors &anchors) {
  std::vector<bool> found(features.size());
  for (uint32_t node : features.usersFirst)
    for (const Edge &edge : features.getUsers(node))
      if (found[edge.node] || counts(features, anchors, edge.node))
        found[node] = true;
  return found;
}

Colors align::colorConstants(const Features &features, Constants which) {
  // The values computed by nodes that see only constants.
  Colors values(features.size());
  Colors colors(features.size());
  std::vector<bool> isKnown(features.size());
  for (uint32_t node = 0; node != features.ops; ++node) {
    llvm::ArrayRef<Edge> operands = features.getOperands(node);
    bool isOfConstants = !features.isTerminator[node] &&
                         (features.isConstant[node] || !operands.empty());
    Hash seen = 0;
    for (auto [place, edge] : llvm::enumerate(operands)) {
      isOfConstants &= isKnown[edge.node];
      if (isKnown[edge.node] && values[edge.node])
        seen = combine(combine(seen, values[edge.node]), place);
    }
    isKnown[node] = isOfConstants;
    bool counts = which == Constants::All || features.isWeight[node];
    if (counts && features.content[node])
      seen = combine(seen, features.content[node]);
    if (seen)
      values[node] = colors[node] = combine(features.label[node], seen);
  }
  return colors;
}
