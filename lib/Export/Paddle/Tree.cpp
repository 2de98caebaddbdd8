//===- Tree.cpp - PaddlePaddle's protobuf ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that paddle.profiler.load_profiler_result() reads, schema 1.0.2;
// lib/Import/Paddle/Tree.cpp lists its fields. Each thread is a tree of nodes,
// numbered breadth first from its root, which is not an event.
//
//===----------------------------------------------------------------------===//

#include "../Exporters.h"
#include "../Scopes/RunScopes.h"
#include "mlir-prof/Scope/PaddleProfile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <protozero/pbf_writer.hpp>
#include <set>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using protozero::pbf_writer;
using scope::kNoScope;
using scope::MemoryEvent;
using scope::Recording;
using scope::ScopeEvent;
using scope::ScopeType;

namespace {

/// Elements of an array by a key, such as the scopes inside of each scope.
class Groups {
public:
  /// `getKey` returns the key of an element, below `keys`, or kNoScope.
  template <typename GetKey>
  Groups(size_t keys, size_t elements, GetKey &&getKey) : starts(keys + 2) {
    for (uint32_t element = 0; element != elements; ++element)
      if (uint32_t key = getKey(element); key != kNoScope)
        ++starts[size_t(key) + 2];
    for (size_t key = 2; key < starts.size(); ++key)
      starts[key] += starts[key - 1];
    all.resize(starts.back());
    for (uint32_t element = 0; element != elements; ++element)
      if (uint32_t key = getKey(element); key != kNoScope)
        all[starts[size_t(key) + 1]++] = element;
  }

  llvm::MutableArrayRef<uint32_t> get(size_t key) {
    return llvm::MutableArrayRef(all).slice(starts[key],
                                            starts[key + 1] - starts[key]);
  }

private:
  std::vector<size_t> starts;
  std::vector<uint32_t> all;
};

/// Writes the threads of one recording.
class TreeWriter {
public:
  TreeWriter(const RunScopes &run, uint32_t firstCorrelation,
             const scope::EpochNs &times, std::set<uint64_t> &threadIds,
             LossList *losses, llvm::raw_ostream &os);
  void write();

private:
  ScopeType getType(uint32_t scope) const {
    return ScopeType(recording.sites[recording.events[scope].site].type);
  }
  /// Whether it is a message of its own kind, in the node of its parent.
  bool isRuntimeCall(uint32_t scope) const {
    return getType(scope) == ScopeType::CudaRuntime;
  }
  bool isLaunched(uint32_t scope) const;
  void writeThread(uint32_t thread);
  void writeNode(int64_t id, int64_t parent, uint32_t scope, uint32_t thread);
  void addEvent(uint32_t scope, uint64_t thread, pbf_writer &node);
  void addCall(uint32_t scope, uint64_t thread, pbf_writer &node);
  void addDevice(uint32_t scope, uint32_t call, pbf_writer &node);
  void addMemory(const MemoryEvent &event, uint64_t thread, pbf_writer &node);
  void dropMemory(uint32_t scope);
  void dropAll(uint32_t scope);
  void addExtra(llvm::StringRef key, llvm::StringRef value);
  void emit(uint32_t field, llvm::StringRef message);

  const Recording &recording;
  /// The correlation of call 0, so that those of all runs differ.
  uint32_t firstCorrelation;
  const scope::EpochNs &times;
  LossList *losses;
  llvm::raw_ostream &os;
  /// Scopes inside of each, and those of a thread without one around them.
  Groups children;
  Groups roots;
  /// Memory events of each scope, and those of a thread without one.
  Groups memory;
  Groups rootMemory;
  std::vector<uint64_t> threadIds;
  /// The names of threads with a tree.
  std::vector<std::pair<uint64_t, std::string>> names;
  /// The thread that is being written.
  std::string threadBytes;
};

} // namespace

/// The scope around `scope` on its thread.
static uint32_t getNodeParent(const Recording &recording, uint32_t scope) {
  const ScopeEvent &event = recording.events[scope];
  if (event.parent == kNoScope)
    return kNoScope;
  bool isLaunch = recording.sites[recording.events[event.parent].site].type ==
                  uint16_t(ScopeType::CudaRuntime);
  return event.isLinked && !isLaunch ? kNoScope : event.parent;
}

/// Identifiers of threads must be unique in the file, also where those of
/// several processes are not.
static uint64_t chooseId(uint64_t id, std::set<uint64_t> &known) {
  while (!known.insert(id).second)
    id = *known.rbegin() == ~uint64_t(0) ? id + 1 : *known.rbegin() + 1;
  return id;
}

