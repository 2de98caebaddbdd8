//===- CompiledCalls.h - Kernels of torch.compile to ops --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_MATCH_COMPILEDCALLS_H
#define MLIRPROF_LIB_MATCH_COMPILEDCALLS_H

#include "FrameworkCalls.h"
#include "mlir-prof/Profile/Ownership.h"

#include <map>
#include <optional>

namespace mlirprof {

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
  CompiledCalls(const FrameworkCalls &calls,
                llvm::ArrayRef<ModuleCall> moduleCalls);

  /// The match of a kernel or library call; nothing for what is neither.
  std::optional<Match> match(uint32_t unit) const;

private:
  /// Everything that bears one name, kernels and library calls apart.
  struct Group {
    std::vector<uint32_t> units;
    /// Indices into moduleCalls.
    std::vector<uint32_t> calls;

    bool fits() const { return units.size() == calls.size(); }
  };
  Group narrowBySizes(const Group &group, uint32_t unit) const;
  std::vector<std::string> splitNames(llvm::StringRef names) const;
  void addUnit(uint32_t unit);
  Group &getGroup(bool isFused, llvm::StringRef name);

  const FrameworkCalls &calls;
  llvm::ArrayRef<ModuleCall> moduleCalls;
  std::map<std::pair<bool, std::string>, Group> groups;
  /// The names of each unit.
  std::map<uint32_t, std::vector<std::string>> namesOf;
};

} // namespace mlirprof

#endif // MLIRPROF_LIB_MATCH_COMPILEDCALLS_H
