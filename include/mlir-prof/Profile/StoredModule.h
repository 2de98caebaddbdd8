//===- StoredModule.h - Runs that a stored module is of ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording that was imported with a module has it in its profile. Merged
// with one that was imported without, the module says nothing of the op keys of
// that one: its runs have a fact that says so.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_STOREDMODULE_H
#define MLIR_PROF_PROFILE_STOREDMODULE_H

#include "mlir-prof/Profile/Profile.h"

#include <vector>

namespace mlirprof::profile {

/// Whether a profile holds the module that its imported recordings are of.
bool hasStoredModule(const Profile &profile);

/// Whether the module of the run's profile, if there is one, is of the run.
bool isOfStoredModule(const Run &run);

/// Writes down whether it is.
void setOfStoredModule(Run &run, bool isOf);

/// By op key, whether the module is of it: of all but those that were measured
/// in runs alone of which it is not.
std::vector<bool> findKeysOfStoredModule(const Profile &profile);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_STOREDMODULE_H
