//===- Optimize.cpp - mlir-prof optimize ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeOptions.h"
#include "ProgressLine.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Optimize/Receipts.h"
#include "mlir-prof/Optimize/Sites.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/SignalGuard.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Tuning/DecisionFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;
using llvm::opt::InputArgList;

//===----------------------------------------------------------------------===//
// The user's signals
//===----------------------------------------------------------------------===//

static volatile sig_atomic_t interrupts = 0;

/// The first signal ends the search with the best so far; a second one ends the
/// tool.
static void onInterrupt(int signal) {
  interrupts = interrupts + 1;
  if (interrupts > 1) {
    // Partially written files are next to those that they will replace.
    llvm::sys::RunInterruptHandlers();
    _exit(128 + signal);
  }
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Reports that the decisions cannot be saved, once.
static void reportUnsaved(llvm::Error error, bool &hasFailed) {
  if (!error)
    return;
  hasFailed = true;
  note("results are not saved: " + llvm::toString(std::move(error)));
}

/// Saves the decisions, unless that has failed before.
static void saveDecisions(DecisionDatabase &database, llvm::StringRef path,
                          bool &hasFailed) {
  if (!path.empty() && !hasFailed)
    reportUnsaved(DecisionFile(path).save(database).takeError(), hasFailed);
}

static llvm::Error writeResults(const OptimizeOptions &options,
                                OptimizeInput &input,
                                const OptimizedModel &search,
                                const DecisionDatabase &database) {
  const OptimizerResult &result = search.result;
  std::string machine = getMachineKey(options.search.compile.target);
  for (const std::string &text : result.notes)
    note(text);
  if (!options.receipts.empty())
    if (llvm::Error error = writeOutput(
            options.receipts, [&](llvm::raw_ostream &os) -> llvm::Error {
              writeReceipts(result, search.sites, options.model, machine, os);
              return llvm::Error::success();
            }))
      return error;
  // The summary is a result, so it goes to stdout unless a file goes there.
  bool isTaken = options.output == "-" || options.receipts == "-";
  llvm::raw_ostream &os = isTaken ? llvm::errs() : llvm::outs();
  printSummary(result, search.sites, os);
  if (!options.explain.empty())
    if (llvm::Error error = explainOp(options.explain, result, search.sites,
                                      database, machine, os))
      return error;
  return writeOptimized(options, input, result, os);
}

static llvm::Error run(const InputArgList &arguments) {
  auto options = getOptimizeOptions(arguments);
  if (!options)
    return options.takeError();
  auto line = ProgressLine::get(arguments);
  if (!line)
    return line.takeError();
  double begin = getMonotonicSeconds();
  // Before all lengthy work, unless a user types the model.
  constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  std::optional<SignalGuard> guard;
  interrupts = 0;
  if (options->model != "-")
    guard.emplace(kSignals, onInterrupt);
  for (const std::string *path :
       {&options->output, &options->script, &options->receipts})
    if (!path->empty())
      if (llvm::Error error = checkOutput(*path))
        return error;
  auto database = loadDecisions(options->decisions);
  if (!database)
    return database.takeError();
  auto input = readOptimizeInput(*options);
  if (!input)
    return input.takeError();
  if (!guard)
    guard.emplace(kSignals, onInterrupt);
  OptimizerOptions &how = options->search;
  how.isInterrupted = [] { return interrupts > 0; };
  // A user learns that a database is read-only before the search, not after.
  bool hasFailedToSave = false;
  if (how.budgetSeconds > 0 && !options->decisions.empty())
    reportUnsaved(DecisionFile(options->decisions).checkWritable(),
                  hasFailedToSave);
  how.onProgress = [&](const OptimizerProgress &progress) {
    line->show(progress);
  };
  how.save = [&](DecisionDatabase &changed) {
    line->clear();
    saveDecisions(changed, options->decisions, hasFailedToSave);
  };
  auto search = optimizeModel(*options, *input, *database, begin);
  line->clear();
  if (!search)
    return search.takeError();
  // A search without results, or one interrupted before, writes a file too, so
  // that later builds with it work.
  if (how.budgetSeconds > 0 && !llvm::sys::fs::exists(options->decisions))
    saveDecisions(*database, options->decisions, hasFailedToSave);
  return writeResults(*options, *input, *search, *database);
}

Verb verb::Optimize() { return {"optimize", run}; }
