//===- Evented.cpp - Profiles of begins and ends --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Speedscope.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::speedscope;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

Reader::Change Reader::readChange(Object event, const Unit &unit) {
  Change change;
  bool hasFrame = false, hasTime = false;
  readMembers(event, [&](json::RawKey key, Value value) {
    if (key == "type") {
      change.opens = getText(value) == "O";
    } else if (key == "frame") {
      hasFrame = true;
      change.frame = getFrame(value.get_uint64());
    } else if (key == "at") {
      hasTime = true;
      change.at = readNumber(value, unit);
    }
  });
  if (!hasFrame || !hasTime)
    throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
  return change;
}

std::vector<Reader::Change> Reader::readChanges(const ProfileParts &profile) {
  std::vector<Change> changes;
  readElements(profile.events, [&](Value item) {
    Change change = readChange(item.get_object(), profile.unit);
    if (!changes.empty() && change.at < changes.back().at) {
      // Time does not advance: only the order is certain.
      change.at = changes.back().at;
      ++badOrder;
    }
    changes.push_back(change);
  });
  return changes;
}

/// Intervals of time become events of a track.
void Reader::addSlices(const std::vector<Change> &changes,
                       llvm::StringRef name) {
  Track track;
  track.line = uint32_t(lanes.size());
  track.id = int64_t(lanes.size());
  track.name = name.str();
  SliceLane lane;
  lane.track = builder.addTrack(std::move(track));
  std::vector<size_t> open;
  auto close = [&](__int128 at) {
    lane.slices[open.back()].end = at;
    open.pop_back();
  };
  for (const Change &change : changes) {
    uint32_t frameName = frames[change.frame];
    if (change.opens) {
      uint32_t &op = ops[change.frame];
      if (op == kNone) {
        op = builder.addOpKey(
            OpKey(builder.getProfile().strings[frameName], "", GraphNodeKey()));
      }
      open.push_back(lane.slices.size());
      lane.slices.push_back({change.at, change.at, frameName, op});
    } else if (!open.empty() && lane.slices[open.back()].name == frameName) {
      close(change.at);
    } else {
      ++unbalanced;
    }
  }
  unbalanced += open.size();
  // Frames open at the end of a profile end there.
  while (!open.empty())
    close(changes.back().at);
  lanes.push_back(std::move(lane));
}

/// Values other than times: the difference between two changes belongs to the
/// open stack.
llvm::Error Reader::addStacks(const std::vector<Change> &changes,
                              const Unit &unit) {
  std::vector<uint32_t> open;
  __int128 last = 0;
  for (const Change &change : changes) {
    if (!open.empty() && change.at != last &&
        !addSample(open, unit, change.at - last))
      return stacks.tooLarge(input.where);
    last = change.at;
    if (change.opens)
      open.push_back(change.frame);
    else if (!open.empty() && open.back() == change.frame)
      open.pop_back();
    else
      ++unbalanced;
  }
  unbalanced += open.size();
  return llvm::Error::success();
}

llvm::Error Reader::readEvented(const ProfileParts &profile) {
  std::vector<Change> changes = readChanges(profile);
  if (profile.unit.kind != Unit::Kind::Time)
    return addStacks(changes, profile.unit);
  addSlices(changes, profile.name);
  return llvm::Error::success();
}
