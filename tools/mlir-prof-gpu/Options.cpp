//===- Options.cpp - Options of mlir-prof-gpu -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "mlir-prof/Support/Error.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::device;

llvm::StringRef device::getHelp() {
  return R"(OVERVIEW: Run and time a program for a GPU, without MLIR

USAGE: mlir-prof-gpu [options] program

'mlir-prof compile --device=cuda' makes programs. The times of the kernels are
those between events on the device; with --times, 'mlir-prof record' makes a
profile of them on the machine that has the model.

OPTIONS:
  --atol=X              Absolute tolerance of --compare (default: 1e-5 of the
                        largest expected element)
  --compare=FILE.npy    Compare the next result with the file; exit with 3 if it
                        differs
  --device=N            Number of the GPU (default: 0)
  --help                Print this text
  --input=FILE.npy      File with the next argument; other arguments are random
  --iterations=N        Stop after N iterations
  --list                Describe the program, without a GPU
  --no-peak             Do not measure the peak of the device
  --replay=graph|stream Start the kernels of an iteration as one graph, or one
                        after the other (default: graph)
  --rtol=X              Relative tolerance of --compare (default: 1e-5)
  --samples             Sample program counters for a second after the
                        iterations, by NVIDIA's CUPTI
  --save-results=FOLDER Write each result as FOLDER/NAME.npy
  --seconds=X           Stop after X seconds (default: 2)
  --seed=N              Seed of the random arguments (default: 0)
  --times=FILE.json     Write the times of all iterations and kernels; - for
                        standard output
  --warm-up=N           Iterations before measuring (default: 3)
)";
}

namespace {
/// The value of an option.
struct Value {
  llvm::StringRef name, text;

  llvm::Error fail(const llvm::Twine &expected) const {
    return usageError("'" + name + "=" + text + "' must be " + expected);
  }
  llvm::Error get(std::string &to) const {
    to = text.str();
    return text.empty() ? fail("the name of a file") : llvm::Error::success();
  }
  llvm::Error get(std::vector<std::string> &to) const {
    return get(to.emplace_back());
  }
  template <typename T>
  llvm::Error getNumber(T &to) const {
    return text.getAsInteger(10, to) ? fail("a whole number")
                                     : llvm::Error::success();
  }
  llvm::Error get(uint64_t &to) const { return getNumber(to); }
  llvm::Error get(unsigned &to) const { return getNumber(to); }
  llvm::Error get(double &to) const {
    bool isGood = !text.getAsDouble(to) && std::isfinite(to) && to >= 0;
    return isGood ? llvm::Error::success() : fail("a number of at least 0");
  }
  llvm::Error get(Replay &to) const {
    if (text != "graph" && text != "stream")
      return fail("graph or stream");
    to = text == "graph" ? Replay::Graph : Replay::Stream;
    return llvm::Error::success();
  }
};
} // namespace

static llvm::Error readValue(const Value &value, GpuOptions &options) {
  llvm::StringRef name = value.name;
  if (name == "--atol")
    return value.get(options.atol);
  if (name == "--compare")
    return value.get(options.compare);
  if (name == "--device")
    return value.get(options.device);
  if (name == "--input")
    return value.get(options.inputs);
  if (name == "--iterations") {
    // Given alone, a number of iterations does not limit the time.
    options.measure.seconds = 0;
    return value.get(options.measure.iterations);
  }
  if (name == "--replay")
    return value.get(options.measure.replay);
  if (name == "--rtol")
    return value.get(options.rtol);
  if (name == "--save-results")
    return value.get(options.saveResults);
  if (name == "--seconds")
    return value.get(options.measure.seconds);
  if (name == "--seed")
    return value.get(options.seed);
  if (name == "--times")
    return value.get(options.times);
  if (name == "--warm-up")
    return value.get(options.measure.warmUp);
  return usageError("unknown option '" + name + "'; --help lists all");
}

llvm::Expected<GpuOptions>
device::readOptions(llvm::ArrayRef<const char *> arguments) {
  GpuOptions options;
  options.measure.measurePeak = true;
  for (llvm::StringRef argument : arguments) {
    if (argument == "--help") {
      options.isHelp = true;
      return std::move(options);
    }
    if (argument == "--samples") {
      options.sampling = Sampling::On;
      options.measure.sampleSeconds = 1;
    } else if (argument == "--no-peak") {
      options.measure.measurePeak = false;
    } else if (argument == "--list") {
      options.isList = true;
    } else if (argument.starts_with("--")) {
      auto [name, text] = argument.split('=');
      if (llvm::Error error = readValue({name, text}, options))
        return std::move(error);
    } else if (options.program.empty()) {
      options.program = argument.str();
    } else {
      return usageError("takes one program, and '" + argument +
                        "' would be another one");
    }
  }
  if (options.program.empty())
    return usageError("needs a program; --help describes it");
  return std::move(options);
}
