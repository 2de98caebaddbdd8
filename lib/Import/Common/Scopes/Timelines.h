//===- Timelines.h - Tracks of a recording of scopes ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_SCOPES_TIMELINES_H
#define MLIR_PROF_LIB_IMPORT_COMMON_SCOPES_TIMELINES_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Trace/Event.h"

namespace mlirprof::importer {

/// Passes the scopes of a recording to a profile as events: those of a thread
/// that nest are on one track, those that overlap and those that were measured
/// elsewhere are spread over others. Sets the clock of the run.
///
/// Memory: 8 bytes a scope, besides the recording.
class ScopeTimelines {
public:
  ScopeTimelines(const scope::Recording &recording,
                 profile::ProfileBuilder &builder);

  /// Completes an event, which has its track, name and times; called in order
  /// of begins, with the index of the scope.
  using Describe =
      llvm::function_ref<void(uint32_t scope, trace::Event &event)>;
  void emit(Describe describe);

private:
  void addThread(uint32_t thread, llvm::ArrayRef<uint32_t> scopes);
  void addSpread(llvm::StringRef name, std::vector<uint32_t> scopes);
  uint32_t addTrack(const llvm::Twine &name, uint32_t thread);
  void setClock();

  const scope::Recording &recording;
  profile::ProfileBuilder &builder;
  std::vector<uint32_t> trackOf;
  uint32_t tracks = 0;
  /// Subtracted from all times, so that they are not negative.
  int64_t originPs = 0;
};

/// Corrects the ops of scopes that were suspended, of which events are only
/// parts. `ops` has the op of each scope, or kNone.
void joinScopeParts(const scope::Recording &recording,
                    llvm::ArrayRef<uint32_t> ops,
                    profile::ProfileBuilder &builder);

/// The key of a measured op that is a scope.
inline profile::OpKey makeScopeKey(llvm::StringRef name) {
  return profile::OpKey(name.str(), "", profile::GraphNodeKey());
}

/// The losses of the recording, and what is special about its scopes.
void addScopeLosses(const scope::Recording &recording,
                    profile::ProfileBuilder &builder);

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_SCOPES_TIMELINES_H
