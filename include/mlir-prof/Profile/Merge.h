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

#include <memory>

namespace mlirprof::profile {

/// Whether a profile may contain runs of different machines.
enum class MachineRule : uint8_t {
  /// All known properties of the machines (processor, features, threads,
  /// system; the name if the processor is unknown) must be equal.
  Same,
  Mixed,
};

/// The union of the runs of profiles added one by one. Runs are identified by
/// content hash; among two different imports of one recording (such as one with
/// kept events), the one with the longer canonical form is used. Copies of one
/// session of scopes have other hashes: the one that contains the scopes of the
/// others is used. Strings, op keys, modules and runs come out sorted, so the
/// result does not depend on order or grouping, merging again does not change
/// it, and equal profiles are written as equal bytes. Runs of profiles without
/// the module with which others were imported are marked (StoredModule.h): the
/// module does not apply to their op keys.
///
/// Memory: the union so far and the profile being added. It grows with names,
/// op keys, modules, the summaries of each run, and kept events.
class ProfileMerger {
public:
  explicit ProfileMerger(MachineRule rule = MachineRule::Same);
  ~ProfileMerger();

  /// Adds a profile; `where` names it in errors. Fails if it is of a newer
  /// minor version or has parts unknown to this version, if a run does not have
  /// a hash, and if it contains another module under an existing name: op keys
  /// would be ambiguous. After a failure, no function may be called.
  llvm::Error add(Profile profile, llvm::StringRef where);

  /// The union. Fails if runs are of different machines (see MachineRule), if
  /// a recording is in two runs, one of which is folded, and if two copies of a
  /// session share scopes and each has others.
  llvm::Expected<Profile> finish();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The union of `profiles`, which are copied.
llvm::Expected<Profile> mergeProfiles(llvm::ArrayRef<const Profile *> profiles,
                                      MachineRule rule = MachineRule::Same);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_MERGE_H
