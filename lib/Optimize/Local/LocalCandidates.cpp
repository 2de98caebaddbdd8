//===- LocalCandidates.cpp - Choices within kernels -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalCandidates.h"
#include "mlir-prof/Compile/KernelVariants.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;

std::vector<LocalCandidate>
optimize::proposeLocally(const CompiledModel &model, const ModelSites &sites,
                         const SearchSpace &space,
                         llvm::ArrayRef<double> seconds, double leastSeconds,
                         mlir::MLIRContext &context) {
  std::map<KernelOp, std::vector<size_t>> origins =
      findKernelOrigins(model, sites);
  std::vector<LocalCandidate> candidates;
  for (auto [index, code] : llvm::enumerate(model.kernelCode)) {
    if (index >= seconds.size() || seconds[index] < leastSeconds)
      continue;
    auto module = readKernel(code.bytecode, context);
    if (!module) {
      llvm::consumeError(module.takeError());
      continue;
    }
    forEachKernelOp(**module,
                    [&, index = index](uint32_t number, mlir::Operation *op) {
                      auto from = origins.find({index, number});
                      if (from == origins.end())
                        return;
                      for (const Technique *technique : space.getTechniques()) {
                        if (!technique->proposeInKernel)
                          continue;
                        double rank = 0;
                        for (tuning::Choice &choice :
                             technique->proposeInKernel(op, sites.target))
                          candidates.push_back({technique,
                                                {index, number},
                                                from->second,
                                                std::move(choice),
                                                seconds[index] / ++rank});
                      }
                    });
  }
  llvm::stable_sort(candidates,
                    [](const LocalCandidate &a, const LocalCandidate &b) {
                      return a.priority > b.priority;
                    });
  return candidates;
}
