//===- CompiledCalls.h - Kernels of torch.compile to ops --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_COMPILEDCALLS_H
#define MLIR_PROF_LIB_MATCH_TORCH_COMPILEDCALLS_H

#include "FrameworkCalls.h"
#include "mlir-prof/Attribution/Ownership.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <map>
#include <optional>

namespace mlirprof::match {

/// Matches what a compiled model ran: kernels named after the ops that they
/// were fused from, and calls of libraries. The compiler keeps the order of ops
/// of one name; so where as many kernels name an op as the module has ops that
/// can have become it, the k-th belongs to the k-th. Products of matrices that
/// are of several kinds of op are told apart by their sizes first. Where the
/// numbers differ nothing is certain, and the name stays unmatched; but what
/// only looks at memory in another way is no work of a kernel, and left out
/// then.
class CompiledCalls {
public:
  /// `moduleNames`: of all `moduleCalls`.
  CompiledCalls(const FrameworkCalls &calls,
                llvm::ArrayRef<ModuleCall> moduleCalls,
                const llvm::StringSet<> &moduleNames);

  /// The match of a kernel or library call, one of getUnits() for the names of
  /// the module; nothing for what is neither.
  std::optional<attribution::Match> match(uint32_t unit) const;

private:
  /// What is told apart by order alone.
  struct Alike {
    size_t numUnits = 0;
    /// Where a unit is first.
    llvm::DenseMap<uint32_t, uint32_t> places;
    /// Indices into moduleCalls.
    std::vector<uint32_t> calls;

    void addUnit(uint32_t unit) {
      places.try_emplace(unit, uint32_t(numUnits++));
    }
    bool fits() const { return numUnits == calls.size(); }
  };
  /// Of a product of matrices: rows, terms of a sum, columns, and whether
  /// something is added.
  using ProductSizes = std::array<uint64_t, 4>;
  /// Everything that bears one name, kernels and library calls apart.
  struct Group : Alike {
    std::map<ProductSizes, Alike> bySizes;
    bool hasDynamicSizes = false;
  };
  static std::optional<ProductSizes>
  getSizes(llvm::StringRef name, llvm::ArrayRef<std::vector<int64_t>> shapes);
  std::optional<ProductSizes> getSizes(uint32_t unit) const;
  const Alike &narrowBySizes(const Group &group, uint32_t unit) const;
  std::vector<std::string> splitNames(llvm::StringRef names) const;
  void addUnit(uint32_t unit);
  Group &getGroup(bool isFused, llvm::StringRef name);

  const FrameworkCalls &calls;
  llvm::ArrayRef<ModuleCall> moduleCalls;
  const llvm::StringSet<> &moduleNames;
  std::map<std::pair<bool, std::string>, Group> groups;
  /// The names of each unit.
  std::map<uint32_t, std::vector<std::string>> namesOf;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_COMPILEDCALLS_H
