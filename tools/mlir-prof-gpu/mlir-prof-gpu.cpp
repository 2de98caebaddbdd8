//===- mlir-prof-gpu.cpp - Running programs on a GPU ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "mlir-prof/Device/ProgramFile.h"
#include "mlir-prof/Device/RunFile.h"
#include "mlir-prof/Support/CompareTensors.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Npy.h"
#include "mlir-prof/Support/RandomTensor.h"
#include "mlir-prof/Support/Statistics.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::device;

/// Exit codes, as those of mlir-prof.
static constexpr int kBadInput = 1, kBadUsage = 2, kGateFailed = 3;

static void note(const llvm::Twine &text) {
  llvm::errs() << "mlir-prof-gpu: note: " << text << '\n';
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

static llvm::Expected<HostTensor> readFile(llvm::StringRef path) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return unlessChanged(**buffer, readNpy((*buffer)->getBuffer(), path));
}

/// MLIR's signless integers are either in a file, and an index has 64 bits.
static void adoptType(HostTensor &tensor, const Array &array) {
  llvm::StringRef type = tensor.elementType;
  if ((type.starts_with("ui") && type.drop_front() == array.elementType) ||
      (array.elementType == "index" && (type == "i64" || type == "ui64")))
    tensor.elementType = array.elementType;
}

static HostTensor makeRandom(const Array &array, size_t position,
                             uint64_t seed) {
  HostTensor tensor;
  tensor.elementType = array.elementType;
  tensor.shape = array.shape;
  tensor.bytes.resize(array.bytes);
  if (uint64_t size = tensor.size())
    tensor.bytesPerElement = unsigned(array.bytes / size);
  fillRandom(tensor, position, seed);
  return tensor;
}

static llvm::Expected<Arguments> makeArguments(const Program &program,
                                               const GpuOptions &options) {
  if (options.inputs.size() > program.arguments.size())
    return usageError("--input names more files than the program has "
                      "arguments: there are " +
                      llvm::Twine(program.arguments.size()));
  Arguments arguments;
  for (auto [position, array] : llvm::enumerate(program.arguments)) {
    if (position >= options.inputs.size()) {
      arguments.push_back(makeRandom(array, position, options.seed));
      continue;
    }
    auto tensor = readFile(options.inputs[position]);
    if (!tensor)
      return tensor.takeError();
    adoptType(*tensor, array);
    arguments.push_back(std::move(*tensor));
  }
  return std::move(arguments);
}

/// Names are the model's: they must not lead out of the folder.
static llvm::Error saveResults(llvm::StringRef folder, const Program &program,
                               llvm::ArrayRef<HostTensor> results) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return inputError(folder, "cannot be made: " + error.message());
  for (auto [index, tensor] : llvm::enumerate(results)) {
    std::string name = "result" + std::to_string(index);
    llvm::StringRef own = program.results[index].name;
    if (!own.empty() &&
        llvm::all_of(own, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      name = own.str();
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name + ".npy");
    if (llvm::Error error = writeOutput(
            path, [&, &tensor = tensor](llvm::raw_ostream &os) -> llvm::Error {
              writeNpy(tensor, os);
              return llvm::Error::success();
            }))
      return error;
  }
  return llvm::Error::success();
}

/// Whether all results are as expected; says how they differ.
static llvm::Expected<bool> compareAll(const GpuOptions &options,
                                       llvm::ArrayRef<HostTensor> results) {
  if (options.compare.size() > results.size())
    return usageError("--compare names more files than the program has "
                      "results: there are " +
                      llvm::Twine(results.size()));
  bool isGood = true;
  for (auto [path, actual] : llvm::zip(options.compare, results)) {
    auto expected = readFile(path);
    if (!expected)
      return expected.takeError();
    Tolerance tolerance =
        getTolerance(actual, *expected, options.rtol, options.atol);
    auto found = compareTensors(actual, *expected, tolerance.relative,
                                tolerance.absolute);
    if (!found)
      return found.takeError();
    note(llvm::formatv("result against {0}: largest error {1:e2}, {2:e2} of "
                       "the largest element; {3} of {4} differ, {5} are not "
                       "finite",
                       path, found->maxAbsolute, found->relativeToMax,
                       found->different, found->elements, found->notFinite));
    isGood &= found->isEqual();
  }
  return isGood;
}

//===----------------------------------------------------------------------===//
// The program and its times
//===----------------------------------------------------------------------===//

