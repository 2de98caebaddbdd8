//===- CountedUnit.h - Profiles without times -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run may have counted something in place of time, such as the instructions
// that an emulator executed. The numbers of its Execute and Self quantities are
// then in that unit, and not in picoseconds: whoever shows them must ask for
// the unit, and whoever needs times must refuse the profile.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_COUNTEDUNIT_H
#define MLIR_PROF_PROFILE_COUNTEDUNIT_H

#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::profile {

/// Declares that `run` counted `unit` ("instructions"), a plural.
void setCountedUnit(Run &run, llvm::StringRef unit);

/// `unit` in names of columns, which do not have spaces.
std::string getUnitName(llvm::StringRef unit);

/// The unit of all runs of `profile`; empty for times. It is an error if one
/// counted something else than another.
llvm::Expected<std::string> getCountedUnit(const Profile &profile);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_COUNTEDUNIT_H
