//===- RunDescendants.h - What a model has started --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNDESCENDANTS_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNDESCENDANTS_H

#include <set>
#include <sys/types.h>

namespace mlirprof::record {

/// While it lives, this process becomes the parent of what a model has started
/// and left to itself, as daemons do (setsid, two forks): else it would outlive
/// the run. Begins before the model's process does.
class Descendants {
public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants &) = delete;
  Descendants &operator=(const Descendants &) = delete;

  /// Ends what the model, whose process has ended and was in a group of its
  /// own number, has left. Other children of this process are of its session.
  void end(pid_t model);

private:
  int wasReaper = 0;
  /// The children that this process had before.
  std::set<pid_t> others;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNDESCENDANTS_H
