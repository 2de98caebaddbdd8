//===- RunFolder.h - Folding several runs into one --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_MERGE_RUNFOLDER_H
#define MLIR_PROF_LIB_PROFILE_MERGE_RUNFOLDER_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Profile/ValueSums.h"

#include <map>
#include <set>
#include <tuple>

namespace mlirprof::profile {

/// Adds up runs of one profile. `opKeys` and `strings` map op keys and event
/// names, possibly several to one.
class RunFolder {
public:
  RunFolder(llvm::ArrayRef<uint32_t> strings, llvm::ArrayRef<uint32_t> opKeys)
      : strings(strings), opKeys(opKeys) {}

  void add(const Run &run);
  /// The sum, without a hash.
  Run take();

private:
  using TrackKey =
      std::tuple<std::string, uint32_t, int64_t, std::string, std::string>;

  /// A device by its number and name.
  using DeviceKey = std::pair<int64_t, std::string>;
  struct DeviceSum {
    DeviceInfo info;
    std::map<std::string, Summary> waits;
  };

  void addOrigin(const Run &run);
  void addClock(const Run &run);
  void addDevices(const Run &run);
  void addTracks(const Run &run);
  void addOps(const Run &run);
  void addSteps(const Run &run);
  void addJob(const std::shared_ptr<const JobRecord> &job);
  void addScopes(const scope::Recording &scopes);
  void addWork(const Run &run);
  void addFacts(const Run &run);
  /// Adds to a summary; counts a sum that exceeds its limit.
  void merge(Summary &into, const Summary &from);

  llvm::ArrayRef<uint32_t> strings;
  llvm::ArrayRef<uint32_t> opKeys;
  Run sum;
  uint64_t runs = 0;
  std::set<std::string> recordings;
  std::map<DeviceKey, DeviceSum> devices;
  /// Their devices are indices into the run from which they came until take().
  std::map<TrackKey, TrackInfo> tracks;
  std::map<TrackKey, DeviceKey> deviceOf;
  std::map<std::pair<TrackKey, uint32_t>, EventSummary> events;
  std::map<uint32_t, OpSummary> ops;
  ValueSums values;
  std::map<std::pair<std::string, uint32_t>, NodeWork> work;
  std::set<std::pair<std::string, uint32_t>> unequalWork;
  std::map<std::pair<std::string, std::string>, uint64_t> facts;
  LossList losses;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_LIB_PROFILE_MERGE_RUNFOLDER_H
