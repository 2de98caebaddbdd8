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

namespace {
/// Tells whether samples of code have an op.
class IdentifiedCode {
public:
  explicit IdentifiedCode(const Profile &profile)
      : profile(profile), programs(profile) {
    for (const Program &program : profile.programs) {
      std::vector<bool> &loops = hasOp.emplace_back(program.loops.size());
      for (const Instruction &instruction : program.instructions)
        if (instruction.loop != kNone && instruction.node != kNone)
          loops[instruction.loop] = true;
    }
  }

  /// An instruction without an identity has the ops of its innermost loop.
  bool find(const OpKey &key) const {
    MeasuredNode measured = programs.find(key);
    if (measured.node != kNone || measured.index == kNone)
      return measured.node != kNone;
    uint32_t loop =
        profile.programs[measured.program].instructions[measured.index].loop;
    return loop != kNone && hasOp[measured.program][loop];
  }

private:
  const Profile &profile;
  ProgramIndex programs;
  /// By program and loop.
  std::vector<std::vector<bool>> hasOp;
};
} // namespace

static void addSamples(const Profile &profile, const IdentifiedCode &identified,
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
    if (identified.find(key))
      addSaturating(header.identifiedSamples, samples);
  }
}

std::vector<RunHeader> report::getRunHeaders(const Profile &profile) {
  std::vector<RunHeader> headers;
  IdentifiedCode identified(profile);
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
      addSamples(profile, identified, run, header);
  }
  return headers;
}
