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
#include "ScopeEvents.h"
#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace mlirprof::exporter {

/// Events of one track that nest: viewers draw a track as a stack, so an event
/// that overlaps another one of its track without nesting in it gets a separate
/// lane.
struct TimelineLane {
  /// Index into Profile::runs and Run::tracks.
  uint32_t run = 0;
  uint32_t track = 0;
  /// Among the lanes of its track, from 0.
  uint32_t number = 0;
  uint64_t events = 0;
};

/// The kept events of all runs; if these are samples, intervals of them
/// (SampleSlices), and where there are scopes, these (ScopeEvents). Takes 4
/// bytes per event.
class Timeline {
public:
  /// Fails if no run has kept events. Adds to `input.losses` the runs that do
  /// not have any, and those that cannot be put on the common clock.
  static llvm::Expected<Timeline> make(const ExportInput &input);

  /// Lanes of a track are adjacent; tracks and runs are in order.
  llvm::ArrayRef<TimelineLane> getLanes() const { return lanes; }
  /// The events of a run: its kept events, intervals of its samples, or scopes.
  const profile::EventColumns &getEvents(uint32_t run) const {
    return slices[run]   ? slices[run]->getEvents()
           : scopes[run] ? scopes[run]->getEvents()
                         : profile->runs[run].kept;
  }
  /// The scopes that are the events of a run, or null.
  const ScopeEvents *getScopes(uint32_t run) const { return scopes[run].get(); }
  /// Index of the name of an event, below getNameCount().
  uint32_t getName(uint32_t run, size_t event) const {
    uint32_t name = getEvents(run).name[event];
    return getSamples(run, event) || scopes[run] ? firstOwnName[run] + name
                                                 : name;
  }
  size_t getNameCount() const { return nameCount; }
  llvm::StringRef getText(uint32_t name) const;
  /// Number of samples in an event of a run; 0 for other events.
  uint64_t getSamples(uint32_t run, size_t event) const {
    return slices[run] ? slices[run]->getSamples(event) : 0;
  }
  /// The text of an event that consists of samples.
  const SliceText &getSlice(uint32_t run, size_t event) const {
    return slices[run]->getTexts()[getEvents(run).name[event]];
  }
  /// The event of a run that launched this one on a device, or kNone.
  uint32_t getLaunch(uint32_t run, size_t event) const {
    const std::vector<uint32_t> &launch = getEvents(run).launch;
    return launch.empty() ? trace::kNone : launch[event];
  }
  /// The events of a run that this one launched, each as (this, launched).
  llvm::ArrayRef<std::pair<uint32_t, uint32_t>> getLaunched(uint32_t run,
                                                            size_t event) const;
  /// Whether an event of a run is a part of the recording rather than a
  /// measurement.
  bool isPart(uint32_t run, size_t event) const {
    return slices[run] && !slices[run]->getSamples(event);
  }
  /// The index of the lane of an event of a run.
  uint32_t getLane(uint32_t run, size_t event) const {
    return laneOf[run][event];
  }
  /// Begin and end of an event on a clock that all runs with an anchor share.
  int64_t getBeginPs(uint32_t run, size_t event) const;
  int64_t getEndPs(uint32_t run, size_t event) const;
  /// The origin of times for formats that do not accept times below 0: whole
  /// ns, 0 or less.
  int64_t getZeroPs() const {
    return firstPs < 0
               ? trace::saturatingSub(firstPs, (firstPs % 1000 + 1000) % 1000)
               : 0;
  }
  /// The zero of that clock, in ns since the epoch; none if no run has an
  /// anchor.
  std::optional<int64_t> getAnchorNs() const { return anchorNs; }

  /// Visits the events of a run, or those that `order` lists, in the order of
  /// their begins; calls `onEnd` first for events that have ended by then.
  void walk(uint32_t run, llvm::ArrayRef<uint32_t> order,
            llvm::function_ref<void(size_t event)> onBegin,
            llvm::function_ref<void(size_t event)> onEnd) const;
  /// The events of each lane for walk(); takes 4 bytes per event.
  std::vector<std::vector<uint32_t>> getEventsOfLanes() const;

  /// "TensorFlow thread 3", and which of its lanes it is.
  std::string getName(const TimelineLane &lane) const;
  /// The group of the tracks: the plane, and the run if there are several.
  std::string getGroup(const TimelineLane &lane) const;

private:
  explicit Timeline(const profile::Profile &profile) : profile(&profile) {}
  void addSlices(const ExportInput &input);
  const std::vector<profile::TrackInfo> &getTracks(uint32_t run) const {
    return scopes[run] ? scopes[run]->getTracks() : profile->runs[run].tracks;
  }
  void align(LossList *losses);
  void addRun(uint32_t run);
  void addLaunches(uint32_t run);
  size_t at(uint32_t run, size_t position) const {
    return orders[run].empty() ? position : orders[run][position];
  }

  const profile::Profile *profile;
  /// Set for runs that keep samples; else null.
  std::vector<std::unique_ptr<SampleSlices>> slices;
  /// Set for runs with scopes; else null.
  std::vector<std::unique_ptr<ScopeEvents>> scopes;
  /// For each run, the index of the first name of its slices or scopes.
  std::vector<uint32_t> firstOwnName;
  size_t nameCount = 0;
  std::vector<TimelineLane> lanes;
  std::vector<std::vector<uint32_t>> laneOf;
  /// Events sorted by (begin, -end), for runs whose events are not sorted.
  std::vector<std::vector<uint32_t>> orders;
  /// Launches and what they launched, by run, ascending.
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> launched;
  std::vector<int64_t> shiftPs;
  std::optional<int64_t> anchorNs;
  int64_t firstPs = 0;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_TIMELINE_TIMELINE_H
