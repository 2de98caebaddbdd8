//===- ScopeMemory.cpp - Memory of recordings of scopes -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeMemory.h"
#include "mlir-prof/Scope/Recording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::scope;
using mlirprof::trace::kNone;

static bool isOfAllocator(const MemoryEvent &event) {
  return event.type == MemoryType::Allocate || event.type == MemoryType::Free;
}

bool report::hasAllocations(const Recording &recording) {
  return llvm::any_of(recording.memory, isOfAllocator);
}

namespace {
class Plans {
public:
  Plans(const Recording &recording, JobRecord &job)
      : recording(recording), job(job) {}

  void make();

private:
  struct Place {
    MemoryPlan plan;
    /// The place of each block among the tensors, by its address.
    std::map<uint64_t, size_t> blocks;
  };

  uint32_t addName(llvm::StringRef name);
  llvm::StringRef getScope(const MemoryEvent &event) const;
  void add(const MemoryEvent &event);
  void free(Place &place, const MemoryEvent &event, uint32_t node);

  const Recording &recording;
  JobRecord &job;
  std::map<uint32_t, Place> places;
  llvm::StringMap<uint32_t> names;
};
} // namespace

uint32_t Plans::addName(llvm::StringRef name) {
  auto [it, isNew] = names.try_emplace(name, uint32_t(job.names.size()));
  if (isNew)
    job.names.push_back(name.str());
  return it->second;
}

llvm::StringRef Plans::getScope(const MemoryEvent &event) const {
  if (event.event >= recording.events.size())
    return "(no scope)";
  return recording.sites[recording.events[event.event].site].name;
}

void Plans::add(const MemoryEvent &event) {
  Place &place = places[event.place];
  MemoryPlan &plan = place.plan;
  auto node = uint32_t(plan.nodes.size());
  // The total of the place after its first event tells what it had before.
  if (node == 0 && int64_t(event.allocated) > event.bytes)
    plan.staticBytes = uint64_t(int64_t(event.allocated) - event.bytes);
  plan.nodes.push_back(addName(getScope(event)));
  if (event.type == MemoryType::Free)
    return free(place, event, node);
  // Blocks that are not given back live on.
  place.blocks[event.address] = plan.tensors.size();
  TensorLife life;
  life.id = event.address;
  life.bytes = uint64_t(std::max<int64_t>(0, event.bytes));
  life.firstNode = node;
  life.lastNode = kNone;
  plan.tensors.push_back(life);
}

void Plans::free(Place &place, const MemoryEvent &event, uint32_t node) {
  auto it = place.blocks.find(event.address);
  uint32_t last = node ? node - 1 : 0;
  if (it != place.blocks.end()) {
    TensorLife &life = place.plan.tensors[it->second];
    life.lastNode = std::max(life.firstNode, last);
    place.blocks.erase(it);
    return;
  }
  // A block from before the first event, which was not free then.
  uint64_t bytes = event.bytes < 0 ? uint64_t(-event.bytes) : 0;
  if (node == 0 || place.plan.staticBytes < bytes)
    return;
  place.plan.staticBytes -= bytes;
  TensorLife life;
  life.id = event.address;
  life.bytes = bytes;
  life.lastNode = last;
  place.plan.tensors.push_back(life);
}

void Plans::make() {
  std::vector<const MemoryEvent *> events;
  for (const MemoryEvent &event : recording.memory)
    if (isOfAllocator(event))
      events.push_back(&event);
  llvm::stable_sort(events, [](const MemoryEvent *a, const MemoryEvent *b) {
    return a->atPs < b->atPs;
  });
  for (const MemoryEvent *event : events)
    add(*event);
  for (auto &[number, place] : places) {
    place.plan.graph = number;
    for (TensorLife &life : place.plan.tensors)
      if (life.lastNode == kNone)
        life.lastNode = uint32_t(place.plan.nodes.size() - 1);
    job.memory.push_back(std::move(place.plan));
  }
}

MemoryRuns report::getMemoryRuns(const Profile &profile) {
  MemoryRuns result;
  for (const auto &[i, run] : llvm::enumerate(profile.runs)) {
    if (run.job && !run.job->memory.empty()) {
      result.runs.push_back({uint32_t(i), &run, run.job.get()});
    } else if (run.scopes && hasAllocations(*run.scopes)) {
      auto job = std::make_unique<JobRecord>();
      Plans(*run.scopes, *job).make();
      result.runs.push_back({uint32_t(i), &run, job.get()});
      result.made.push_back(std::move(job));
    }
  }
  return result;
}
