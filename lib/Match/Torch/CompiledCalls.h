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

/// Matches the calls of a compiled model: kernels named after the ops from
/// which they were fused, and calls of libraries. The compiler keeps the order
/// of ops of one name; so if as many kernels name an op as the module has ops
/// that can have become it, the k-th belongs to the k-th. Matrix products of
/// several kinds of op are distinguished by their sizes first; with or without
/// an addition, which the compiler may leave to a later kernel. If the numbers
/// differ, a kernel belongs to the op that is the only one between those of the
/// library calls before and after the kernel; else the name stays unmatched, as
/// nothing is certain. Ops that only view memory differently are not work of a
/// kernel, and are then left out.
class CompiledCalls {
public:
  /// `moduleNames`: of all `moduleCalls`.
  CompiledCalls(const FrameworkCalls &calls,
                llvm::ArrayRef<ModuleCall> moduleCalls,
                const llvm::StringSet<> &moduleNames);

  /// The match of a kernel or library call, one of getUnits() for the names of
  /// the module; none for other units.
  std::optional<attribution::Match> match(uint32_t unit) const;

private:
  /// Units that only order distinguishes.
  struct Alike {
    size_t numUnits = 0;
    /// The first place of each unit.
    llvm::DenseMap<uint32_t, uint32_t> places;
    /// Indices into moduleCalls.
    std::vector<uint32_t> calls;

    void addUnit(uint32_t unit) {
      places.try_emplace(unit, uint32_t(numUnits++));
    }
    /// A further part of the last unit.
    void addPart(uint32_t unit) {
      places.try_emplace(unit, uint32_t(numUnits - 1));
    }
    bool fits() const { return numUnits == calls.size(); }
  };
  /// Sizes of a matrix product: rows, terms of a sum, columns, and whether
  /// something is added.
  using ProductSizes = std::array<uint64_t, 4>;
  /// Everything with one name, kernels and library calls separately.
  struct Group : Alike {
    std::map<ProductSizes, Alike> bySizes;
    /// With the two kernels of a split reduction as one unit.
    Alike joined;
    bool hasDynamicSizes = false;
  };
  static std::optional<ProductSizes>
  getSizes(llvm::StringRef name, llvm::ArrayRef<std::vector<int64_t>> shapes);
  std::optional<ProductSizes> getSizes(uint32_t unit) const;
  static ProductSizes withoutAddition(ProductSizes sizes) {
    sizes.back() = 0;
    return sizes;
  }
  const Alike &getAlike(const Group &group, uint32_t unit) const;
  std::optional<uint32_t> findCall(const Group &group, uint32_t unit,
                                   bool isFused) const;
  template <typename IsWanted>
  std::optional<uint32_t> findBetween(uint32_t unit, IsWanted isWanted) const;
  std::optional<attribution::Match> matchCopy(uint32_t unit) const;
  void addAnchors(llvm::ArrayRef<uint32_t> units);
  std::vector<std::string> splitNames(llvm::StringRef names) const;
  void addUnit(uint32_t unit, bool isSecondPart);
  Group &getGroup(bool isFused, llvm::StringRef name);

  const FrameworkCalls &calls;
  llvm::ArrayRef<ModuleCall> moduleCalls;
  const llvm::StringSet<> &moduleNames;
  std::map<std::pair<bool, std::string>, Group> groups;
  /// Library calls for matrix products of all names by their sizes.
  std::map<ProductSizes, Alike> products;
  /// The names of each unit.
  std::map<uint32_t, std::vector<std::string>> namesOf;
  /// The position of each unit in the order of execution, and the calls of the
  /// module of those that are matched library calls, by position.
  llvm::DenseMap<uint32_t, uint32_t> positionOf;
  std::map<uint32_t, uint32_t> anchors;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_COMPILEDCALLS_H
