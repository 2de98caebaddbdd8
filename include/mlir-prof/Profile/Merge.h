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

/// Whether runs of different machines may stand in one profile.
enum class MachineRule : uint8_t {
  /// What two runs know of their machines (processor, features, threads,
  /// system; the name where the processor is unknown) must be the same.
  Same,
  Mixed,
};

/// The union of the runs of profiles that come one by one. A run is known by
/// its content hash; of two different imports of one recording (one kept
/// events, say) the one with the longer canonical form is taken. Strings, op
/// keys, modules and runs come out sorted, so the result does not depend on
/// order or grouping, merging again changes nothing, and equal profiles write
/// equal bytes. Runs of profiles without the module that others were imported
/// with are marked (StoredModule.h): it says nothing of their op keys.
///
/// Memory: the union so far and the profile that is added. What grows are
/// names, op keys, modules, the summaries of each run, and kept events.
class ProfileMerger {
public:
  explicit ProfileMerger(MachineRule rule = MachineRule::Same);
  ~ProfileMerger();

  /// Adds a profile; `where` names it in errors. Fails when it is of a newer
  /// minor version or has parts that this version does not know, when a run has
  /// no hash, and when it holds another module under a name that is taken: op
  /// keys would mean two things. After a failure nothing more may be called.
  llvm::Error add(Profile profile, llvm::StringRef where);

  /// The union. Fails when runs are of different machines (see MachineRule),
  /// and when a recording is in two runs, one of which is a folded one.
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
