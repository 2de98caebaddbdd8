//===- Tracks.cpp - Processes and threads of a trace ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tracks.h"
#include "../Common/Json/Text.h"
#include "llvm/ADT/SmallString.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::chrome;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static llvm::SmallString<64> getKey(llvm::StringRef pid, llvm::StringRef tid,
                                    llvm::StringRef kind) {
  llvm::SmallString<64> key(pid);
  key.push_back('\0');
  key += tid;
  key.push_back('\0');
  key += kind;
  return key;
}

uint32_t Tracks::get(llvm::StringRef pid, llvm::StringRef tid,
                     llvm::StringRef kind) {
  if (last != kNone && tid == lastTid && pid == lastPid && kind == lastKind)
    return last;
  auto [it, isNew] =
      byKey.try_emplace(getKey(pid, tid, kind), uint32_t(tracks.size()));
  if (isNew)
    tracks.push_back({pid.str(), tid.str(), kind.str()});
  lastPid = pid.str();
  lastTid = tid.str();
  lastKind = kind.str();
  return last = it->second;
}

uint32_t Tracks::addLane(uint32_t track, uint32_t lane) {
  Entry copy = tracks[track];
  return get(copy.pid, copy.tid,
             copy.kind + " (" + std::to_string(lane + 1) + ")");
}

void Tracks::setName(Name &name, std::string text) {
  if (!name.text.empty() && name.text != text)
    ++name.contradictions;
  name.text = std::move(text);
}

void Tracks::nameProcess(llvm::StringRef pid, std::string name) {
  setName(processes[pid.str()], std::move(name));
}

void Tracks::nameThread(llvm::StringRef pid, llvm::StringRef tid,
                        std::string name) {
  setName(threads[{pid.str(), tid.str()}], std::move(name));
}

std::string Tracks::getPlane(const std::string &pid) const {
  auto it = processes.find(pid);
  std::string shown = json::unescape(pid);
  if (it == processes.end() || it->second.text.empty())
    return shown.empty() ? "" : "process " + shown;
  const std::string &name = it->second.text;
  // Two processes with the same name must be distinguished.
  return processesNamed.at(name) > 1 ? name + " " + shown : name;
}

Track Tracks::describe(const Entry &entry) {
  Track track;
  // Processes of devices often have the name of the program.
  track.plane = entry.device ? "device " + std::to_string(*entry.device)
                             : getPlane(entry.pid);
  track.line = lines[track.plane]++;
  if (llvm::StringRef(entry.tid).getAsInteger(10, track.id))
    track.id = 0;
  if (entry.device)
    track.device = devices.at(*entry.device);
  auto it = threads.find({entry.pid, entry.tid});
  track.name =
      it != threads.end() ? it->second.text : json::unescape(entry.tid);
  // Kineto writes "stream 7 ".
  track.name = llvm::StringRef(track.name).rtrim(' ').str();
  if (!entry.kind.empty())
    track.name += (track.name.empty() ? "" : " ") + entry.kind;
  return track;
}

void Tracks::declare(EventSink &sink, DescribeDevice describeDevice) {
  uint64_t contradictions = 0;
  for (const auto &[pid, name] : processes) {
    ++processesNamed[name.text];
    contradictions += name.contradictions;
  }
  for (const auto &[key, name] : threads)
    contradictions += name.contradictions;
  if (contradictions)
    sink.loss("another name for a process or thread; the last one is taken",
              contradictions, 0);
  for (const Entry &track : tracks)
    if (track.isUsed && track.device)
      devices.try_emplace(*track.device, kNone);
  for (auto &[number, device] : devices)
    device = sink.addDevice(describeDevice(number));
  for (uint32_t i = 0; i < tracks.size(); ++i)
    if (tracks[i].isUsed)
      getDeclared(i, sink);
}

std::vector<std::pair<uint32_t, uint32_t>>
Tracks::findBeside(llvm::StringRef kind) {
  std::vector<std::pair<uint32_t, uint32_t>> found;
  for (size_t i = 0, size = tracks.size(); i < size; ++i) {
    if (tracks[i].kind != kind || !tracks[i].isUsed)
      continue;
    auto own = byKey.find(getKey(tracks[i].pid, tracks[i].tid, ""));
    if (own != byKey.end() && tracks[own->second].isUsed)
      found.emplace_back(tracks[i].declared, tracks[own->second].declared);
  }
  return found;
}

uint32_t Tracks::getDeclared(uint32_t track, EventSink &sink) {
  if (tracks[track].declared == kNone)
    tracks[track].declared = sink.addTrack(describe(tracks[track]));
  return tracks[track].declared;
}
