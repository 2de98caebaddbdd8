//===- RecordTarget.cpp - Recording a model on another machine ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/RecordTarget.h"
#include "mlir-prof/Deploy/Image.h"
#include "mlir-prof/Record/Emulator.h"
#include "mlir-prof/Record/TargetRun.h"
#include "mlir-prof/Session/Deploy.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

/// The functions that a model calls: neither its own nor the image's.
static std::vector<OtherFunction> getOthers(const deploy::Image &image) {
  std::vector<OtherFunction> others;
  for (const deploy::ImageFunction &function : image.functions)
    if (!llvm::StringRef(function.name).starts_with("image_"))
      others.push_back({function.name, function.begin, function.end});
  return others;
}

namespace {
/// A model that was compiled for a target, and its arguments.
struct TargetModel {
  BuiltModel built;
  Arguments arguments;
};
} // namespace

static llvm::Expected<TargetModel> compileForTarget(llvm::StringRef path,
                                                    TargetRequest &request) {
  auto built = readInput(path);
  if (!built)
    return built.takeError();
  auto requests =
      makeRequests(*built, request.compile.entry, request.inputs, {});
  if (!requests)
    return requests.takeError();
  if (llvm::Error error =
          compileInput(*built, path, request.compile, request.onNote))
    return std::move(error);
  return TargetModel{std::move(*built), std::move(requests->front())};
}

llvm::Expected<Profile> mlirprof::recordInEmulator(llvm::StringRef path,
                                                   TargetRequest request) {
  const codegen::TargetModel &target = request.compile.target;
  auto board = deploy::getBoard(target);
  if (!board)
    return board.takeError();
  auto compiled = compileForTarget(path, request);
  if (!compiled)
    return compiled.takeError();
  const compile::CompiledModel &model = compiled->built.model;
  auto image = deploy::makeImage(model, target, **board, compiled->arguments,
                                 request.calls);
  if (!image)
    return image.takeError();
  auto counts =
      countInstructions(deploy::getEmulator(**board, target), image->elf,
                        unsigned(std::ceil(request.seconds)));
  if (!counts)
    return counts.takeError();
  Profile profile;
  if (llvm::Error error = addCounts(model, *counts, image->codeBegin,
                                    getOthers(*image), request.calls, profile))
    return std::move(error);
  profile.runs.back().source = path.str();
  return std::move(profile);
}

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

/// The number of probes of all dispatches.
static uint64_t countProbes(const compile::CompiledModel &model) {
  return model.program.probes.size() *
         (1 + uint64_t(model.program.instances.size()));
}

static llvm::Expected<deploy::ImageProbes>
getProbes(const TargetRequest &request) {
  const codegen::TargetModel &target = request.compile.target;
  auto counter = deploy::getCounter(target, request.counter);
  auto console = deploy::getConsole(target, request.console);
  if (!counter || !console)
    return llvm::joinErrors(counter.takeError(), console.takeError());
  deploy::ImageProbes probes;
  probes.counter = *counter;
  probes.console = *console;
  probes.warmUp = request.warmUp;
  return probes;
}

/// The runtime's file in the output of `command`.
static llvm::Expected<std::string> runCommand(const TargetRequest &request,
                                              std::string command) {
  auto output = record::runCommand({std::move(command), request.seconds});
  if (!output)
    return output.takeError();
  return importer::findProfRaw(*output,
                               "the output of '" + request.command + "'");
}

/// Runs the program `elf` by the command of `request`; the runtime's file.
static llvm::Expected<std::string> runImage(const TargetRequest &request,
                                            llvm::StringRef elf) {
  llvm::SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("mlir-prof", "elf", path))
    return inputError("a temporary file",
                      "cannot be created: " + error.message());
  llvm::FileRemover remover(path);
  if (llvm::Error error =
          writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
            os << elf;
            return llvm::Error::success();
          }))
    return std::move(error);
  // Programs of user mode must be executable.
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all);
  return runCommand(request, addPath(request.command, "image", path));
}

/// Measures by a program of the tool's; the runtime's file.
static llvm::Expected<std::string>
measureImage(const TargetRequest &request, const TargetModel &compiled,
             const deploy::ImageProbes &probes) {
  const codegen::TargetModel &target = request.compile.target;
  auto board = deploy::getBoard(target);
  if (!board)
    return board.takeError();
  auto image = deploy::makeImage(compiled.built.model, target, **board,
                                 compiled.arguments, request.calls, &probes);
  if (!image)
    return image.takeError();
  return runImage(request, image->elf);
}

/// Measures by a program of the user's; the runtime's file.
static llvm::Expected<std::string>
measurePackage(const TargetRequest &request, const TargetModel &compiled,
               const deploy::ImageProbes &probes) {
  auto files =
      deploy::makeProbedPackage(compiled.built.model, request.compile.target,
                                request.compile.placedSymbol, probes);
  if (!files)
    return files.takeError();
  if (llvm::Error error = writePackage(*files, request.package))
    return std::move(error);
  return runCommand(request, request.command);
}

/// The unit of the counter of `request`, which files call `counter`.
static std::optional<importer::CountedTicks>
countTicks(const TargetRequest &request, llvm::StringRef counter) {
  if (!request.unit.empty())
    return importer::CountedTicks{request.unit};
  return countEmulated(findEmulation(request.command),
                       deploy::getEmulatedRate(
                           deploy::findBoard(request.compile.target), counter));
}

llvm::Expected<Profile> mlirprof::recordOnTarget(llvm::StringRef path,
                                                 TargetRequest request) {
  auto probes = getProbes(request);
  if (!probes)
    return probes.takeError();
  auto compiled = compileForTarget(path, request);
  if (!compiled)
    return compiled.takeError();
  const compile::CompiledModel &model = compiled->built.model;
  probes->probes = countProbes(model);
  bool isOwn = !request.package.empty();
  auto raw = isOwn ? measurePackage(request, *compiled, *probes)
                   : measureImage(request, *compiled, *probes);
  if (!raw)
    return raw.takeError();
  TargetMeasurements measured;
  measured.raw = std::move(*raw);
  measured.command = request.command;
  // A program of the user's calls the model as often as it wants.
  measured.calls = isOwn ? 0 : request.calls;
  measured.countTicks = [&](llvm::StringRef counter, llvm::StringRef) {
    return countTicks(request, counter);
  };
  Profile profile;
  if (llvm::Error error = addMeasurements(model, measured, profile))
    return std::move(error);
  profile.runs.back().source = path.str();
  return std::move(profile);
}
