//===- NodeMatcher.h - Framework nodes to ops -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TENSORFLOW_NODEMATCHER_H
#define MLIR_PROF_LIB_MATCH_TENSORFLOW_NODEMATCHER_H

#include "../Hlo/PathTier.h"
#include "../KeyMatcher.h"
#include "../NumberAlignment.h"
#include "mlir-prof/Attribution/Ownership.h"
#include "llvm/ADT/StringSet.h"

namespace mlirprof::match {

/// Matches nodes of TensorFlow's graph. A fused kernel runs under the name of
/// its last node: the others are found by walking back over operands to the op
/// that gave the kernel its name. If layers were added or removed, names are
/// mapped to the module's current numbers.
class NodeMatcher : public KeyMatcher {
public:
  NodeMatcher(const module::ModuleIndex &index, PathResolver &resolver,
              llvm::ArrayRef<profile::OpKey> keys);

  attribution::Match match(uint32_t key) override;
  /// Whether its name belongs to a node that now has another name, or none.
  bool isSettled(uint32_t key) const override {
    return numbers.find(keys[key].op).has_value();
  }

private:
  using Ops = llvm::SmallVector<uint32_t>;
  /// The names of a node and of those that run within it, with their ops.
  using Members = llvm::SmallVector<std::pair<std::string, Ops>, 1>;

  void compareNumbers(llvm::ArrayRef<profile::OpKey> keys);
  Members findMembers(llvm::StringRef name, llvm::StringRef kernel);
  /// Nodes from `last` back to the base of `kernel`, without `last`; empty
  /// without a base.
  llvm::SmallVector<uint32_t> walkBack(uint32_t last, llvm::StringRef kernel,
                                       llvm::StringRef prefix) const;
  llvm::StringRef getOwnName(uint32_t op) const;

  const module::ModuleIndex &index;
  PathResolver &resolver;
  llvm::ArrayRef<profile::OpKey> keys;
  /// Nodes with their own events, which are therefore not part of a fused one.
  llvm::StringSet<> measured;
  NumberAlignment numbers;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TENSORFLOW_NODEMATCHER_H
