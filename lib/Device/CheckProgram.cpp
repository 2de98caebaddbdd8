//===- CheckProgram.cpp - Programs of devices that can run ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/ProgramFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::device;

/// More than any device has; sums of sizes below it do not overflow.
static constexpr uint64_t kMaxBytes = uint64_t(1) << 44;
/// Limits of all devices: threads of a workgroup, and bytes of the arguments of
/// a launch.
static constexpr uint64_t kMaxThreads = 1024;
static constexpr size_t kMaxArguments = 4096 / 8;

namespace {
class ProgramChecker {
public:
  ProgramChecker(const Program &program, llvm::StringRef where)
      : program(program), where(where) {}

  llvm::Error run();

private:
  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(where, what, "Compile the model again.");
  }
  llvm::Error checkKernel(const Kernel &kernel) const;
  llvm::Error checkArray(const Array &array) const;
  llvm::Error checkBinding(const Binding &binding, size_t step) const;
  llvm::Error checkLaunch(const Launch &launch, size_t step) const;
  llvm::Error checkCopy(const Copy &copy, size_t step) const;
  /// Bytes of a place; none if the index is too large.
  std::optional<uint64_t> getBytes(const Binding &binding) const;

  const Program &program;
  llvm::StringRef where;
};
} // namespace

static bool hasZero(llvm::StringRef text) { return text.contains('\0'); }

llvm::Error ProgramChecker::checkKernel(const Kernel &kernel) const {
  if (kernel.name.empty() || hasZero(kernel.name))
    return fail("a kernel does not have a name");
  if (kernel.assembly.empty() || hasZero(kernel.assembly))
    return fail("kernel '" + llvm::Twine(kernel.name) +
                "' does not have assembly");
  uint64_t threads = 1;
  for (uint32_t size : kernel.block)
    threads = llvm::SaturatingMultiply(threads, uint64_t(size));
  if (threads == 0 || threads > kMaxThreads)
    return fail("a workgroup of kernel '" + llvm::Twine(kernel.name) +
                "' does not have between 1 and 1024 threads");
  return llvm::Error::success();
}

llvm::Error ProgramChecker::checkArray(const Array &array) const {
  uint64_t elements = 1;
  bool isSized = true;
  for (int64_t size : array.shape) {
    isSized &= size >= 0;
    elements = llvm::SaturatingMultiply(elements, uint64_t(size));
  }
  bool fits = elements == 0 ? array.bytes == 0
                            : array.bytes % elements == 0 && array.bytes != 0;
  if (!isSized || !fits || array.bytes > kMaxBytes || array.elementType.empty())
    return fail("the bytes of '" + llvm::Twine(array.name) +
                "' do not fit its type");
  return llvm::Error::success();
}

std::optional<uint64_t> ProgramChecker::getBytes(const Binding &binding) const {
  auto ofArray = [&](llvm::ArrayRef<Array> arrays) -> std::optional<uint64_t> {
    if (binding.index >= arrays.size())
      return std::nullopt;
    return arrays[binding.index].bytes;
  };
  switch (binding.place) {
  case Binding::Place::Argument:
    return ofArray(program.arguments);
  case Binding::Place::Result:
    return ofArray(program.results);
  case Binding::Place::Constant:
    if (binding.index >= program.constants.size())
      return std::nullopt;
    return program.constants[binding.index].size();
  case Binding::Place::Arena:
    return binding.index == 0 ? std::optional(program.arenaBytes)
                              : std::nullopt;
  case Binding::Place::Probes:
    return binding.index == 0 ? std::optional(program.probeBytes)
                              : std::nullopt;
  }
  return std::nullopt;
}

llvm::Error ProgramChecker::checkBinding(const Binding &binding,
                                         size_t step) const {
  std::optional<uint64_t> bytes = getBytes(binding);
  if (bytes && binding.offset <= *bytes &&
      binding.bytes <= *bytes - binding.offset)
    return llvm::Error::success();
  return fail("step " + llvm::Twine(step) +
              " uses memory that the program does not have");
}

llvm::Error ProgramChecker::checkLaunch(const Launch &launch,
                                        size_t step) const {
  if (launch.kernel >= program.kernels.size())
    return fail("step " + llvm::Twine(step) +
                " runs a kernel that the program does not have");
  if (launch.bindings.size() + launch.parameters.size() > kMaxArguments)
    return fail("step " + llvm::Twine(step) +
                " has more arguments than a kernel can take");
  for (const Binding &binding : launch.bindings)
    if (llvm::Error error = checkBinding(binding, step))
      return error;
  return llvm::Error::success();
}

llvm::Error ProgramChecker::checkCopy(const Copy &copy, size_t step) const {
  if (copy.from.bytes != copy.to.bytes)
    return fail("step " + llvm::Twine(step) +
                " copies between ranges of different sizes");
  if (llvm::Error error = checkBinding(copy.from, step))
    return error;
  return checkBinding(copy.to, step);
}

llvm::Error ProgramChecker::run() {
  if (program.target.empty())
    return fail("the program does not name its target");
  if (program.arenaBytes > kMaxBytes || program.probeBytes > kMaxBytes)
    return fail("the program needs more memory than any device has");
  for (const Kernel &kernel : program.kernels)
    if (llvm::Error error = checkKernel(kernel))
      return error;
  for (const std::vector<Array> *arrays :
       {&program.arguments, &program.results})
    for (const Array &array : *arrays)
      if (llvm::Error error = checkArray(array))
        return error;
  for (auto [number, step] : llvm::enumerate(program.steps)) {
    const auto *launch = std::get_if<Launch>(&step);
    if (llvm::Error error = launch ? checkLaunch(*launch, number)
                                   : checkCopy(std::get<Copy>(step), number))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error device::checkProgram(const Program &program,
                                 llvm::StringRef where) {
  return ProgramChecker(program, where).run();
}
