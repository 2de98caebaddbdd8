//===- TextHeader.cpp - The header of a text report -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextStyle.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"

using namespace mlirprof;
using namespace mlirprof::report;

static void writeIterations(const RunHeader &run, llvm::raw_ostream &os) {
  os << run.iterations << (run.iterations == 1 ? " iteration" : " iterations")
     << ": min " << formatTime(run.minPs);
  if (run.medianOf) {
    os << ", median ";
    if (run.medianOf < run.iterations)
      os << "of " << run.medianOf << " of them ";
    os << formatTime(run.medianPs);
  }
  os << ", mean " << formatTime(run.meanPs) << '\n';
}

static void writeSamples(const RunHeader &run, llvm::raw_ostream &os) {
  os << run.samples << (run.samples == 1 ? " sample" : " samples")
     << ", one for each " << formatTime(run.samplePeriodPs) << " of a thread"
     << (run.sampledTime.empty() ? "" : "'s " + printable(run.sampledTime))
     << ": " << formatPercent(int64_t(run.codeSamples), int64_t(run.samples))
     << " in the model";
  if (run.codeSamples)
    os << ", of which "
       << formatPercent(int64_t(run.identifiedSamples),
                        int64_t(run.codeSamples))
       << " have an op";
  os << '\n';
}

void report::writeHeader(const Report &report, const WriteOptions &options,
                         llvm::raw_ostream &os) {
  for (const RunHeader &run : report.runs) {
    if (report.runs.size() > 1) {
      writeStyled(printable(run.source), Style::Heading, options.color, os);
      os << '\n';
    }
    writeIterations(run, os);
    if (run.samples)
      writeSamples(run, os);
  }
  if (!report.runs.empty())
    os << '\n';
}
