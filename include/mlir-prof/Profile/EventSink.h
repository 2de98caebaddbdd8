//===- EventSink.h - Receives a trace ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_EVENTSINK_H
#define MLIR_PROF_PROFILE_EVENTSINK_H

#include "mlir-prof/Profile/Device.h"
#include "mlir-prof/Profile/OpKey.h"
#include "mlir-prof/Support/Loss.h"

namespace mlirprof::profile {

/// Receives a trace. An importer first adds tracks, names and op keys (also
/// later, before the first event that uses one) and then passes the events of
/// all tracks in one order: by (begin, -end), ties by position in the file.
class EventSink {
public:
  virtual ~EventSink();

  virtual uint32_t addTrack(trace::Track track) = 0;
  /// Adds a device; the sink fills its times.
  virtual uint32_t addDevice(DeviceInfo device) = 0;
  virtual uint32_t addName(llvm::StringRef name) = 0;
  virtual uint32_t addOpKey(OpKey key) = 0;
  /// Declares that the ops `consumers` use the result of `op`: its asynchronous
  /// work must have completed when one of them begins. Call once per op, before
  /// its first event.
  virtual void setConsumers(uint32_t op,
                            llvm::ArrayRef<uint32_t> consumers) = 0;
  virtual void event(const trace::Event &event) = 0;
  /// Records data that the importer could not keep.
  virtual void loss(llvm::StringRef name, uint64_t count, int64_t timePs) = 0;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_EVENTSINK_H
