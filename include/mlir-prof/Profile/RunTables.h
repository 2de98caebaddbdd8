//===- RunTables.h - Names and op keys that runs share ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_RUNTABLES_H
#define MLIR_PROF_PROFILE_RUNTABLES_H

#include "mlir-prof/Profile/KeyOrder.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <map>

namespace mlirprof::profile {

/// For each string and op key of one table its number in another; kNone if it
/// is absent there.
struct Renumbering {
  std::vector<uint32_t> strings;
  std::vector<uint32_t> opKeys;

  /// Translates all indices of `run`.
  void apply(Run &run) const;
};

/// Strings and op keys, each once, numbered in order of insertion.
class RunTables {
public:
  /// Adds all strings and keys of `profile`.
  Renumbering add(const Profile &profile);
  /// Adds only the entries of these tables that `run` uses, and translates the
  /// run.
  void addUsed(llvm::ArrayRef<std::string> fromStrings,
               llvm::ArrayRef<OpKey> fromKeys, Run &run);

  /// Stores them in `profile`, sorted, and returns their numbers there.
  Renumbering store(Profile &profile) const;

  llvm::ArrayRef<std::string> getStrings() const { return strings; }
  llvm::ArrayRef<OpKey> getOpKeys() const { return opKeys; }

private:
  uint32_t addString(const std::string &string);
  uint32_t addOpKey(const OpKey &key);

  std::vector<std::string> strings;
  std::vector<OpKey> opKeys;
  llvm::StringMap<uint32_t> stringNumbers;
  std::map<OpKey, uint32_t, OpKeyLess> keyNumbers;
};

/// `run`, whose names and op keys are indices into the two tables, as bytes
/// that do not depend on other entries of these.
std::string getCanonicalForm(llvm::ArrayRef<std::string> strings,
                             llvm::ArrayRef<OpKey> opKeys, const Run &run);

/// Fails if `profile` has parts that this version cannot move exactly: parts of
/// a newer minor version, or a run without a content hash.
llvm::Error checkMergeable(const Profile &profile, llvm::StringRef where);

/// The distinguishing properties of a machine, as text for people: processor,
/// threads, features and system, and the name only if the processor is unknown.
std::string describeMachine(const Machine &machine);
/// Whether both may be the same machine: all properties known for both are
/// equal.
bool isSameMachine(const Machine &a, const Machine &b);
/// By run, a name for people that tells its machine from those of other runs:
/// its own name, or else its description. All are empty unless the runs are of
/// several machines.
std::vector<std::string> nameMachines(const Profile &profile);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_RUNTABLES_H
