//===- Processes.h - The processes of recorded scopes -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_SCOPES_PROCESSES_H
#define MLIR_PROF_LIB_EXPORT_SCOPES_PROCESSES_H

#include "mlir-prof/Profile/Profile.h"

#include <map>

namespace mlirprof::exporter {

/// The processes whose scopes a profile has. Two of one number on different
/// machines are not the same.
class Processes {
public:
  explicit Processes(const profile::Profile &profile);

  /// "process 12", or "process 12 on HOST" if there are several machines, of a
  /// run with scopes.
  std::string getName(uint32_t run) const;
  /// The same, and the parent if it is in the profile too.
  std::string getNameWithParent(uint32_t run) const;
  /// The names of the processes that forked that of `run`, outermost first, and
  /// its own; empty if there is only one process.
  std::vector<std::string> getNames(uint32_t run) const;

private:
  /// The machine's name and the process.
  using Key = std::pair<std::string, uint64_t>;

  Key getKey(uint32_t run) const;
  static std::string makeName(const Key &key);

  const profile::Profile &profile;
  /// By run.
  std::vector<std::string> machines;
  std::map<Key, uint64_t> parents;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_SCOPES_PROCESSES_H
