//===- ScopeEvents.h - The scopes of a run as events ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_TIMELINE_SCOPEEVENTS_H
#define MLIR_PROF_LIB_EXPORT_TIMELINE_SCOPEEVENTS_H

#include "../Scopes/Processes.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Scope/Recording.h"

#include <map>

namespace mlirprof::exporter {

/// The scopes of a run in place of its kept events, with a track for each
/// thread, and one for what was measured elsewhere. Their names are those of
/// the recording's sites.
class ScopeEvents {
public:
  /// Whether the run has scopes, and no kept events but those.
  static bool isFor(const profile::Run &run);
  /// The number of scopes of a run whose kept events are shown instead.
  static uint64_t countHidden(const profile::Run &run);

  ScopeEvents(const profile::Profile &profile, uint32_t run,
              const Processes &processes);

  /// By (begin, -end); `name` is an index into Recording::sites, `track` into
  /// getTracks().
  const profile::EventColumns &getEvents() const { return events; }
  const std::vector<profile::TrackInfo> &getTracks() const { return tracks; }
  const scope::Recording &getRecording() const { return recording; }
  const scope::ScopeEvent &getScope(size_t event) const {
    return recording.events[order[event]];
  }
  /// An arrow between two scopes, which ends where the event begins: from the
  /// scope that started it on another thread, or from its part before.
  struct Arrow {
    /// The event from which it comes.
    uint32_t from = 0;
    bool isContinuation = false;
  };
  /// The arrow to an event, or null.
  const Arrow *findArrow(size_t event) const {
    auto it = arrows.find(uint32_t(event));
    return it == arrows.end() ? nullptr : &it->second;
  }
  /// The events to which arrows from an event lead, ascending.
  llvm::ArrayRef<uint32_t> getTargets(size_t event) const {
    auto it = targets.find(uint32_t(event));
    return it == targets.end() ? llvm::ArrayRef<uint32_t>()
                               : llvm::ArrayRef<uint32_t>(it->second);
  }

private:
  void addTracks(const std::string &plane);
  void addEvents(const profile::Profile &profile, const profile::Run &run);
  void addArrows();

  const scope::Recording &recording;
  std::vector<profile::TrackInfo> tracks;
  profile::EventColumns events;
  /// The scope of each event.
  std::vector<uint32_t> order;
  /// Tracks by thread and whether it was measured elsewhere.
  std::map<std::pair<uint32_t, bool>, uint32_t> trackOf;
  std::map<uint32_t, Arrow> arrows;
  std::map<uint32_t, std::vector<uint32_t>> targets;
};

/// The special properties of a scope, as pairs of a name and a text for people.
std::vector<std::pair<llvm::StringRef, std::string>>
describeScope(const scope::Recording &recording,
              const scope::ScopeEvent &event);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_TIMELINE_SCOPEEVENTS_H
