//===- MemoryUse.cpp - Use of planned memory ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryUse.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

std::vector<NodeMemory> report::getMemoryUse(const MemoryPlan &plan) {
  std::vector<NodeMemory> use(plan.nodes.size());
  std::vector<uint64_t> tensors(plan.nodes.size()), ended(plan.nodes.size());
  for (const TensorLife &tensor : plan.tensors) {
    if (tensor.firstNode > tensor.lastNode || tensor.lastNode >= use.size())
      continue;
    addSaturating(use[tensor.firstNode].allocatedBytes, tensor.bytes);
    addSaturating(use[tensor.lastNode].freedBytes, tensor.bytes);
    ++tensors[tensor.firstNode];
    ++ended[tensor.lastNode];
  }
  // Sums that saturated stay at the limit rather than fall below what is live.
  uint64_t bytes = plan.staticBytes, count = 0;
  for (size_t i = 0; i != use.size(); ++i) {
    addSaturating(bytes, use[i].allocatedBytes);
    count += tensors[i];
    use[i].liveBytes = bytes;
    use[i].tensors = count;
    if (bytes != UINT64_MAX)
      bytes -= use[i].freedBytes;
    count -= ended[i];
  }
  return use;
}

uint32_t report::findPeak(llvm::ArrayRef<NodeMemory> use) {
  auto peak = std::max_element(use.begin(), use.end(),
                               [](const NodeMemory &a, const NodeMemory &b) {
                                 return a.liveBytes < b.liveBytes;
                               });
  return peak == use.end() ? kNone : uint32_t(peak - use.begin());
}
