//===- Record.cpp - Recording a model -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Record.h"
#include "Note.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Record/Peak.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::profile;
using namespace mlirprof::record;

/// The fact that a run's first iteration was executed without a warm-up.
static std::pair<std::string, std::string> getColdFact() {
  return {"first iteration", "cold"};
}

bool mlirprof::isCold(const Run &run) {
  return llvm::is_contained(run.facts, getColdFact());
}

RecordRequest mlirprof::getDefaultRecordRequest(unsigned threads) {
  RecordRequest request;
  request.compile.target = codegen::getHostTarget(threads);
  request.compile.recordValues = true;
  request.compile.lowerProbes = "probe=inline instances=0";
  request.run.threads = threads;
  return request;
}

llvm::Expected<Profile> mlirprof::makeProfile(
    llvm::StringRef path, const RecordRequest &request, const BuiltModel &built,
    llvm::ArrayRef<Arguments> requests, const RunResult &run) {
  Profile profile;
  if (llvm::Error error = addRun(built.model, run, profile, request.keep))
    return std::move(error);
  Run &recorded = profile.runs.back();
  recorded.source = path.str();
  if (request.run.warmUp == 0)
    recorded.facts.push_back(getColdFact());
  if (requests.size() == 1)
    recorded.work = computeWork(*built.input, profile.programs.back(),
                                getShapes(requests.front()));
  if (request.measurePeak) {
    auto peak = measurePeak();
    if (peak)
      setPeak(recorded.machine, *peak);
    else
      note(request.onNote, "this machine's peak was not measured: " +
                               llvm::toString(peak.takeError()));
  }
  return std::move(profile);
}

llvm::Expected<Profile> mlirprof::recordModel(llvm::StringRef path,
                                              RecordRequest request) {
  RunPart build = {"build", getMonotonicNs(), 0};
  auto built = buildModel(path, request.compile, request.onNote);
  if (!built)
    return built.takeError();
  build.endNs = getMonotonicNs();
  auto requests = makeArguments(built->model.signature, request.inputs,
                                request.shapes, request.run.memory);
  if (!requests)
    return requests.takeError();
  auto run = runModel(built->model, *requests, request.run);
  if (!run)
    return run.takeError();
  run->parts.insert(run->parts.begin(), std::move(build));
  if (run->exit != ExitKind::Finished)
    return inputError(path, "did not finish: " + run->exitReason);
  return makeProfile(path, request, *built, *requests, *run);
}
