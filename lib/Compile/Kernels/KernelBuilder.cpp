//===- KernelBuilder.cpp - Compiling the kernels of a model ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "KernelCache.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Threading.h"

#include <numeric>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

KernelBuilder::KernelBuilder(std::vector<KernelSource> kernels,
                             const CompileOptions &given)
    : sources(std::move(kernels)), options(given), results(sources.size()),
      order(sources.size()) {
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return sources[a].operations > sources[b].operations;
  });
  // The caller has a processor, and compiles kernels when the rest is done:
  // nobody waits for a thread that shares its processor with others.
  size_t processors =
      std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  for (size_t i = 0, e = std::min(processors - 1, sources.size()); i < e; ++i)
    if (!threads.start([this] { work(); }))
      break;
}

KernelBuilder::~KernelBuilder() {
  next = sources.size();
  threads.join();
  for (auto &result : results)
    if (result && !*result)
      llvm::consumeError(result->takeError());
}

void KernelBuilder::work() {
  // A thread that finds all of its kernels does not need one.
  std::unique_ptr<KernelWorkshop> workshop;
  auto open = [&]() -> KernelWorkshop & {
    if (!workshop)
      workshop = std::make_unique<KernelWorkshop>();
    return *workshop;
  };
  CrashRecovery recovery;
  for (size_t i = next++; i < sources.size(); i = next++) {
    const KernelSource &source = sources[order[i]];
    auto &result = results[order[i]];
    llvm::CrashRecoveryContext region;
    if (region.RunSafely(
            [&] { result.emplace(findOrCompile(source, options, open)); }))
      continue;
    // Nothing in the context can be used, or destroyed.
    (void)workshop.release();
    result.emplace(makeCrashError(
        source.place.empty() ? "kernel '" + source.name + "'" : source.place,
        options.pipeline));
  }
}

/// Passes on the warnings of a kernel, whose ops do not have locations.
static void warn(const KernelSource &source, const CompiledKernel &kernel,
                 const CompileOptions &options) {
  if (!options.onWarning)
    return;
  for (llvm::StringRef text : kernel.warnings) {
    bool isAnywhere =
        !source.place.empty() && text.consume_front(kUnknownPlace);
    options.onWarning(isAnywhere ? source.place + text.str() : text.str());
  }
}

llvm::Expected<std::vector<CompiledKernel>> KernelBuilder::finish() {
  work();
  threads.join();
  std::vector<CompiledKernel> kernels;
  for (auto [source, result] : llvm::zip_equal(sources, results)) {
    if (!*result) {
      llvm::Error error = result->takeError();
      result.reset();
      return std::move(error);
    }
    kernels.push_back(std::move(**result));
    warn(source, kernels.back(), options);
  }
  return std::move(kernels);
}
