//===- CacheFolder.cpp - A folder with compiled code ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFolder.h"
#include "mlir-prof/Compile/ModelCache.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

/// The prefix that LLVM's pruning of caches looks for.
static constexpr StringLiteral kPrefix = "llvmcache-";

/// Empty if there is no cache.
static std::string findFolder() {
  if (std::optional<std::string> named =
          sys::Process::GetEnv("MLIR_PROF_CACHE"))
    return *named == "off" ? "" : *named;
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "mlir-prof");
  return std::string(folder);
}

static std::string getPath(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  sys::path::append(path, kPrefix + name);
  return std::string(path);
}

static constexpr StringLiteral kSizeVariable = "MLIR_PROF_CACHE_SIZE";

static Expected<uint64_t> readMegabytes() {
  uint64_t megabytes = 1024;
  std::optional<std::string> text = sys::Process::GetEnv(kSizeVariable);
  if (text && !to_integer(*text, megabytes, 10))
    return usageError(kSizeVariable + "='" + *text +
                      "' is not a number of megabytes");
  return megabytes;
}

Error compile::checkCacheSettings() { return readMegabytes().takeError(); }

/// 0 megabytes if the number is not valid: nothing is written or removed.
static uint64_t readLimit() {
  Expected<uint64_t> megabytes = readMegabytes();
  if (megabytes)
    return SaturatingMultiply(*megabytes, uint64_t(1) << 20);
  consumeError(megabytes.takeError());
  return 0;
}

uint64_t compile::getCacheLimit() {
  return findFolder().empty() ? 0 : readLimit();
}

std::unique_ptr<MemoryBuffer> compile::readCached(StringRef name) {
  std::string folder = findFolder();
  if (folder.empty())
    return nullptr;
  auto buffer = MemoryBuffer::getFile(getPath(folder, name), /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return buffer ? std::move(*buffer) : nullptr;
}

/// Removes the oldest files.
static void prune(StringRef folder, Pruning pruning) {
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(pruning == Pruning::Seldom ? 300 : 0);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizeBytes = readLimit();
  policy.MaxSizePercentageOfAvailableSpace = 50;
  (void)pruneCache(folder, policy, {});
}

void compile::writeCached(StringRef name, Pruning pruning,
                          function_ref<Error(raw_ostream &)> write) {
  std::string folder = findFolder();
  // The pruning below takes 0 for no limit.
  if (folder.empty() || readLimit() == 0 || sys::fs::create_directories(folder))
    return;
  consumeError(writeOutput(getPath(folder, name), write));
  prune(folder, pruning);
}
