//===- FindTrials.cpp - Earlier trials at the ops of a model --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/FindTrials.h"
#include "../Sites/ChoiceText.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Transforms/Identity.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using namespace mlirprof::tuning;

/// Positions in the model as it was read of the ops with each signature.
static std::map<std::string, std::set<uint32_t>>
getPositions(mlir::ModuleOp canonical) {
  std::map<std::string, std::set<uint32_t>> positions;
  Program program = getProgram(canonical);
  prof::IdentityTable identities;
  for (const SignedOp &entry : getSignatures(canonical)) {
    std::set<uint32_t> &own = positions[entry.signature.exact];
    for (uint32_t node : identities.get(entry.op->getLoc()).owners)
      if (node < program.nodes.size() && program.nodes[node].level == 0 &&
          program.nodes[node].position != kNone)
        own.insert(program.nodes[node].position);
  }
  return positions;
}

static OpTrial makeTrial(const Observation &seen, uint32_t op) {
  OpTrial trial;
  trial.op = op;
  trial.technique = seen.key.technique;
  trial.choice = describe(seen.choice);
  trial.wasKept = seen.outcome == Outcome::Kept;
  trial.reason = seen.reason;
  trial.oldPs = seen.oldPs;
  trial.newPs = seen.newPs;
  trial.spreadPpm = int64_t(std::clamp(seen.spread, 0.0, 1e6) * 1e6);
  trial.rounds = seen.rounds;
  return trial;
}

/// The machine that a key names, whatever the number of threads.
static llvm::StringRef dropThreads(llvm::StringRef machine) {
  return machine.rsplit(" threads:").first;
}

FoundTrials optimize::findTrials(mlir::ModuleOp canonical,
                                 const DecisionDatabase &database,
                                 llvm::StringRef machine) {
  auto positions = getPositions(canonical);
  FoundTrials found;
  using Key = std::tuple<uint32_t, std::string, std::string>;
  std::map<Key, const Observation *> newest;
  for (const Observation &seen : database.getObservations()) {
    auto own = positions.find(seen.key.signature.exact);
    if (own == positions.end())
      continue;
    if (dropThreads(seen.key.machine) != dropThreads(machine)) {
      ++found.elsewhere;
      continue;
    }
    for (uint32_t op : own->second) {
      const Observation *&last =
          newest[{op, seen.key.technique, describe(seen.choice)}];
      if (!last || last->whenMs <= seen.whenMs)
        last = &seen;
    }
  }
  for (const auto &[key, seen] : newest)
    found.trials.push_back(makeTrial(*seen, std::get<0>(key)));
  return found;
}
