//===- GpuWork.cpp - Work of GPUs -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuWork.h"
#include "Facts.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using pbf_reader = mlirprof::ProtoReader;

bool xplane::isGpuPlane(llvm::StringRef plane) {
  return plane.starts_with("/device:GPU:");
}

bool xplane::isStreamLine(llvm::StringRef line) {
  return line.starts_with("Stream #");
}

uint32_t GpuWork::addDevice(Plane &plane, StatReader stats) {
  DeviceInfo device;
  plane.name.rsplit(':').second.getAsInteger(10, device.number);
  for (llvm::StringRef message : plane.stats) {
    StatValue value;
    int64_t id = readStat(pbf_reader(message.data(), message.size()), value);
    const StatMetadata *metadata = plane.statMetadata.find(id);
    if (!metadata)
      continue;
    uint64_t number = value.getInteger().value_or(0);
    if (metadata->name == "gpu_device_name")
      device.name = stats.print(value);
    else if (metadata->name == "memory_size")
      device.memoryBytes = number;
    else if (metadata->name == "core_count")
      device.processors = uint32_t(std::min<uint64_t>(number, UINT32_MAX));
    else if (metadata->name == "memory_bandwidth" && number)
      device.peaks.push_back({"memory", number});
  }
  return builder.addDevice(std::move(device));
}

//===----------------------------------------------------------------------===//
// Nodes of graphs
//===----------------------------------------------------------------------===//

bool GpuWork::hasGraphs(Plane &plane) {
  for (size_t i = 0; i != plane.statMetadata.size(); ++i)
    if (plane.statMetadata[i].kind == StatKind::GraphNode)
      return true;
  return false;
}

void GpuWork::addNode(const EventStats &stats, llvm::StringRef name) {
  if (stats.has(StatKind::GraphNode) && stats.has(StatKind::HloOp) &&
      !hloOps.isInProgram(stats))
    buffers.add(stats, name);
}

void GpuWork::resolveNodes(Space &space) {
  HloModuleTable modules(builder.getHloModules());
  for (CommandBuffers::Program program : buffers.getPrograms()) {
    const HloModule *module =
        program.first == kNone
            ? modules.findProgram(program.second)
            : modules.find(texts[program.first], program.second);
    if (!module)
      continue;
    bool isDone = false;
    forEachHloProto(space, [&](const HloProtoStat &stat) {
      if (isDone || stat.programId != module->programId)
        return;
      llvm::StringRef bytes = stat.proto;
      std::unique_ptr<llvm::MemoryBuffer> inflated;
      if (isGzip(bytes)) {
        auto plain = gunzip(bytes, stat.name, space.inflation.getLeft());
        // Damage was reported when the module was read.
        if (!plain)
          return llvm::consumeError(plain.takeError());
        inflated = std::move(*plain);
        bytes = inflated->getBuffer();
        space.inflation.charge(bytes.size());
      }
      isDone = true;
      HloIndex index(*module);
      buffers.resolve(program, LaunchOrder(bytes, index), *module);
    });
  }
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

namespace {

/// A copy as its stat describes it.
struct CopyDetails {
  llvm::StringRef source, target;
  uint64_t bytes = 0;
};

} // namespace

static CopyDetails parseCopy(llvm::StringRef text) {
  CopyDetails details;
  while (!text.empty()) {
    llvm::StringRef field;
    std::tie(field, text) = text.split(' ');
    auto [name, value] = field.split(':');
    if (name == "kind_src")
      details.source = value;
    else if (name == "kind_dst")
      details.target = value;
    else if (name == "size")
      value.getAsInteger(10, details.bytes);
  }
  return details;
}

/// Whether CUPTI calls memory of this kind a device's, a host's; neither is
/// known of managed memory.
static bool isOfDevice(llvm::StringRef kind) {
  return kind == "device" || kind == "device_static" || kind == "array";
}
static bool isOfHost(llvm::StringRef kind) {
  return kind == "pinned" || kind == "pageable";
}

static DeviceWork getWork(llvm::StringRef event, const CopyDetails &details) {
  DeviceWork named = llvm::StringSwitch<DeviceWork>(event)
                         .Case("MemcpyH2D", DeviceWork::CopyToDevice)
                         .Case("MemcpyD2H", DeviceWork::CopyToHost)
                         .Case("MemcpyD2D", DeviceWork::CopyOnDevice)
                         .Case("MemcpyP2P", DeviceWork::CopyBetweenDevices)
                         .Case("Memset", DeviceWork::SetMemory)
                         .Default(DeviceWork::Other);
  if (named != DeviceWork::Other)
    return named;
  if (isOfHost(details.source) && isOfDevice(details.target))
    return DeviceWork::CopyToDevice;
  if (isOfDevice(details.source) && isOfHost(details.target))
    return DeviceWork::CopyToHost;
  if (isOfDevice(details.source) && isOfDevice(details.target))
    return DeviceWork::CopyOnDevice;
  return DeviceWork::Other;
}

/// The key of work that no instruction of a program launched, such as copies of
/// arguments.
uint32_t GpuWork::getOtherOp(uint32_t name, DeviceWork work) {
  auto [it, isNew] = otherOps.try_emplace({name, work}, kNone);
  if (isNew) {
    OpKey key = makeOutsideKey(texts[name], OutsideKind::Outside);
    key.work = work;
    it->second = builder.addOpKey(std::move(key));
  }
  return it->second;
}

void GpuWork::set(Event &event, const EventMetadata &metadata,
                  EventStats &stats) {
  event.hasFlowIn = stats.has(StatKind::Correlation);
  event.flowIn = stats.get(StatKind::Correlation);
  auto work = DeviceWork::Kernel;
  if (stats.copyDetails != kNone) {
    CopyDetails details = parseCopy(texts[stats.copyDetails]);
    work = getWork(texts[metadata.opText], details);
    event.bytes = details.bytes;
  }
  if (!stats.has(StatKind::HloOp)) {
    event.op = getOtherOp(metadata.opText, work);
    return;
  }
  if (stats.has(StatKind::GraphNode))
    if (uint32_t instruction = buffers.find(stats); instruction != kNone)
      stats.hloOp = instruction;
  event.op = hloOps.count(hloOps.getWork(stats, metadata.opText, work),
                          event.endPs - event.beginPs);
}