static void describe(const Program &program) {
  llvm::raw_ostream &os = llvm::outs();
  os << "target: " << program.target << '\n';
  auto describeAll = [&](llvm::StringRef what, llvm::ArrayRef<Array> arrays) {
    for (const Array &array : arrays)
      os << what << ' ' << array.name << ": " << describeSizes(array.shape)
         << array.elementType << '\n';
  };
  describeAll("argument", program.arguments);
  describeAll("result", program.results);
  uint64_t constants = 0;
  for (llvm::ArrayRef<char> bytes : program.constants)
    constants += bytes.size();
  os << formatCount(constants, "byte") << " of constants, "
     << formatCount(program.arenaBytes, "byte") << " of arena, "
     << formatCount(program.profile.size(), "byte") << " of levels\n";
  for (const Step &step : program.steps) {
    if (const auto *copy = std::get_if<Copy>(&step)) {
      os << "copy " << formatCount(copy->to.bytes, "byte") << '\n';
      continue;
    }
    const auto &launch = std::get<Launch>(step);
    const Kernel &kernel = program.kernels[launch.kernel];
    os << llvm::formatv("launch {0}: grid {1}x{2}x{3}, block {4}x{5}x{6}, "
                        "{7} of dynamic shared memory\n",
                        kernel.name, launch.grid[0], launch.grid[1],
                        launch.grid[2], kernel.block[0], kernel.block[1],
                        kernel.block[2],
                        formatCount(kernel.sharedBytes, "byte"));
  }
}

static void printRun(const DeviceRun &run, const Program &program) {
  note(llvm::formatv(
      "{0} ({1}.{2}): {3}, median {4} on the device, {5} with times of each "
      "kernel; timing costs {6:f2} % of the run, an event {7}",
      run.device.name, run.device.major, run.device.minor,
      formatCount(run.count, "iteration"),
      formatTime(run.getMedianPs(/*isTimed=*/false)),
      formatTime(run.getMedianPs(/*isTimed=*/true)),
      double(run.getOverheadPpm()) / 1e4, formatTime(run.eventPs)));
  for (auto [index, step] : llvm::enumerate(program.steps)) {
    std::vector<int64_t> times;
    for (const Iteration &iteration : run.iterations)
      if (iteration.isTimed)
        times.push_back(iteration.stepPs[index]);
    const auto *launch = std::get_if<Launch>(&step);
    note("  " + formatTime(times.empty() ? 0 : getMedian(times)) + "  " +
         (launch ? program.kernels[launch->kernel].name : "copy"));
  }
  uint64_t samples = 0;
  for (const SampledPlace &place : run.samples.places)
    samples += place.samples;
  if (samples != 0)
    note(llvm::formatv("  {0} at {1}", formatCount(samples, "sample"),
                       formatCount(run.samples.places.size(), "instruction")));
  if (run.peak.flops != 0)
    note("  peak of the device: " + formatPeak(run.peak));
  if (!run.peakFailed.empty())
    note("  the peak of the device is not known: " + run.peakFailed);
  for (const Transfer &transfer : run.transfers)
    note(llvm::formatv("  {0}  {1} of {2}", formatTime(transfer.durationPs),
                       formatCount(transfer.bytes, "byte"), transfer.name));
}

/// Returns the exit code.
static llvm::Expected<int> run(const GpuOptions &options) {
  auto opened = openInput(options.program);
  if (!opened)
    return opened.takeError();
  std::shared_ptr<llvm::MemoryBuffer> buffer = std::move(*opened);
  auto program = readProgram(buffer);
  if (!program)
    return program.takeError();
  if (options.isList) {
    describe(*program);
    return 0;
  }
  if (!options.times.empty())
    if (llvm::Error error = checkOutput(options.times))
      return std::move(error);
  auto arguments = makeArguments(*program, options);
  if (!arguments)
    return arguments.takeError();
  auto driver = openCudaDriver();
  if (!driver)
    return driver.takeError();
  auto executor =
      Executor::create(**driver, *program, options.device, options.sampling);
  if (!executor)
    return executor.takeError();
  auto results = (*executor)->runOnce(*arguments);
  if (!results)
    return results.takeError();
  auto isGood = compareAll(options, *results);
  if (!isGood)
    return isGood.takeError();
  if (!options.saveResults.empty())
    if (llvm::Error error =
            saveResults(options.saveResults, *program, *results))
      return std::move(error);
  auto times = measure(**executor, options.measure);
  if (!times)
    return times.takeError();
  printRun(*times, *program);
  if (!options.times.empty())
    if (llvm::Error error = writeOutput(
            options.times, [&](llvm::raw_ostream &os) -> llvm::Error {
              writeRun(*times, *program,
                       contentHash(buffer->getBuffer(), getBacking(*buffer)),
                       os);
              return llvm::Error::success();
            }))
      return std::move(error);
  if (!times->samplesFailed.empty()) {
    llvm::errs() << "mlir-prof-gpu: error: " << times->samplesFailed << '\n';
    return kBadInput;
  }
  return *isGood ? 0 : kGateFailed;
}

int main(int argc, char **argv) {
  openStandardStreams();
  auto fail = [](llvm::Error error) {
    int code = error.isA<UsageError>() ? kBadUsage : kBadInput;
    llvm::errs() << "mlir-prof-gpu: error: " << llvm::toString(std::move(error))
                 << '\n';
    return code;
  };
  auto options = readOptions(llvm::ArrayRef(argv, size_t(argc)).drop_front());
  if (!options)
    return fail(options.takeError());
  if (options->isHelp) {
    llvm::outs() << getHelp();
    return 0;
  }
  auto code = run(*options);
  return code ? *code : fail(code.takeError());
}
