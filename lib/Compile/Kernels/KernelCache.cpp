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
// object and of the rest, the hash of all that follows), the object, and a
// profile with the program and its levels.
static constexpr StringLiteral kMagic = "MLPKRNL1";
static constexpr size_t kHeaderBytes = 8 + 4 * 8;

std::string compile::serializeKernel(const CompiledKernel &kernel) {
  Profile holder;
  holder.programs.push_back(kernel.program);
  holder.irModules = kernel.levels;
  std::string body = kernel.object;
  raw_string_ostream os(body);
  cantFail(writeProfile(holder, os));
  std::string bytes = kMagic.str();
  auto put = [&](uint64_t value) {
    char raw[8];
    support::endian::write64le(raw, value);
    bytes.append(raw, sizeof raw);
  };
  put(kernel.usesOpenMP);
  put(kernel.object.size());
  put(body.size() - kernel.object.size());
  put(xxh3_64bits(body));
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
  Expected<Profile> holder =
      readProfile(body.drop_front(object), "a compiled kernel");
  if (!holder) {
    consumeError(holder.takeError());
    return std::nullopt;
  }
  if (holder->programs.size() != 1)
    return std::nullopt;
  CompiledKernel kernel;
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
