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

/// The unit of numbers as large as `largest`.
static TimeUnit chooseUnit(const Report &report, int64_t largest) {
  return report.unit.empty() ? chooseTimeUnit(largest)
                             : TimeUnit{report.unit, 1};
}

static void writeCoverage(const Report &report, const WriteOptions &options,
                          llvm::raw_ostream &os) {
  const Coverage &coverage = *report.coverage;
  TimeUnit unit = chooseUnit(report, coverage.opTimePs);
  os << '\n';
  writeStyled("coverage", Style::Heading, options.color, os);
  os << " of " << formatTimeIn(coverage.opTimePs, unit) << ' ' << unit.name
     << (report.hostCoverage   ? " of time on devices\n"
         : report.unit.empty() ? " of op time\n"
                               : "\n");
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
static void writeList(const Report &report, llvm::StringRef title,
                      llvm::ArrayRef<Loss> list, const WriteOptions &options,
                      llvm::raw_ostream &os) {
  if (list.empty())
    return;
  os << '\n';
  writeStyled(title, Style::Heading, options.color, os);
  os << '\n';
  auto format = [&](int64_t amount) {
    return report.unit.empty() ? formatTime(amount)
                               : std::to_string(amount) + ' ' + report.unit;
  };
  size_t timeWidth = 0, countWidth = 0;
  for (const Loss &loss : list) {
    timeWidth = std::max(timeWidth, format(loss.timePs).size());
    countWidth = std::max(countWidth, std::to_string(loss.count).size());
  }
  for (const Loss &loss : list)
    os << "  " << padLeft(format(loss.timePs), timeWidth) << "  "
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
    writeCoverage(report, options, os);
  if (report.hostCoverage)
    writeHost(*report.hostCoverage, os);
  std::vector<Loss> unmatched;
  for (const UnmatchedReason &reason : report.unmatched)
    unmatched.push_back({reason.reason, reason.count, reason.timePs});
  writeList(report, "without an owner", unmatched, options, os);
  writeList(report, "losses", report.losses, options, os);
}
