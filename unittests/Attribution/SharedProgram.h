//===- SharedProgram.h - Random programs with shared kernels ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_ATTRIBUTION_SHAREDPROGRAM_H
#define MLIR_PROF_UNITTESTS_ATTRIBUTION_SHAREDPROGRAM_H

#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::test {

/// One recording of two builds of a random model: in `shared`, dispatches
/// share the code of their kernels; in `expanded`, each has its own copy. Both
/// have the levels input, linalg, dispatch, tiled and llvm, of which the first
/// two are the same.
struct SharedProgram {
  profile::Profile shared;
  profile::Profile expanded;
  /// For each node of the expanded program, that of the shared one.
  std::vector<uint32_t> sharedNode;
};

/// `seed` determines everything.
SharedProgram makeSharedProgram(unsigned seed);

/// `profile` with all its dispatches forgotten, as by a recording that cannot
/// tell them.
profile::Profile forgetInstances(profile::Profile profile);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_ATTRIBUTION_SHAREDPROGRAM_H
