//===- KernelCache.cpp - Compiled kernels on disk -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCache.h"
#include "../Cache/CacheFolder.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

// A file is the header (magic, whether OpenMP is used, the lengths of the
// object and of the rest, the hash of all that follows), the object, the phases
// (bytes of the workspace and number of phases, 64 bits each, then the sizes of
// each grid and the cost, 32 bits each), and a profile with the program and its
// levels.
static constexpr StringLiteral kMagic = "MLPKRNL2";
static constexpr size_t kHeaderBytes = 8 + 4 * 8;
static constexpr size_t kPhaseWords = 4;

template <typename T>
static void put(T value, std::string &bytes) {
  char raw[sizeof(T)];
  support::endian::write(raw, value, endianness::little);
  bytes.append(raw, sizeof raw);
}

static void addPhases(const KernelPhases &phases, std::string &bytes) {
  put(phases.workspaceBytes, bytes);
  put<uint64_t>(phases.phases.size(), bytes);
  for (const KernelPhase &phase : phases.phases)
    for (uint32_t word :
         {phase.grid[0], phase.grid[1], phase.grid[2], phase.costNs})
      put(word, bytes);
}

/// Takes the phases off the begin of `bytes`. Returns false if they are not
/// there.
static bool takePhases(StringRef &bytes, KernelPhases &phases) {
  if (bytes.size() < 16)
    return false;
  phases.workspaceBytes = support::endian::read64le(bytes.data());
  uint64_t count = support::endian::read64le(bytes.data() + 8);
  bytes = bytes.drop_front(16);
  if (count > bytes.size() / (4 * kPhaseWords))
    return false;
  for (uint64_t i = 0; i != count; ++i) {
    uint32_t words[kPhaseWords];
    for (uint32_t &word : words) {
      word = support::endian::read32le(bytes.data());
      bytes = bytes.drop_front(4);
    }
    phases.phases.push_back({{words[0], words[1], words[2]}, words[3]});
  }
  return true;
}

std::string compile::serializeKernel(const CompiledKernel &kernel) {
  Profile holder;
  holder.programs.push_back(kernel.program);
  holder.irModules = kernel.levels;
  std::string body = kernel.object;
  addPhases(kernel.phases, body);
  raw_string_ostream os(body);
  cantFail(writeProfile(holder, os));
  std::string bytes = kMagic.str();
  for (uint64_t value :
       {uint64_t(kernel.usesOpenMP), uint64_t(kernel.object.size()),
        uint64_t(body.size() - kernel.object.size()), xxh3_64bits(body)})
    put(value, bytes);
  return bytes + body;
}

std::optional<CompiledKernel> compile::parseKernel(StringRef bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic))
    return std::nullopt;
  auto get = [&](size_t index) {
    return support::endian::read64le(bytes.data() + 8 + 8 * index);
  };
  uint64_t object = get(1), rest = get(2);
  StringRef body = bytes.drop_front(kHeaderBytes);
  if (object > body.size() || rest != body.size() - object ||
      get(3) != xxh3_64bits(body))
    return std::nullopt;
  CompiledKernel kernel;
  StringRef behind = body.drop_front(object);
  if (!takePhases(behind, kernel.phases))
    return std::nullopt;
  Expected<Profile> holder = readProfile(behind, "a compiled kernel");
  if (!holder) {
    consumeError(holder.takeError());
    return std::nullopt;
  }
  if (holder->programs.size() != 1)
    return std::nullopt;
  kernel.object = body.take_front(object).str();
  kernel.usesOpenMP = get(0) != 0;
  kernel.program = std::move(holder->programs.front());
  kernel.levels = std::move(holder->irModules);
  return std::move(kernel);
}

std::optional<CompiledKernel> compile::findInCache(const KernelSource &source) {
  PROF_SCOPE("read cached kernel");
  std::unique_ptr<MemoryBuffer> buffer = readCached(source.hash);
  return buffer ? parseKernel(buffer->getBuffer()) : std::nullopt;
}

void compile::storeInCache(const KernelSource &source,
                           const CompiledKernel &kernel) {
  PROF_SCOPE("cache kernel");
  writeCached(source.hash, Pruning::Seldom,
              [&](raw_ostream &os) { os << serializeKernel(kernel); });
}