TreeWriter::TreeWriter(const RunScopes &run, uint32_t firstCorrelation,
                       const scope::EpochNs &times, std::set<uint64_t> &known,
                       LossList *losses, llvm::raw_ostream &os)
    : recording(*run.recording), firstCorrelation(firstCorrelation),
      times(times), losses(losses), os(os),
      children(recording.events.size(), recording.events.size(),
               [&](uint32_t scope) { return getNodeParent(recording, scope); }),
      roots(recording.threads.size(), recording.events.size(),
            [&](uint32_t scope) {
              return getNodeParent(recording, scope) == kNoScope
                         ? recording.events[scope].thread
                         : kNoScope;
            }),
      memory(recording.events.size(), recording.memory.size(),
             [&](uint32_t event) { return recording.memory[event].event; }),
      rootMemory(recording.threads.size(), recording.memory.size(),
                 [&](uint32_t event) {
                   const MemoryEvent &of = recording.memory[event];
                   if (of.event != kNoScope || recording.threads.empty())
                     return kNoScope;
                   return of.thread == kNoScope ? 0 : of.thread;
                 }) {
  for (const scope::Thread &thread : recording.threads)
    threadIds.push_back(chooseId(thread.id, known));
}

/// Work of a device below the call that started it.
bool TreeWriter::isLaunched(uint32_t scope) const {
  const ScopeEvent &event = recording.events[scope];
  return event.isLinked && isRuntimeCall(event.parent);
}

void TreeWriter::emit(uint32_t field, llvm::StringRef message) {
  std::string bytes;
  pbf_writer(bytes).add_message(field, message.data(), message.size());
  os << bytes;
}

void TreeWriter::addExtra(llvm::StringRef key, llvm::StringRef value) {
  std::string bytes;
  pbf_writer pair(bytes);
  pair.add_string(1, key.data(), key.size());
  pair.add_string(2, value.data(), value.size());
  emit(4, bytes);
}

void TreeWriter::addEvent(uint32_t scope, uint64_t thread, pbf_writer &node) {
  const ScopeEvent &event = recording.events[scope];
  const std::string &name = recording.sites[event.site].name;
  ScopeType type = getType(scope);
  if (type > ScopeType::StaticKernelLaunch) {
    if (losses)
      losses->add("type of a scope that Paddle does not know");
    type = ScopeType::UserDefined;
  }
  pbf_writer fields(node, 3);
  fields.add_string(1, name);
  fields.add_enum(2, int32_t(type));
  fields.add_uint64(3, times.get(recording, event.beginPs));
  fields.add_uint64(4, times.get(recording, event.endPs));
  fields.add_uint64(5, recording.process);
  fields.add_uint64(6, thread);
}

/// Only nodes have memory.
void TreeWriter::dropMemory(uint32_t scope) {
  if (size_t count = memory.get(scope).size(); count && losses)
    losses->add("memory event in a call of the device's runtime or below it",
                count);
}

/// Calls of a device's runtime, and work of a device, do not have scopes inside
/// in the file: `scope` and everything in it is lost.
void TreeWriter::dropAll(uint32_t scope) {
  std::vector<uint32_t> stack = {scope};
  while (!stack.empty()) {
    uint32_t at = stack.back();
    stack.pop_back();
    if (losses)
      losses->add("scope inside of a call of the device's runtime");
    dropMemory(at);
    for (uint32_t child : children.get(at))
      stack.push_back(child);
  }
}

void TreeWriter::addDevice(uint32_t scope, uint32_t call, pbf_writer &node) {
  const ScopeEvent &event = recording.events[scope];
  const scope::Thread &stream = recording.threads[event.thread];
  pbf_writer wrapper(node, 2);
  pbf_writer fields(wrapper, 1);
  fields.add_string(1, recording.sites[event.site].name);
  fields.add_enum(2, int32_t(getType(scope)));
  fields.add_uint64(3, times.get(recording, event.beginPs));
  fields.add_uint64(4, times.get(recording, event.endPs));
  fields.add_uint64(5, scope::getDeviceNumber(stream));
  fields.add_uint64(6, 0);
  fields.add_uint64(7, stream.id);
  fields.add_uint32(8, firstCorrelation + call);
  dropMemory(scope);
  for (uint32_t child : children.get(scope))
    dropAll(child);
}

void TreeWriter::addCall(uint32_t scope, uint64_t thread, pbf_writer &node) {
  const ScopeEvent &event = recording.events[scope];
  pbf_writer call(node, 4);
  {
    pbf_writer fields(call, 1);
    fields.add_string(1, recording.sites[event.site].name);
    fields.add_uint64(2, times.get(recording, event.beginPs));
    fields.add_uint64(3, times.get(recording, event.endPs));
    fields.add_uint64(4, recording.process);
    fields.add_uint64(5, thread);
    fields.add_uint32(6, firstCorrelation + scope);
    fields.add_uint32(7, 0);
  }
  for (uint32_t child : children.get(scope)) {
    if (isLaunched(child))
      addDevice(child, scope, call);
    else
      dropAll(child);
  }
  dropMemory(scope);
}

