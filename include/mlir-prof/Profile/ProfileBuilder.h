//===- ProfileBuilder.h - Building a profile from events --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_PROFILEBUILDER_H
#define MLIR_PROF_PROFILE_PROFILEBUILDER_H

#include "mlir-prof/Profile/EventSink.h"
#include "mlir-prof/Profile/Profile.h"

#include <memory>

namespace mlirprof::profile {

/// The raw events that a profile keeps.
struct KeepEvents {
  enum class Mode : uint8_t { None, All, Steps } mode = Mode::None;
  /// Step numbers, for Mode::Steps.
  std::vector<int64_t> steps;
};

/// Sums up the events of one trace into one run of a profile, in one pass and
/// with memory that grows with names and ops, not with events.
class ProfileBuilder : public EventSink {
public:
  /// Adds a run to `profile`, which must outlive the builder.
  explicit ProfileBuilder(Profile &profile, KeepEvents keep = {});
  ~ProfileBuilder() override;

  /// The run's description (source, hash, producer, clock, facts).
  Run &getRun();
  /// The HLO modules that importers find.
  std::vector<HloModule> &getHloModules();
  /// The profile to which the run is added.
  Profile &getProfile();
  /// Keeps all events from here on, regardless of the request.
  void keepAllEvents();
  /// Whether any single events may be kept.
  bool keepsEvents() const;
  /// The events kept so far; the next one that is kept has this number.
  uint32_t getNumKept() const;
  /// Keeps an arrow from a kept event to a later one, by their numbers. Returns
  /// false if another one leads there already, or `to` comes first. Call after
  /// the last event.
  bool keepArrow(uint32_t from, uint32_t to);
  /// Sets a measurement of an op, for recordings that contain sums: replaces
  /// the sum of its events. Call once per quantity, in their order.
  void setMeasurement(uint32_t op, Quantity quantity, Summary summary);

  /// Declares that the events of the track `regions` nest with the measured ops
  /// of the track `ops` (SelfTime::setRegions). Call before the first event of
  /// either.
  void setRegions(uint32_t regions, uint32_t ops);

  uint32_t addTrack(trace::Track track) override;
  uint32_t addDevice(DeviceInfo device) override;
  uint32_t addName(llvm::StringRef name) override;
  uint32_t addOpKey(OpKey key) override;
  void setConsumers(uint32_t op, llvm::ArrayRef<uint32_t> consumers) override;
  void event(const trace::Event &event) override;
  void loss(llvm::StringRef name, uint64_t count, int64_t timePs) override;

  /// Closes open events and completes the run. Call once, after the last event.
  void finish();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_PROFILEBUILDER_H
