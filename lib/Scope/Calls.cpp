//===- Calls.cpp - Scopes with all of their parts -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;

Calls::Calls(const Recording &recording) : recording(recording) {
  const std::vector<ScopeEvent> &events = recording.events;
  bool hasParts = false;
  for (uint32_t index = 0; index != events.size(); ++index)
    hasParts |= events[index].first != index;
  if (!hasParts)
    return;
  joined.resize(events.size());
  std::vector<int64_t> latest(events.size(),
                              std::numeric_limits<int64_t>::min());
  for (const ScopeEvent &event : events) {
    Call &call = joined[event.first];
    addSaturating(call.durationPs, event.getDurationPs());
    addSaturating(call.selfPs, event.selfPs);
    addSaturating(call.costPs, event.costPs);
    addSaturating(call.selfCostPs, event.selfCostPs);
    call.isSelfBound |= event.isSelfBound;
    // The last part tells whether the scope has ended.
    if (event.endPs > latest[event.first] ||
        (event.endPs == latest[event.first] && event.end == EventEnd::Ended)) {
      latest[event.first] = call.endPs = event.endPs;
      call.isOpen = event.end != EventEnd::Ended;
    }
  }
}

Call Calls::get(uint32_t index) const {
  if (!joined.empty())
    return joined[index];
  const ScopeEvent &event = recording.events[index];
  return {event.getDurationPs(), event.selfPs, event.costPs,
          event.selfCostPs,      event.endPs,  event.end != EventEnd::Ended,
          event.isSelfBound};
}
