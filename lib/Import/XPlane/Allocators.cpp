//===- Allocators.cpp - Memory of allocators over time --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocators.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

uint32_t Allocators::addName(llvm::StringRef name) {
  auto [it, isNew] = names.try_emplace(name, uint32_t(job.names.size()));
  if (isNew)
    job.names.push_back(name.str());
  return it->second;
}

Allocators::EventFacts Allocators::readFacts(llvm::StringRef stats,
                                             Plane &plane, StatReader &reader) {
  EventFacts facts;
  ProtoReader fields(stats.data(), stats.size());
  while (fields.next()) {
    if (fields.tag_and_type() != bytesField(4)) {
      fields.skip();
      continue;
    }
    StatValue value;
    const StatMetadata *stat =
        plane.statMetadata.find(readStat(fields.get_message(), value));
    if (!stat)
      continue;
    if (stat->name == "allocator_name")
      facts.allocator = reader.print(value);
    else if (stat->name == "tf_op")
      facts.op = reader.print(value);
    else if (stat->name == "addr")
      facts.address = value.getInteger();
    else if (stat->name == "allocation_bytes")
      facts.bytes = value.getInteger();
    else if (stat->name == "bytes_allocated")
      facts.inUse = value.getInteger();
  }
  return facts;
}

void Allocators::addBlock(Allocator &allocator, const EventFacts &facts) {
  TensorLife life;
  life.id = *facts.address;
  life.bytes = *facts.bytes;
  life.firstNode = uint32_t(allocator.plan.nodes.size() - 1);
  // Blocks that are not given back live on.
  life.lastNode = kNone;
  // An address that is in use was given back by an event that is missing.
  endBlock(allocator, facts);
  allocator.blocks[*facts.address] = uint32_t(allocator.plan.tensors.size());
  allocator.plan.tensors.push_back(life);
}

void Allocators::endBlock(Allocator &allocator, const EventFacts &facts) {
  uint32_t node = uint32_t(allocator.plan.nodes.size() - 1);
  auto it = allocator.blocks.find(*facts.address);
  if (it == allocator.blocks.end())
    return;
  TensorLife &life = allocator.plan.tensors[it->second];
  life.lastNode = std::max(life.firstNode, node ? node - 1 : 0);
  allocator.blocks.erase(it);
}

void Allocators::add(bool isAllocation, llvm::StringRef stats, Plane &plane,
                     StatReader &reader) {
  EventFacts facts = readFacts(stats, plane, reader);
  if (!facts.address || !facts.bytes || !facts.inUse)
    return;
  Allocator &allocator = allocators[facts.allocator];
  MemoryPlan &plan = allocator.plan;
  bool isFirst = plan.nodes.empty();
  plan.nodes.push_back(addName(facts.op.empty() ? "(no op)" : facts.op));
  if (isFirst) {
    uint64_t own = isAllocation ? *facts.bytes : 0;
    allocator.before = *facts.inUse > own ? *facts.inUse - own : 0;
  }
  bool isKnown = allocator.blocks.count(*facts.address);
  if (isAllocation) {
    addBlock(allocator, facts);
    return;
  }
  if (isKnown) {
    endBlock(allocator, facts);
    return;
  }
  // A block from before the first event; what the first event itself gave back
  // was not in use after it.
  uint32_t node = uint32_t(plan.nodes.size() - 1);
  if (node == 0 || allocator.before < *facts.bytes)
    return;
  allocator.before -= *facts.bytes;
  TensorLife life;
  life.id = *facts.address;
  life.bytes = *facts.bytes;
  life.lastNode = node - 1;
  plan.tensors.push_back(life);
}

void Allocators::finish(Run &run) {
  if (allocators.empty())
    return;
  for (auto &[name, allocator] : allocators) {
    MemoryPlan &plan = allocator.plan;
    plan.graph = uint32_t(job.memory.size());
    plan.staticBytes = allocator.before;
    for (TensorLife &life : plan.tensors)
      if (life.lastNode == kNone)
        life.lastNode = uint32_t(plan.nodes.size() - 1);
    run.facts.emplace_back("memory of graph " + std::to_string(plan.graph),
                           "allocator " + name);
    job.memory.push_back(std::move(plan));
  }
  run.job = std::make_shared<JobRecord>(std::move(job));
}
