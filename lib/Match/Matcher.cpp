//===- Matcher.cpp - Joins a profile with a module ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Match/Matcher.h"
#include "HloMatcher.h"
#include "NodeMatcher.h"
#include "OpRows.h"
#include "StaticCost.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;

/// The style in which this profile's producer writes paths, for people.
static PathStyle getStyle(const Profile &profile) {
  bool hasNodes = llvm::any_of(profile.opKeys, [](const OpKey &key) {
    return key.kind == OpKeyKind::FrameworkNode;
  });
  return hasNodes ? PathStyle::Graph : PathStyle::Xla;
}

static void addCosts(const ModuleIndex &index, MatchRows rows,
                     Ownership &ownership) {
  if (rows == MatchRows::Described)
    for (uint32_t i = 0; i < index.size(); ++i)
      ownership.ops[i].cost = getStaticCost(index[i].op);
  for (Match &match : ownership.matches)
    if (match.weights.empty())
      for (uint32_t op : match.ops) {
        uint64_t &cost = ownership.ops[op].cost;
        if (rows == MatchRows::Costs)
          cost = getStaticCost(index[op].op);
        match.weights.push_back(cost);
      }
}

Ownership mlirprof::match(const Profile &profile, mlir::Operation *root,
                          const MatchOptions &options) {
  ModuleIndex index(root);
  PathResolver resolver(index);
  NodeMatcher nodes(index, resolver, profile.opKeys);
  HloMatcher instructions(index, resolver, profile, options);
  Ownership result;
  result.matches.reserve(profile.opKeys.size());
  for (const OpKey &key : profile.opKeys)
    result.matches.push_back(key.kind == OpKeyKind::FrameworkNode
                                 ? nodes.match(key)
                                 : instructions.match(key));
  if (options.rows == MatchRows::Described)
    result.ops = describeOps(index, resolver, getStyle(profile));
  else
    result.ops.resize(index.size());
  addCosts(index, options.rows, result);
  return result;
}
