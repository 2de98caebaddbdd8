//===- Record.cpp - Recording a model -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Record.h"
#include "MemoryPlan.h"
#include "Note.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Cost/ShapeFit.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "mlir-prof/Record/Peak.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
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

/// Whether the ops of `entry` can have the shapes of each request.
static llvm::Error checkRequests(mlir::func::FuncOp entry,
                                 llvm::ArrayRef<Arguments> requests) {
  std::set<std::vector<std::vector<int64_t>>> seen;
  for (const Arguments &request : requests) {
    std::vector<llvm::ArrayRef<int64_t>> shapes = getShapes(request);
    std::vector<std::vector<int64_t>> key;
    for (llvm::ArrayRef<int64_t> shape : shapes)
      key.push_back(shape.vec());
    if (!seen.insert(std::move(key)).second)
      continue;
    if (auto misfit = findMisfit(entry, shapes))
      return inputError("arguments of shapes " + describeShapes(request),
                        "do not fit " + misfit->op->getName().getStringRef() +
                            " at " + describeLocation(misfit->op->getLoc()) +
                            ": " + misfit->reason,
                        "Give sizes that fit together with --shape, or with "
                        "the files of --input.");
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Arguments>>
mlirprof::makeRequests(const BuiltModel &built, llvm::StringRef entry,
                       llvm::ArrayRef<InputSpec> inputs,
                       llvm::ArrayRef<ShapeSpec> shapes, uint64_t memory) {
  PROF_SCOPE("make arguments");
  auto signature = mlirprof::getSignature(built, entry);
  if (!signature)
    return signature.takeError();
  auto requests = makeArguments(*signature, inputs, shapes, memory);
  // A model without its module has only known sizes, which fitted before.
  if (!requests || !built.input)
    return requests;
  auto function = findEntry(
      *built.input, built.threads ? getEntry(built.model.program) : entry);
  if (!function)
    return function.takeError();
  if (llvm::Error error = checkRequests(*function, *requests))
    return std::move(error);
  return requests;
}

/// Adds the work of each op to the last run. A module that is in memory has all
/// that this needs, even if its file has changed.
static llvm::Error addWork(llvm::StringRef path, const BuiltModel &built,
                           const Arguments &request, Profile &profile) {
  std::optional<llvm::Expected<BuiltModel>> read;
  mlir::ModuleOp module = built.input.get();
  if (!module) {
    read.emplace(readInput(path));
    if (!*read)
      return read->takeError();
    if ((*read)->source != built.source)
      return inputError(path, "has changed since it was compiled");
    module = *(*read)->input;
  }
  profile.runs.back().work =
      computeWork(module, profile.programs.back(), getShapes(request));
  return llvm::Error::success();
}

llvm::Expected<Profile> mlirprof::makeProfile(
    llvm::StringRef path, const RecordRequest &request, const BuiltModel &built,
    llvm::ArrayRef<Arguments> requests, const RunResult &run) {
  PROF_SCOPE("make profile");
  Profile profile;
  if (llvm::Error error = addRun(built.model, run, profile, request.keep))
    return std::move(error);
  Run &recorded = profile.runs.back();
  recorded.source = path.str();
  if (request.run.warmUp == 0)
    recorded.facts.push_back(getColdFact());
  if (requests.size() == 1)
    // The times are worth keeping.
    if (llvm::Error error = addWork(path, built, requests.front(), profile))
      note(request.onNote, "the work of the ops is not known: " +
                               llvm::toString(std::move(error)));
  {
    PROF_SCOPE("plan memory");
    std::string reason = addMemoryPlan(profile, request.compile.entry);
    if (!reason.empty())
      recorded.facts.emplace_back("no plan of memory", reason);
  }
  if (request.measurePeak) {
    PROF_SCOPE("measure peak");
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
  auto built = openModel(path, request.compile);
  if (!built)
    return built.takeError();
  if (built->threads)
    request.run.threads = built->threads;
  auto requests = makeRequests(*built, request.compile.entry, request.inputs,
                               request.shapes, request.run.memory);
  if (!requests)
    return requests.takeError();
  RunPart build = {"build", getMonotonicNs(), 0};
  if (llvm::Error error = compileInput(*built, path, request.compile,
                                       request.onNote, KeptBy::Keeper))
    return std::move(error);
  build.endNs = getMonotonicNs();
  ModelKeeper keeper(*built);
  auto run = runModel(built->model, *requests, request.run);
  if (!run)
    return run.takeError();
  if (!request.measurePeak)
    keeper.start();
  run->parts.insert(run->parts.begin(), std::move(build));
  if (run->exit != ExitKind::Finished)
    return inputError(path, "did not finish: " + run->exitReason);
  return makeProfile(path, request, *built, *requests, *run);
}
