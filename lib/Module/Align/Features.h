//===- Features.h - Features of a module's ops ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_FEATURES_H
#define MLIR_PROF_LIB_MODULE_ALIGN_FEATURES_H

#include "mlir-prof/Module/LocationTable.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace mlirprof::module::align {

/// Hashes that are equal for equal text, in every process and context.
using Hash = uint64_t;

/// `a` with `b` after it.
Hash combine(Hash a, Hash b);

/// A use of a value. Seen from the user, the port is the number of the result;
/// seen from the definition, the number of the operand and, in the low byte,
/// the result.
struct Edge {
  uint32_t node = 0;
  uint32_t port = 0;
};

/// A module as a graph: its ops in pre-order (the module is 0), then its block
/// arguments. All vectors have one element per node.
struct Features {
  /// `known` has the values that a stored module lacks.
  explicit Features(mlir::Operation *root,
                    llvm::ArrayRef<profile::ElidedValues> known = {});

  uint32_t size() const { return uint32_t(kind.size()); }
  bool isOp(uint32_t node) const { return node < ops; }
  llvm::ArrayRef<Edge> getOperands(uint32_t node) const {
    return operands[node];
  }
  llvm::ArrayRef<Edge> getUsers(uint32_t node) const { return users[node]; }
  /// Makes all uses of values by `user` equal.
  void forgetPlaces(uint32_t user) {
    llvm::SmallDenseSet<uint32_t> seen;
    for (const Edge &operand : operands[user])
      if (seen.insert(operand.node).second)
        for (Edge &use : users[operand.node])
          if (use.node == user)
            use.port &= 255;
  }
  /// `base` of the node with its name; 0 without a name.
  Hash getNamed(llvm::ArrayRef<Hash> base, uint32_t node) const {
    return name[node] ? combine(base[node], name[node]) : 0;
  }

  /// The names in the location, one after the other; "" without.
  llvm::StringRef getName(uint32_t node) const {
    auto found = names.find(name[node]);
    return name[node] && found != names.end() ? llvm::StringRef(found->second)
                                              : llvm::StringRef();
  }

  /// Number of nodes that are ops.
  uint32_t ops = 0;
  /// The op's name; for arguments of blocks their place, for arguments of
  /// functions a common kind.
  std::vector<Hash> kind;
  /// `kind` with the computation on values of any size: attributes without
  /// sizes, ranks and types of elements.
  std::vector<Hash> sizeless;
  /// `kind` with all attributes and types. Values of constants that may differ
  /// from seed to seed are in `content`.
  std::vector<Hash> label;
  /// The values of a constant that is not a splat; 0 if unknown.
  std::vector<Hash> content;
  /// The name in the location, or the symbol; 0 without.
  std::vector<Hash> name;
  /// All sizes of the results of the node, concatenated.
  std::vector<llvm::SmallVector<int64_t, 4>> sizes;
  /// The op that contains the node.
  std::vector<uint32_t> parent;
  std::vector<bool> isConstant;
  /// Constants with unknown values: zeros may replace others.
  std::vector<bool> isUnknown;
  /// Constants that may be weights: neither sizes nor indices.
  std::vector<bool> isWeight;
  std::vector<bool> isTerminator;
  /// Nodes in an order in which users of a node come before it, and an op
  /// before its contents.
  std::vector<uint32_t> usersFirst;

private:
  friend class FeatureReader;
  /// By hash.
  std::unordered_map<Hash, std::string> names;
  std::vector<llvm::SmallVector<Edge, 2>> operands;
  std::vector<llvm::SmallVector<Edge, 2>> users;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_FEATURES_H
