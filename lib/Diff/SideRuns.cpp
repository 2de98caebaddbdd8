//===- SideRuns.cpp - The runs of one side of a diff ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SideRuns.h"
#include "Stalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

/// Iterations of a run, 0 if unknown.
static uint64_t countIterations(const Run &run) {
  return run.iterations.count ? run.iterations.count : run.steps.size();
}

bool diff::knowsIterations(const Profile &profile) {
  return llvm::all_of(profile.runs,
                      [](const Run &run) { return countIterations(run) != 0; });
}

uint64_t diff::countUnits(const Profile &profile, DiffUnit unit) {
  uint64_t units = 0;
  for (const Run &run : profile.runs)
    units = llvm::SaturatingAdd(
        units, unit == DiffUnit::Run ? 1 : countIterations(run));
  return units;
}

SideRuns::SideRuns(const Profile &profile, std::vector<uint32_t> runs,
                   DiffUnit unit)
    : order(std::move(runs)) {
  for (uint32_t number : order) {
    const Run &run = profile.runs[number];
    units.push_back(unit == DiffUnit::Run ? 1 : double(countIterations(run)));
    total += units.back();
    calm.push_back(1);
    steadyCalm.push_back(1);
    if (unit != DiffUnit::Iteration)
      continue;
    times.push_back(getRunTimes(run));
    Moments iteration = getMoments(run.iterations);
    stalls.push_back(iteration.mean > 0
                         ? iteration.variance / iteration.mean / iteration.mean
                         : 0);
  }
  for (double count : units)
    weights.push_back(count / total);
}

Runs SideRuns::getTimes(WallTime RunTimes::*which) const {
  Runs result;
  for (const RunTimes &run : times) {
    result.values.push_back((run.*which).timePs);
    result.weights.push_back(1 / double(times.size()));
  }
  return result;
}
