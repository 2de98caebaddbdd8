//===- TextFooter.cpp - The footer of a text report -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextStyle.h"
#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;

static std::string padLeft(std::string text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

static void writeCoverage(const Coverage &coverage, bool isOfDevices,
                          const WriteOptions &options, llvm::raw_ostream &os) {
  os << '\n';
  writeStyled("coverage", Style::Heading, options.color, os);
  os << " of " << formatTime(coverage.opTimePs)
     << (isOfDevices ? " of time on devices\n" : " of op time\n");
  TimeUnit unit = chooseTimeUnit(coverage.opTimePs);
  struct Class {
    const char *name;
    int64_t ps;
    const char *meaning;
  };
  const Class classes[] = {
      {"unique", coverage.uniquePs, "one op of the module"},
      {"ambiguous", coverage.ambiguousPs, "several ops under one name"},
      {"fused", coverage.fusedPs, "several names that ran as one"},
      {"partial", coverage.partialPs, "some names do not have an op"},
      {"unmatched", coverage.unmatchedPs, "no op"}};
  size_t width = 0;
  for (const Class &each : classes)
    width = std::max(width, formatTimeIn(each.ps, unit).size());
  for (const Class &each : classes) {
    os << "  " << llvm::left_justify(each.name, 9) << "  "
       << padLeft(formatPercent(each.ps, coverage.opTimePs), 7) << "  "
       << padLeft(formatTimeIn(each.ps, unit), width) << ' ' << unit.name
       << "  " << each.meaning;
    if (each.name == llvm::StringRef("fused") && coverage.meanFusedMembersPpm)
      os << ", mean members "
         << formatTimeIn(coverage.meanFusedMembersPpm, kMillionths);
    os << '\n';
  }
}

/// The host works while devices do, so that its time is another whole.
static void writeHost(const Coverage &host, llvm::raw_ostream &os) {
  int64_t ownedPs = trace::saturatingSub(host.opTimePs, host.unmatchedPs);
  os << "  and on the host " << formatTime(host.opTimePs) << " of op time, "
     << formatPercent(ownedPs, host.opTimePs) << " of which has an owner\n";
}

/// A list of losses, one per line: time, count, name.
static void writeList(llvm::StringRef title, llvm::ArrayRef<Loss> list,
                      const WriteOptions &options, llvm::raw_ostream &os) {
  if (list.empty())
    return;
  os << '\n';
  writeStyled(title, Style::Heading, options.color, os);
  os << '\n';
  size_t timeWidth = 0, countWidth = 0;
  for (const Loss &loss : list) {
    timeWidth = std::max(timeWidth, formatTime(loss.timePs).size());
    countWidth = std::max(countWidth, std::to_string(loss.count).size());
  }
  for (const Loss &loss : list)
    os << "  " << padLeft(formatTime(loss.timePs), timeWidth) << "  "
       << padLeft(std::to_string(loss.count), countWidth) << "x  "
       << printable(loss.name)
       << (isSaturated(loss) ? " (at least: the sum is saturated)" : "")
       << '\n';
}

void report::writeFooter(const Report &report, const WriteOptions &options,
                         llvm::raw_ostream &os) {
  uint64_t all = report.table.size(), shown = report.view.rows.size();
  if (shown != all) {
    os << '\n' << shown << " of ";
    if (report.view.matched != all)
      os << formatCount(report.view.matched, "matching row") << ", " << all
         << " in all\n";
    else
      os << formatCount(all, "row") << '\n';
  }
  if (report.coverage)
    writeCoverage(*report.coverage, report.hostCoverage.has_value(), options,
                  os);
  if (report.hostCoverage)
    writeHost(*report.hostCoverage, os);
  std::vector<Loss> unmatched;
  for (const UnmatchedReason &reason : report.unmatched)
    unmatched.push_back({reason.reason, reason.count, reason.timePs});
  writeList("without an owner", unmatched, options, os);
  writeList("losses", report.losses, options, os);
}
