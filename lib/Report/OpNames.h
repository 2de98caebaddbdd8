//===- OpNames.h - Names of measured ops ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_OPNAMES_H
#define MLIR_PROF_LIB_REPORT_OPNAMES_H

#include "mlir-prof/Profile/Profile.h"

#include <map>
#include <memory>
#include <tuple>

namespace mlirprof {

/// What reports call the measured ops of a profile, which must outlive it.
class OpNames {
public:
  explicit OpNames(const Profile &profile) : profile(profile) {}

  /// The kernel of an op key; for HLO instructions the opcode, where the
  /// profile holds their module. Empty when unknown.
  llvm::StringRef getKernel(uint32_t op);

  /// "name(program_id)", as far as `key` has them; empty without a module.
  static std::string getModule(const OpKey &key);
  /// The key as people write it: "module(program_id)/op" or "node:kernel".
  static std::string getKey(const OpKey &key);
  /// The name of its events.
  static std::string getEventName(const OpKey &key);

private:
  const HloIndex *findIndex(const OpKey &key);

  const Profile &profile;
  /// By name, and whether there is an id and which. Null: no such module.
  std::map<std::tuple<llvm::StringRef, bool, int64_t>, const HloModule *>
      modules;
  std::map<const HloModule *, std::unique_ptr<HloIndex>> indices;
};

/// The place of an op for people: its path or else its location.
struct MlirOp;
llvm::StringRef getPlace(const MlirOp &op);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_REPORT_OPNAMES_H
