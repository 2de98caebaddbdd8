//===- Advise.cpp - Advice on a recorded model ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Advise.h"
#include "Note.h"
#include "mlir-prof/Cost/Products.h"
#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Optimize/FindTrials.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Session/Graph.h"
#include "mlir-prof/Session/Optimize.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Tuning/ReceiptReader.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::compile;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::tuning;

/// The trials in `database` for the ops of `built`, which errors call `name`.
static llvm::Expected<FoundTrials>
findTrialsOf(BuiltModel &built, llvm::StringRef name,
             const DecisionDatabase &database) {
  CompileOptions compile;
  compile.target = codegen::getHostTarget(1);
  auto canonical = prepareInput(built, name, compile, StageForm::Canonical);
  if (!canonical)
    return canonical.takeError();
  return findTrials(**canonical, database, getMachineKey(compile.target));
}

/// Rules identify the ops of recordings by mlir-prof by their positions in the
/// recorded module. Moves the trials found in `now`, the current model, to the
/// recorded ops if there is exactly one counterpart, and adds the trials in the
/// database for the recorded module itself.
static void moveToRecorded(const Profile &profile, mlir::ModuleOp now,
                           const DecisionDatabase &database,
                           FoundTrials &found) {
  const IrModule *recorded = profile.findIrModule("input");
  if (!recorded)
    return;
  BuiltModel before;
  before.context = makeModuleContext();
  auto loaded = loadStoredModule(*recorded, *before.context);
  // The function that opened the profile reports this.
  if (!loaded || !llvm::isa<mlir::ModuleOp>(loaded->get()))
    return llvm::consumeError(loaded.takeError());
  before.input = llvm::cast<mlir::ModuleOp>(loaded->release());
  Alignment alignment = alignModules(*before.input, now, recorded->values);
  if (alignment.isIdentical)
    return;
  std::vector<OpTrial> moved;
  // The model stored in a profile need not compile with this version.
  auto known = findTrialsOf(before, "the recorded model", database);
  if (known)
    moved = std::move(known->trials);
  else
    llvm::consumeError(known.takeError());
  size_t own = moved.size();
  for (uint32_t place = 0; place < alignment.ops.size(); ++place)
    for (const OpTrial &trial : found.trials) {
      const Counterpart &counterpart = alignment.ops[place];
      if (counterpart.ops.size() != 1 || counterpart.ops.front() != trial.op)
        continue;
      bool isKnown = llvm::any_of(
          llvm::ArrayRef(moved).take_front(own), [&](const OpTrial &other) {
            return other.op == place && other.technique == trial.technique &&
                   other.choice == trial.choice;
          });
      if (isKnown)
        continue;
      moved.push_back(trial);
      moved.back().op = place;
    }
  found.trials = std::move(moved);
}

/// The trials in AdviseRequest::decisions for the model.
static llvm::Expected<std::vector<OpTrial>>
readTrials(const Profile &profile, const AdviseRequest &request) {
  llvm::StringRef path = request.decisions, model = request.model;
  if (path.empty())
    return std::vector<OpTrial>();
  if (model.empty())
    return usageError(
        "'--decisions' needs --model=FILE, the model that was optimized: "
        "trials are identified by the model's ops and their values");
  auto database = loadTrials(path);
  if (!database)
    return database.takeError();
  auto built = readInput(model);
  if (!built)
    return built.takeError();
  auto found = findTrialsOf(*built, model, *database);
  if (!found)
    return found.takeError();
  moveToRecorded(profile, *built->input, *database, *found);
  if (found->elsewhere)
    note(request.onNote, path + ": " + llvm::Twine(found->elsewhere) +
                             " trials of this model's ops were made on other "
                             "machines and do not count");
  if (found->trials.empty())
    note(request.onNote,
         path + ": does not contain trials of this model's ops");
  return std::move(found->trials);
}

/// Whether ops were aligned with a module that differs from the recorded one.
static bool hasChanged(const Ownership &ownership) {
  return llvm::any_of(ownership.matches, [](const Match &match) {
    return match.tier == MatchTier::StructuralHash;
  });
}

llvm::Expected<AdviceReport>
mlirprof::adviseSession(const Session &session, llvm::StringRef name,
                        const AdviseRequest &request) {
  AdviseInput input{session.getReportInput()};
  graph::Graph graph;
  std::vector<MatrixProduct> products;
  if (session.module && session.ownership) {
    graph = buildModuleGraph(session);
    // The ops of recordings by mlir-prof are those of the recorded module.
    if (session.profile.programs.empty() || !hasChanged(*session.ownership))
      input.graph = &graph;
    products = collectProducts(session.module.get());
    input.products = products;
  }
  auto trials = readTrials(session.profile, request);
  if (!trials)
    return trials.takeError();
  input.trials = *trials;
  AdviceReport report = collectAdvice(input, request.rules);
  report.profile = name.str();
  report.model = request.model;
  return std::move(report);
}
