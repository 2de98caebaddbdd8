//===- Completion.cpp - Completion of asynchronous work -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Trace/Completion.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::trace;

void Completion::setConsumers(uint32_t op, llvm::ArrayRef<uint32_t> consumers) {
  for (uint32_t consumer : consumers)
    if (consumer != op)
      getOp(consumer).producers.push_back(op);
}

/// Cuts those events in the list beginning with `first` that belong to the
/// consumer's run.
void Completion::cutList(uint32_t first, const Event &consumer) {
  for (uint32_t i = first; i != kNone;) {
    Waiting &event = waiting[i];
    uint32_t next = event.next;
    if (event.beginPs < consumer.beginPs) {
      event.cutPs = consumer.beginPs;
      event.isCut = true;
      unlink(i);
    }
    i = next;
  }
}

/// Makes `run` the latest one of `op`.
void Completion::beginRun(OpState &op, uint64_t run) {
  if (op.firstUncut != kNone)
    op.olderRuns[op.run] = op.firstUncut;
  op.run = run;
  op.firstUncut = op.olderRuns.find(run);
  if (op.firstUncut != kNone)
    op.olderRuns.erase(run);
}

void Completion::wait(const Event &event) {
  uint32_t index;
  if (freeSlots.empty()) {
    index = uint32_t(waiting.size());
    waiting.emplace_back();
  } else {
    index = freeSlots.back();
    freeSlots.pop_back();
  }
  OpState &op = getOp(event.op);
  if (op.run != event.run)
    beginRun(op, event.run);
  Waiting &entry = waiting[index];
  entry = Waiting();
  entry.beginPs = event.beginPs;
  entry.endPs = event.endPs;
  entry.op = event.op;
  entry.run = event.run;
  entry.flow = event.flowOut;
  entry.next = op.firstUncut;
  if (entry.next != kNone)
    waiting[entry.next].previous = index;
  op.firstUncut = index;
  waitingByFlow[event.flowOut] = index;
  entry.older = newest;
  (newest == kNone ? oldest : waiting[newest].newer) = index;
  newest = index;
  ++held;
}

void Completion::setFirst(OpState &op, uint64_t run, uint32_t first) {
  if (op.run == run)
    op.firstUncut = first;
  else if (first != kNone)
    op.olderRuns[run] = first;
  else
    op.olderRuns.erase(run);
}

void Completion::unlink(uint32_t index) {
  Waiting &entry = waiting[index];
  if (entry.next != kNone)
    waiting[entry.next].previous = entry.previous;
  if (entry.previous != kNone)
    waiting[entry.previous].next = entry.next;
  else
    setFirst(ops[entry.op], entry.run, entry.next);
  entry.next = entry.previous = kNone;
}

Completion::Done Completion::remove(uint32_t index, int64_t reportedPs,
                                    bool reported) {
  Waiting &entry = waiting[index];
  Done done;
  done.op = entry.op;
  done.beginPs = entry.beginPs;
  done.endPs = entry.endPs;
  done.completePs = std::max(entry.endPs, reportedPs);
  done.boundedPs = done.completePs;
  if (entry.isCut)
    done.boundedPs =
        std::max(entry.endPs, std::min(done.completePs, entry.cutPs));
  done.reported = reported;
  if (!entry.isCut)
    unlink(index);
  waitingByFlow.erase(entry.flow);
  (entry.older == kNone ? oldest : waiting[entry.older].newer) = entry.newer;
  (entry.newer == kNone ? newest : waiting[entry.newer].older) = entry.older;
  freeSlots.push_back(index);
  --held;
  return done;
}
