//===- SlowLinks.cpp - Links that are slower than others ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Rate of a link against that of all links of its kind, in millionths.
static constexpr int64_t kSlowPpm = 800000;

namespace {
/// From rank to rank, in all steps.
struct Link {
  int64_t source = 0;
  int64_t destination = 0;
  std::string kind;
  int64_t bytes = 0;
  int64_t timePs = 0;

  void add(int64_t moreBytes, int64_t morePs) {
    addSaturating(bytes, moreBytes);
    addSaturating(timePs, morePs);
  }
  int64_t getRate() const {
    constexpr int64_t kPsPerSecond = 1000000000000;
    return scale(bytes, kPsPerSecond, timePs);
  }
};
} // namespace

/// Transfers inside of a rank do not use a link.
static std::vector<Link> getLinks(const Table &table) {
  std::map<std::tuple<std::string, int64_t, int64_t>, Link> links;
  for (uint32_t row = 0; row != table.size(); ++row) {
    int64_t source = getNumber(table, row, "source").value_or(0);
    int64_t destination = getNumber(table, row, "destination").value_or(0);
    if (source == destination)
      continue;
    std::string kind = getText(table, row, "link_type").str();
    Link &link = links[{kind, source, destination}];
    link.source = source;
    link.destination = destination;
    link.kind = kind;
    link.add(getNumber(table, row, "bytes").value_or(0),
             getNumber(table, row, "communication_cost").value_or(0));
  }
  std::vector<Link> all;
  for (auto &entry : links)
    if (entry.second.timePs > 0)
      all.push_back(std::move(entry.second));
  return all;
}

static Findings find(const AdviseContext &context) {
  std::vector<Link> links = getLinks(context.getReport("link"));
  if (links.size() < 2)
    return std::nullopt;
  std::map<std::string, Link> kinds;
  for (const Link &link : links)
    kinds[link.kind].add(link.bytes, link.timePs);
  std::vector<Advice> findings;
  for (const Link &link : links) {
    int64_t meanRate = kinds[link.kind].getRate();
    int64_t ppm = scale(link.getRate(), 1000000, meanRate);
    if (meanRate <= 0 || ppm >= kSlowPpm)
      continue;
    // Transfers may overlap the work of devices, so the gain is not known.
    Advice advice = context.makeAdvice(std::nullopt);
    addCount(advice, "source", uint64_t(link.source));
    addCount(advice, "destination", uint64_t(link.destination));
    addText(advice, "link_type", link.kind.empty() ? "link" : link.kind);
    addRate(advice, "bytes_per_second", link.getRate());
    addRate(advice, "mean_per_second", meanRate);
    addPpmRatio(advice, "mean_ppm", ppm);
    addTime(advice, "time_ps", link.timePs);
    advice.evidence.push_back(
        {"link",
         {"source=" + std::to_string(link.source),
          "destination=" + std::to_string(link.destination),
          makeFilter("link_type", link.kind)}});
    findings.push_back(std::move(advice));
  }
  return findings;
}

AdviceRule rule::SlowLinks() {
  return {"slow-link",
          "a link between ranks is slower than the others of its kind",
          "transfers over at least two links between ranks",
          "{link_type} from rank {source} to {destination} moves "
          "{bytes_per_second}B/s, {mean_ppm} of the mean of its kind "
          "({mean_per_second}B/s)",
          "Check the cable, the switch and the place of the ranks, and send "
          "fewer and larger messages.",
          "sum",
          "bytes and time of all transfers",
          "mlir-prof report {PROFILE} --by=link --group=source,destination",
          find};
}
