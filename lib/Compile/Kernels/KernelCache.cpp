//===- KernelCache.cpp - Compiled kernels on disk -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCache.h"
#include "../Cache/CacheFolder.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

// A file is the header (magic, whether OpenMP is used, the lengths of the
// object and of the rest, the hash of all that follows), the object, the phases
// (bytes of the workspace and number of phases, 64 bits each, then the sizes of
// each grid and workgroup, the bytes of shared memory and the cost, 32 bits
// each), the number of warnings
// and their texts, and a profile with the program and its levels.
static constexpr StringLiteral kMagic = "MLPKRNL5";
static constexpr size_t kHeaderBytes = 8 + 4 * 8;

static void addPhases(const KernelPhases &phases, ByteWriter &writer) {
  writer.put(phases.workspaceBytes);
  writer.put(uint64_t(phases.phases.size()));
  for (const KernelPhase &phase : phases.phases) {
    for (uint32_t size : phase.grid)
      writer.put(size);
    for (uint32_t size : phase.block)
      writer.put(size);
    writer.put(phase.sharedBytes);
    writer.put(phase.costNs);
  }
}

static KernelPhases readPhases(ByteReader &reader) {
  KernelPhases phases;
  phases.workspaceBytes = reader.getInteger();
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count) {
    KernelPhase &phase = phases.phases.emplace_back();
    for (uint32_t &size : phase.grid)
      size = reader.getWord();
    for (uint32_t &size : phase.block)
      size = reader.getWord();
    phase.sharedBytes = reader.getWord();
    phase.costNs = reader.getWord();
  }
  return phases;
}

std::string compile::serializeKernel(const CompiledKernel &kernel) {
  Profile holder;
  holder.programs.push_back(kernel.program);
  holder.irModules = kernel.levels;
  std::string body = kernel.object;
  ByteWriter writer(body);
  addPhases(kernel.phases, writer);
  writer.put(uint64_t(kernel.warnings.size()));
  for (const std::string &warning : kernel.warnings)
    writer.put(warning);
  raw_string_ostream os(body);
  cantFail(writeProfile(holder, os));
  std::string bytes = kMagic.str();
  ByteWriter header(bytes);
  for (uint64_t value :
       {uint64_t(kernel.usesOpenMP), uint64_t(kernel.object.size()),
        uint64_t(body.size() - kernel.object.size()), xxh3_64bits(body)})
    header.put(value);
  return bytes + body;
}

std::optional<CompiledKernel> compile::parseKernel(StringRef bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic))
    return std::nullopt;
  ByteReader header(bytes.drop_front(kMagic.size()));
  CompiledKernel kernel;
  kernel.usesOpenMP = header.getInteger() != 0;
  uint64_t object = header.getInteger(), rest = header.getInteger();
  uint64_t hash = header.getInteger();
  StringRef body = header.getRest();
  if (object > body.size() || rest != body.size() - object ||
      hash != xxh3_64bits(body))
    return std::nullopt;
  ByteReader behind(body.drop_front(object));
  kernel.phases = readPhases(behind);
  for (uint64_t count = behind.getInteger(); behind.isGood() && count != 0;
       --count)
    kernel.warnings.push_back(behind.getText());
  Expected<Profile> holder = readProfile(behind.getRest(), "a compiled kernel");
  if (!holder) {
    consumeError(holder.takeError());
    return std::nullopt;
  }
  if (holder->programs.size() != 1)
    return std::nullopt;
  kernel.object = body.take_front(object).str();
  kernel.program = std::move(holder->programs.front());
  kernel.levels = std::move(holder->irModules);
  return std::move(kernel);
}

/// None if the cache does not have it.
static std::optional<CompiledKernel> find(const KernelSource &source) {
  PROF_SCOPE("read cached kernel");
  std::unique_ptr<MemoryBuffer> buffer = readCached(source.hash);
  return buffer ? parseKernel(buffer->getBuffer()) : std::nullopt;
}

/// Unless the folder cannot be written to.
static void store(const KernelSource &source, const CompiledKernel &kernel) {
  PROF_SCOPE("cache kernel");
  writeCached(source.hash, Pruning::Seldom, [&](raw_ostream &os) {
    os << serializeKernel(kernel);
    return Error::success();
  });
}

llvm::Expected<CompiledKernel>
compile::findOrCompile(const KernelSource &source,
                       const CompileOptions &options,
                       function_ref<KernelWorkshop &()> open) {
  // An audit is about the passes, which have to run.
  if (!options.audit)
    if (std::optional<CompiledKernel> known = find(source))
      return std::move(*known);
  llvm::Expected<CompiledKernel> compiled =
      compileKernel(source, options, open());
  if (compiled)
    store(source, *compiled);
  return compiled;
}
