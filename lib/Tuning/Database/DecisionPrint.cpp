//===- DecisionPrint.cpp - Decisions for people ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Report/Units.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::tuning;

/// "2026-03-01 12:30:05", in UTC.
static std::string formatDate(int64_t whenMs) {
  std::time_t seconds = std::time_t(whenMs / 1000);
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  char text[64];
  size_t size = std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
  return std::string(text, size);
}

static std::string formatChoice(const Choice &choice) {
  if (choice.empty())
    return "as the rules choose";
  return llvm::join(llvm::map_range(choice,
                                    [](const auto &entry) {
                                      return printable(entry.first) + "=" +
                                             printable(entry.second);
                                    }),
                    " ");
}

static void printDecision(llvm::raw_ostream &os, const Decision &decision) {
  const DecisionKey &key = decision.key;
  os << printable(decision.label.empty() ? key.signature.exact : decision.label)
     << "\n  " << printable(key.technique) << ": "
     << formatChoice(decision.choice) << "\n  " << getName(decision.basis)
     << " on " << printable(key.machine) << ", " << formatDate(decision.whenMs);
  if (!decision.producer.empty())
    os << ", mlir-prof " << printable(decision.producer);
  if (decision.scope == DecisionScope::Neighborhood)
    os << ", for these neighbors only";
  os << '\n';
}

static void printObservation(llvm::raw_ostream &os, const Observation &seen) {
  os << "    " << getName(seen.outcome) << ' ' << formatDate(seen.whenMs) << " "
     << formatChoice(seen.choice);
  if (seen.oldPs && seen.newPs)
    os << ": " << formatTime(seen.oldPs) << " -> " << formatTime(seen.newPs)
       << llvm::formatv(" ({0:f3}, spread {1:f2} %, {2} rounds",
                        double(seen.newPs) / double(seen.oldPs),
                        seen.spread * 100, seen.rounds);
  if (seen.oldPs && seen.newPs && seen.probability)
    os << llvm::formatv(", p {0:e1}", *seen.probability);
  if (seen.oldPs && seen.newPs)
    os << ')';
  if (seen.error)
    os << llvm::formatv(", error {0:e1}", *seen.error);
  if (!seen.sizes.empty())
    os << ", on sizes " << formatSizes(seen.sizes);
  if (!seen.reason.empty())
    os << ": " << printable(seen.reason);
  os << '\n';
}

void DecisionDatabase::print(llvm::raw_ostream &os) const {
  os << decisions.size() << " decisions, " << observations.size()
     << " observations\n";
  for (const auto &[key, decision] : decisions) {
    os << '\n';
    printDecision(os, decision);
    for (const Observation *seen : findObservations(key))
      printObservation(os, *seen);
  }
  // What was tried and never decided.
  const DecisionKey *last = nullptr;
  for (const Observation &seen : observations) {
    if (decisions.count(seen.key))
      continue;
    if (!last || !(*last == seen.key))
      os << "\n"
         << seen.key.signature.exact << "\n  " << printable(seen.key.technique)
         << ": nothing decided on " << printable(seen.key.machine) << '\n';
    last = &seen.key;
    printObservation(os, seen);
  }
}
