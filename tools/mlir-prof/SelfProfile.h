//===- SelfProfile.h - A profile of the tool itself -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_SELFPROFILE_H
#define MLIR_PROF_TOOLS_SELFPROFILE_H

#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlirprof {

/// The scopes of this process and of those that it forks, while it lives. They
/// are written as they are made, to FILE.scopes next to the profile FILE, which
/// remains if the tool is killed.
class SelfProfile {
public:
  /// Begins to record. Fails if the file cannot be made.
  static llvm::Expected<std::unique_ptr<SelfProfile>>
  start(llvm::StringRef path);
  ~SelfProfile();

  /// Leaves out the scopes of a process of which the verb has kept a recording.
  static void leaveOut(uint64_t process);

  /// Ends it, and makes the profile: a run for each process. Processes other
  /// than the one that started it do nothing.
  llvm::Error finish();

private:
  explicit SelfProfile(llvm::StringRef path);
  std::vector<std::string> findStreams() const;
  llvm::Error removeStaleStreams() const;

  std::string path;
  std::string stream;
  int process;
  bool isRunning = true;
};

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_SELFPROFILE_H
