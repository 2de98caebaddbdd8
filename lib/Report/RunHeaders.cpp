//===- RunHeaders.cpp - Headers of reports --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/Report.h"
#include "mlir-prof/Support/Statistics.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

uint64_t report::countSamples(const Run &run, const OpSummary &op) {
  if (const Summary *samples = op.find(Quantity::Samples))
    return samples->sum < 0 ? 0 : uint64_t(samples->sum);
  return run.samplePeriodPs > 0 ? op.getCount() : 0;
}

/// Median of the listed iterations.
static int64_t getMedianPs(const std::vector<Step> &steps) {
  std::vector<int64_t> times;
  for (const Step &step : steps)
    times.push_back(step.durationPs);
  return getMedian(times);
}

static void addSamples(const Profile &profile, ProgramIndex &programs,
                       const Run &run, RunHeader &header) {
  for (const OpSummary &op : run.ops) {
    if (op.op >= profile.opKeys.size())
      continue;
    const OpKey &key = profile.opKeys[op.op];
    uint64_t samples = countSamples(run, op);
    addSaturating(header.samples, samples);
    if (!key.is<CodeKey>())
      continue;
    addSaturating(header.codeSamples, samples);
    if (programs.find(key).node != kNone)
      addSaturating(header.identifiedSamples, samples);
  }
}

std::vector<RunHeader> report::getRunHeaders(const Profile &profile) {
  std::vector<RunHeader> headers;
  ProgramIndex programs(profile);
  for (const Run &run : profile.runs) {
    if (run.iterations.count == 0)
      continue;
    RunHeader &header = headers.emplace_back();
    header.source = run.source;
    header.iterations = run.iterations.count;
    header.minPs = run.iterations.min;
    header.meanPs =
        int64_t(__int128(run.iterations.sum) / __int128(run.iterations.count));
    header.medianOf = run.steps.size();
    if (!run.steps.empty())
      header.medianPs = getMedianPs(run.steps);
    header.samplePeriodPs = run.samplePeriodPs;
    for (const auto &[name, value] : run.facts)
      if (name == "sampled time")
        header.sampledTime = value;
    if (run.samplePeriodPs > 0)
      addSamples(profile, programs, run, header);
  }
  return headers;
}
