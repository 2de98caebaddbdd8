//===- Compile.cpp - Compiling a model to a file --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Compile.h"
#include "mlir-prof/Device/ProgramFile.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "mlir-prof/Session/Device.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"

#include <sys/resource.h>

using namespace mlirprof;
using namespace mlirprof::compile;

/// The most memory that this process has used; 0 if it is not known.
static uint64_t getPeakBytes() {
  // Kilobytes, on Linux.
  rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? uint64_t(usage.ru_maxrss) << 10
                                             : 0;
}

namespace {
/// Times the stages of a build.
class StageClock {
public:
  explicit StageClock(std::vector<BuildStage> &stages) : stages(stages) {}

  /// The stage `name` lasted from the end of the one before until now.
  void end(llvm::StringRef name) {
    double now = getMonotonicSeconds();
    stages.push_back({name.str(), now - begin, getPeakBytes()});
    begin = now;
  }

private:
  std::vector<BuildStage> &stages;
  double begin = getMonotonicSeconds();
};
} // namespace

/// Writes a model for a device, whose levels are in the file.
static llvm::Expected<LibrarySizes> writeDevice(BuiltModel &built,
                                                llvm::raw_ostream &os) {
  auto model = takeDeviceModel(built);
  if (!model)
    return model.takeError();
  LibrarySizes sizes;
  for (const device::Kernel &kernel : model->program.kernels)
    sizes.code += kernel.assembly.size();
  for (llvm::ArrayRef<char> constant : model->program.constants)
    sizes.constants += constant.size();
  uint64_t begin = os.tell();
  device::writeProgram(model->program, os);
  sizes.file = os.tell() - begin;
  return sizes;
}

llvm::Expected<CompiledFile>
mlirprof::compileFile(llvm::StringRef path, const CompileOptions &options,
                      llvm::StringRef output, const NoteHandler &onNote) {
  CompiledFile file;
  StageClock clock(file.stages);
  // The cache has models of this machine's processor only.
  bool isGpu = codegen::isGpu(options.target);
  auto built = isGpu ? readInput(path) : openModel(path, options);
  if (!built)
    return built.takeError();
  if (built->threads)
    return inputError(path, "is a compiled model already",
                      "Name the module from which it was compiled.");
  clock.end("read");
  if (llvm::Error error = compileInput(*built, path, options, onNote))
    return std::move(error);
  clock.end("compile");
  CompiledModel &model = built->model;
  file.signature = model.signature;
  file.entry = profile::getEntry(model.program).str();
  if (model.usesOpenMP && options.target.threads > 1 && onNote)
    onNote("parallel loops that are not in kernels run on one thread in a "
           "compiled model");
  auto write = [&](llvm::raw_ostream &os) -> llvm::Error {
    auto sizes = isGpu
                     ? writeDevice(*built, os)
                     : writeLibrary(model, built->warnings, options.target, os);
    if (!sizes)
      return sizes.takeError();
    file.sizes = *sizes;
    return llvm::Error::success();
  };
  if (llvm::Error error = writeOutput(output, write))
    return std::move(error);
  clock.end("write");
  file.stateBytes = model.stateBytes;
  file.cpu = options.target.cpu;
  file.threads = options.target.threads;
  file.isFound = built->isFound;
  return std::move(file);
}
