//===- HloFinder.h - The HLO instruction of an op key -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_HLOFINDER_H
#define MLIR_PROF_PROFILE_HLOFINDER_H

#include "mlir-prof/Profile/Profile.h"

#include <map>
#include <memory>

namespace mlirprof::profile {

/// Finds the instructions of op keys. `modules` must outlive it unchanged; a
/// module is indexed when the first of its instructions is requested.
class HloFinder {
public:
  explicit HloFinder(llvm::ArrayRef<HloModule> modules) : modules(modules) {}

  struct Found {
    /// Index of the instruction's module; null if there is no such instruction.
    const HloIndex *index = nullptr;
    uint32_t instruction = trace::kNone;

    explicit operator bool() const { return index; }
    const HloModule &getModule() const { return index->getModule(); }
    const HloInstruction &getInstruction() const {
      return getModule().instructions[instruction];
    }
  };
  Found find(const OpKey &key);

private:
  HloModuleTable modules;
  std::map<const HloModule *, std::unique_ptr<HloIndex>> indices;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_HLOFINDER_H
