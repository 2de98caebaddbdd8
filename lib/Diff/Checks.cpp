//===- Checks.cpp - Checking that profiles are comparable -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Profile/RunTables.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

static bool has(const Profile &profile, DiffQuantity quantity) {
  auto hasOne = [&](Quantity wanted) {
    return llvm::any_of(profile.runs, [&](const Run &run) {
      return llvm::any_of(run.ops, [&](const OpSummary &op) {
        const Summary *summary = op.find(wanted);
        return summary && summary->count;
      });
    });
  };
  switch (quantity) {
  case DiffQuantity::Time:
  case DiffQuantity::Counts:
    return hasOne(Quantity::Self) || hasOne(Quantity::Execute);
  case DiffQuantity::Cycles:
    return hasOne(Quantity::Cycles);
  case DiffQuantity::Samples:
    return hasOne(Quantity::Samples);
  }
  return false;
}

llvm::Expected<DiffQuantity> diff::findQuantity(const DiffSide &before,
                                                const DiffSide &after) {
  constexpr DiffQuantity kAll[] = {DiffQuantity::Time, DiffQuantity::Cycles,
                                   DiffQuantity::Samples};
  for (const DiffSide *side : {&before, &after})
    if (llvm::none_of(kAll, [&](DiffQuantity quantity) {
          return has(side->profile, quantity);
        }))
      return inputError(side->name, "does not have a measurement of any op",
                        "Record with the op or device tracer on.");
  for (DiffQuantity quantity : kAll)
    if (has(before.profile, quantity) && has(after.profile, quantity))
      return quantity;
  auto describe = [&](const DiffSide &side) {
    for (DiffQuantity quantity : kAll)
      if (has(side.profile, quantity))
        return toString(quantity);
    return llvm::StringRef();
  };
  return inputError(after.name,
                    "measured " + describe(after) + ", but " + before.name +
                        " " + describe(before),
                    "Record both in the same way.");
}

llvm::Expected<std::string> diff::findCountedUnit(const DiffSide &before,
                                                  const DiffSide &after) {
  auto first = getCountedUnit(before.profile);
  auto second = getCountedUnit(after.profile);
  if (!first || !second)
    return llvm::joinErrors(first.takeError(), second.takeError());
  if (*first == *second)
    return std::move(*first);
  auto describe = [](llvm::StringRef unit) {
    return unit.empty() ? "measured times" : "counted " + unit.str();
  };
  return inputError(after.name,
                    describe(*second) + ", but " + before.name + " " +
                        describe(*first),
                    "Record both in the same way.");
}

static llvm::Error checkMachines(const DiffSide &before,
                                 const DiffSide &after) {
  for (const Run &a : before.profile.runs)
    for (const Run &b : after.profile.runs)
      if (!isSameMachine(a.machine, b.machine))
        return inputError(after.name,
                          "was measured on another machine (" +
                              describeMachine(b.machine) + ") than " +
                              before.name + " (" + describeMachine(a.machine) +
                              ")",
                          "Measure both on one machine, or compare them anyway "
                          "with --mix-machines.");
  return llvm::Error::success();
}

/// The values of the fact `name` in all runs.
static std::set<std::string> getFacts(const Profile &profile,
                                      llvm::StringRef name) {
  std::set<std::string> values;
  for (const Run &run : profile.runs)
    for (const auto &fact : run.facts)
      if (fact.first == name)
        values.insert(fact.second);
  return values;
}

static bool isSampled(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return run.samplePeriodPs != 0; });
}

llvm::Error diff::checkOrigin(const DiffSide &before, const DiffSide &after,
                              MachineRule machines, ProfileDiff &diff) {
  if (machines == MachineRule::Same)
    if (llvm::Error error = checkMachines(before, after))
      return error;
  std::set<std::string> clockBefore = getFacts(before.profile, "sampled time");
  std::set<std::string> clockAfter = getFacts(after.profile, "sampled time");
  if (!clockBefore.empty() && !clockAfter.empty() && clockBefore != clockAfter)
    return inputError(after.name,
                      "was sampled by " + *clockAfter.begin() + ", but " +
                          before.name + " by " + *clockBefore.begin(),
                      "Record both with the same --sampler.");
  if (isSampled(before.profile) != isSampled(after.profile))
    diff.notes.push_back("one profile was sampled and the other was not: the "
                         "cost of measuring differs");
  auto differ = [&](llvm::StringRef fact, llvm::StringRef what) {
    auto a = getFacts(before.profile, fact), b = getFacts(after.profile, fact);
    if (!a.empty() && !b.empty() && a != b)
      diff.notes.push_back(
          (what + " differs: " + *a.begin() + " and " + *b.begin()).str());
  };
  differ("threads of the run", "the number of threads");
  auto formats = [](const Profile &profile) {
    std::set<std::string> names;
    for (const Run &run : profile.runs)
      names.insert(run.producer.format);
    return names;
  };
  if (formats(before.profile) != formats(after.profile))
    diff.notes.push_back("the profiles come from different tools");
  return llvm::Error::success();
}
