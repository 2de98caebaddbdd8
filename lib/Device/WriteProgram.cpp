//===- WriteProgram.cpp - Writing programs of devices ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFormat.h"
#include "mlir-prof/Device/ProgramFile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::device;
using namespace mlirprof::device::format;

namespace {

/// The content of a section.
class Content {
public:
  template <typename T>
  void put(T value) {
    llvm::support::endian::write(os, value, llvm::endianness::little);
  }
  void put(llvm::StringRef text) {
    put(uint64_t(text.size()));
    os << text;
  }
  template <size_t N>
  void put(const std::array<uint32_t, N> &values) {
    for (uint32_t value : values)
      put(value);
  }
  void put(llvm::ArrayRef<int64_t> values) {
    put(uint64_t(values.size()));
    for (int64_t value : values)
      put(value);
  }
  void put(const Binding &binding) {
    put(uint8_t(binding.place));
    put(binding.index);
    put(binding.offset);
    put(binding.bytes);
  }
  void put(const Launch &launch) {
    put(uint8_t(StepKind::Launch));
    put(launch.kernel);
    put(launch.instance);
    put(launch.grid);
    put(uint64_t(launch.bindings.size()));
    for (const Binding &binding : launch.bindings)
      put(binding);
    put(llvm::ArrayRef(launch.parameters));
  }
  void put(const Copy &copy) {
    put(uint8_t(StepKind::Copy));
    put(copy.from);
    put(copy.to);
  }
  void put(llvm::ArrayRef<Array> arrays) {
    put(uint64_t(arrays.size()));
    for (const Array &array : arrays) {
      put(llvm::StringRef(array.name));
      put(llvm::StringRef(array.elementType));
      put(llvm::ArrayRef(array.shape));
      put(array.bytes);
    }
  }
  llvm::StringRef get() const { return bytes; }

private:
  llvm::SmallString<256> bytes;
  llvm::raw_svector_ostream os{bytes};
};

/// Writes sections.
class SectionWriter {
public:
  explicit SectionWriter(llvm::raw_ostream &os) : os(os) {
    Content begin;
    begin.put(kMajor);
    begin.put(kMinor);
    os << kMagic << begin.get();
    pad(kMagic.size() + begin.get().size());
  }

  void add(uint32_t tag, llvm::StringRef content) {
    Content header;
    header.put(tag);
    header.put(llvm::crc32(llvm::arrayRefFromStringRef(content)));
    header.put(uint64_t(content.size()));
    os << header.get();
    pad(header.get().size());
    os << content;
    pad(content.size());
  }

private:
  void pad(uint64_t written) {
    os.write_zeros(unsigned(llvm::alignTo(written, kUnit) - written));
  }

  llvm::raw_ostream &os;
};

} // namespace

static llvm::StringRef toText(llvm::ArrayRef<char> bytes) {
  return {bytes.data(), bytes.size()};
}

/// Kernels with the same assembly name it by its number.
static void writeKernels(const Program &program, SectionWriter &sections) {
  llvm::MapVector<llvm::StringRef, uint32_t> assemblies;
  Content kernels;
  kernels.put(uint64_t(program.kernels.size()));
  for (const Kernel &kernel : program.kernels) {
    auto number = uint32_t(assemblies.size());
    kernels.put(llvm::StringRef(kernel.name));
    kernels.put(assemblies.try_emplace(kernel.assembly, number).first->second);
    kernels.put(kernel.block);
    kernels.put(kernel.sharedBytes);
    kernels.put(kernel.node);
  }
  for (auto [assembly, number] : assemblies)
    sections.add(kAssembly, assembly);
  sections.add(kKernels, kernels.get());
}

void device::writeProgram(const Program &program, llvm::raw_ostream &os) {
  SectionWriter sections(os);
  Content main;
  main.put(llvm::StringRef(program.target));
  main.put(program.arenaBytes);
  main.put(program.probeBytes);
  sections.add(kMain, main.get());
  writeKernels(program, sections);
  Content steps;
  steps.put(uint64_t(program.steps.size()));
  for (const Step &step : program.steps)
    std::visit([&](const auto &each) { steps.put(each); }, step);
  sections.add(kSteps, steps.get());
  Content arguments, results;
  arguments.put(llvm::ArrayRef(program.arguments));
  results.put(llvm::ArrayRef(program.results));
  sections.add(kArguments, arguments.get());
  sections.add(kResults, results.get());
  for (llvm::ArrayRef<char> constant : program.constants)
    sections.add(kConstant, toText(constant));
  if (!program.profile.empty())
    sections.add(kProfile, toText(program.profile));
  sections.add(kLast, "");
}
