//===- CountedUnit.cpp - Profiles without times ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::profile;

/// The fact that states the unit.
static constexpr StringLiteral kCounted = "counted";

void profile::setCountedUnit(Run &run, StringRef unit) {
  run.facts.emplace_back(kCounted.str(), unit.str());
}

std::string profile::getUnitName(StringRef unit) {
  std::string name = unit.str();
  llvm::replace(name, ' ', '_');
  return name;
}

static StringRef getUnit(const Run &run) {
  auto fact = find_if(run.facts,
                      [](const auto &fact) { return fact.first == kCounted; });
  return fact == run.facts.end() ? StringRef() : StringRef(fact->second);
}

static std::string describe(StringRef unit) {
  return unit.empty() ? "times" : unit.str();
}

Expected<std::string> profile::getCountedUnit(const Profile &profile) {
  if (profile.runs.empty())
    return std::string();
  StringRef unit = getUnit(profile.runs.front());
  for (const Run &run : profile.runs)
    if (getUnit(run) != unit)
      return inputError("the profile",
                        "contains " + describe(unit) + " of one run and " +
                            describe(getUnit(run)) + " of another",
                        "Do not merge profiles that measured different "
                        "things.");
  return unit.str();
}
