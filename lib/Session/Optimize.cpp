//===- Optimize.cpp - Searching for a faster form of a model --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Note.h"
#include "OptimizeInput.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Optimize/Sites.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Optimize/TimesOfCode.h"
#include "mlir-prof/Record/ModelServer.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"

#include <cstdlib>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

static void collect(const OptimizeRequest &options, OptimizeInput &input,
                    OptimizedModel &search) {
  SiteInput known;
  for (const Arguments &request : input.requests)
    known.requests.push_back(getShapes(request));
  known.input = *input.built.input;
  known.canonical = *search.canonical;
  known.target = options.search.compile.target;
  known.evidence = input.hasEvidence ? &input.evidence : nullptr;
  known.peak = input.peak;
  known.valueOrigin = input.valueOrigin;
  known.effort = options.effort;
  search.sites = collectSites(known);
}

/// Collects the ops to decide on, and measures the data that a search needs,
/// unless there is nothing to search.
static llvm::Expected<OptimizedModel> prepareSearch(OptimizeRequest &options,
                                                    OptimizeInput &input,
                                                    DecisionDatabase &database,
                                                    double beginSeconds) {
  CompileOptions compile = options.search.compile;
  compile.choose = nullptr;
  auto canonical =
      prepareInput(input.built, options.model, compile, StageForm::Canonical);
  if (!canonical)
    return canonical.takeError();
  OptimizedModel search;
  search.canonical = std::move(*canonical);
  collect(options, input, search);
  addUnseenRequests(
      options,
      llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(search.sites.entry),
      input);
  options.search.unseenRequests = input.unseenRequests;
  if (options.search.budgetSeconds <= 0)
    return std::move(search);
  if (!options.alwaysMeasure &&
      isSearchKnown(search.sites, database, options.search)) {
    note(options.onNote,
         llvm::Twine("nothing is left to try, so ") +
             (input.hasTimes()
                  ? "this machine's peak is not measured"
                  : "this machine's peak is not measured and the model not "
                    "recorded"));
    return std::move(search);
  }
  llvm::Error error = measureOptimizeInput(options, input, beginSeconds);
  if (error.isA<BudgetError>()) {
    // The search notices it, too, and says which budget would do.
    llvm::consumeError(std::move(error));
    return std::move(search);
  }
  if (error.isA<InterruptedError>()) {
    // The signal may have been handled elsewhere than in the caller. The search
    // notices it immediately, and returns the model unchanged.
    llvm::consumeError(std::move(error));
    options.search.isInterrupted = [] { return true; };
    return std::move(search);
  }
  if (error)
    return std::move(error);
  collect(options, input, search);
  return std::move(search);
}

/// Tests of whole searches set $MLIR_PROF_TIMES to "code".
static SearchTools chooseTools(const NoteHandler &onNote) {
  SearchTools tools = getSearchTools();
  const char *times = std::getenv("MLIR_PROF_TIMES");
  if (llvm::StringRef(times ? times : "") != "code")
    return tools;
  note(onNote, "times of candidates follow from the size of their code, as "
               "$MLIR_PROF_TIMES says: nothing is measured");
  return useTimesOfCode(std::move(tools));
}

llvm::Expected<OptimizedModel>
mlirprof::optimizeModel(OptimizeRequest &request, OptimizeInput &input,
                        DecisionDatabase &database, double beginSeconds) {
  OptimizerOptions &how = request.search;
  how.requests = input.requests;
  how.checkRequests = input.checkRequests;
  auto search = prepareSearch(request, input, database, beginSeconds);
  if (!search)
    return search.takeError();
  how.peak = input.peak;
  how.usedSeconds = getMonotonicSeconds() - beginSeconds;
  auto result = optimizeModel(*input.built.input, search->sites, database, how,
                              chooseTools(request.onNote));
  if (!result)
    return result.takeError();
  search->result = std::move(*result);
  return std::move(*search);
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
mlirprof::applyResult(const OptimizeRequest &options, OptimizeInput &input,
                      const OptimizerResult &result) {
  CompileOptions compile = options.search.compile;
  compile.identities = false;
  compile.choose = chooseBy(result.choices);
  return prepareInput(input.built, options.model, compile, StageForm::Prepared);
}
