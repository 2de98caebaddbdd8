//===- Profiler.h - Scopes between two moments ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_PROFILER_H
#define MLIR_PROF_SCOPE_PROFILER_H

#include "mlir-prof/Runtime/prof_scope.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Table.h"

namespace mlirprof::scope {

/// Choice of what is recorded; see prof_scope_options, whose defaults these
/// are.
struct ProfilerOptions {
  bool keepsEvents = true;
  bool keepsStatistics = false;
  uint32_t level = PROF_SCOPE_LEVEL_DEFAULT;
  /// A bit for each ScopeType; 0 is all.
  uint64_t types = 0;
  /// A bit for each ScopeRole; 0 is all.
  uint64_t roles = 0;
  /// Amounts that all scopes count: any of prof_scope_counting.
  uint32_t counting = 0;
  /// Whether the scopes of devices are recorded (prof_scope_add_device).
  bool hasDevices = false;
  uint64_t ringRecords = 0;
  uint32_t sampleEvery = 0;
  /// The file that is written meanwhile, or empty.
  std::string path;
};

/// Records the scopes of all threads from its construction to stop(). Profilers
/// nest in any way, also on several threads: each has the scopes of those
/// inside of it.
class Profiler {
public:
  explicit Profiler(const ProfilerOptions &options = {});
  Profiler(const Profiler &) = delete;
  Profiler &operator=(const Profiler &) = delete;
  /// Stops it.
  ~Profiler();

  /// Further calls do nothing.
  void stop();
  bool isRunning() const { return running; }
  /// The errno of the file, or 0.
  int getFileError() const { return fileError; }

  /// The scopes so far, or until stop(). Those that began before the profiler
  /// are left out; those that have not ended are open. Fails if memory is
  /// missing.
  std::optional<Problem> read(Recording &out) const;
  /// makeTable() of read(), or makeStatisticsTable() without events.
  std::optional<Problem> makeTable(std::vector<TableRow> &out,
                                   const TableOptions &options = {}) const;
  /// Picoseconds from the start until now, or until stop().
  std::optional<Problem> getTotalPs(int64_t &out) const;

private:
  prof_scope_moment from = {};
  prof_scope_moment to = {};
  bool running = true;
  int fileError = 0;
  /// The recording until stop(), from prof_scope_copy().
  char *bytes = nullptr;
  size_t size = 0;
};

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_PROFILER_H
