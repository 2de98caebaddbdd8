//===- Completion.h - Completion of asynchronous work -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_COMPLETION_H
#define MLIR_PROF_TRACE_COMPLETION_H

#include "mlir-prof/Trace/Event.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlirprof::trace {

/// Joins the events that start asynchronous work with those that report its
/// end, in one pass over events ordered by begin.
///
/// The reported end is only an upper bound: the runtime may run the next ops
/// before it reports. An end after the event's own is therefore cut where, in
/// the same run, an op that needs the result began, or the same op again.
class Completion {
public:
  /// Limit on the events that wait for their end; beyond it the oldest stops
  /// waiting.
  static constexpr size_t kMaxWaiting = 1 << 14;

  struct Done {
    uint32_t op = kNone;
    int64_t beginPs = 0;
    int64_t endPs = 0;
    /// The reported end, not before `endPs`.
    int64_t completePs = 0;
    /// The same, cut at the first consumer.
    int64_t boundedPs = 0;
    /// Whether an end was reported.
    bool reported = false;
  };

  /// Sets the ops that need the result of `op`.
  void setConsumers(uint32_t op, llvm::ArrayRef<uint32_t> consumers);

  /// Processes an event of an op. Calls `onDone(Done)` once for it, now or
  /// later: immediately if it does not start asynchronous work, at the latest
  /// in finish().
  template <typename OnDone>
  void begin(const Event &event, OnDone &&onDone) {
    cutProducers(event);
    if (!event.hasFlowOut) {
      onDone(Done{event.op, event.beginPs, event.endPs, event.endPs,
                  event.endPs, /*reported=*/false});
      return;
    }
    if (held == kMaxWaiting)
      giveUp(oldest, onDone);
    uint32_t same = waitingByFlow.find(event.flowOut);
    if (same != kNone)
      giveUp(same, onDone);
    wait(event);
  }

  /// Processes an event that reports an end.
  template <typename OnDone>
  void end(uint64_t flow, int64_t atPs, OnDone &&onDone) {
    uint32_t index = waitingByFlow.find(flow);
    if (index != kNone)
      onDone(remove(index, atPs, /*reported=*/true));
  }

  /// Calls `onDone` for all waiting events; their end counts as not reported.
  template <typename OnDone>
  void finish(OnDone &&onDone) {
    while (held)
      giveUp(oldest, onDone);
  }

  /// Begin of the oldest waiting event, or `otherwise`.
  int64_t getOldestBegin(int64_t otherwise) const {
    return oldest == kNone ? otherwise : waiting[oldest].beginPs;
  }

private:
  struct Waiting {
    int64_t beginPs = 0;
    int64_t endPs = 0;
    /// Begin of the first consumer.
    int64_t cutPs = 0;
    bool isCut = false;
    uint32_t op = kNone;
    uint64_t run = 0;
    uint64_t flow = 0;
    /// The list of events of one op and run that are not cut yet.
    uint32_t next = kNone;
    uint32_t previous = kNone;
    /// The list of all waiting events, in order of begin.
    uint32_t newer = kNone;
    uint32_t older = kNone;
  };
  struct OpState {
    /// The uncut events of `run`, the op's latest run.
    uint32_t firstUncut = kNone;
    uint64_t run = 0;
    /// The same for other runs with uncut events. Ends that are never reported
    /// leave many runs, which must not be walked for each event.
    IntegerMap olderRuns;
    /// The ops whose results this op needs.
    std::vector<uint32_t> producers;
  };

  template <typename OnDone>
  void giveUp(uint32_t index, OnDone &&onDone) {
    onDone(remove(index, waiting[index].endPs, /*reported=*/false));
  }

  OpState &getOp(uint32_t op) {
    if (op >= ops.size())
      ops.resize(size_t(op) + 1);
    return ops[op];
  }
  void cutProducers(const Event &event) {
    if (!held)
      return;
    cut(event.op, event);
    // The list may be long, with nearly all of its ops idle.
    if (event.op < ops.size())
      for (uint32_t producer : ops[event.op].producers)
        cut(producer, event);
  }
  void cut(uint32_t producer, const Event &consumer) {
    if (producer >= ops.size())
      return;
    const OpState &op = ops[producer];
    uint32_t first = op.run == consumer.run ? op.firstUncut
                     : op.olderRuns.size()  ? op.olderRuns.find(consumer.run)
                                            : kNone;
    if (first != kNone)
      cutList(first, consumer);
  }
  void cutList(uint32_t first, const Event &consumer);
  void beginRun(OpState &op, uint64_t run);
  static void setFirst(OpState &op, uint64_t run, uint32_t first);
  void wait(const Event &event);
  Done remove(uint32_t index, int64_t reportedPs, bool reported);
  void unlink(uint32_t index);
  std::vector<OpState> ops;
  std::vector<Waiting> waiting;
  std::vector<uint32_t> freeSlots;
  IntegerMap waitingByFlow;
  uint32_t oldest = kNone;
  uint32_t newest = kNone;
  size_t held = 0;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_COMPLETION_H
