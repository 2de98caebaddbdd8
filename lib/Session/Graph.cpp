//===- SessionGraph.cpp - The graphs that a profile has -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionGraph.h"
#include "mlir-prof/Graph/HloGraph.h"
#include "mlir-prof/Match/ModuleGraph.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;

static std::string getHloName(const HloModule &module) {
  return llvm::formatv("{0}({1})", module.name, module.programId).str();
}

/// The HLO module of that name, with most time when `name` is empty.
static llvm::Expected<const HloModule *>
chooseHloModule(const Profile &profile, llvm::StringRef name,
                llvm::StringRef where) {
  if (profile.hloModules.empty())
    return inputError(where, "holds no HLO module",
                      "It comes with recordings of JAX, and of TensorFlow with "
                      "jit_compile. The ops of the module that was run are "
                      "drawn with --model=FILE.");
  std::vector<std::string> known;
  for (const HloModule &module : profile.hloModules) {
    if (!name.empty() && (name == module.name || name == getHloName(module)))
      return &module;
    known.push_back(getHloName(module));
  }
  if (!name.empty())
    return inputError(where, "holds no HLO module '" + name + "'",
                      "It holds " + llvm::join(known, ", ") + ".");

  llvm::MapVector<const HloModule *, int64_t> times;
  for (const OpSummary &op : mergeRuns(profile)) {
    const OpKey &key = profile.opKeys[op.op];
    if (key.kind == OpKeyKind::HloInstruction)
      if (const HloModule *module = findHloModule(
              profile.hloModules, key.module, key.hasProgramId, key.programId))
        times[module] = saturatingAdd(times[module], op.getTimePs());
  }
  const HloModule *hottest = &profile.hloModules.front();
  for (const auto &[module, time] : times)
    if (time > times.lookup(hottest))
      hottest = module;
  return hottest;
}

graph::Graph mlirprof::buildModuleGraph(const Session &session,
                                        CallDrawing calls) {
  return buildDataflowGraph(session.module.get(), *session.ownership,
                            *session.attribution, calls, &session.profile);
}

llvm::Expected<graph::Graph> mlirprof::buildHloGraph(const Profile &profile,
                                                     llvm::StringRef name,
                                                     llvm::StringRef where) {
  auto module = chooseHloModule(profile, name, where);
  if (!module)
    return module.takeError();
  return graph::buildHloGraph(**module, profile);
}
