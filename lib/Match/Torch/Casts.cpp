//===- Casts.cpp - Casts that a framework inserts -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using llvm::StringRef;

/// Marks `call` and everything below it.
static void mark(const FrameworkCalls &calls, uint32_t call,
                 llvm::BitVector &casts) {
  std::vector<uint32_t> tree;
  calls.addTree(call, tree);
  for (uint32_t each : tree)
    casts.set(each);
}

static void markForward(const FrameworkCalls &calls, llvm::BitVector &casts) {
  for (uint32_t call = 0; call < calls.size(); ++call) {
    const std::string &op = calls.getKey(call).op;
    llvm::ArrayRef<uint32_t> callees = calls[call].callees;
    bool isCalledAgain = llvm::any_of(callees, [&](uint32_t callee) {
      return calls.getKey(callee).op == op;
    });
    for (uint32_t callee : callees)
      if (isCalledAgain && calls.getKey(callee).op == "aten::to")
        mark(calls, callee, casts);
  }
}

llvm::BitVector match::findCasts(const FrameworkCalls &calls) {
  llvm::BitVector casts(unsigned(calls.size()));
  markForward(calls, casts);
  llvm::DenseSet<int64_t> sequences;
  for (unsigned call : casts.set_bits())
    if (int64_t sequence = calls.getCall(call).sequence; sequence >= 0)
      sequences.insert(sequence);
  for (uint32_t call = 0; call < calls.size(); ++call)
    if (sequences.contains(calls.getCall(call).sequence) &&
        calls.getCall(call).phase == CallPhase::Backward &&
        StringRef(calls.getKey(call).op).contains("ToCopyBackward"))
      mark(calls, call, casts);
  return casts;
}
