//===- Timeline.h - The single events of a profile --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_TIMELINE_TIMELINE_H
#define MLIR_PROF_LIB_EXPORT_TIMELINE_TIMELINE_H

#include "SampleSlices.h"
#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace mlirprof::exporter {

/// Events of one track that nest: viewers draw a track as a stack, so what
/// overlaps another event of its track without nesting in it has a lane of its
/// own.
struct TimelineLane {
  /// Index into Profile::runs and Run::tracks.
  uint32_t run = 0;
  uint32_t track = 0;
  /// Among the lanes of its track, from 0.
  uint32_t number = 0;
  uint64_t events = 0;
};

/// The kept events of all runs; where these are samples, intervals of them
/// (SampleSlices). Takes 4 bytes an event.
class Timeline {
public:
  /// Fails when no run has kept events. Says in `input.losses` which have none,
  /// and which cannot be put on the clock of the others.
  static llvm::Expected<Timeline> make(const ExportInput &input);

  /// Those of a track stand together, tracks and runs are in order.
  llvm::ArrayRef<TimelineLane> getLanes() const { return lanes; }
  /// The events of a run: those that it keeps, or intervals of its samples.
  const profile::EventColumns &getEvents(uint32_t run) const {
    return slices[run] ? slices[run]->getEvents() : profile->runs[run].kept;
  }
  /// Number of the name of an event, below getNameCount().
  uint32_t getName(uint32_t run, size_t event) const {
    uint32_t name = getEvents(run).name[event];
    return getSamples(run, event) ? firstSliceName[run] + name : name;
  }
  size_t getNameCount() const { return nameCount; }
  llvm::StringRef getText(uint32_t name) const;
  /// How many samples an event of a run is made of; 0 of other events.
  uint64_t getSamples(uint32_t run, size_t event) const {
    return slices[run] ? slices[run]->getSamples(event) : 0;
  }
  /// What an event with samples shows.
  const SliceText &getSlice(uint32_t run, size_t event) const {
    return slices[run]->getTexts()[getEvents(run).name[event]];
  }
  /// Whether an event of a run is a part of the recording, and measured
  /// nothing.
  bool isPart(uint32_t run, size_t event) const {
    return slices[run] && !slices[run]->getSamples(event);
  }
  /// The number of the lane that an event of a run is in.
  uint32_t getLane(uint32_t run, size_t event) const {
    return laneOf[run][event];
  }
  /// Begin and end of an event on a clock that all runs with an anchor share.
  int64_t getBeginPs(uint32_t run, size_t event) const;
  int64_t getEndPs(uint32_t run, size_t event) const;
  /// What times are relative to where a format wants none below 0: whole ns, 0
  /// or less.
  int64_t getZeroPs() const {
    return firstPs < 0
               ? trace::saturatingSub(firstPs, (firstPs % 1000 + 1000) % 1000)
               : 0;
  }
  /// Zero of that clock, ns since the epoch; none when no run has an anchor.
  std::optional<int64_t> getAnchorNs() const { return anchorNs; }

  /// Visits the events of a run, or those that `order` lists, in the order of
  /// their begins; first `onEnd` for those that have ended by then.
  void walk(uint32_t run, llvm::ArrayRef<uint32_t> order,
            llvm::function_ref<void(size_t event)> onBegin,
            llvm::function_ref<void(size_t event)> onEnd) const;
  /// The events of each lane for walk(); takes 4 bytes an event.
  std::vector<std::vector<uint32_t>> getEventsOfLanes() const;

  /// "TensorFlow thread 3", and which lane of that it is.
  std::string getName(const TimelineLane &lane) const;
  /// The group of the tracks: the plane and, of several runs, the run.
  std::string getGroup(const TimelineLane &lane) const;

private:
  explicit Timeline(const profile::Profile &profile) : profile(&profile) {}
  void addSlices(const ExportInput &input);
  void align(LossList *losses);
  void addRun(uint32_t run);
  size_t at(uint32_t run, size_t position) const {
    return orders[run].empty() ? position : orders[run][position];
  }

  const profile::Profile *profile;
  /// Of runs that keep samples; else null.
  std::vector<std::unique_ptr<SampleSlices>> slices;
  /// Of each run, the number of the first name of its slices.
  std::vector<uint32_t> firstSliceName;
  size_t nameCount = 0;
  std::vector<TimelineLane> lanes;
  std::vector<std::vector<uint32_t>> laneOf;
  /// Events by (begin, -end), for runs that do not have them so.
  std::vector<std::vector<uint32_t>> orders;
  std::vector<int64_t> shiftPs;
  std::optional<int64_t> anchorNs;
  int64_t firstPs = 0;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_TIMELINE_TIMELINE_H
