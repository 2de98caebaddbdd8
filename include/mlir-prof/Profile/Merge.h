//===- Merge.h - Union of profiles ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_MERGE_H
#define MLIR_PROF_PROFILE_MERGE_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// The union of the runs of `profiles`. A run is known by its content hash; of
/// two different imports of one recording (one kept events, say) the one with
/// the longer canonical form is taken. Strings, op keys, modules and runs come
/// out sorted, so the result does not depend on order or grouping, merging
/// again changes nothing, and equal profiles write equal bytes.
///
/// Fails when a profile is of a newer minor version or has parts that this
/// version does not know, when a run has no hash, and when two profiles hold
/// different modules under one name: their op keys would mean two things.
llvm::Expected<Profile> mergeProfiles(llvm::ArrayRef<const Profile *> profiles);

} // namespace mlirprof

#endif // MLIR_PROF_PROFILE_MERGE_H
