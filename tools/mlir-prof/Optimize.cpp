//===- Optimize.cpp - mlir-prof optimize ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeOptions.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Match/Work.h"
#include "mlir-prof/Optimize/Receipts.h"
#include "mlir-prof/Optimize/Sites.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Printable.h"
#include "mlir-prof/Support/SignalGuard.h"
#include "mlir-prof/Transforms/Identity.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <unistd.h>

using namespace mlirprof;
using llvm::opt::InputArgList;

//===----------------------------------------------------------------------===//
// The user's signals, and what the user sees
//===----------------------------------------------------------------------===//

static volatile sig_atomic_t interrupts = 0;

/// The first signal ends the search with the best so far; a second one ends the
/// tool.
static void onInterrupt(int signal) {
  interrupts = interrupts + 1;
  if (interrupts > 1) {
    // Files that are half written stand beside those that they will replace.
    llvm::sys::RunInterruptHandlers();
    _exit(128 + signal);
  }
}

namespace {
/// One line on a terminal, written over; nothing elsewhere.
class ProgressLine {
public:
  ~ProgressLine() { clear(); }
  void show(const OptimizerProgress &progress) {
    if (!isTerminal)
      return;
    clear();
    double left = std::max(0.0, progress.budgetSeconds - progress.usedSeconds);
    std::string text = llvm::formatv(
        "[{0:f0} s left] {1} tried, {2} kept, time {3:f3}: {4} {5}", left,
        progress.trials, progress.kept, progress.ratio, progress.phase,
        progress.what);
    unsigned columns = llvm::sys::Process::StandardErrColumns();
    if (columns > 1 && text.size() >= columns)
      text.resize(columns - 1);
    llvm::errs() << printable(text);
    isShown = true;
  }
  void clear() {
    if (isShown)
      llvm::errs() << "\r\x1b[K";
    isShown = false;
  }

private:
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  bool isShown = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
/// The model in the form that is searched, and what is known of it.
struct SearchInput {
  mlir::OwningOpRef<mlir::ModuleOp> canonical;
  ModelSites sites;
};
} // namespace

static void collect(const OptimizeOptions &options, OptimizeInput &input,
                    SearchInput &search) {
  SiteInput known;
  for (const Arguments &request : input.requests) {
    auto &shapes = known.requests.emplace_back();
    for (const HostTensor &tensor : request)
      shapes.push_back(tensor.shape);
  }
  known.input = *input.built.input;
  known.canonical = *search.canonical;
  known.target = options.search.compile.target;
  known.evidence = input.hasEvidence ? &input.evidence : nullptr;
  known.peak = input.peak;
  known.valueOrigin = input.valueOrigin;
  known.effort = options.effort;
  search.sites = collectSites(known);
}

/// Collects what there is to decide about, and measures what a search goes by,
/// unless there is nothing to search.
static llvm::Expected<SearchInput> prepareSearch(OptimizeOptions &options,
                                                 OptimizeInput &input,
                                                 DecisionDatabase &database) {
  CompileOptions compile = options.search.compile;
  compile.choose = nullptr;
  auto canonical =
      prepareInput(input.built, options.model, compile, StageForm::Canonical);
  if (!canonical)
    return canonical.takeError();
  SearchInput search;
  search.canonical = std::move(*canonical);
  collect(options, input, search);
  addUnseenRequests(
      options,
      llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(search.sites.entry),
      input);
  options.search.unseenRequests = input.unseenRequests;
  if (options.search.budgetSeconds <= 0)
    return std::move(search);
  // Who asks about an op wants to know its time and its bound, too.
  if (options.explain.empty() &&
      isSearchKnown(search.sites, database, options.search)) {
    note(llvm::Twine("nothing is left to try, so ") +
         (input.hasTimes()
              ? "this machine's peak is not measured"
              : "this machine's peak is not measured and the model not "
                "recorded"));
    return std::move(search);
  }
  llvm::Error error = measureOptimizeInput(options, input);
  if (error.isA<InterruptedError>()) {
    // Who handled the signal meanwhile need not have been this file. The search
    // sees it at once, and gives the model as it is.
    llvm::consumeError(std::move(error));
    if (interrupts == 0)
      interrupts = 1;
    return std::move(search);
  }
  if (error)
    return std::move(error);
  collect(options, input, search);
  return std::move(search);
}

/// Saves, and says once when that is not possible.
static void saveDecisions(DecisionDatabase &database, llvm::StringRef path,
                          bool &hasFailed) {
  if (path.empty() || hasFailed)
    return;
  auto saved = database.save(path);
  if (saved)
    return;
  hasFailed = true;
  note("what is learned is not saved: " + llvm::toString(saved.takeError()));
}

static llvm::Error writeResults(const OptimizeOptions &options,
                                OptimizeInput &input, const SearchInput &search,
                                const OptimizerResult &result,
                                const DecisionDatabase &database) {
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
  // Results, so not with the notes, unless a file goes there.
  bool isTaken = options.output == "-" || options.receipts == "-";
  llvm::raw_ostream &os = isTaken ? llvm::errs() : llvm::outs();
  printSummary(result, search.sites, os);
  if (!options.explain.empty())
    if (llvm::Error error = explainOp(options.explain, result, search.sites,
                                      database, machine, os))
      return error;
  return writeOptimized(options, input, result, os);
}

llvm::Error mlirprof::runOptimize(const InputArgList &arguments) {
  auto options = getOptimizeOptions(arguments);
  if (!options)
    return options.takeError();
  double begin = getMonotonicSeconds();
  // Before all that takes its time, but for a model that somebody types.
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
  OptimizeInput input;
  if (llvm::Error error = readOptimizeInput(arguments, *options, input))
    return error;
  if (!guard)
    guard.emplace(kSignals, onInterrupt);
  OptimizerOptions &how = options->search;
  how.requests = input.requests;
  how.checkRequests = input.checkRequests;
  how.isInterrupted = [] { return interrupts > 0; };
  auto search = prepareSearch(*options, input, *database);
  if (!search)
    return search.takeError();
  ProgressLine line;
  bool hasFailedToSave = false;
  how.peak = input.peak;
  how.onProgress = [&](const OptimizerProgress &progress) {
    line.show(progress);
  };
  how.save = [&](DecisionDatabase &changed) {
    line.clear();
    saveDecisions(changed, options->decisions, hasFailedToSave);
  };
  how.usedSeconds = getMonotonicSeconds() - begin;
  auto result =
      optimizeModel(*input.built.input, search->sites, *database, how);
  line.clear();
  if (!result)
    return result.takeError();
  // A search that learned nothing, or was interrupted before, leaves a file,
  // too: who builds with it next need not know.
  if (how.budgetSeconds > 0 && !llvm::sys::fs::exists(options->decisions))
    saveDecisions(*database, options->decisions, hasFailedToSave);
  return writeResults(*options, input, *search, *result, *database);
}