void TreeWriter::addMemory(const MemoryEvent &event, uint64_t thread,
                           pbf_writer &node) {
  pbf_writer wrapper(node, 5);
  pbf_writer fields(wrapper, 1);
  fields.add_uint64(1, times.get(recording, event.atPs));
  fields.add_enum(2, int32_t(event.type));
  fields.add_uint64(3, event.address);
  fields.add_uint64(4, recording.process);
  fields.add_uint64(5, thread);
  fields.add_int64(6, event.bytes);
  fields.add_string(7, "Place(" + recording.places[event.place] + ")");
  fields.add_uint64(8, event.allocated);
  fields.add_uint64(9, event.reserved);
  fields.add_uint64(10, event.peakAllocated);
  fields.add_uint64(11, event.peakReserved);
}

/// The root for kNoScope.
void TreeWriter::writeNode(int64_t id, int64_t parent, uint32_t scope,
                           uint32_t thread) {
  pbf_writer threadFields(threadBytes);
  pbf_writer node(threadFields, 2);
  node.add_int64(1, id);
  node.add_int64(2, parent);
  if (scope != kNoScope) {
    addEvent(scope, threadIds[thread], node);
  } else {
    pbf_writer fields(node, 3);
    fields.add_string(1, "root node");
    fields.add_enum(2, int32_t(ScopeType::UserDefined));
    fields.add_uint64(3, 0);
    fields.add_uint64(4, ~uint64_t(0));
    fields.add_uint64(5, 0);
    fields.add_uint64(6, 0);
  }
  for (uint32_t child :
       scope == kNoScope ? roots.get(thread) : children.get(scope))
    if (isRuntimeCall(child))
      addCall(child, threadIds[thread], node);
  for (uint32_t event :
       scope == kNoScope ? rootMemory.get(thread) : memory.get(scope))
    addMemory(recording.memory[event], threadIds[thread], node);
}

void TreeWriter::writeThread(uint32_t thread) {
  threadBytes.clear();
  pbf_writer(threadBytes).add_uint64(1, threadIds[thread]);
  writeNode(0, -1, kNoScope, thread);
  // Scopes with the number of their parent, breadth first.
  std::vector<std::pair<uint32_t, int64_t>> queue;
  auto push = [&](llvm::MutableArrayRef<uint32_t> scopes, int64_t parent) {
    llvm::stable_sort(scopes, [&](uint32_t a, uint32_t b) {
      return recording.events[a].beginPs < recording.events[b].beginPs;
    });
    for (uint32_t scope : scopes)
      if (!isRuntimeCall(scope) && !isLaunched(scope))
        queue.push_back({scope, parent});
  };
  push(roots.get(thread), 0);
  for (size_t next = 0; next != queue.size(); ++next) {
    auto [scope, parent] = queue[next];
    writeNode(int64_t(next) + 1, parent, scope, thread);
    push(children.get(scope), int64_t(next) + 1);
  }
  if (queue.empty() && rootMemory.get(thread).empty() &&
      roots.get(thread).empty())
    return;
  emit(3, threadBytes);
  if (!recording.threads[thread].name.empty())
    names.emplace_back(threadIds[thread], recording.threads[thread].name);
}

void TreeWriter::write() {
  for (uint32_t thread = 0; thread != recording.threads.size(); ++thread)
    writeThread(thread);
  for (const auto &[id, name] : names)
    addExtra(std::to_string(id), name);
}

static llvm::Error write(const ExportInput &input, llvm::raw_ostream &os) {
  auto runs = collectScopes(input);
  if (!runs)
    return runs.takeError();
  std::string header;
  pbf_writer fields(header);
  fields.add_string(1, "1.0.2");
  fields.add_uint32(2, 0);
  os << header;
  scope::EpochNs times(getRecordings(*runs));
  std::set<uint64_t> threadIds;
  uint32_t firstCorrelation = 1;
  for (const RunScopes &run : *runs) {
    notePaddleLosses(*run.recording, input.losses);
    TreeWriter(run, firstCorrelation, times, threadIds, input.losses, os)
        .write();
    firstCorrelation += uint32_t(run.recording->events.size());
  }
  return llvm::Error::success();
}

Exporter exporter::PaddleTree() {
  return {"paddle-pb",
          "PaddlePaddle's protobuf of events (load_profiler_result)",
          ExportNeeds::Events, write};
}
