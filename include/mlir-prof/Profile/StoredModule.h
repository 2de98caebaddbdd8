//===- StoredModule.h - Runs to which a stored module belongs ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording imported with a module has it in its profile. If it is merged
// with a recording imported without one, the module does not apply to the op
// keys of the latter: its runs are marked by a fact.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_STOREDMODULE_H
#define MLIR_PROF_PROFILE_STOREDMODULE_H

#include "mlir-prof/Profile/Profile.h"

#include <vector>

namespace mlirprof::profile {

/// Whether a profile contains the module of its imported recordings.
bool hasStoredModule(const Profile &profile);

/// Whether the module in the run's profile, if there is one, belongs to the
/// run.
bool isOfStoredModule(const Run &run);

/// Stores whether it does.
void setOfStoredModule(Run &run, bool isOf);

/// By op key, whether the module applies to it: to all except those measured
/// only in runs to which it does not belong.
std::vector<bool> findKeysOfStoredModule(const Profile &profile);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_STOREDMODULE_H
